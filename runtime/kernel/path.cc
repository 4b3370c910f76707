// What is built on openat2.
#include "runtime/kernel/path.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <vector>

#include "runtime/kernel/file.h"
#include "runtime/kernel/openat2.h"

namespace langsbx {
namespace {

constexpr int kMaxLinks = 40;

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const auto part = path.substr(0, slash);
    if (!part.empty() && part != ".") parts.emplace_back(part);
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return parts;
}

// The fall-back for kernels and filters without openat2: one component at a time, with the stack of
// opened parents so that ".." never asks the file system.
class Walker {
 public:
  explicit Walker(int root) : root_(root) {}

  Result<UniqueFd> open(std::string_view path, int flags, mode_t mode) {
    pending_ = split(path);
    std::reverse(pending_.begin(), pending_.end());
    while (!pending_.empty()) {
      std::string part = std::move(pending_.back());
      pending_.pop_back();
      if (part == "..") {
        if (!stack_.empty()) stack_.pop_back();
        continue;
      }
      const bool last = pending_.empty();
      if (last && (flags & O_NOFOLLOW) != 0) return open_at(top(), part.c_str(), flags, mode);
      auto found = open_at(top(), part.c_str(), O_PATH | O_NOFOLLOW);
      if (!found.ok()) {
        if (last && found.error().errno_value == ENOENT && (flags & O_CREAT) != 0) {
          return open_at(top(), part.c_str(), flags | O_NOFOLLOW, mode);
        }
        return found.release_error();
      }
      if (TRY(is_link(found->get(), part))) {
        TRY(follow(found->get(), part));
        continue;
      }
      if (last) return finish(part, flags, mode, *found);
      stack_.push_back(found.release_value());
    }
    return open_at(top(), ".", flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW), mode);
  }

  // Where `path` leads to in the end, also by links to what is not there yet: images have
  // /etc/resolv.conf as a link into an empty /run. Directories on the way are made.
  Result<ParentAndName> place(std::string_view path, mode_t mode) {
    pending_ = split(path);
    std::reverse(pending_.begin(), pending_.end());
    bool made = false;
    while (!pending_.empty()) {
      std::string part = std::move(pending_.back());
      pending_.pop_back();
      if (part == "..") {
        if (made) {
          return make_error(ErrorKind::kInvalidInput,
                            "path " + std::string(path) + " has '..' below a missing directory");
        }
        if (!stack_.empty()) stack_.pop_back();
        continue;
      }
      auto found = open_at(top(), part.c_str(), O_PATH | O_NOFOLLOW);
      if (!found.ok() && found.error().errno_value != ENOENT) return found.release_error();
      if (found.ok() && TRY(is_link(found->get(), part))) {
        TRY(follow(found->get(), part));
        continue;
      }
      if (pending_.empty()) return ParentAndName{TRY(open_at(top(), ".", kDirectory)), part};
      if (!found.ok()) {
        made = true;
        if (::mkdirat(top(), part.c_str(), mode) != 0 && errno != EEXIST) {
          return system_error("mkdir " + std::string(path));
        }
        found = open_at(top(), part.c_str(), kDirectory | O_NOFOLLOW);
      }
      stack_.push_back(TRY(std::move(found)));
    }
    return make_error(ErrorKind::kInvalidInput, "path " + std::string(path) + " has no name");
  }

 private:
  static constexpr int kDirectory = O_PATH | O_DIRECTORY;

  static Result<bool> is_link(int file, const std::string& name) {
    struct stat status {};
    if (::fstat(file, &status) != 0) return system_error("fstat " + name);
    return S_ISLNK(status.st_mode);
  }

  [[nodiscard]] int top() const { return stack_.empty() ? root_ : stack_.back().get(); }

  Result<UniqueFd> finish(const std::string& part, int flags, mode_t mode, const UniqueFd& found) {
    if ((flags & O_PATH) != 0) return open_at(top(), part.c_str(), flags | O_NOFOLLOW, mode);
    // Reopen the very inode that was looked at.
    return open_at(AT_FDCWD, descriptor_path(found.get()).c_str(),
                   flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW), mode);
  }

  Result<void> follow(int link, const std::string& name) {
    if (++links_ > kMaxLinks) return system_error("open " + name, ELOOP);
    char target[PATH_MAX];
    const ssize_t length = ::readlinkat(link, "", target, sizeof target);
    if (length < 0) return system_error("readlink " + name);
    const std::string_view text(target, static_cast<std::size_t>(length));
    if (text.starts_with('/')) stack_.clear();
    auto parts = split(text);
    for (auto it = parts.rbegin(); it != parts.rend(); ++it) pending_.push_back(std::move(*it));
    return {};
  }

  int root_;
  int links_ = 0;
  std::vector<UniqueFd> stack_;
  std::vector<std::string> pending_;
};

}  // namespace

