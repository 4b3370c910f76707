// What the kernel says of a container's init at this moment: mounts, and what it carries.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "runtime/state/record.h"

namespace langsbx::cmd {

// {"mounts": [{destination, type, source, options}], "process": {NoNewPrivs, Seccomp, ...}};
// an empty object when init does not live.
nlohmann::ordered_json live_facts(const state::Record& record);
std::string live_text(const nlohmann::ordered_json& facts);

// One line of /proc/PID/mountinfo; an empty object when it is none.
nlohmann::ordered_json mount_of_line(std::string_view line);

}  // namespace langsbx::cmd
