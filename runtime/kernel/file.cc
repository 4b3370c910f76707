// Whole-file reading and writing.
#include "runtime/kernel/file.h"

#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>

namespace langsbx {
namespace {

constexpr std::size_t kKernelFileLimit = 1U << 20U;

}  // namespace

Result<UniqueFd> open_at(int directory, const char* path, int flags, mode_t mode) {
  for (;;) {
    const int fd = ::openat(directory, path, flags | O_CLOEXEC, mode);
    if (fd >= 0) return UniqueFd(fd);
    if (errno != EINTR) return system_error(std::string("open ") + path);
  }
}

Result<void> fill_closed_streams() {
  std::array<pollfd, 3> streams{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
  if (::poll(streams.data(), streams.size(), 0) <= 0) return {};
  for (const pollfd& stream : streams) {
    if ((stream.revents & POLLNVAL) == 0) continue;
    // The lowest free number is this stream's: those below it are open by now.
    if (::open("/dev/null", O_RDWR) != stream.fd) return system_error("open /dev/null");
  }
  return {};
}

Result<std::string> read_fd(int fd, std::size_t limit, std::string_view name) {
  std::string data;
  struct stat status {};
  std::size_t chunk = 4096;
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  if (regular) {
    chunk = static_cast<std::size_t>(status.st_size) + 1;
  }
  std::size_t used = 0;
  for (;;) {
    if (chunk > limit + 1 - used) chunk = limit + 1 - used;
    data.resize(used + chunk);
    const ssize_t count = ::read(fd, data.data() + used, chunk);
    if (count < 0) {
      if (errno == EINTR) continue;
      return system_error("read " + std::string(name));
    }
    used += static_cast<std::size_t>(count);
    // A regular file that gives less than was asked for has ended.
    if (regular && count > 0 && static_cast<std::size_t>(count) + 1 == chunk && used <= limit)
      break;
    if (used > limit) {
      return make_error(ErrorKind::kInvalidInput,
                        std::string(name) + ": larger than " + std::to_string(limit) + " bytes");
    }
    if (count == 0) break;
    chunk = used < 4096 ? 4096 : used;
  }
  data.resize(used);
  return data;
}

Result<void> rename_to_free_name(int from, const std::string& name, int to,
                                 const std::string& new_name) {
  if (::syscall(SYS_renameat2, from, name.c_str(), to, new_name.c_str(), RENAME_NOREPLACE) == 0) {
    return {};
  }
  return system_error("rename " + new_name);
}

namespace {

Result<UniqueFd> open_regular_at(int directory, const char* path, int flags) {
  UniqueFd fd = TRY(open_at(directory, path, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags));
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return system_error(std::string("fstat ") + path);
  if (!S_ISREG(info.st_mode)) {
    return make_error(ErrorKind::kInvalidInput, std::string(path) + ": not a regular file");
  }
  return fd;
}

}  // namespace

Result<UniqueFd> open_regular_file(const std::string& path) {
  return open_regular_at(AT_FDCWD, path.c_str(), 0);
}

Result<std::string> read_file(const std::string& path, std::size_t limit) {
  return read_file_at(AT_FDCWD, path.c_str(), limit);
}

Result<std::string> read_file_at(int directory, const char* path, std::size_t limit) {
  const auto fd = TRY(open_at(directory, path, O_RDONLY));
  return read_fd(fd.get(), limit, path);
}

Result<std::string> read_plain_file_at(int directory, const char* path, std::size_t limit) {
  const auto fd = TRY(open_regular_at(directory, path, O_NOFOLLOW));
  return read_fd(fd.get(), limit, path);
}

Result<std::string> read_kernel_file(int directory, const char* path) {
  const auto fd = TRY(open_at(directory, path, O_RDONLY));
  return read_kernel_record(fd.get(), path);
}

Result<std::string> read_kernel_record(int fd, std::string_view name) {
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read " + std::string(name));
    std::string text(buffer, static_cast<std::size_t>(count));
    if (text.size() == sizeof buffer) text += TRY(read_fd(fd, kKernelFileLimit, name));
    return text;
  }
}

Result<void> write_fd(int fd, std::string_view data, std::string_view name) {
  do {
    const ssize_t count = ::write(fd, data.data(), data.size());
    if (count < 0) {
      if (errno == EINTR) continue;
      return system_error("write " + std::string(name));
    }
    data.remove_prefix(static_cast<std::size_t>(count));
  } while (!data.empty());
  return {};
}

Result<void> write_file(const std::string& path, std::string_view data) {
  return write_file_at(AT_FDCWD, path.c_str(), data);
}

Result<void> write_file_at(int directory, const char* path, std::string_view data) {
  const auto fd = TRY(open_at(directory, path, O_WRONLY));
  return write_fd(fd.get(), data, path);
}

Result<void> replace_file_at(int directory, const std::string& name, std::string_view data,
                             mode_t mode) {
  const std::string temporary = name + ".tmp" + std::to_string(::getpid());
  {
    const auto fd = TRY(open_at(directory, temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC, mode));
    if (auto written = write_fd(fd.get(), data, name); !written.ok()) {
      ::unlinkat(directory, temporary.c_str(), 0);
      return written.release_error();
    }
  }
  if (::renameat(directory, temporary.c_str(), directory, name.c_str()) != 0) {
    auto error = system_error("rename " + name);
    ::unlinkat(directory, temporary.c_str(), 0);
    return error;
  }
  return {};
}

}  // namespace langsbx
