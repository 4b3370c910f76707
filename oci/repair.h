// What Go's JSON reader makes of bytes that are no text, so that runc's callers see what they know.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace langsbx::oci {

// The document with U+FFFD in the place of each byte that is no UTF-8, and of each escape that is
// half a surrogate pair; nothing when there is none of them.
std::optional<std::string> repaired(std::string_view json);

}  // namespace langsbx::oci
