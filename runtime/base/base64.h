// Base64 of RFC 4648 with padding: bytes that JSON can't hold as text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace langsbx {

std::string to_base64(std::string_view bytes);
// Empty where the text is not exactly one padded Base64 value: no line ends, no spaces.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace langsbx
