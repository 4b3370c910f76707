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

constexpr std::size_t kLargest = std::size_t{1} << 30U;

bool matches(const std::vector<std::string>& patterns, const char* name) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name, FNM_PERIOD) == 0;
  });
}

template <typename Visit>
void each_entry(int directory, const Visit& visit) {
  auto list = open_at(directory, ".", O_RDONLY | O_DIRECTORY);
  if (!list.ok()) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(list->release()), &::closedir);
  if (entries == nullptr) return;
  while (const dirent* entry = ::readdir(entries.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") visit(entry->d_name);
  }
}

// A regular file and nothing that a name may lead to: no link, no device, no pipe.
void add_file(int directory, const char* name, const std::string& path,
              std::vector<Artifact>& found) {
  const auto file = open_at(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
  struct stat status {};
  if (!file.ok() || ::fstat(file->get(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  auto content = read_fd(file->get(), kLargest, path);
  if (content.ok()) found.push_back({path, content.release_value(), status.st_mode & 0755U});
}

void add_all(int directory, const std::string& above, int depth, std::vector<Artifact>& found) {
  constexpr int kDeepest = 32;
  if (depth > kDeepest) return;
  each_entry(directory, [&](const char* name) {
    const std::string path = above.empty() ? name : above + "/" + name;
    const auto below = open_at(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (below.ok()) {
      add_all(below->get(), path, depth + 1, found);
    } else {
      add_file(directory, name, path, found);
    }
  });
}

void sort_by_name(std::vector<Artifact>& found) {
  std::sort(found.begin(), found.end(),
            [](const Artifact& left, const Artifact& right) { return left.name < right.name; });
}

}  // namespace

DiskUse disk_use(int directory) {
  struct statfs status {};
  if (directory < 0 || ::fstatfs(directory, &status) != 0) return {};
  return {(status.f_blocks - status.f_bfree) * static_cast<std::uint64_t>(status.f_bsize),
          status.f_bfree == 0 || (status.f_files > 0 && status.f_ffree == 0)};
}

std::vector<Artifact> collect_artifacts(int directory, const std::vector<std::string>& patterns) {
  std::vector<Artifact> found;
  if (directory < 0 || patterns.empty()) return found;
  each_entry(directory, [&](const char* name) {
    if (matches(patterns, name)) add_file(directory, name, name, found);
  });
  sort_by_name(found);
  return found;
}

std::vector<Artifact> collect_all(int directory) {
  std::vector<Artifact> found;
  if (directory >= 0) add_all(directory, "", 0, found);
  sort_by_name(found);
  return found;
}

}  // namespace langsbx::execute
