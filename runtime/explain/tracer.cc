// The tracer: follows a process tree and explains what was refused in it.
#include "runtime/explain/tracer.h"

#include <elf.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "oci/decode.h"
#include "runtime/base/json_writer.h"
#include "runtime/confine/bpf.h"
#include "runtime/explain/capability.h"
#include "runtime/explain/wanted.h"
#include "runtime/kernel/file.h"

namespace langsbx::explain {
namespace {

using confine::LandlockKind;
using confine::LandlockLayer;
using confine::LandlockPathGrant;
using confine::LandlockPortGrant;
using confine::right_names;
using confine::SeccompFilter;

constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                          PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC;
constexpr std::size_t kMostDenials = 500;

long trace(int request, pid_t pid, void* address, unsigned long data) {
  return ::ptrace(static_cast<__ptrace_request>(request), pid, address,
                  reinterpret_cast<void*>(data));  // NOLINT: ptrace's own signature
}

struct Thread {
  TracedCall call;
  bool in_call = false;
};

class Tracer {
 public:
  Tracer(const Watched& inputs, const Events& events)
      : root_(inputs.pid), inputs_(inputs), events_(events) {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGCHLD);
    sigaddset(&signals_, SIGTERM);
  }

  Result<Explanation> run() {
    if (::sigprocmask(SIG_BLOCK, &signals_, nullptr) != 0) return system_error("sigprocmask");
    if (!seize()) {
      auto error = system_error("ptrace PTRACE_SEIZE");
      if (error.errno_value != EPERM) return error;
      return std::move(error).with_context(
          "the program may not be traced (kernel.yama.ptrace_scope, a sandbox around langsbx, "
          "another user's namespace)");
    }
    if (trace(PTRACE_INTERRUPT, root_, nullptr, 0) != 0) {
      return system_error("ptrace PTRACE_INTERRUPT");
    }
    threads_[root_];
    if (events_.attached) events_.attached();
    bool asked_to_end = false;
    while (take_all() && !(asked_to_end && !threads_.contains(root_))) {
      siginfo_t info{};
      if (::sigwaitinfo(&signals_, &info) == SIGTERM) asked_to_end = true;
    }
    return std::move(result_);
  }

 private:
  // Under Yama the process has to permit it first, and may not have come to that.
  [[nodiscard]] bool seize() const {
    constexpr int kTries = 100;
    constexpr useconds_t kPause = 2000;
    for (int i = 0; i < kTries; ++i) {
      if (trace(PTRACE_SEIZE, root_, nullptr, kOptions) == 0) return true;
      if (errno != EPERM) return false;
      ::usleep(kPause);
    }
    errno = EPERM;
    return false;
  }

  // False when nobody is left.
  bool take_all() {
    for (;;) {
      int status = 0;
      const pid_t pid = ::waitpid(-1, &status, __WALL | WNOHANG);
      if (pid < 0 && errno == EINTR) continue;
      if (pid < 0) return false;
      if (pid == 0) return !threads_.empty();
      on_status(pid, status);
    }
  }

  void on_status(pid_t pid, int status) {
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (pid == root_) result_.wait_status = status;
      threads_.erase(pid);
      return;
    }
    const int signal = WSTOPSIG(status);
    const int event = status >> 16;
    if (signal == (SIGTRAP | 0x80)) {
      on_syscall(pid);
      resume(pid, 0);
    } else if (event == PTRACE_EVENT_EXEC) {
      // The plans hold from here: before, it is the runtime's own code that runs.
      if (is_program(pid)) started_ = true;
      threads_[pid].in_call = false;
      resume(pid, 0);
    } else if (event == PTRACE_EVENT_STOP && is_stop_signal(signal)) {
      // A group stop: listen, do not resume, or the program could not be stopped any more.
      (void)trace(PTRACE_LISTEN, pid, nullptr, 0);
    } else if (event != 0) {
      if (event != PTRACE_EVENT_STOP) note_child(pid);
      resume(pid, 0);
    } else {
      resume(pid, signal);
    }
  }

  // Known before its first stop: its maker may be gone by then, and somebody has to be left.
  void note_child(pid_t pid) {
    unsigned long child = 0;
    const auto address = reinterpret_cast<unsigned long>(&child);  // NOLINT: ptrace's own signature
    if (trace(PTRACE_GETEVENTMSG, pid, nullptr, address) == 0 && child != 0) {
      threads_[static_cast<pid_t>(child)];
    }
  }

  // Hooks execute too, and are under no plan yet.
  [[nodiscard]] bool is_program(pid_t pid) const {
    return pid == root_ || inputs_.child_is_program;
  }

