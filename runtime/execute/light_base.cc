// Names that are the same each time, and what to do where somebody else has them.
#include "runtime/execute/light_base.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>

#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

// A file system in memory that is not emptied while runs go on: a session's end clears what plain
// users have in /dev/shm, whoever else runs as them.
std::string memory_top() {
  if (::geteuid() == 0) return "/dev/shm";
  const char* const own = std::getenv("XDG_RUNTIME_DIR");
  return own != nullptr && own[0] == '/' ? own : "";
}

std::string base_name() { return "langsbx-execute-" + std::to_string(::geteuid()); }

// What the caller wants; empty: nothing.
std::string named_top() {
  const char* const named = std::getenv("TMPDIR");
  return named != nullptr && named[0] == '/' ? named : "";
}

std::string disk_top() {
  auto named = named_top();
  return named.empty() ? "/tmp" : named;
}

// In memory, with room for `bytes` twice, and programs can be started from it.
bool is_in_memory(const std::string& top, std::uint64_t bytes) {
  struct statfs status {};
  if (::statfs(top.c_str(), &status) != 0 || status.f_type != TMPFS_MAGIC) return false;
  if ((status.f_flags & (ST_NOEXEC | ST_RDONLY)) != 0) return false;
  if (::access(top.c_str(), W_OK) != 0) return false;
  const auto room = status.f_bavail * static_cast<std::uint64_t>(status.f_bsize);
  return room / 2 >= bytes;
}

Result<UniqueFd> open_ours(const std::string& path) {
  auto base = TRY(open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  struct stat status {};
  if (::fstat(base.get(), &status) != 0) return system_error("fstat " + path);
  if (status.st_uid != ::geteuid() || (status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return make_error(ErrorKind::kInvalidInput, path + ": belongs to somebody else");
  }
  return base;
}

// One that an earlier run made beside the name that was taken; empty: none.
std::string find_beside(const std::string& top) {
  const std::string prefix = base_name() + "-";
  std::string found;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(top.c_str()), &::closedir);
  while (const dirent* entry = listing == nullptr ? nullptr : ::readdir(listing.get())) {
    const std::string name = entry->d_name;
    if (!name.starts_with(prefix) || (!found.empty() && name >= found)) continue;
    if (open_ours(top + "/" + name).ok()) found = name;
  }
  return found.empty() ? found : top + "/" + found;
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// Everybody may write in /tmp, so the name that is known before can be somebody else's.
Result<std::string> base_below(const std::string& top) {
  const std::string usual = top + "/" + base_name();
  auto opened = open_base(usual);
  if (opened.ok()) return usual;
  if (!is_there(usual)) return opened.release_error();
  if (auto beside = find_beside(top); !beside.empty()) return beside;
  std::string fresh = usual + "-XXXXXX";
  if (::mkdtemp(fresh.data()) == nullptr) return system_error("mkdtemp " + fresh);
  return fresh;
}

}  // namespace

// Others may pass through (the program can be another user), none but us may write.
Result<UniqueFd> open_base(const std::string& path) {
  if (::mkdir(path.c_str(), 0711) != 0 && errno != EEXIST) return system_error("mkdir " + path);
  auto base = TRY(open_ours(path));
  if (::fchmod(base.get(), 0711) != 0) return system_error("chmod " + path);
  return base;
}

Result<std::string> private_base() { return base_below(disk_top()); }

Result<std::string> light_base(std::uint64_t disk) {
  const auto top = memory_top();
  return base_below(named_top().empty() && is_in_memory(top, disk) ? top : disk_top());
}

std::vector<UniqueFd> open_bases() {
  std::vector<UniqueFd> bases;
  for (const auto& top : {disk_top(), memory_top()}) {
    if (top.empty()) continue;
    const std::string usual = top + "/" + base_name();
    auto base = open_ours(usual);
    if (!base.ok() && is_there(usual)) {
      if (const auto beside = find_beside(top); !beside.empty()) base = open_ours(beside);
    }
    if (base.ok()) bases.push_back(base.release_value());
  }
  return bases;
}

}  // namespace langsbx::execute
