// Runs langsbx-systemd: the request on its stdin, the answer or the reason on its output.
#include "runtime/cgroup/systemd/manager.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>

#include "runtime/cgroup/systemd/quote.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/own_binary.h"

#ifndef LANGSBX_LIBEXEC_DIR
#define LANGSBX_LIBEXEC_DIR "/usr/libexec/langsbx"
#endif

namespace langsbx::cgroup::systemd {
namespace {

constexpr const char* kHelper = "langsbx-systemd";
// The helper waits 30 s for the job itself; this is for a helper that hangs.
constexpr std::chrono::seconds kPatience{35};
constexpr std::size_t kLongestAnswer = 65536;

// A file in memory: no pipe that could fill up, no SIGPIPE when the helper dies early.
Result<UniqueFd> as_file(const std::string& request) {
  UniqueFd file(::memfd_create("langsbx-systemd", MFD_CLOEXEC));
  if (!file.valid()) return system_error("memfd_create");
  TRY(write_fd(file.get(), request, "request to langsbx-systemd"));
  if (::lseek(file.get(), 0, SEEK_SET) != 0) return system_error("lseek");
  return file;
}

Result<pid_t> spawn(const std::string& path, int input, int output) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  std::string name = kHelper;
  char* arguments[] = {name.data(), nullptr};
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, path.c_str(), &actions, nullptr, arguments, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    return system_error("start " + path + " (" + kHelper + " is looked for beside the binary, too)",
                        error);
  }
  return pid;
}

// Everything the helper says until it ends; false when it did not end in time.
bool read_answer(int output, std::string& answer) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waiting{.fd = output, .events = POLLIN, .revents = 0};
    if (::poll(&waiting, 1, static_cast<int>(left.count())) <= 0) continue;
    const ssize_t count = ::read(output, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return true;
    if (answer.size() < kLongestAnswer) {
      answer.append(buffer.data(), static_cast<std::size_t>(count));
    }
  }
}

Result<std::string> call(const std::string& request) {
  const auto input = TRY(as_file(request));
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("pipe2");
  const UniqueFd output(ends[0]);
  UniqueFd inherited(ends[1]);
  const pid_t pid = TRY_CONTEXT(spawn(helper_path(), input.get(), inherited.get()), "systemd");
  inherited.reset();
  std::string answer;
  const bool in_time = read_answer(output.get(), answer);
  if (!in_time) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!in_time) return make_error(ErrorKind::kTimeout, "systemd: no answer from langsbx-systemd");
  std::string text(trim(answer));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  if (text.empty()) text = "langsbx-systemd failed";
  return make_error(ErrorKind::kSystem, "systemd: " + text);
}

std::string request_head(const char* operation, const std::string& unit, bool user_bus) {
  return std::string("{\"op\":\"") + operation + "\",\"unit\":" + quote(unit) +
         ",\"user\":" + (user_bus ? "true" : "false");
}

std::string properties_member(const std::vector<UnitProperty>& properties) {
  std::string json = ",\"properties\":[";
  for (const auto& property : properties) {
    if (json.back() != '[') json.push_back(',');
    json.append("{\"name\":").append(quote(property.name));
    json.append(",\"type\":").append(quote(property.signature));
    json.append(",\"value\":").append(property.json).append("}");
  }
  return json + "]";
}

}  // namespace

std::string helper_path() {
  const std::string self = own_binary_path();
  if (!self.empty()) {
    std::string beside = join_path(parent_path(self), kHelper);
    if (::access(beside.c_str(), X_OK) == 0) return beside;
  }
  return std::string(LANGSBX_LIBEXEC_DIR) + "/" + kHelper;
}

Result<std::string> start_unit(const Unit& unit, pid_t pid) {
  std::string request = request_head("start", unit.name, unit.user_bus);
  // A slice holds no processes by itself.
  if (!unit.name.ends_with(".slice")) request += ",\"pid\":" + std::to_string(pid);
  std::string path = TRY(call(request + properties_member(unit.properties) + "}"));
  if (!path.starts_with('/') || path.size() < 2) {
    return make_error(ErrorKind::kSystem,
                      "systemd: unit " + unit.name + " has no cgroup: \"" + path + "\"");
  }
  return path;
}

Result<void> stop_unit(const std::string& name, bool user_bus) {
  TRY(call(request_head("stop", name, user_bus) + "}"));
  return {};
}

Result<void> set_properties(const std::string& name, bool user_bus,
                            const std::vector<UnitProperty>& properties) {
  TRY(call(request_head("set", name, user_bus) + properties_member(properties) + "}"));
  return {};
}

}  // namespace langsbx::cgroup::systemd
