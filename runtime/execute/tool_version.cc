// Asking a program of the host for its version takes longer than running a small script in it.
#include "runtime/execute/tool_version.h"

#include <sys/stat.h>

#include <chrono>

#include "runtime/base/text.h"
#include "runtime/kernel/kept_files.h"
#include "runtime/kernel/process.h"

namespace langsbx::execute {
std::optional<Version> parse_version(std::string_view text) {
  const auto place = text.find_first_of("0123456789");
  if (place == std::string_view::npos) return {};
  text.remove_prefix(place);
  const auto major = take_number<int>(text);
  if (!major) return {};
  Version version{*major, 0};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    version.minor = take_number<int>(text).value_or(0);
  }
  return version;
}

std::optional<Version> program_version(const std::string& program, const std::string& state_root) {
  struct stat status {};
  if (::stat(program.c_str(), &status) != 0) return {};
  const std::string key = "version " + program + " " + std::to_string(status.st_ino) + " " +
                          std::to_string(status.st_size) + " " +
                          std::to_string(status.st_mtim.tv_sec);
  const KeptFiles kept{state_root + "/.cache/versions"};
  if (const auto known = read_kept(kept, key)) return parse_version(*known);
  Command command;
  command.path = program;
  command.args = {program, "--version"};
  command.timeout = std::chrono::seconds(10);
  const auto answer = run_command(command);
  if (!answer.ok() || answer.value().status != 0) return {};
  write_kept(kept, key, answer.value().output);
  return parse_version(answer.value().output);
}

}  // namespace langsbx::execute
