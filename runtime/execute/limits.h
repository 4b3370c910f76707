// Which limits a run gets: preset, profile, command line, and what the language can't do without.
#pragma once

#include <string_view>

#include "languages/profile.h"
#include "runtime/base/result.h"
#include "runtime/execute/request.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {

// "default" or "strict".
Result<Limits> preset_limits(std::string_view preset);
// The stricter of preset and profile, raised to what the language needs; the command line has the
// last word.
Limits merge_limits(const Limits& preset, const languages::Limits& profile,
                    const Toolchain& toolchain, const LimitOptions& options);
// "64", "64K", "10Mi", "1G": powers of 1024.
Result<std::uint64_t> parse_size(std::string_view text, std::string_view option);
// "1.5" processors -> 1500.
Result<std::uint64_t> parse_cpus(std::string_view text);

}  // namespace langsbx::execute
