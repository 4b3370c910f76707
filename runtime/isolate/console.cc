// Ptys by descriptor: no path of the container is trusted (CVE-2025-52565).
#include "runtime/isolate/console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/path.h"
#include "runtime/kernel/socket.h"

namespace langsbx::isolate {
namespace {

constexpr long kDevptsMagic = 0x1cd1;

// Without waiting until it is known what it is: an exec finds what the container put there.
Result<UniqueFd> open_multiplexer(int root) {
  constexpr int kFlags = O_RDWR | O_NOCTTY | O_NONBLOCK;
  auto master = TRY_CONTEXT(open_in_root(root, "/dev/pts/ptmx", kFlags), "console");
  struct stat status {};
  struct statfs filesystem {};
  if (::fstat(master.get(), &status) != 0 || ::fstatfs(master.get(), &filesystem) != 0) {
    return system_error("console: stat /dev/pts/ptmx");
  }
  if (!S_ISCHR(status.st_mode) || status.st_rdev != makedev(5, 2) ||
      filesystem.f_type != kDevptsMagic) {
    return make_error(ErrorKind::kInvalidInput, "console: /dev/pts/ptmx is not a pty multiplexer");
  }
  // Whoever gets it expects to wait for what is written.
  if (::fcntl(master.get(), F_SETFL, O_RDWR) != 0) return system_error("console: fcntl");
  return master;
}

// A link of the image there would put the pty where it leads.
Result<UniqueFd> console_place(int root) {
  const auto parent = TRY(open_parent_in_root(root, "/dev/console"));
  const char* name = parent.name.c_str();
  auto place = open_at(parent.parent.get(), name, O_PATH | O_NOFOLLOW);
  if (!place.ok() && place.error().errno_value == ENOENT) {
    TRY(open_at(parent.parent.get(), name, O_WRONLY | O_CREAT | O_EXCL, 0600));
    place = open_at(parent.parent.get(), name, O_PATH | O_NOFOLLOW);
  }
  if (!place.ok()) return place;
  struct stat status {};
  if (::fstat(place->get(), &status) != 0) return system_error("fstat");
  if (S_ISLNK(status.st_mode)) {
    return make_error(ErrorKind::kInvalidInput, "it is a symlink in the root file system");
  }
  return place;
}

}  // namespace

Result<UniqueFd> open_console(const ConsoleOptions& options) {
  const auto master = TRY(open_multiplexer(options.root));
  int unlocked = 0;
  if (::ioctl(master.get(), TIOCSPTLCK, &unlocked) != 0) return system_error("unlock the pty");
  UniqueFd slave(::ioctl(master.get(), TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!slave) return system_error("TIOCGPTPEER");
  if (options.relayed) {
    termios settings{};
    if (::tcgetattr(slave.get(), &settings) != 0) return system_error("tcgetattr of the pty");
    settings.c_oflag &= ~static_cast<tcflag_t>(ONLCR);
    if (::tcsetattr(slave.get(), TCSANOW, &settings) != 0)
      return system_error("tcsetattr of the pty");
  }
  if (options.size) {
    winsize size{};
    size.ws_row = options.size->height;
    size.ws_col = options.size->width;
    if (::ioctl(slave.get(), TIOCSWINSZ, &size) != 0) return system_error("TIOCSWINSZ");
  }
  if (::fchown(slave.get(), options.owner, static_cast<gid_t>(-1)) != 0 && errno != EPERM &&
      errno != EINVAL) {
    return system_error("chown the pty");
  }
  if (options.bind_console) {
    const auto mount = TRY_CONTEXT(clone_mount(slave.get(), "", false), "/dev/console");
    const auto place = TRY_CONTEXT(console_place(options.root), "/dev/console");
    TRY_CONTEXT(attach_mount(mount.get(), place.get()), "/dev/console");
  }
  TRY_CONTEXT(send_packet(options.socket, "/dev/ptmx", {master.get()}), "console socket");
  return slave;
}

Result<void> take_console(int terminal) {
  if (::ioctl(terminal, TIOCSCTTY, 0) != 0) return system_error("TIOCSCTTY");
  for (int fd = 0; fd <= 2; ++fd) {
    if (::dup2(terminal, fd) < 0) return system_error("dup2 the terminal");
  }
  return {};
}

Result<void> give_streams_to(uid_t owner, std::optional<gid_t> group) {
  for (int fd = 0; fd <= 2; ++fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) {
      if (errno == EBADF) continue;
      return system_error("fstat the standard streams");
    }
    if (status.st_uid == owner && group.value_or(status.st_gid) == status.st_gid) continue;
    if (S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3)) continue;
    if (S_ISDIR(status.st_mode)) continue;  // of the host's, and of no use as a stream
    // Streams of others, of unmapped ids and of read-only file systems stay as they are.
    if (::fchown(fd, owner, group.value_or(static_cast<gid_t>(-1))) != 0 && errno != EINVAL &&
        errno != EPERM && errno != EROFS) {
      return system_error("chown the standard streams");
    }
  }
  return {};
}

}  // namespace langsbx::isolate
