// What an undefined symbol of an object file reaches for.
#pragma once

#include <optional>
#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages::elf {

// kNone: harmless. Nothing: on no list, so it may be anything.
[[nodiscard]] std::optional<Capability> find_symbol(std::string_view name);

}  // namespace langsbx::languages::elf