  static bool is_stop_signal(int signal) {
    return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
  }

  // Until the program starts it is the runtime that works: not slowed down by stops at each call.
  void resume(pid_t pid, int signal) const {
    (void)trace(started_ ? PTRACE_SYSCALL : PTRACE_CONT, pid, nullptr,
                static_cast<unsigned long>(signal));
  }

  void on_syscall(pid_t pid) {
    __ptrace_syscall_info info{};
    if (trace(PTRACE_GET_SYSCALL_INFO, pid, reinterpret_cast<void*>(sizeof(info)),  // NOLINT
              reinterpret_cast<unsigned long>(&info)) <= 0) {
      return;
    }
    Thread& thread = threads_[pid];
    if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
      thread.in_call = true;
      thread.call.pid = pid;
      thread.call.architecture = info.arch;
      thread.call.number = static_cast<long>(info.entry.nr);
      thread.call.instruction_pointer = info.instruction_pointer;
      std::copy(std::begin(info.entry.args), std::end(info.entry.args), thread.call.args.begin());
      if (started_ && ask_filters(thread.call)) thread.in_call = false;
    } else if (info.op == PTRACE_SYSCALL_INFO_EXIT && thread.in_call) {
      thread.in_call = false;
      if (started_ && info.exit.is_error) {
        ask_landlock(thread.call, static_cast<int>(-info.exit.rval));
      }
    }
  }

  // Answered before the call happens, so that a call that ends the process is explained, too.
  bool ask_filters(const TracedCall& call) {
    if (inputs_.seccomp == nullptr) return false;
    seccomp_data data{};
    data.nr = static_cast<int>(call.number);
    data.arch = call.architecture;
    data.instruction_pointer = call.instruction_pointer;
    std::copy(call.args.begin(), call.args.end(), data.args);
    const SeccompFilter* strictest = nullptr;
    std::int64_t rank = static_cast<std::int32_t>(SECCOMP_RET_USER_NOTIF);
    std::uint32_t verdict = 0;
    for (const SeccompFilter& filter : inputs_.seccomp->filters) {
      const std::uint32_t answer = confine::evaluate_filter(filter.program, data);
      const std::int64_t own = static_cast<std::int32_t>(answer & SECCOMP_RET_ACTION_FULL);
      if (own >= rank) continue;
      rank = own;
      verdict = answer;
      strictest = &filter;
    }
    if (strictest == nullptr) return false;
    Denial denial = start(call, "seccomp " + strictest->name);
    const bool has_errno = (verdict & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO;
    denial.errno_value = has_errno ? static_cast<int>(verdict & SECCOMP_RET_DATA) : 0;
    if (!has_errno) denial.object = "ends the program with SIGSYS";
    if (has_errno && denial.syscall == "socket") {
      denial.object = "family " + std::to_string(static_cast<int>(call.args[0]));
    }
    add(std::move(denial));
    return true;
  }

  void ask_landlock(const TracedCall& call, int errno_value) {
    if (errno_value != EACCES && errno_value != EPERM && errno_value != EXDEV &&
        errno_value != EROFS) {
      return;
    }
    const Wanted wanted = wanted_by(call);
    Denial denial = start(call, "kernel");
    denial.object = wanted.object;
    denial.errno_value = errno_value;
    if (inputs_.landlock != nullptr && errno_value != EROFS) {
      for (const LandlockLayer& layer : inputs_.landlock->layers) {
        if (refuses(layer, wanted, call.pid, denial)) {
          denial.layer = "landlock " + layer.name;
          break;
        }
      }
    }
    // EXDEV without us is a rename between two file systems: no refusal.
    if (denial.layer == "kernel" && errno_value == EXDEV) return;
    if (denial.layer == "kernel" && errno_value != EROFS) {
      const std::string missing = missing_capability(call.pid, denial.syscall);
      if (!missing.empty()) denial.right = missing + " is missing";
    }
    add(std::move(denial));
  }

  bool refuses(const LandlockLayer& layer, const Wanted& wanted, pid_t pid, Denial& denial) {
    for (const WantedFile& file : wanted.files) {
      std::uint64_t allowed = ~layer.handled_fs;
      for (const LandlockPathGrant& grant : layer.paths) {
        const std::string& path = canonical_grant(pid, grant.path);
        const bool below =
            path == "/" || (file.path.starts_with(path) &&
                            (file.path.size() == path.size() || file.path[path.size()] == '/'));
        if (below) allowed |= grant.access;
      }
      const std::uint64_t missing = file.rights & ~allowed;
      if (missing == 0) continue;
      denial.right = right_names(LandlockKind::kFs, missing).front();
      return true;
    }
    if (wanted.port && (wanted.net & layer.handled_net) != 0) {
      const bool granted = std::any_of(
          layer.ports.begin(), layer.ports.end(), [&wanted](const LandlockPortGrant& grant) {
            return grant.port == *wanted.port && (grant.access & wanted.net) != 0;
          });
      if (!granted) {
        denial.right = right_names(LandlockKind::kNet, wanted.net).front();
        return true;
      }
    }
    if ((wanted.scope & layer.scoped) != 0) {
      denial.right = "scope " + right_names(LandlockKind::kScope, wanted.scope).front();
      return true;
    }
    if (wanted.topology && layer.handled_fs != 0) {
      const std::string missing = missing_capability(pid, "mount");
      denial.right = missing.empty()
                         ? "no mounting in a Landlock domain (io.langsbx.landlock=off allows it)"
                         : "no mounting in a Landlock domain; " + missing + " is missing, too";
      return true;
    }
    return false;
  }

  const std::string& canonical_grant(pid_t pid, const std::string& path) {
    const auto [at, is_new] = grants_.try_emplace(path);
    if (is_new) at->second = canonical_in(pid, path);
    return at->second;
  }

  static Denial start(const TracedCall& call, std::string layer) {
    Denial denial;
    denial.pid = call.pid;
    denial.layer = std::move(layer);
    denial.syscall = syscall_name(call.architecture, call.number);
    const auto name = read_file("/proc/" + std::to_string(call.pid) + "/comm", 64);
    if (name.ok()) denial.program = name->substr(0, name->find('\n'));
    return denial;
  }

  void add(Denial denial) {
    for (Denial& known : result_.denials) {
      if (known.layer != denial.layer || known.syscall != denial.syscall ||
          known.object != denial.object || known.right != denial.right ||
          known.program != denial.program) {
        continue;
      }
      ++known.count;
      return;
    }
    if (result_.denials.size() >= kMostDenials) return;
    result_.denials.push_back(std::move(denial));
    if (events_.on_denial) events_.on_denial(result_.denials.back());
  }

  pid_t root_;
  const Watched& inputs_;
  const Events& events_;
  sigset_t signals_{};
  std::map<pid_t, Thread> threads_;
  std::map<std::string, std::string> grants_;
  bool started_ = false;
  Explanation result_;
};

}  // namespace

