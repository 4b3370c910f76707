// Paths below a root that may be hostile: every step by descriptor, symlinks resolved inside.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

// openat2(RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS), walked by hand where the kernel has no openat2.
// `path` may start with '/'; both mean "below root".
Result<UniqueFd> open_in_root(int root, std::string_view path, int flags, mode_t mode = 0);
// The walk by itself; tests compare it with the kernel's.
Result<UniqueFd> walk_in_root(int root, std::string_view path, int flags, mode_t mode = 0);

// The last component is not followed when it is a symlink (O_NOFOLLOW with O_PATH opens the link).
// Creates missing directories (mode 0755) one by one, each opened from its parent's descriptor, so
// that nothing is ever made outside the root (CVE-2024-45310). Returns an O_PATH directory.
Result<UniqueFd> make_directories_in_root(int root, std::string_view path, mode_t mode = 0755);

// The parent directory (made where missing) and the final name: "/a/b/c" -> (fd of /a/b, "c").
struct ParentAndName {
  UniqueFd parent;
  std::string name;
};
Result<ParentAndName> open_parent_in_root(int root, std::string_view path);
// The same of the place to which links lead in the end, whether there is something or not; the name
// is no link when it is looked at.
Result<ParentAndName> open_place_in_root(int root, std::string_view path);

// For openat2 under a trusted directory: no symlink, no crossing of mounts, no leaving.
Result<UniqueFd> open_beneath(int directory, std::string_view path, int flags);

// "/proc/self/fd/N" as text for calls that take only paths.
std::string descriptor_path(int fd);
// Where the descriptor points, by readlink of /proc/self/fd/N.
Result<std::string> path_of_descriptor(int fd);
// As the kernel tells it: behind "(unreachable)" where it lies outside of the root.
Result<std::string> working_directory();
// The absolute path of a directory, without links.
Result<std::string> real_directory(const std::string& path);

}  // namespace langsbx
