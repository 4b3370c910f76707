// Children, and trees of real cgroups, for the live tests.
#include "tests/cgroup/live/live_group.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace langsbx::test {

LiveChild::LiveChild(std::function<int()> body, int group_fd) {
  int gate[2] = {-1, -1};
  if (::pipe2(gate, O_CLOEXEC) != 0) std::abort();
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  if (group_fd >= 0) {
    arguments.flags = CLONE_INTO_CGROUP;
    arguments.cgroup = static_cast<std::uint64_t>(group_fd);
  }
  pid_ = static_cast<pid_t>(::syscall(SYS_clone3, &arguments, sizeof(arguments)));
  if (pid_ == 0) {
    ::close(gate[1]);
    char letter = 0;
    if (::read(gate[0], &letter, 1) != 1) ::_exit(99);
    ::_exit(body());
  }
  ::close(gate[0]);
  gate_ = gate[1];
}

LiveChild::~LiveChild() {
  if (gate_ >= 0) ::close(gate_);
  if (pid_ > 0) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void LiveChild::go() const {
  if (::write(gate_, "g", 1) != 1) std::abort();
}

int LiveChild::wait() {
  int status = 0;
  if (::waitpid(pid_, &status, 0) != pid_) return -1;
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

std::string LiveChild::cgroups() const {
  return read_text("/proc/" + std::to_string(pid_) + "/cgroup");
}

std::string live_name(const std::string& suffix) {
  return "langsbx-test-" + std::to_string(::getpid()) + suffix;
}

bool is_root() { return ::geteuid() == 0; }

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) return "<none>";
  std::string text(std::istreambuf_iterator<char>(file), {});
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

void write_text(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

LiveTree::LiveTree() {
  auto found = cgroup::detect();
  if (!found.ok() || found->unified.mount_point.empty()) return;
  host.mode = cgroup::Mode::kV2;
  host.unified = found->unified;
  has_controllers = found->mode == cgroup::Mode::kV2;
  if (has_controllers) return;
  own_directory_ = host.unified.mount_point + "/" + live_name("-tree");
  ::mkdir(own_directory_.c_str(), 0755);
  host.unified.mount_point = own_directory_;
  host.unified.own_path = "/";
}

LiveTree::~LiveTree() {
  if (!own_directory_.empty()) ::rmdir(own_directory_.c_str());
}

}  // namespace langsbx::test
