// Making and waiting for processes. The only place that knows what fork returns.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

struct CloneOptions {
  std::uint64_t namespaces = 0;  // CLONE_NEW*
  int cgroup = -1;               // directory of a cgroup2 to be born in
  bool sibling = false;          // CLONE_PARENT
};

// The child as its parent sees it. The destructor kills and reaps unless release()d.
class ChildProcess {
 public:
  ChildProcess() = default;
  ChildProcess(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int pidfd() const { return pidfd_.get(); }
  // The child lives on; whoever adopts it reaps it.
  pid_t release();
  // Waits and gives the status as a shell does: exit code, or 128 + signal.
  Result<int> wait();

 private:
  pid_t pid_ = -1;
  UniqueFd pidfd_;
};

// Runs `body` in a new process; its return value is the exit status.
Result<ChildProcess> fork_child(const CloneOptions& options, const std::function<int()>& body);

Result<UniqueFd> open_pidfd(pid_t pid);
Result<void> signal_pidfd(int pidfd, int signal);
// What another process has open under that number.
Result<UniqueFd> copy_descriptor(int pidfd, int number);

// Runs a program of the host and waits: input on its stdin, both outputs returned.
struct CommandResult {
  int status = 0;  // as a shell: 128 + signal
  std::string output;
  std::string errors;
  bool timed_out = false;
};
struct Command {
  std::string path;  // absolute, or looked up in PATH when it has no slash
  std::vector<std::string> args;
  std::optional<std::vector<std::string>> env;  // absent: ours
  std::string input;
  std::optional<std::chrono::milliseconds> timeout;
  std::string directory;  // chdir before exec when not empty
  // Instead of being returned, the outputs go here; -1: returned.
  int output_fd = -1;
  int error_fd = -1;
  // In the new process, as the last thing before it executes: what fails there ends it with 127.
  std::function<Result<void>()> before_exec;
};
Result<CommandResult> run_command(const Command& command);

// With one call for all whose numbers follow each other.
void close_together(std::vector<UniqueFd>& descriptors);
// Marks every descriptor from `first` on close-on-exec.
Result<void> close_on_exec_from(unsigned first);

}  // namespace langsbx
