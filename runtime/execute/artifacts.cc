// Reading what is left of a run.
#include "runtime/execute/artifacts.h"

#include <dirent.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include <algorithm>
#include <memory>

#include "runtime/execute/toolchain.h"
#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

bool matches(const std::vector<std::string>& patterns, const char* name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name, FNM_PERIOD) == 0;
  });
}

}  // namespace

Result<UniqueFd> open_work_directory(pid_t pid) {
  return open_file("/proc/" + std::to_string(pid) + "/root" + std::string(kWorkFolder),
                   O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

DiskUse disk_use(int directory) {
  struct statfs status {};
  if (directory < 0 || ::fstatfs(directory, &status) != 0) return {};
  return {(status.f_blocks - status.f_bfree) * static_cast<std::uint64_t>(status.f_bsize),
          status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0)};
}

std::vector<Artifact> collect_artifacts(int directory, const std::vector<std::string>& patterns) {
  std::vector<Artifact> found;
  if (directory < 0 || patterns.empty()) return found;
  auto list = open_at(directory, ".", O_RDONLY | O_DIRECTORY);
  if (!list.ok()) return found;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(list->release()), &::closedir);
  if (entries == nullptr) return found;
  while (const dirent* entry = ::readdir(entries.get())) {
    if (!matches(patterns, entry->d_name)) continue;
    auto file = open_at(directory, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat status {};
    if (!file.ok() || ::fstat(file->get(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    auto content = read_fd(file->get(), std::size_t{1} << 30U, entry->d_name);
    if (content.ok()) found.push_back({entry->d_name, content.release_value()});
  }
  std::sort(found.begin(), found.end(),
            [](const Artifact& left, const Artifact& right) { return left.name < right.name; });
  return found;
}

}  // namespace langsbx::execute
