// The verbs of the runtime: what cmd/ calls. One .cc file a verb.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oci/spec_resources.h"
#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"

namespace langsbx::runtime {

// The global options every verb needs.
struct Context {
  std::string root;  // state root
  cgroup::Manager cgroup_manager = cgroup::Manager::kCgroupfs;
  std::optional<bool> rootless;  // empty: decide by euid
  std::string log_path;          // handed to hooks and helpers only by name
  bool debug = false;
  std::string trace_path;                // --trace FILE: Chrome trace of the phases
  std::string guard_profile;             // --profile
  std::string landlock;                  // --landlock
  std::string runtime_name = "langsbx";  // "runc", "crun" when called so: part of error texts
  // Warnings of the verbs, printed by cmd at the end, and by this before a program is waited for.
  std::vector<std::string>* warnings = nullptr;
  std::function<void()> report_so_far;

  // Called crun: what its callers expect otherwise than runc's (--preserve-fds, NOTIFY_SOCKET, its
  // status file).
  [[nodiscard]] bool acts_as_crun() const { return runtime_name == "crun"; }
  // Called runc: what only its own limits explain is refused as it refuses it.
  [[nodiscard]] bool acts_as_runc() const { return runtime_name == "runc"; }
  void before_wait() const {
    if (report_so_far) report_so_far();
  }
};

struct CreateOptions {
  std::string id;
  std::string bundle = ".";
  std::string config_file;  // crun's --config; empty: <bundle>/config.json
  std::string console_socket;
  std::string pidfd_socket;
  std::string pid_file;
  bool no_pivot = false;
  bool no_new_keyring = false;
  int preserve_fds = 0;
  // run only
  bool detach = false;
  bool keep = false;
  bool no_subreaper = false;
  bool explain = false;
  std::string explain_file;
};

struct ExecOptions {
  std::string id;
  std::vector<std::string> args;
  std::string process_file;  // --process
  std::string console_socket;
  std::string pidfd_socket;
  std::string pid_file;
  std::string cwd;
  std::vector<std::string> env;
  std::string user;  // "uid[:gid]", numbers only
  std::vector<std::string> additional_gids;
  std::vector<std::string> capabilities;
  std::string process_label;
  std::string apparmor;
  std::vector<std::string> cgroup_paths;
  bool tty = false;
  bool detach = false;
  bool no_new_privs = false;
  bool ignore_paused = false;
  bool explain = false;
  std::string explain_file;
  int preserve_fds = 0;
};

// Returns when the container is set up and waits for start.
Result<void> create(const Context& context, const CreateOptions& options);
// Returns when the program was executed, or with the reason why not.
Result<void> start(const Context& context, const std::string& id);
// create + start; the exit status as a shell would report it (128+n for signals); 0 when detached.
Result<int> run(const Context& context, const CreateOptions& options);
Result<int> exec(const Context& context, const ExecOptions& options);
// `all` is accepted for compatibility: without a private pid namespace SIGKILL reaches all anyway.
Result<void> kill(const Context& context, const std::string& id, int signal, bool all);
Result<void> remove(const Context& context, const std::string& id, bool force);
Result<void> pause(const Context& context, const std::string& id);
Result<void> resume(const Context& context, const std::string& id);
Result<void> update(const Context& context, const std::string& id, const oci::Resources& resources,
                    const std::string& l3_cache_schema, const std::string& mem_bw_schema);
// Host pids of all processes in the container.
Result<std::vector<pid_t>> processes(const Context& context, const std::string& id);

// "KILL", "SIGKILL", "9", "RTMIN+3" -> number.
Result<int> parse_signal(std::string_view text);

}  // namespace langsbx::runtime
