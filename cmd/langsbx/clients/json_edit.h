// Edits JSON as text: what is not touched keeps its order, indentation and numbers.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::clients {

// The whole text as one object. Refused beside what is no JSON: nesting deeper than any settings,
// which recursive code downstream would not survive.
Result<nlohmann::ordered_json> parse_object(std::string_view text);

// `path` names a member of nested objects: {"runtimes", "langsbx"}. Objects on the way are made.
// `value` is JSON. Refused: what is not an object, a key that stands there twice.
Result<std::string> set_member(std::string_view text, const std::vector<std::string>& path,
                               std::string_view value);
// Without the member, and without the objects above it that it leaves empty.
Result<std::string> remove_member(std::string_view text, const std::vector<std::string>& path);

}  // namespace langsbx::clients
