// Copying a tree by descriptors.
#include "runtime/isolate/copy_up.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <string>

#include "runtime/kernel/file.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::isolate {
namespace {

constexpr int kMaxDepth = 128;

Result<void> copy_metadata(int directory, const char* name, const struct stat& status) {
  if (::fchownat(directory, name, status.st_uid, status.st_gid, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error(std::string("chown ") + name);
  }
  if (!S_ISLNK(status.st_mode) && ::fchmodat(directory, name, status.st_mode & 07777U, 0) != 0) {
    return system_error(std::string("chmod ") + name);
  }
  const timespec times[2] = {status.st_atim, status.st_mtim};
  if (::utimensat(directory, name, times, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error(std::string("set the times of ") + name);
  }
  return {};
}

Result<void> copy_file(int source, int target, const char* name, const struct stat& status) {
  // By now it may be another file than the one that was looked at: a pipe would be waited for.
  const auto from = TRY(open_at(source, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY));
  struct stat opened {};
  if (::fstat(from.get(), &opened) != 0) return system_error(std::string("stat ") + name);
  if (!S_ISREG(opened.st_mode)) {
    return make_error(ErrorKind::kInvalidInput,
                      std::string(name) + " was replaced while it was copied");
  }
  const auto into = TRY(open_at(target, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  off_t left = status.st_size;
  while (left > 0) {
    const ssize_t count =
        ::sendfile(into.get(), from.get(), nullptr, static_cast<std::size_t>(left));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error(std::string("copy ") + name);
    if (count == 0) break;
    left -= count;
  }
  return {};
}

Result<void> copy_link(int source, int target, const char* name) {
  char text[PATH_MAX];
  const ssize_t length = ::readlinkat(source, name, text, sizeof text - 1);
  if (length < 0) return system_error(std::string("readlink ") + name);
  text[length] = '\0';
  if (::symlinkat(text, target, name) != 0) return system_error(std::string("symlink ") + name);
  return {};
}

Result<void> copy_directory(int source, int target, int depth);

Result<void> copy_entry(int source, int target, const char* name, int depth) {
  struct stat status {};
  if (::fstatat(source, name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return system_error(std::string("stat ") + name);
  }
  if (S_ISDIR(status.st_mode)) {
    if (::mkdirat(target, name, 0700) != 0) return system_error(std::string("mkdir ") + name);
    const auto from = TRY(open_at(source, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    const auto into = TRY(open_at(target, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY(copy_directory(from.get(), into.get(), depth + 1));
  } else if (S_ISREG(status.st_mode)) {
    TRY(copy_file(source, target, name, status));
  } else if (S_ISLNK(status.st_mode)) {
    TRY(copy_link(source, target, name));
  } else if (::mknodat(target, name, status.st_mode, status.st_rdev) != 0) {
    return system_error(std::string("mknod ") + name);
  }
  return copy_metadata(target, name, status);
}

Result<void> copy_directory(int source, int target, int depth) {
  if (depth > kMaxDepth) {
    return make_error(ErrorKind::kInvalidInput, "directories are nested too deep to be copied");
  }
  auto listing = TRY(open_at(source, ".", O_RDONLY | O_DIRECTORY));
  DIR* stream = ::fdopendir(listing.get());
  if (stream == nullptr) return system_error("fdopendir");
  static_cast<void>(listing.release());
  Result<void> result;
  while (const dirent* entry = ::readdir(stream)) {
    if (std::strcmp(entry->d_name, ".") == 0 || std::strcmp(entry->d_name, "..") == 0) continue;
    result = copy_entry(source, target, entry->d_name, depth);
    if (!result.ok()) break;
  }
  ::closedir(stream);
  return result;
}

}  // namespace

Result<void> copy_tree(int source, int target) {
  // The mount's descriptor is O_PATH.
  const auto into = TRY(open_at(target, ".", O_RDONLY | O_DIRECTORY));
  struct stat status {};
  if (::fstat(source, &status) != 0) return system_error("fstat");
  TRY(copy_directory(source, into.get(), 0));
  return copy_metadata(into.get(), ".", status);
}

}  // namespace langsbx::isolate
