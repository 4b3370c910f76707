// Reads a small JSON document into values, with the JSON path of what is wrong in the error.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::confine {

using Json = nlohmann::json;

// Refuses more than 4 MiB and what is not one JSON value; `name` stands before the message.
Result<Json> parse_json(std::string_view text, std::string_view name);

// A view of one value and its path ("linux.seccomp.syscalls[3].args"). Cheap to copy; must not
// outlive the document.
class JsonView {
 public:
  JsonView(const Json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Json& raw() const { return *value_; }
  [[nodiscard]] Error error(std::string_view what) const;

  // A missing or null member is absent.
  [[nodiscard]] Result<std::optional<JsonView>> member(const char* key) const;
  [[nodiscard]] Result<std::string> text() const;
  [[nodiscard]] Result<std::uint64_t> number(std::uint64_t most) const;
  [[nodiscard]] Result<bool> boolean() const;
  [[nodiscard]] Result<std::vector<JsonView>> elements() const;
  [[nodiscard]] Result<std::vector<std::string>> texts() const;

  // The same for members; the target keeps its value when the member is absent.
  Result<void> read(const char* key, std::string& target) const;
  Result<void> read(const char* key, bool& target) const;
  Result<void> read(const char* key, std::vector<std::string>& target) const;
  template <typename Number>
  Result<void> read_number(const char* key, Number& target, std::uint64_t most) const {
    const auto found = TRY(member(key));
    if (found) target = static_cast<Number>(TRY(found->number(most)));
    return {};
  }
  // Calls `visit` for each element of the list `key`.
  Result<void> each(const char* key,
                    const std::function<Result<void>(const JsonView&)>& visit) const;

 private:
  const Json* value_;
  std::string path_;
};

}  // namespace langsbx::confine
