// Calls by the capability that the kernel asks for, after capabilities(7).
#include "runtime/explain/capability.h"

#include <linux/capability.h>

#include <array>
#include <charconv>
#include <cstdint>

#include "runtime/confine/capabilities.h"
#include "runtime/kernel/file.h"

namespace langsbx::explain {
namespace {

struct Need {
  int capability;
  std::string_view calls;  // each between blanks
};

constexpr auto kNeeds = std::array{
    Need{CAP_SYS_ADMIN,
         " sethostname setdomainname mount umount2 pivot_root move_mount open_tree fsopen fsmount "
         "fspick mount_setattr setns unshare clone swapon swapoff quotactl bpf perf_event_open "
         "fanotify_init "},
    Need{CAP_SYS_TIME, " clock_settime settimeofday stime adjtimex clock_adjtime "},
    Need{CAP_SYSLOG, " syslog "},
    Need{CAP_SYS_BOOT, " reboot kexec_load kexec_file_load "},
    Need{CAP_SYS_MODULE, " init_module finit_module delete_module "},
    Need{CAP_MKNOD, " mknod mknodat "},
    Need{CAP_SYS_CHROOT, " chroot "},
    Need{CAP_NET_RAW, " socket "},
    Need{CAP_NET_BIND_SERVICE, " bind "},
    Need{CAP_CHOWN, " chown fchown lchown fchownat "},
    Need{CAP_FOWNER, " chmod fchmod fchmodat fchmodat2 utime utimes utimensat "},
    Need{CAP_SETUID, " setuid setreuid setresuid "},
    Need{CAP_SETGID, " setgid setregid setresgid setgroups "},
    Need{CAP_SETPCAP, " capset "},
    Need{CAP_KILL, " kill tkill tgkill pidfd_send_signal "},
    Need{CAP_SYS_RESOURCE, " setrlimit prlimit64 "},
    Need{CAP_SYS_NICE,
         " setpriority sched_setscheduler sched_setattr sched_setparam sched_setaffinity "
         "ioprio_set "},
    Need{CAP_IPC_LOCK, " mlock mlock2 mlockall "},
    Need{CAP_SYS_PTRACE, " ptrace process_vm_readv process_vm_writev kcmp pidfd_getfd "},
    Need{CAP_SYS_RAWIO, " iopl ioperm "},
    Need{CAP_DAC_READ_SEARCH, " open_by_handle_at "},
    Need{CAP_SYS_PACCT, " acct "},
};

bool has_capability(pid_t pid, int number) {
  constexpr std::string_view kLine = "\nCapEff:\t";
  const auto status = read_file("/proc/" + std::to_string(pid) + "/status", 8192);
  const auto at = status.ok() ? status->find(kLine) : std::string::npos;
  if (at == std::string::npos) return true;
  std::uint64_t set = 0;
  const char* const begin = status->data() + at + kLine.size();
  std::from_chars(begin, status->data() + status->size(), set, 16);
  return (set >> static_cast<unsigned>(number) & 1U) != 0;
}

}  // namespace

std::string missing_capability(pid_t pid, std::string_view syscall) {
  const std::string word = " " + std::string(syscall) + " ";
  for (const Need& need : kNeeds) {
    if (need.calls.find(word) == std::string_view::npos) continue;
    if (has_capability(pid, need.capability)) return {};
    return confine::capability_name(need.capability);
  }
  return {};
}

}  // namespace langsbx::explain
