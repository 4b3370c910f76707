// Reads /proc/<pid>/stat.
#include "runtime/state/process_status.h"

#include <cerrno>
#include <charconv>

#include "runtime/kernel/file.h"

namespace langsbx::state {
namespace {

std::string stat_path(pid_t pid, const std::string& proc) {
  return proc + "/" + std::to_string(pid) + "/stat";
}

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string_view::npos || name_end + 3 > text.size()) return std::nullopt;
  text.remove_prefix(name_end + 2);
  ProcessStat stat{text[0], 0};
  constexpr int kFieldsBetween = 19;  // state is the third field, starttime the 22nd
  for (int i = 0; i < kFieldsBetween; ++i) {
    const std::size_t space = text.find(' ');
    if (space == std::string_view::npos) return std::nullopt;
    text.remove_prefix(space + 1);
  }
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), stat.start_time);
  if (error != std::errc{} || end == text.data()) return std::nullopt;
  return stat;
}

Result<std::uint64_t> process_start_time(pid_t pid, const std::string& proc) {
  const std::string path = stat_path(pid, proc);
  const auto stat = parse_process_stat(TRY(read_kernel_file(AT_FDCWD, path.c_str())));
  if (!stat) return make_error(ErrorKind::kInternal, path + ": no start time in it");
  return stat->start_time;
}

namespace {

// Nothing: it can't be told.
std::optional<bool> lives(pid_t pid, std::uint64_t start_time, const std::string& proc) {
  if (pid <= 0) return false;
  const auto text = read_kernel_file(AT_FDCWD, stat_path(pid, proc).c_str());
  if (!text.ok()) {
    const int number = text.error().errno_value;
    const bool gone = number == ENOENT || number == ESRCH || number == ENOTDIR;
    return gone ? std::optional(false) : std::nullopt;
  }
  const auto stat = parse_process_stat(*text);
  return stat && stat->start_time == start_time && stat->state != 'Z' && stat->state != 'X' &&
         stat->state != 'x';
}

}  // namespace

bool may_be_alive(pid_t pid, std::uint64_t start_time, const std::string& proc) {
  return lives(pid, start_time, proc).value_or(true);
}

bool is_process_alive(pid_t pid, std::uint64_t start_time, const std::string& proc) {
  return lives(pid, start_time, proc).value_or(false);
}

}  // namespace langsbx::state
