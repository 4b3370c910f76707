// Walks, lists and removes cgroup directories through descriptors.
#include "runtime/cgroup/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

constexpr mode_t kDirectoryMode = 0755;

bool is_gone(int error) { return error == ENOENT || error == ENODEV; }

std::vector<std::string> child_names(int directory) {
  std::vector<std::string> names;
  struct stat status {};
  // kernfs counts subdirectories in the link count, which spares reading dozens of file names.
  if (::fstat(directory, &status) != 0 || status.st_nlink == 2) return names;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(copy), ::closedir);
  if (stream == nullptr) {
    ::close(copy);
    return names;
  }
  while (const dirent* entry = ::readdir(stream.get())) {
    if (entry->d_type == DT_DIR && entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  return names;
}

struct Level {
  std::string name;
  std::vector<std::string> children;
};

// Sleeps until cgroup.events may have changed, or a moment where there is no such file (v1).
void wait_for_change(const std::string& directory, std::chrono::milliseconds at_most) {
  auto events = open_file(directory + "/cgroup.events", O_RDONLY);
  if (!events.ok()) {
    ::poll(nullptr, 0, static_cast<int>(std::min<std::int64_t>(at_most.count(), 2)));
    return;
  }
  // The read arms the notification; it must come after the open and before the poll.
  const auto text = read_fd(events->get(), 4096, "cgroup.events");
  const bool populated = text.ok() && text->find("populated 1") != std::string::npos;
  pollfd waiting{.fd = events->get(), .events = POLLPRI, .revents = 0};
  // Empty but still busy lasts only for the time the kernel needs to let go.
  const std::int64_t limit = populated ? 100 : 1;
  ::poll(populated ? &waiting : nullptr, populated ? 1 : 0,
         static_cast<int>(std::min<std::int64_t>(at_most.count(), limit)));
}

}  // namespace

Result<std::size_t> make_directory(Root& root, std::string_view mount_point,
                                   const std::string& directory, std::vector<std::string>& made,
                                   std::size_t expected) {
  const std::string_view parent = parent_path(directory);
  // The mount point is not for us to make.
  const bool has_parent = parent.size() > mount_point.size();
  std::size_t above = 0;
  bool parent_is_there = !has_parent;
  for (;;) {
    if (parent_is_there || expected <= 1) {
      const auto [start, path] = root.place(directory);
      if (::mkdirat(start, path, kDirectoryMode) == 0) {
        made.push_back(directory);
        return above + 1;
      }
      if (errno == EEXIST) return std::size_t{0};  // perhaps another runtime was faster
      if (errno != ENOENT || parent_is_there) return system_error("mkdir " + directory);
    }
    above = TRY(make_directory(root, mount_point, std::string(parent), made,
                               expected > 0 ? expected - 1 : 0));
    parent_is_there = true;
  }
}

Result<void> walk(const std::string& directory, const std::function<Result<void>(int)>& visit,
                  const std::function<void(int, const char*)>& leave) {
  auto cursor = TRY(open_file(directory, O_RDONLY | O_DIRECTORY));
  std::vector<Level> levels;
  levels.push_back({directory, child_names(cursor.get())});
  TRY(visit(cursor.get()));
  for (;;) {
    auto& children = levels.back().children;
    if (!children.empty()) {
      std::string name = std::move(children.back());
      children.pop_back();
      auto child = open_at(cursor.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (!child.ok()) {
        if (is_gone(child.error().errno_value)) continue;
        return child.release_error();
      }
      cursor = child.release_value();
      levels.push_back({std::move(name), child_names(cursor.get())});
      TRY(visit(cursor.get()));
      continue;
    }
    if (levels.size() == 1) return {};
    const std::string name = std::move(levels.back().name);
    levels.pop_back();
    cursor = TRY(open_at(cursor.get(), "..", O_RDONLY | O_DIRECTORY));
    leave(cursor.get(), name.c_str());
  }
}

Result<std::vector<pid_t>> processes_below(const std::string& directory) {
  std::vector<pid_t> pids;
  const auto collect = [&](int group) -> Result<void> {
    auto text = read_file_at(group, "cgroup.procs");
    if (!text.ok() && text.error().errno_value == EOPNOTSUPP) {
      text = read_file_at(group, "cgroup.threads");  // a threaded group lists only threads
    }
    if (!text.ok()) {
      if (is_gone(text.error().errno_value)) return {};
      return text.release_error();
    }
    std::string_view rest = *text;
    for (std::string_view line; next_part(rest, '\n', line);) {
      // 0 stands for a process of another pid namespace, which can't be named from here.
      const auto pid = to_number(line);
      if (pid && *pid > 0) pids.push_back(static_cast<pid_t>(*pid));
    }
    return {};
  };
  auto walked = walk(directory, collect, [](int, const char*) {});
  if (!walked.ok()) {
    auto error = walked.release_error();
    if (is_gone(error.errno_value)) error.kind = ErrorKind::kNotFound;
    return error;
  }
  std::sort(pids.begin(), pids.end());
  pids.erase(std::unique(pids.begin(), pids.end()), pids.end());
  return pids;
}

Result<void> remove_tree(Root& root, const std::string& directory,
                         std::chrono::milliseconds patience) {
  const auto [start, path] = root.place(directory);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (;;) {
    if (::unlinkat(start, path, AT_REMOVEDIR) == 0 || is_gone(errno)) return {};
    int error = errno;
    if (error != EBUSY && error != ENOTEMPTY) return system_error("rmdir " + directory, error);
    auto walked = walk(
        directory, [](int) -> Result<void> { return {}; },
        [](int parent, const char* name) { ::unlinkat(parent, name, AT_REMOVEDIR); });
    if (!walked.ok() && !is_gone(walked.error().errno_value)) return walked.release_error();
    if (::unlinkat(start, path, AT_REMOVEDIR) == 0 || is_gone(errno)) return {};
    error = errno;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return system_error("rmdir " + directory, error);
    wait_for_change(directory, left);
  }
}

}  // namespace langsbx::cgroup