Result<Explanation> explain(const Watched& watched, const Events& events) {
  return Tracer(watched, events).run();
}

std::string denial_text(const Denial& denial) {
  std::string text = denial.program + "[" + std::to_string(denial.pid) + "]: " + denial.syscall;
  if (!denial.object.empty()) text += " " + denial.object;
  if (denial.errno_value != 0) text += ": " + errno_text(denial.errno_value);
  text += " (refused by " + denial.layer;
  if (denial.layer == "kernel" && denial.errno_value == EROFS) {
    text += ": the mount is read-only";
  } else if (denial.layer == "kernel" && denial.right.empty()) {
    text += ": file permissions or a missing capability";
  }
  if (!denial.right.empty()) text += ", " + denial.right;
  text += ")";
  if (denial.count > 1) text += " x" + std::to_string(denial.count);
  return text;
}

std::string denial_json(const Denial& denial) {
  const char* name = ::strerrorname_np(denial.errno_value);
  JsonWriter out;
  out.add("count", denial.count);
  out.add("errno", denial.errno_value == 0 || name == nullptr ? "" : name);
  out.add("errno_value", static_cast<std::uint64_t>(denial.errno_value));
  out.add("layer", denial.layer);
  out.add("object", denial.object);
  out.add("pid", static_cast<std::uint64_t>(denial.pid));
  out.add("program", denial.program);
  out.add("right", denial.right);
  out.add("syscall", denial.syscall);
  return out.finish();
}

Result<Denial> denial_from_json(std::string_view json) {
  namespace decode = oci::decode;
  static constexpr decode::Field kFields[] = {
      decode::field<&Denial::count>("count"),
      decode::field<&Denial::errno_value>("errno_value", &decode::kInteger<int, 0, 4095>),
      decode::field<&Denial::layer>("layer"),
      decode::field<&Denial::object>("object"),
      decode::field<&Denial::pid>("pid", &decode::kInteger<pid_t, 0, INT32_MAX>),
      decode::field<&Denial::program>("program"),
      decode::field<&Denial::right>("right"),
      decode::field<&Denial::syscall>("syscall"),
  };
  static constexpr decode::Type kDenial = decode::object<kFields>();
  Denial denial;
  TRY(decode::decode(json, kDenial, &denial, "denial"));
  return denial;
}

}  // namespace langsbx::explain
