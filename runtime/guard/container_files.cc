// Opening below the container's root, where we already are.
#include "runtime/guard/container_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::guard {
namespace {

constexpr std::size_t kStart = 4096;

}  // namespace

Result<ContainerFiles> ContainerFiles::open(std::string cwd, std::size_t most_bytes,
                                            std::optional<dev_t> device, const std::string& root) {
  auto opened = TRY(open_file(root, O_PATH | O_DIRECTORY));
  return ContainerFiles(std::move(opened), std::move(cwd), most_bytes, device);
}

// A device or a fifo could block or answer differently each time; /dev/stdin and /proc/self/fd are
// magic links, which open_in_root does not follow.
Result<UniqueFd> ContainerFiles::open_regular(const std::string& path) const {
  const std::string absolute = path.starts_with('/') ? path : cwd_ + "/" + path;
  auto fd = TRY_CONTEXT(
      open_in_root(root_.get(), absolute, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC), path);
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return system_error("fstat " + path);
  if (!S_ISREG(facts.st_mode)) {
    return make_error(ErrorKind::kInvalidInput, path + ": not a regular file");
  }
  return fd;
}

Result<std::string> ContainerFiles::read(const std::string& path) const {
  const auto fd = TRY(open_regular(path));
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return system_error("fstat " + path);
  if (device_ && facts.st_dev != *device_) {
    return make_error(ErrorKind::kRefused, path + ": appeared or changed after it was pinned");
  }
  return read_fd(fd.get(), most_, path);
}

std::optional<std::string> ContainerFiles::names_in(const std::string& folder) const {
  const std::string absolute = folder.starts_with('/') ? folder : cwd_ + "/" + folder;
  auto fd = open_in_root(root_.get(), absolute, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (!fd.ok()) return std::nullopt;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(fd->get()), &::closedir);
  if (stream == nullptr) return std::nullopt;
  static_cast<void>(fd->release());
  std::string names;
  while (const dirent* entry = ::readdir(stream.get())) {
    names += entry->d_name;
    names += '\n';
    if (names.size() > most_) return std::nullopt;
  }
  return names;
}

bool ContainerFiles::view(const std::string& path,
                          const std::function<void(std::string_view)>& show) const {
  const auto fd = open_regular(path);
  struct stat facts {};
  if (!fd.ok() || ::fstat(fd->get(), &facts) != 0 || facts.st_size <= 0) return false;
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd->get(), 0);
  if (bytes == MAP_FAILED) return false;
  show({static_cast<const char*>(bytes), size});
  ::munmap(bytes, size);
  return true;
}

std::optional<std::string> ContainerFiles::start_of(const std::string& path) const {
  const auto fd = open_regular(path);
  if (!fd.ok()) return std::nullopt;
  std::string start(kStart, '\0');
  const ssize_t length = ::read(fd->get(), start.data(), start.size());
  if (length < 0) return std::nullopt;
  start.resize(static_cast<std::size_t>(length));
  return start;
}

std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) == nullptr ? std::string() : std::string(resolved);
}

std::string entry_path(const languages::Language& language, const std::string& path) {
  if (language.references == languages::References::kEverywhere) return path;
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  const std::string real = real_path(path);
  const std::string real_folder = real_path(folder);
  const bool link =
      !real.empty() && real != (real_folder == "/" ? "/" + name : real_folder + "/" + name);
  return link ? real : path;
}

std::string find_in_path(const std::string& name, const std::vector<std::string>& env) {
  std::string_view path;
  for (const std::string& entry : env) {
    if (entry.starts_with("PATH=")) path = std::string_view(entry).substr(5);
  }
  while (!path.empty()) {
    const auto colon = path.find(':');
    std::string file(path.substr(0, colon));
    path.remove_prefix(colon == std::string_view::npos ? path.size() : colon + 1);
    file += file.empty() ? "./" + name : "/" + name;
    struct stat facts {};
    const bool there = ::stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
    if (there && ::faccessat(AT_FDCWD, file.c_str(), X_OK, AT_EACCESS) == 0) return file;
  }
  return {};
}

}  // namespace langsbx::guard