Result<UniqueFd> open_in_root(int root, std::string_view path, int flags, mode_t mode) {
  const std::string text(path.empty() ? "." : path);
  UniqueFd file =
      open_resolved(root, text.c_str(), flags, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS, mode);
  if (file) return file;
  if (errno == ENOSYS || errno == EPERM) return walk_in_root(root, path, flags, mode);
  return system_error("open " + text);
}

Result<UniqueFd> walk_in_root(int root, std::string_view path, int flags, mode_t mode) {
  return Walker(root).open(path, flags, mode);
}

Result<UniqueFd> make_directories_in_root(int root, std::string_view path, mode_t mode) {
  auto existing = open_in_root(root, path, O_PATH | O_DIRECTORY);
  if (existing.ok() || existing.error().errno_value != ENOENT) return existing;
  const auto place = TRY(Walker(root).place(path, mode));
  if (::mkdirat(place.parent.get(), place.name.c_str(), mode) != 0 && errno != EEXIST) {
    return system_error("mkdir " + std::string(path));
  }
  return open_at(place.parent.get(), place.name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW);
}

Result<ParentAndName> open_place_in_root(int root, std::string_view path) {
  return Walker(root).place(path, 0755);
}

Result<ParentAndName> open_parent_in_root(int root, std::string_view path) {
  auto parts = split(path);
  if (parts.empty() || parts.back() == "..") {
    return make_error(ErrorKind::kInvalidInput, "path " + std::string(path) + " has no name");
  }
  std::string directory;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) directory.append("/").append(parts[i]);
  ParentAndName result;
  result.parent = TRY(make_directories_in_root(root, directory.empty() ? "/" : directory));
  result.name = parts.back();
  return result;
}

Result<UniqueFd> open_beneath(int directory, std::string_view path, int flags) {
  const std::string text(path);
  UniqueFd file = open_resolved(
      directory, text.c_str(), flags,
      RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS);
  if (file) return file;
  if (errno != ENOSYS && errno != EPERM) return system_error("open " + text);
  UniqueFd current = TRY(open_at(directory, ".", O_PATH | O_DIRECTORY));
  const auto parts = split(path);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == "..") return system_error("open " + text, EXDEV);
    const int part_flags = i + 1 == parts.size() ? flags : O_PATH | O_DIRECTORY;
    current = TRY(open_at(current.get(), parts[i].c_str(), part_flags | O_NOFOLLOW));
  }
  return current;
}

std::string descriptor_path(int fd) {
  // 14 and up to 10 characters: in one piece.
  char text[32] = "/proc/self/fd/";
  return {text, std::to_chars(text + 14, text + sizeof text, fd).ptr};
}

Result<std::string> working_directory() {
  char current[PATH_MAX];
  const long length = ::syscall(SYS_getcwd, current, sizeof current);
  if (length <= 0) return system_error("getcwd");
  return std::string(current, static_cast<std::size_t>(length) - 1);
}

Result<std::string> path_of_descriptor(int fd) {
  char target[PATH_MAX];
  const ssize_t length = ::readlink(descriptor_path(fd).c_str(), target, sizeof target);
  if (length < 0) return system_error("readlink " + descriptor_path(fd));
  return std::string(target, static_cast<std::size_t>(length));
}

namespace {

// Absolute, and every part of it a name.
bool is_plain(std::string_view path) {
  if (!path.starts_with('/') || path.size() == 1) return false;
  for (path.remove_prefix(1);;) {
    const auto end = path.find('/');
    const auto part = path.substr(0, end);
    if (part.empty() || part == "." || part == "..") return false;
    if (end == std::string_view::npos) return true;
    path.remove_prefix(end + 1);
  }
}

}  // namespace

Result<std::string> real_directory(const std::string& path) {
  if (is_plain(path)) {
    if (open_resolved(AT_FDCWD, path.c_str(), O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS)) {
      return path;
    }
  }
  const auto directory = TRY(open_file(path, O_PATH | O_DIRECTORY));
  return path_of_descriptor(directory.get());
}

}  // namespace langsbx
