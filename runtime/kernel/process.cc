// clone3, pidfds, and running helper programs.
#include "runtime/kernel/process.h"

#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "runtime/kernel/file.h"

namespace langsbx {
namespace {

constexpr unsigned kCloseRangeCloexec = 1U << 2U;

// CLONE_CLEAR_SIGHAND is not used: dispositions that the caller ignored (SIGPIPE under Go) are
// reset by init itself, together with the mask.
Result<pid_t> clone_process(const CloneOptions& options, int* pidfd) {
  clone_args args{};
  args.flags = options.namespaces | CLONE_PIDFD;
  args.pidfd = reinterpret_cast<std::uint64_t>(pidfd);
  args.exit_signal = options.sibling ? 0 : SIGCHLD;
  if (options.sibling) args.flags |= CLONE_PARENT;
  if (options.cgroup >= 0) {
    args.flags |= CLONE_INTO_CGROUP;
    args.cgroup = static_cast<std::uint64_t>(options.cgroup);
  }
  long pid = ::syscall(SYS_clone3, &args, sizeof args);
  // Container engines whose seccomp profile can't look into clone3's arguments say that it is not
  // there; the older call takes all but a cgroup.
  if (pid < 0 && errno == ENOSYS && options.cgroup < 0) {
    pid = ::syscall(SYS_clone, args.flags | args.exit_signal, nullptr, pidfd, nullptr, nullptr);
  }
  if (pid < 0) return system_error("clone3");
  return static_cast<pid_t>(pid);
}

int status_of(const siginfo_t& info) {
  return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

struct Streams {
  UniqueFd input_read, input_write, output_read, output_write, error_read, error_write;
};

Result<void> make_pipe(UniqueFd& read_end, UniqueFd& write_end) {
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return system_error("pipe2");
  read_end.reset(fds[0]);
  write_end.reset(fds[1]);
  return {};
}

// The child's end leads to `target`; nothing is left to read.
Result<void> redirect(int target, UniqueFd& read_end, UniqueFd& write_end) {
  read_end.reset();
  write_end.reset(::fcntl(target, F_DUPFD_CLOEXEC, 3));
  if (!write_end) return system_error("fcntl F_DUPFD_CLOEXEC");
  return {};
}

void execute(const Command& command, const std::vector<char*>& argv) {
  if (!command.env) {
    ::execvp(command.path.c_str(), argv.data());
    return;
  }
  std::vector<char*> envp;
  for (const auto& entry : *command.env) envp.push_back(const_cast<char*>(entry.c_str()));
  envp.push_back(nullptr);
  ::execvpe(command.path.c_str(), argv.data(), envp.data());
}

// In the child: never returns on success.
int exec_command(const Command& command, const Streams& streams) {
  // Else it would read and write what is ours.
  if (::dup2(streams.input_read.get(), 0) < 0 || ::dup2(streams.output_write.get(), 1) < 0 ||
      ::dup2(streams.error_write.get(), 2) < 0) {
    return 127;
  }
  if (!close_on_exec_from(3).ok()) return 127;
  if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) return 127;
  std::vector<char*> argv;
  for (const auto& arg : command.args) argv.push_back(const_cast<char*>(arg.c_str()));
  if (argv.empty()) argv.push_back(const_cast<char*>(command.path.c_str()));
  argv.push_back(nullptr);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::signal(SIGPIPE, SIG_DFL);
  std::string message;
  if (const auto ready = command.before_exec ? command.before_exec() : Result<void>(); ready.ok()) {
    execute(command, argv);
    message = "exec " + command.path + ": " + errno_text(errno) + "\n";
  } else {
    message = ready.error().to_string() + "\n";
  }
  static_cast<void>(write_fd(2, message, "stderr"));
  return 127;
}

// Feeds stdin and drains both outputs until they close or the deadline passes.
void pump(Streams& streams, const Command& command, CommandResult& result) {
  std::string_view input = command.input;
  if (input.empty()) streams.input_write.reset();
  const auto deadline =
      std::chrono::steady_clock::now() + command.timeout.value_or(std::chrono::milliseconds(0));
  constexpr std::size_t kKeep = 64U << 10U;  // per stream; the rest is read and dropped
  while (streams.output_read.valid() || streams.error_read.valid() || streams.input_write.valid()) {
    pollfd fds[3] = {{streams.output_read.get(), POLLIN, 0},
                     {streams.error_read.get(), POLLIN, 0},
                     {streams.input_write.get(), POLLOUT, 0}};
    int wait_ms = -1;
    if (command.timeout) {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0) {
        result.timed_out = true;
        return;
      }
      wait_ms = static_cast<int>(left.count());
    }
    if (::poll(fds, 3, wait_ms) < 0 && errno != EINTR) return;
    char buffer[4096];
    const auto drain = [&](UniqueFd& fd, short revents, std::string& target) {
      if (revents == 0) return;
      const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
      if (count <= 0) return fd.reset();
      if (target.size() < kKeep) target.append(buffer, static_cast<std::size_t>(count));
    };
    drain(streams.output_read, fds[0].revents, result.output);
    drain(streams.error_read, fds[1].revents, result.errors);
    if (fds[2].revents != 0) {
      // A hook that does not read its state is no error (EPIPE).
      const ssize_t count = ::write(streams.input_write.get(), input.data(), input.size());
      const bool would_wait = count < 0 && (errno == EAGAIN || errno == EINTR);
      if (count > 0) input.remove_prefix(static_cast<std::size_t>(count));
      if (!would_wait && (count <= 0 || input.empty())) streams.input_write.reset();
    }
  }
}

}  // namespace

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), pidfd_(std::move(other.pidfd_)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pidfd_, other.pidfd_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (pid_ <= 0) return;
  if (!signal_pidfd(pidfd_.get(), SIGKILL).ok()) ::kill(pid_, SIGKILL);
  int status = 0;
  while (::waitpid(pid_, &status, __WALL) < 0 && errno == EINTR) {
  }
}

