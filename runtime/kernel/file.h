// Opening, reading and writing whole files; all descriptors are close-on-exec.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

// openat with O_CLOEXEC added and EINTR retried.
Result<UniqueFd> open_at(int directory, const char* path, int flags, mode_t mode = 0);
inline Result<UniqueFd> open_file(const std::string& path, int flags, mode_t mode = 0) {
  return open_at(AT_FDCWD, path.c_str(), flags, mode);
}

// To read; anything but a regular file is refused, and nobody is waited for: a pipe at a path that
// somebody else controls would hold us for good.
// EEXIST where something has that name already; EINVAL where the file system can't tell.
Result<void> rename_to_free_name(int from, const std::string& name, int to,
                                 const std::string& new_name);
Result<UniqueFd> open_regular_file(const std::string& path);

// Whichever of stdin, stdout and stderr the caller left closed becomes /dev/null.
Result<void> fill_closed_streams();

// The whole file, refused when it is larger than `limit`.
Result<std::string> read_fd(int fd, std::size_t limit, std::string_view name);
Result<std::string> read_file(const std::string& path, std::size_t limit = 64U << 20U);
Result<std::string> read_file_at(int directory, const char* path, std::size_t limit = 64U << 20U);
// The same where somebody else may have put what is there: a regular file, no link, and nobody is
// waited for.
Result<std::string> read_plain_file_at(int directory, const char* path,
                                       std::size_t limit = 64U << 20U);
// A file of procfs or a cgroup that is one record (status, stat, cpuset.cpus): what one read gives,
// unless it fills 4 KiB. Not for lists of records, which a read may end between two of them.
Result<std::string> read_kernel_file(int directory, const char* path);
Result<std::string> read_kernel_record(int fd, std::string_view name);  // already open

// Writes everything in one write where it fits (kernel files take one write as one command).
Result<void> write_fd(int fd, std::string_view data, std::string_view name);
Result<void> write_file(const std::string& path, std::string_view data);  // existing file
Result<void> write_file_at(int directory, const char* path, std::string_view data);
// Temporary file in the same directory, then rename: readers see the old or the new whole.
Result<void> replace_file_at(int directory, const std::string& name, std::string_view data,
                             mode_t mode);

}  // namespace langsbx
