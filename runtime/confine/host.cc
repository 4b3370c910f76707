// Probes of the running kernel.
#include "runtime/confine/host.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "runtime/confine/labels.h"
#include "runtime/confine/landlock_rights.h"
#include "runtime/confine/seccomp_compile.h"
#include "runtime/kernel/bare_calls.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/landlock.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/seccomp.h"

namespace langsbx::confine {
namespace {

class Prober {
 public:
  HostReport take() { return std::move(report_); }

  void landlock() {
    report_.landlock_abi = landlock_abi();
    report_.landlock_errata = landlock_errata();
    const int abi = report_.landlock_abi;
    if (abi == 0) {
      add("landlock", false, "not built into this kernel, or not in its lsm= list");
    } else {
      add("landlock", true,
          "ABI " + std::to_string(abi) + ", errata " + std::to_string(report_.landlock_errata));
    }
    for (const LandlockRight& right : landlock_rights()) {
      constexpr auto kKinds = std::array{"fs", "net", "scope"};
      const std::string name = std::string("landlock.") +
                               kKinds[static_cast<std::size_t>(right.kind)] + "." +
                               std::string(right.name);
      since(name, right.since_abi);
    }
    since("landlock.audit", 7);
  }

  void seccomp() {
    report_.libseccomp_version = libseccomp_version();
    report_.seccomp_api = static_cast<int>(::seccomp_api_get());
    constexpr auto kActions = std::array{
        std::pair{"kill_process", SECCOMP_RET_KILL_PROCESS}, std::pair{"errno", SECCOMP_RET_ERRNO},
        std::pair{"notify", SECCOMP_RET_USER_NOTIF}, std::pair{"log", SECCOMP_RET_LOG}};
    for (const auto& [name, action] : kActions) {
      add(std::string("seccomp.") + name, seccomp_action_available(action),
          "libseccomp " + report_.libseccomp_version);
    }
  }

  void namespaces() {
    constexpr auto kNamespaces =
        std::array{std::pair{"user", CLONE_NEWUSER},     std::pair{"mount", CLONE_NEWNS},
                   std::pair{"pid", CLONE_NEWPID},       std::pair{"network", CLONE_NEWNET},
                   std::pair{"ipc", CLONE_NEWIPC},       std::pair{"uts", CLONE_NEWUTS},
                   std::pair{"cgroup", CLONE_NEWCGROUP}, std::pair{"time", 0x80}};
    for (const auto& [name, flag] : kNamespaces) {
      const int code = in_process([one = flag] { return ::unshare(one) == 0 ? 0 : errno; });
      add(std::string("namespace.") + name, code == 0, why(code));
    }
  }

  void others() {
    const int code =
        in_process([] { return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 ? 0 : errno; });
    add("no_new_privs", code == 0, why(code));
    const LabelHost labels = read_label_host();
    add("apparmor", labels.apparmor, labels.apparmor ? "" : "not enabled");
    add("selinux", labels.selinux, labels.selinux ? "" : "not enabled");
    struct statfs info {};
    const bool unified =
        ::statfs("/sys/fs/cgroup", &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC;
    add("cgroup.v2", unified, unified ? "" : "cgroup v1 or hybrid is mounted");
    call("openat2", SYS_openat2);
    call("open_tree", SYS_open_tree);
    call("mount_setattr", SYS_mount_setattr);
    call("pidfd_open", SYS_pidfd_open);
    call("clone3", SYS_clone3);
    call("close_range", SYS_close_range);
    const auto audit = read_file("/proc/self/loginuid", 64);
    add("audit", audit.ok(), audit.ok() ? "" : "no audit in this kernel");
  }

 private:
  void add(std::string name, bool enforceable, std::string detail) {
    report_.facts.push_back({std::move(name), enforceable, std::move(detail)});
  }

  void since(std::string name, int abi) {
    const bool has = report_.landlock_abi >= abi;
    std::string detail;
    if (!has) {
      detail = "needs Landlock ABI " + std::to_string(abi) + ", the kernel has " +
               std::to_string(report_.landlock_abi);
    }
    add(std::move(name), has, std::move(detail));
  }

  // All zero arguments fail in every kernel that has the call; only ENOSYS tells that it hasn't.
  void call(std::string name, long number) {
    const int code = in_process([number] { return errno_of_call(number); });
    add(std::move(name), code != ENOSYS && code >= 0, code == ENOSYS ? why(code) : "");
  }

  // Changes what it probes, so a process of its own does it. -1: could not be made.
  template <typename Probe>
  int in_process(Probe probe) {
    auto child = fork_child({}, [&probe] { return probe(); });
    if (!child.ok()) return -1;
    return child->wait().value_or(-1);
  }

  static std::string why(int code) { return code == 0 ? "" : errno_text(code < 0 ? EAGAIN : code); }

  HostReport report_;
};

}  // namespace

HostReport read_host_report() {
  Prober prober;
  prober.landlock();
  prober.seccomp();
  prober.namespaces();
  prober.others();
  HostReport report = prober.take();
  utsname name{};
  if (::uname(&name) == 0) report.kernel = name.release;
  return report;
}

}  // namespace langsbx::confine