pid_t ChildProcess::release() {
  pidfd_.reset();
  return std::exchange(pid_, -1);
}

Result<int> ChildProcess::wait() {
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | __WALL) != 0) {
    if (errno != EINTR) return system_error("waitid");
  }
  pid_ = -1;
  return status_of(info);
}

Result<ChildProcess> fork_child(const CloneOptions& options, const std::function<int()>& body) {
  int pidfd = -1;
  const pid_t pid = TRY(clone_process(options, &pidfd));
  if (pid == 0) ::_exit(body());
  return ChildProcess(pid, UniqueFd(pidfd));
}

Result<UniqueFd> open_pidfd(pid_t pid) {
  const long fd = ::syscall(SYS_pidfd_open, pid, 0);
  if (fd < 0) return system_error("pidfd_open " + std::to_string(pid));
  return UniqueFd(static_cast<int>(fd));
}

Result<UniqueFd> copy_descriptor(int pidfd, int number) {
  UniqueFd copy(static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd, number, 0)));
  if (!copy) return system_error("pidfd_getfd");
  return copy;
}

Result<void> signal_pidfd(int pidfd, int signal) {
  if (::syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0) != 0) {
    return system_error("pidfd_send_signal");
  }
  return {};
}

Result<CommandResult> run_command(const Command& command) {
  Streams streams;
  TRY(make_pipe(streams.input_read, streams.input_write));
  TRY(make_pipe(streams.output_read, streams.output_write));
  TRY(make_pipe(streams.error_read, streams.error_write));
  if (command.output_fd >= 0) {
    TRY(redirect(command.output_fd, streams.output_read, streams.output_write));
  }
  if (command.error_fd >= 0) {
    TRY(redirect(command.error_fd, streams.error_read, streams.error_write));
  }
  // The open file of our end is ours alone; a program that does not read must not hold us up beyond
  // its timeout.
  if (::fcntl(streams.input_write.get(), F_SETFL, O_NONBLOCK) != 0) return system_error("fcntl");
  auto child = TRY(fork_child({}, [&] { return exec_command(command, streams); }));
  streams.input_read.reset();
  streams.output_write.reset();
  streams.error_write.reset();
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &before);
  CommandResult result;
  pump(streams, command, result);
  ::sigaction(SIGPIPE, &before, nullptr);
  if (result.timed_out) return result;  // ~ChildProcess kills and reaps
  if (command.timeout) {
    // The outputs are closed but the program may still run: wait by pidfd.
    pollfd ended{child.pidfd(), POLLIN, 0};
    if (::poll(&ended, 1, static_cast<int>(command.timeout->count())) == 0) {
      result.timed_out = true;
      return result;
    }
  }
  result.status = TRY(child.wait());
  return result;
}

void close_together(std::vector<UniqueFd>& descriptors) {
  std::sort(descriptors.begin(), descriptors.end(),
            [](const UniqueFd& a, const UniqueFd& b) { return a.get() < b.get(); });
  for (std::size_t first = 0; first < descriptors.size();) {
    std::size_t last = first;
    while (last + 1 < descriptors.size() &&
           descriptors[last + 1].get() == descriptors[last].get() + 1) {
      ++last;
    }
    const bool closed =
        ::syscall(SYS_close_range, descriptors[first].get(), descriptors[last].get(), 0) == 0;
    for (; first <= last; ++first) {
      if (closed) static_cast<void>(descriptors[first].release());
    }
  }
  descriptors.clear();
}

Result<void> close_on_exec_from(unsigned first) {
  if (::syscall(SYS_close_range, first, ~0U, kCloseRangeCloexec) == 0) return {};
  if (errno != ENOSYS && errno != EINVAL) return system_error("close_range");
  // Kernels before 5.11.
  const long most = ::sysconf(_SC_OPEN_MAX);
  for (int fd = static_cast<int>(first); fd < static_cast<int>(most); ++fd) {
    const int flags = ::fcntl(fd, F_GETFD);
    if (flags >= 0) ::fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
  }
  return {};
}

}  // namespace langsbx
