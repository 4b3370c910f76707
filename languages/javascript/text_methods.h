// The methods of strings and arrays that source uses to put text together, computed.
#pragma once

#include <string_view>
#include <vector>

#include "languages/javascript/fold.h"

namespace langsbx::languages::javascript {

// `value.name(arguments)`; kUnknown where it can't be told.
[[nodiscard]] Value apply_method(const Value& value, std::string_view name,
                                 const std::vector<Value>& arguments);
// atob(text) and Buffer.from(text, "base64"); what isn't base64 is dropped, as Node.js does.
[[nodiscard]] std::string decode_base64(std::string_view text);
[[nodiscard]] std::string decode_hex(std::string_view text);
// decodeURIComponent and unescape.
[[nodiscard]] std::string decode_percent(std::string_view text);
// path.join and path.resolve of the parts.
[[nodiscard]] std::string join_path(const std::vector<std::string>& parts, bool resolve);

}  // namespace langsbx::languages::javascript
