// What a container's record says of its guard: `exec` may not be looser than it, and the watcher of
// time limits takes them from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::guard {

struct GuardRecord {
  bool asked = false;                         // by anyone: else what follows binds nobody
  std::string profile, language, mode, exec;  // empty: nobody said
  std::string judged_as;  // the language of the container's program, once it is known
  // Time of the whole container, in milliseconds.
  std::optional<std::uint64_t> wall_time, cpu_time;
  std::map<std::string, std::string> facts;  // of a container with time limits: whose end it is
};

[[nodiscard]] std::string to_json(const GuardRecord& record);
// An empty text, where nothing was recorded, gives an empty record.
[[nodiscard]] Result<GuardRecord> guard_record_from_json(std::string_view json);

}  // namespace langsbx::guard
