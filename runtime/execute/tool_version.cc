// Asking a program of the host for its version takes longer than running a small script in it.
#include "runtime/execute/tool_version.h"

#include <sys/stat.h>

#include <charconv>
#include <chrono>

#include "runtime/kernel/kept_files.h"
#include "runtime/kernel/process.h"

namespace langsbx::execute {
namespace {

std::optional<int> first_number(const std::string& text) {
  const auto place = text.find_first_of("0123456789");
  if (place == std::string::npos) return {};
  int value = 0;
  std::from_chars(text.data() + place, text.data() + text.size(), value);
  return value;
}

}  // namespace

std::optional<int> major_version(const std::string& program, const std::string& state_root) {
  struct stat status {};
  if (::stat(program.c_str(), &status) != 0) return {};
  const std::string key = "version " + program + " " + std::to_string(status.st_ino) + " " +
                          std::to_string(status.st_size) + " " +
                          std::to_string(status.st_mtim.tv_sec);
  const KeptFiles kept{state_root + "/.cache/versions"};
  if (const auto known = read_kept(kept, key)) return first_number(*known);
  Command command;
  command.path = program;
  command.args = {program, "--version"};
  command.timeout = std::chrono::seconds(10);
  const auto answer = run_command(command);
  if (!answer.ok() || answer.value().status != 0) return {};
  write_kept(kept, key, answer.value().output);
  return first_number(answer.value().output);
}

}  // namespace langsbx::execute
