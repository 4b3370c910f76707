// Reading the arguments of a stopped system call.
#include "runtime/explain/wanted.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_names.h"
#include "runtime/kernel/openat2.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::explain {
namespace {

namespace fs = confine::fs;
namespace net = confine::net;
namespace scope = confine::scope;

constexpr int kNoDirectory = -1;

enum class Shape : std::uint8_t {
  kOpen,      // flags decide
  kOpenHow,   // flags are in a struct open_how
  kCreat,     // make and write
  kFixed,     // the rights of the table's row, on the file itself
  kInParent,  // the rights of the table's row, on the directory that holds the name
  kMknod,     // the mode decides, on the parent
  kUnlinkAt,  // the flags decide, on the parent
};

struct PathCall {
  std::string_view name;
  Shape shape;
  int directory;  // argument with a directory descriptor, or kNoDirectory
  int path;       // argument with the path
  int extra;      // argument with flags or mode, where the shape has one
  std::uint64_t rights;
};

constexpr auto kPathCalls = std::array{
    PathCall{"open", Shape::kOpen, kNoDirectory, 0, 1, 0},
    PathCall{"openat", Shape::kOpen, 0, 1, 2, 0},
    PathCall{"openat2", Shape::kOpenHow, 0, 1, 2, 0},
    PathCall{"creat", Shape::kCreat, kNoDirectory, 0, 0, 0},
    PathCall{"execve", Shape::kFixed, kNoDirectory, 0, 0, fs::kExecute},
    PathCall{"execveat", Shape::kFixed, 0, 1, 0, fs::kExecute},
    PathCall{"truncate", Shape::kFixed, kNoDirectory, 0, 0, fs::kTruncate},
    PathCall{"mkdir", Shape::kInParent, kNoDirectory, 0, 0, fs::kMakeDir},
    PathCall{"mkdirat", Shape::kInParent, 0, 1, 0, fs::kMakeDir},
    PathCall{"rmdir", Shape::kInParent, kNoDirectory, 0, 0, fs::kRemoveDir},
    PathCall{"unlink", Shape::kInParent, kNoDirectory, 0, 0, fs::kRemoveFile},
    PathCall{"unlinkat", Shape::kUnlinkAt, 0, 1, 2, 0},
    PathCall{"symlink", Shape::kInParent, kNoDirectory, 1, 0, fs::kMakeSym},
    PathCall{"symlinkat", Shape::kInParent, 1, 2, 0, fs::kMakeSym},
    PathCall{"mknod", Shape::kMknod, kNoDirectory, 0, 1, 0},
    PathCall{"mknodat", Shape::kMknod, 0, 1, 2, 0},
};

struct TwoPathCall {
  std::string_view name;
  int from_directory, from_path, to_directory, to_path;
  bool removes;
};
constexpr auto kTwoPathCalls = std::array{
    TwoPathCall{"rename", kNoDirectory, 0, kNoDirectory, 1, true},
    TwoPathCall{"renameat", 0, 1, 2, 3, true},
    TwoPathCall{"renameat2", 0, 1, 2, 3, true},
    TwoPathCall{"link", kNoDirectory, 0, kNoDirectory, 1, false},
    TwoPathCall{"linkat", 0, 1, 2, 3, false},
};

// With the argument that names the place. Landlock asks about some of them only.
struct PlaceCall {
  std::string_view name;
  int directory, path;
  bool topology;
};
constexpr auto kPlaceCalls = std::array{
    PlaceCall{"mount", kNoDirectory, 1, true},   PlaceCall{"umount2", kNoDirectory, 0, true},
    PlaceCall{"move_mount", 2, 3, true},         PlaceCall{"pivot_root", kNoDirectory, 0, true},
    PlaceCall{"open_tree", 0, 1, false},         PlaceCall{"mount_setattr", 0, 1, false},
    PlaceCall{"chroot", kNoDirectory, 0, false}, PlaceCall{"chown", kNoDirectory, 0, false},
    PlaceCall{"fchownat", 0, 1, false},          PlaceCall{"chmod", kNoDirectory, 0, false},
    PlaceCall{"fchmodat", 0, 1, false},
};

std::string read_link(const std::string& path) {
  std::array<char, PATH_MAX> target{};
  const ssize_t count = ::readlink(path.c_str(), target.data(), target.size());
  return count <= 0 ? std::string{} : std::string(target.data(), static_cast<std::size_t>(count));
}

std::string proc(pid_t pid, const std::string& name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

bool read_memory(pid_t pid, std::uint64_t address, void* target, std::size_t size) {
  const iovec local{target, size};
  const iovec remote{reinterpret_cast<void*>(address), size};  // NOLINT: the other's address
  return ::process_vm_readv(pid, &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

std::string read_text(pid_t pid, std::uint64_t address) {
  std::string text;
  while (text.size() < PATH_MAX) {
    // Up to the page's end: the next one may not be there.
    std::array<char, 256> part{};
    const std::size_t room = std::min(part.size(), 4096 - address % 4096);
    if (!read_memory(pid, address, part.data(), room)) break;
    const char* end = std::find(part.data(), part.data() + room, '\0');
    text.append(part.data(), static_cast<std::size_t>(end - part.data()));
    if (end != part.data() + room) break;
    address += room;
  }
  return text;
}

std::string path_at(const TracedCall& call, int directory, int path) {
  std::string name = read_text(call.pid, call.args[static_cast<std::size_t>(path)]);
  if (name.starts_with('/')) return name;
  std::string base;
  const int fd = directory == kNoDirectory
                     ? AT_FDCWD
                     : static_cast<int>(call.args[static_cast<std::size_t>(directory)]);
  base = read_link(proc(call.pid, fd == AT_FDCWD ? "cwd" : "fd/" + std::to_string(fd)));
  return name.empty() ? base : base + "/" + name;
}

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

// Below the container's root: its links must not lead us to files of the host.
UniqueFd open_below_root(int root, const std::string& path, int flags) {
  return open_resolved(root, path.c_str(), O_PATH | flags, RESOLVE_IN_ROOT);
}

UniqueFd open_root_of(pid_t pid) {
  return UniqueFd(::open(proc(pid, "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

bool exists_in(pid_t pid, const std::string& path) {
  return open_below_root(open_root_of(pid).get(), path, O_NOFOLLOW).valid();
}

std::uint64_t open_rights(std::uint64_t flags) {
  std::uint64_t rights = 0;
  const auto mode = flags & O_ACCMODE;
  if ((flags & O_DIRECTORY) != 0) return fs::kReadDir;
  if (mode != O_WRONLY) rights |= fs::kReadFile;
  if (mode != O_RDONLY) rights |= fs::kWriteFile;
  if ((flags & O_TRUNC) != 0) rights |= fs::kTruncate;
  return rights;
}

std::uint64_t node_right(std::uint64_t mode) {
  switch (mode & S_IFMT) {
    case S_IFCHR:
      return fs::kMakeChar;
    case S_IFBLK:
      return fs::kMakeBlock;
    case S_IFIFO:
      return fs::kMakeFifo;
    case S_IFSOCK:
      return fs::kMakeSock;
    default:
      return fs::kMakeReg;
  }
}

void want_open(const TracedCall& call, const std::string& path, std::uint64_t flags,
               Wanted& wanted) {
  if ((flags & O_CREAT) != 0 && !exists_in(call.pid, path)) {
    wanted.files.push_back({canonical_in(call.pid, parent_of(path)), fs::kMakeReg});
  }
  wanted.files.push_back({canonical_in(call.pid, path), open_rights(flags)});
}

void want_path(const TracedCall& call, const PathCall& row, Wanted& wanted) {
  const std::string path = path_at(call, row.directory, row.path);
  const std::uint64_t extra = call.args[static_cast<std::size_t>(row.extra)];
  wanted.object = path;
  const auto in_parent = [&](std::uint64_t rights) {
    wanted.files.push_back({canonical_in(call.pid, parent_of(path)), rights});
  };
  switch (row.shape) {
    case Shape::kOpen:
      return want_open(call, path, extra, wanted);
    case Shape::kOpenHow: {
      open_how how{};
      if (read_memory(call.pid, extra, &how, sizeof(how))) want_open(call, path, how.flags, wanted);
      return;
    }
    case Shape::kCreat:
      return want_open(call, path, O_CREAT | O_WRONLY | O_TRUNC, wanted);
    case Shape::kFixed:
      wanted.files.push_back({canonical_in(call.pid, path), row.rights});
      return;
    case Shape::kInParent:
      return in_parent(row.rights);
    case Shape::kMknod:
      return in_parent(node_right(extra));
    case Shape::kUnlinkAt:
      return in_parent((extra & AT_REMOVEDIR) != 0 ? fs::kRemoveDir : fs::kRemoveFile);
  }
}

void want_two_paths(const TracedCall& call, const TwoPathCall& row, Wanted& wanted) {
  const std::string from = path_at(call, row.from_directory, row.from_path);
  const std::string to = path_at(call, row.to_directory, row.to_path);
  wanted.object = from + " -> " + to;
  const std::string from_parent = canonical_in(call.pid, parent_of(from));
  const std::string to_parent = canonical_in(call.pid, parent_of(to));
  const std::uint64_t refer = from_parent == to_parent ? 0 : fs::kRefer;
  wanted.files.push_back({from_parent, refer | (row.removes ? fs::kRemoveFile : 0)});
  wanted.files.push_back({to_parent, refer | fs::kMakeReg});
}

bool is_datagram(const TracedCall& call) {
  const auto pidfd = open_pidfd(call.pid);
  if (!pidfd.ok()) return false;
  const auto socket = copy_descriptor(pidfd->get(), static_cast<int>(call.args[0]));
  int type = 0;
  socklen_t size = sizeof(type);
  return socket.ok() && ::getsockopt(socket->get(), SOL_SOCKET, SO_TYPE, &type, &size) == 0 &&
         type == SOCK_DGRAM;
}

void want_socket(const TracedCall& call, bool binds, Wanted& wanted) {
  std::array<char, sizeof(sockaddr_un)> raw{};
  const std::size_t size = std::min<std::uint64_t>(call.args[2], raw.size());
  if (size < sizeof(sa_family_t) || !read_memory(call.pid, call.args[1], raw.data(), size)) return;
  sa_family_t family = 0;
  std::memcpy(&family, raw.data(), sizeof(family));
  if (family == AF_INET || family == AF_INET6) {
    std::uint16_t port = 0;  // at the same place in both families
    std::memcpy(&port, raw.data() + offsetof(sockaddr_in, sin_port), sizeof(port));
    wanted.port = ntohs(port);
    const bool datagram = is_datagram(call);
    wanted.object = (datagram ? "udp port " : "tcp port ") + std::to_string(*wanted.port);
    wanted.net = binds ? (datagram ? net::kBindUdp : net::kBindTcp)
                       : (datagram ? net::kConnectSendUdp : net::kConnectTcp);
  } else if (family == AF_UNIX && size > sizeof(family)) {
    const char* name = raw.data() + offsetof(sockaddr_un, sun_path);
    if (*name == '\0') {
      wanted.object = "abstract socket @" + std::string(name + 1, size - sizeof(family) - 1);
      if (!binds) wanted.scope = scope::kAbstractUnixSocket;
      return;
    }
    wanted.object = std::string(name, ::strnlen(name, size - sizeof(family)));
    wanted.files.push_back(
        {canonical_in(call.pid, binds ? parent_of(wanted.object) : wanted.object),
         binds ? fs::kMakeSock : fs::kResolveUnix});
  }
}

}  // namespace

std::string canonical_in(pid_t pid, const std::string& path) {
  const UniqueFd root = open_root_of(pid);
  const UniqueFd file = open_below_root(root.get(), path, 0);
  if (!file) return path;
  std::string found = read_link("/proc/self/fd/" + std::to_string(file.get()));
  // With a root of its own (no pivot_root) the container's part is what follows that root.
  const std::string base = read_link("/proc/self/fd/" + std::to_string(root.get()));
  if (base.size() > 1 && found.starts_with(base)) found.erase(0, base.size());
  return found.empty() ? "/" : found;
}

std::string syscall_name(std::uint32_t architecture, long number) {
  char* name = ::seccomp_syscall_resolve_num_arch(architecture, static_cast<int>(number));
  std::string text = name == nullptr ? std::string{} : name;
  std::free(name);  // NOLINT: libseccomp hands over malloc'ed text
  if (text.empty()) text = confine::recent_syscall_name(static_cast<std::uint32_t>(number));
  return text.empty() ? "system call " + std::to_string(number) : text;
}

Wanted wanted_by(const TracedCall& call) {
  Wanted wanted;
  const std::string name = syscall_name(call.architecture, call.number);
  for (const PathCall& row : kPathCalls) {
    if (name == row.name) want_path(call, row, wanted);
  }
  for (const TwoPathCall& row : kTwoPathCalls) {
    if (name == row.name) want_two_paths(call, row, wanted);
  }
  if (name == "bind" || name == "connect") want_socket(call, name == "bind", wanted);
  if (name == "kill" || name == "tgkill" || name == "tkill") {
    wanted.object = "pid " + std::to_string(static_cast<int>(call.args[0]));
    wanted.scope = scope::kSignal;
  }
  if (name == "ioctl") {
    wanted.object =
        read_link(proc(call.pid, "fd/" + std::to_string(static_cast<int>(call.args[0]))));
    wanted.files.push_back({wanted.object, fs::kIoctlDev});
  }
  for (const PlaceCall& row : kPlaceCalls) {
    if (name != row.name) continue;
    wanted.topology = row.topology;
    wanted.object = path_at(call, row.directory, row.path);
  }
  return wanted;
}

}  // namespace langsbx::explain
