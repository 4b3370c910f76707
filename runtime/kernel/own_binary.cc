// A read-only twin of our mount, or a sealed copy in memory; then execve.
#include "runtime/kernel/own_binary.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <vector>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"

namespace langsbx {
namespace {

constexpr const char* kExe = "/proc/self/exe";
// Tells the twin where its original lies: /proc/self/exe of a detached mount has no path.
constexpr const char* kPathVariable = "LANGSBX_BINARY";
constexpr int kSeals = F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
constexpr unsigned kExecutable = 0x0010U;  // MFD_EXEC, Linux 6.3

bool is_on_readonly_mount(int fd) {
  struct statvfs info {};
  return ::fstatvfs(fd, &info) == 0 && (info.f_flag & ST_RDONLY) != 0;
}

bool is_sealed(int fd) {
  const int seals = ::fcntl(fd, F_GET_SEALS);
  return seals >= 0 && (seals & kSeals) == kSeals;
}

// Root may write any file; others only their own, or what the mode lets them write.
bool is_writable_by_us(int exe) {
  struct stat info {};
  if (::geteuid() == 0 || ::fstat(exe, &info) != 0 || info.st_uid == ::geteuid()) return true;
  return ::faccessat(AT_FDCWD, kExe, W_OK, AT_EACCESS) == 0;
}

Result<UniqueFd> readonly_twin(int exe) {
  auto twin = TRY(clone_mount(exe, "", false));
  MountAttributes attributes;
  attributes.set = MOUNT_ATTR_RDONLY;
  TRY(set_mount_attributes(twin.get(), attributes, false));
  if (!is_on_readonly_mount(twin.get())) {
    return make_error(ErrorKind::kSystem, "the clone of our mount is not read-only");
  }
  return twin;
}

UniqueFd new_memory_file() {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = ::memfd_create("langsbx", kFlags | kExecutable);
  if (fd >= 0 || errno != EINVAL) return UniqueFd(fd);
  return UniqueFd(::memfd_create("langsbx", kFlags));
}

Result<UniqueFd> sealed_copy() {
  const auto source = TRY(open_file(kExe, O_RDONLY));
  auto copy = new_memory_file();
  if (!copy) return system_error("memfd_create");
  for (;;) {
    constexpr std::size_t kMost = 64U << 20U;
    const ssize_t count = ::sendfile(copy.get(), source.get(), nullptr, kMost);
    if (count < 0 && errno != EINTR) return system_error("copy our binary");
    if (count == 0) break;
  }
  if (::fcntl(copy.get(), F_ADD_SEALS, kSeals) != 0) return system_error("seal our binary");
  // A descriptor open for writing forbids execve (ETXTBSY).
  return open_file("/proc/self/fd/" + std::to_string(copy.get()), O_RDONLY);
}

Result<std::vector<std::string>> command_line() {
  const std::string text = TRY(read_file("/proc/self/cmdline"));
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\0', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (words.empty()) return make_error(ErrorKind::kSystem, "/proc/self/cmdline is empty");
  return words;
}

std::string link_target() {
  char buffer[PATH_MAX];
  const ssize_t length = ::readlink(kExe, buffer, sizeof buffer);
  return length > 0 ? std::string(buffer, static_cast<std::size_t>(length)) : std::string();
}

// Read once and taken away: hooks and containers have no use for it.
std::string take_original_path() {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): single-threaded
  const char* const value = ::getenv(kPathVariable);
  std::string path = value != nullptr ? value : "";
  ::unsetenv(kPathVariable);  // NOLINT(concurrency-mt-unsafe)
  return path;
}

const std::string& original_path() {
  static const std::string path = take_original_path();
  return path;
}

Result<void> execute_again(int binary, const std::vector<int>& kept, int also) {
  auto words = TRY(command_line());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  for (const int fd : kept) ::fcntl(fd, F_SETFD, 0);
  if (also >= 0) ::fcntl(also, F_SETFD, 0);
  const std::string path = own_binary_path();
  ::setenv(kPathVariable, path.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  ::syscall(SYS_execveat, binary, "", argv.data(), environ, AT_EMPTY_PATH);
  const int reason = errno;
  ::unsetenv(kPathVariable);  // NOLINT(concurrency-mt-unsafe)
  return system_error("execute our protected binary", reason);
}

}  // namespace

std::string own_binary_path() {
  const std::string& original = original_path();
  return !original.empty() && is_own_binary_protected() ? original : link_target();
}

bool is_own_binary_protected() {
  const auto exe = open_file(kExe, O_RDONLY);
  return exe.ok() && (is_on_readonly_mount(exe->get()) || is_sealed(exe->get()));
}

Result<void> protect_own_binary(const std::vector<int>& kept, int also) {
  original_path();  // out of the environment in any case
  if (is_own_binary_protected()) return {};
  const auto exe = TRY(open_file(kExe, O_PATH));
  if (!is_writable_by_us(exe.get())) return {};
  auto twin = readonly_twin(exe.get());
  if (!twin.ok()) twin = sealed_copy();
  const auto binary = TRY_CONTEXT(std::move(twin), "protect our binary from the container");
  return execute_again(binary.get(), kept, also);
}

}  // namespace langsbx
