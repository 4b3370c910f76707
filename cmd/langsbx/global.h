// The options before the command: where state is kept, how to log, which cgroup manager.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cmd/langsbx/log.h"
#include "cmd/langsbx/options.h"
#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"

namespace langsbx::cmd {

struct Global {
  std::string program = "langsbx";  // "runc" or "crun" when called so
  std::string root;
  bool root_is_given = false;  // by --root
  std::string log_path;
  LogSettings log;
  bool debug = false;
  bool version = false;
  cgroup::Manager cgroup_manager = cgroup::Manager::kCgroupfs;
  std::optional<bool> rootless;
  std::string config_file;
  std::string guard_profile;
  std::string landlock;
  std::string trace_path;
};

struct GlobalParse {
  Global global;
  // Whether the options have values that they take. Told in the log, as an engine reads no stderr.
  Result<void> values;
  bool help = false;
  std::vector<std::string> rest;  // the command and its arguments
  std::string options_help;
};

// "/usr/local/bin/runc" -> "runc"; other names than runc and crun -> "langsbx".
std::string program_name(std::string_view argv0);
// /run/langsbx for root; $XDG_RUNTIME_DIR/langsbx for users and in their user namespaces.
std::string default_root();

Result<GlobalParse> parse_global(std::string_view argv0, std::span<const std::string> args);

}  // namespace langsbx::cmd
