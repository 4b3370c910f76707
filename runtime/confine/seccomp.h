// Seccomp: config.json's and the language's filter compiled to BPF in the parent, loaded in init.
//
// plan_seccomp is the only part that parses, allocates and calls libseccomp. What the child gets is
// a list of finished programs; load_seccomp makes one seccomp(2) call for each of them.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "oci/spec_security.h"
#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::confine {

// What becomes of a rule that names a system call nobody knows.
enum class UnknownCalls : std::uint8_t {
  kSkipWhereStricter,  // left out where that refuses more, an error where it would refuse less
  kFail,               // an error (crun's annotation run.oci.seccomp_fail_unknown_syscall)
  kSkip,               // left out, as runc and crun do
};

struct SeccompOptions {
  UnknownCalls unknown_calls = UnknownCalls::kSkipWhereStricter;
  // A profile with a listenerPath gets a listener even when nothing in it notifies, as with crun.
  bool always_listens = false;
  // Where compiled filters are kept between containers: "<state root>/.cache/seccomp". Empty: none.
  std::string cache_directory;
};

// One profile: where it comes from (for errors and reports) and what it says, as values or as JSON
// text that outlives the call and is only parsed when the cache has no compiled filter for it.
struct SeccompSource {
  std::string name;  // "linux.seccomp", "language profile python"
  oci::Seccomp profile;
  std::string_view json;  // not empty: instead of `profile`
};

struct SeccompFilter {
  std::string name;
  std::vector<sock_filter> program;
  std::uint32_t flags = 0;  // SECCOMP_FILTER_FLAG_* without NEW_LISTENER
  bool has_notify = false;
};

struct SeccompSummary {
  std::string name;
  std::string default_action;
  std::vector<std::string> architectures;
  std::vector<std::string> flags;
  std::uint32_t instructions = 0;
  std::vector<std::string> skipped;    // unknown names that were left out
  std::vector<std::string> unrefused;  // those of them that would have been refused
  bool from_cache = false;
};

struct SeccompPlan {
  std::vector<SeccompFilter> filters;  // in load order; the kernel takes the strictest answer
  std::vector<SeccompSummary> summaries;
  std::string listener_path;  // empty: no filter notifies
  std::string listener_metadata;
  [[nodiscard]] bool empty() const { return filters.empty(); }
  [[nodiscard]] bool has_listener() const { return !listener_path.empty(); }
};

// Every profile in `sources` becomes one filter. The order is chosen so that no filter forbids
// loading the next one; when there is no such order, and when a profile has an unknown
// architecture, action, operator or flag, or an errnoRet that its action cannot carry, the error
// names the profile and the field ("linux.seccomp.syscalls[3].args[0].op").
Result<SeccompPlan> plan_seccomp(const std::vector<SeccompSource>& sources,
                                 const SeccompOptions& options);
// One more filter for a plan, under the same conditions.
Result<void> stack_seccomp(const SeccompSource& source, const SeccompOptions& options,
                           SeccompPlan& plan);
// A plan of config.json's own profile alone.
Result<SeccompPlan> plan_seccomp(const oci::Seccomp& profile, const SeccompOptions& options);

// Of `plan` what config.json asked for, to be loaded without a listener: what would be asked gets
// ENOSYS.
SeccompPlan filters_of_config(const SeccompPlan& plan);

// Shipped in seccomp-profiles/, embedded in the binary: "default", "python", ...
std::optional<std::string_view> builtin_seccomp_profile(std::string_view name);
std::vector<std::string_view> builtin_seccomp_profile_names();
// An OCI seccomp object as JSON text (a shipped profile, a file): unknown properties are ignored,
// wrong types refused with their JSON path.
Result<oci::Seccomp> parse_seccomp_profile(std::string_view json, std::string_view name);

// --- in the child ---------------------------------------------------------------------------

// Loads all filters. To be called as the last thing before execve when no_new_privs is set, and
// before capabilities are dropped (CAP_SYS_ADMIN is needed) when it is not.
//
// Listener: when plan.has_listener(), `listener_socket` is one end of a UNIX socket whose other
// end the parent holds. A helper thread of init that is started before the first filter is loaded,
// and so is under no filter, waits until the descriptor exists and sends it. init itself makes no
// system call between seccomp(2) and the return of this function (it watches shared memory), so a
// rule that notifies on sendmsg, write, fcntl, futex, close or any other call cannot dead-lock it;
// the first call that an agent may see is the caller's next, normally execve. The thread ends with
// that execve at the latest, before any program of the container runs, so nothing can attach to it.
// The caller must be single-threaded. TSYNC is dropped from the flags: there is nothing to sync.
Result<void> load_seccomp(const SeccompPlan& plan, int listener_socket);

// --- in the parent --------------------------------------------------------------------------

// The descriptor that load_seccomp sent; waits at most `timeout_ms` (-1: until the socket closes).
Result<UniqueFd> receive_listener(int socket, int timeout_ms);
// Connects to listenerPath and sends the ContainerProcessState JSON with the descriptor.
Result<void> send_listener(const std::string& listener_path, int listener,
                           std::string_view container_process_state);

}  // namespace langsbx::confine
