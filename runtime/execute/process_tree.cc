// Walking /proc/PID/task/TID/children.
#include "runtime/execute/process_tree.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

// More than any limit allows; a walk that meets more has seen enough.
constexpr std::size_t kMostProcesses = 4096;
constexpr std::size_t kMostText = 64U << 10U;

void add_numbers(std::string_view text, std::vector<pid_t>& list) {
  const char* place = text.data();
  const char* const end = place + text.size();
  while (place < end) {
    pid_t pid = 0;
    const auto [stop, error] = std::from_chars(place, end, pid);
    if (error == std::errc() && pid > 0) list.push_back(pid);
    place = stop == place ? place + 1 : stop;
  }
}

void add_children(pid_t pid, std::vector<pid_t>& list) {
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(tasks.c_str()), &::closedir);
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory.get())) {
    if (entry->d_name[0] == '.') continue;
    const auto text = read_file(tasks + "/" + entry->d_name + "/children", kMostText);
    if (text.ok()) add_numbers(*text, list);
  }
}

// The fields of /proc/PID/stat behind the name, which may hold anything: field 3 is the first.
struct StatFields {
  static constexpr int kFirst = 3;
  static constexpr int kLast = 24;
  std::uint64_t values[kLast + 1] = {};
  char state = 0;
};

bool read_stat(pid_t pid, StatFields& fields) {
  const auto text = read_file("/proc/" + std::to_string(pid) + "/stat", 4096);
  if (!text.ok()) return false;
  const auto name_end = text->rfind(')');
  if (name_end == std::string::npos || name_end + 2 >= text->size()) return false;
  fields.state = (*text)[name_end + 2];
  const char* place = text->data() + name_end + 3;
  const char* const end = text->data() + text->size();
  for (int i = StatFields::kFirst + 1; i <= StatFields::kLast && place < end; ++i) {
    while (place < end && *place == ' ') ++place;
    std::from_chars(*place == '-' ? place + 1 : place, end, fields.values[i]);
    while (place < end && *place != ' ') ++place;
  }
  return true;
}

}  // namespace

std::vector<pid_t> descendants(pid_t pid) {
  std::vector<pid_t> found;
  add_children(pid, found);
  for (std::size_t i = 0; i < found.size() && found.size() < kMostProcesses; ++i) {
    const pid_t next = found[i];
    add_children(next, found);
  }
  return found;
}

TreeUse tree_use(pid_t pid) {
  constexpr int kUser = 14;
  constexpr int kSystem = 15;
  constexpr int kWaitedUser = 16;
  constexpr int kWaitedSystem = 17;
  constexpr int kThreads = 20;
  constexpr int kResident = 24;
  const auto tick = 1'000'000'000U / static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
  const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  TreeUse use;
  // What the reaper has waited for is in its own numbers.
  StatFields reaper;
  if (read_stat(pid, reaper)) {
    use.user_ns = reaper.values[kWaitedUser] * tick;
    use.system_ns = reaper.values[kWaitedSystem] * tick;
  }
  for (const pid_t member : descendants(pid)) {
    StatFields fields;
    if (!read_stat(member, fields)) continue;
    if (fields.state != 'Z') use.tasks += fields.values[kThreads];
    use.memory += fields.values[kResident] * page;
    use.user_ns += (fields.values[kUser] + fields.values[kWaitedUser]) * tick;
    use.system_ns += (fields.values[kSystem] + fields.values[kWaitedSystem]) * tick;
  }
  return use;
}

std::uint64_t tree_share(pid_t pid) {
  constexpr std::string_view kLine = "\nPss:";
  std::uint64_t bytes = 0;
  for (const pid_t member : descendants(pid)) {
    const auto text = read_file("/proc/" + std::to_string(member) + "/smaps_rollup", 4096);
    const auto place = text.ok() ? text->find(kLine) : std::string::npos;
    if (place == std::string::npos) continue;
    const auto number = text->find_first_not_of(' ', place + kLine.size());
    std::uint64_t kilobytes = 0;
    if (number == std::string::npos) continue;
    std::from_chars(text->data() + number, text->data() + text->size(), kilobytes);
    bytes += kilobytes * 1024U;
  }
  return bytes;
}

void kill_descendants() {
  for (;;) {
    for (const pid_t pid : descendants(::getpid())) ::kill(pid, SIGKILL);
    // Waits for one, so that the next round finds the orphans here; then for all that are ready.
    if (::waitpid(-1, nullptr, __WALL) < 0 && errno == ECHILD) return;
    while (::waitpid(-1, nullptr, __WALL | WNOHANG) > 0) {
    }
  }
}

}  // namespace langsbx::execute
