// fsopen, fsconfig, fsmount, open_tree, move_mount, mount_setattr.
#include "runtime/kernel/mount_api.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/kernel/path.h"

// <sys/mount.h> and <linux/mount.h> of this C library cannot be included together.
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*) noexcept;

namespace langsbx {
namespace {

constexpr unsigned long kMsRdonly = 1;
constexpr unsigned long kMsNosuid = 2;
constexpr unsigned long kMsNodev = 4;
constexpr unsigned long kMsNoexec = 8;
constexpr unsigned long kMsRemount = 32;
constexpr unsigned long kMsNoatime = 1024;
constexpr unsigned long kMsNodiratime = 2048;
constexpr unsigned long kMsBind = 4096;
constexpr unsigned long kMsRec = 16384;
constexpr unsigned long kMsRelatime = 1UL << 21U;
constexpr unsigned long kMsStrictatime = 1UL << 24U;

// The kernel's own words about what was wrong with an option, if it left any.
std::string context_message(int fd) {
  char text[512];
  const ssize_t count = ::read(fd, text, sizeof text - 1);
  if (count <= 2) return "";
  std::string message(text + 2, static_cast<std::size_t>(count - 2));  // "e " prefix
  while (!message.empty() && message.back() == '\n') message.pop_back();
  return " (" + message + ")";
}

// Kernels before 5.12: a remount of the attached mount. Detached mounts take it as well, since
// /proc/self/fd/N names them.
Result<void> remount(int mount_fd, const MountAttributes& attributes) {
  struct statfs status {};
  if (::fstatfs(mount_fd, &status) != 0) return system_error("fstatfs");
  auto flags = static_cast<unsigned long>(status.f_flags) &
               (kMsRdonly | kMsNosuid | kMsNodev | kMsNoexec | kMsNoatime | kMsNodiratime);
  const auto apply = [&](std::uint64_t attribute, unsigned long flag) {
    if ((attributes.clear & attribute) != 0) flags &= ~flag;
    if ((attributes.set & attribute) != 0) flags |= flag;
  };
  apply(MOUNT_ATTR_RDONLY, kMsRdonly);
  apply(MOUNT_ATTR_NOSUID, kMsNosuid);
  apply(MOUNT_ATTR_NODEV, kMsNodev);
  apply(MOUNT_ATTR_NOEXEC, kMsNoexec);
  apply(MOUNT_ATTR_NODIRATIME, kMsNodiratime);
  if ((attributes.clear & MOUNT_ATTR__ATIME) != 0) {
    flags &= ~kMsNoatime;
    const auto atime = attributes.set & MOUNT_ATTR__ATIME;
    flags |= atime == MOUNT_ATTR_NOATIME       ? kMsNoatime
             : atime == MOUNT_ATTR_STRICTATIME ? kMsStrictatime
                                               : kMsRelatime;
  }
  if (::mount(nullptr, descriptor_path(mount_fd).c_str(), nullptr, kMsBind | kMsRemount | flags,
              nullptr) != 0) {
    return system_error("remount");
  }
  return {};
}

}  // namespace

Result<FsContext> FsContext::open(const std::string& type) {
  const long fd = ::syscall(SYS_fsopen, type.c_str(), FSOPEN_CLOEXEC);
  if (fd < 0) return system_error("fsopen " + type);
  FsContext context;
  context.fd_.reset(static_cast<int>(fd));
  context.type_ = type;
  return context;
}

Result<FsContext> FsContext::pick(int mount_fd) {
  const long fd = ::syscall(SYS_fspick, mount_fd, "", FSPICK_CLOEXEC | FSPICK_EMPTY_PATH);
  if (fd < 0) return system_error("fspick");
  FsContext context;
  context.fd_.reset(static_cast<int>(fd));
  return context;
}

Result<void> FsContext::call(unsigned command, const char* key, const char* value) {
  if (::syscall(SYS_fsconfig, fd_.get(), command, key, value, 0) == 0) return {};
  const int saved = errno;
  std::string what = "fsconfig " + type_;
  if (key != nullptr) what.append(" ").append(key);
  if (value != nullptr) what.append("=").append(value);
  return system_error(what + context_message(fd_.get()), saved);
}

Result<void> FsContext::set_flag(const std::string& key) {
  return call(FSCONFIG_SET_FLAG, key.c_str(), nullptr);
}
Result<void> FsContext::set_string(const std::string& key, const std::string& value) {
  return call(FSCONFIG_SET_STRING, key.c_str(), value.c_str());
}
Result<void> FsContext::create() { return call(FSCONFIG_CMD_CREATE, nullptr, nullptr); }
Result<void> FsContext::reconfigure() { return call(FSCONFIG_CMD_RECONFIGURE, nullptr, nullptr); }

Result<UniqueFd> FsContext::mount(std::uint64_t attributes) {
  const long fd = ::syscall(SYS_fsmount, fd_.get(), FSMOUNT_CLOEXEC, attributes);
  if (fd < 0) return system_error("fsmount " + type_);
  return UniqueFd(static_cast<int>(fd));
}

Result<void> mount_new(const std::string& type, const std::string& source,
                       const std::string& target, std::uint64_t attributes,
                       const std::string& data) {
  struct Pair {
    std::uint64_t attribute;
    unsigned long flag;
  };
  constexpr Pair kFlags[] = {{MOUNT_ATTR_RDONLY, kMsRdonly},
                             {MOUNT_ATTR_NOSUID, kMsNosuid},
                             {MOUNT_ATTR_NODEV, kMsNodev},
                             {MOUNT_ATTR_NOEXEC, kMsNoexec},
                             {MOUNT_ATTR_NODIRATIME, kMsNodiratime},
                             {MOUNT_ATTR_NOATIME, kMsNoatime},
                             {MOUNT_ATTR_STRICTATIME, kMsStrictatime}};
  unsigned long flags = 0;
  for (const auto& [attribute, flag] : kFlags) {
    if ((attributes & attribute) == 0) continue;
    flags |= flag;
    attributes &= ~attribute;
  }
  if (attributes != 0) return make_error(ErrorKind::kUnsupported, "mount " + type);
  if (::mount(source.c_str(), target.c_str(), type.c_str(), flags,
              data.empty() ? nullptr : data.c_str()) != 0) {
    return system_error("mount " + type);
  }
  return {};
}

Result<void> mount_bind(const char* source, const char* target, bool recursive) {
  const unsigned long flags = kMsBind | (recursive ? kMsRec : 0UL);
  if (::mount(source, target, nullptr, flags, nullptr) != 0) {
    return system_error("bind mount");
  }
  return {};
}

Result<UniqueFd> clone_mount(int directory, const std::string& path, bool recursive, bool follow) {
  unsigned flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  if (recursive) flags |= AT_RECURSIVE;
  if (!follow) flags |= AT_SYMLINK_NOFOLLOW;
  if (path.empty()) flags |= AT_EMPTY_PATH;
  const long fd = ::syscall(SYS_open_tree, directory, path.c_str(), flags);
  if (fd < 0) return system_error("open_tree " + path);
  return UniqueFd(static_cast<int>(fd));
}

Result<void> attach_mount(int mount_fd, int target, const char* name) {
  const unsigned empty = *name == '\0' ? MOVE_MOUNT_T_EMPTY_PATH : 0U;
  if (::syscall(SYS_move_mount, mount_fd, "", target, name, MOVE_MOUNT_F_EMPTY_PATH | empty) != 0) {
    return system_error("move_mount");
  }
  return {};
}

Result<void> pivot_to_working_directory() {
  if (::syscall(SYS_pivot_root, ".", ".") != 0) return system_error("pivot_root");
  return {};
}

Result<void> set_mount_attributes(int mount_fd, const MountAttributes& attributes, bool recursive,
                                  const char* name) {
  struct mount_attr request {};
  request.attr_set = attributes.set;
  request.attr_clr = attributes.clear;
  request.propagation = attributes.propagation;
  if (attributes.user_namespace >= 0) {
    request.userns_fd = static_cast<std::uint64_t>(attributes.user_namespace);
  }
  const unsigned flags = (*name == '\0' ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW) |
                         (recursive ? static_cast<unsigned>(AT_RECURSIVE) : 0U);
  if (::syscall(SYS_mount_setattr, mount_fd, name, flags, &request, sizeof request) == 0) return {};
  if (errno != ENOSYS) return system_error("mount_setattr");
  if (recursive || attributes.user_namespace >= 0 || *name != '\0') {
    return make_error(ErrorKind::kUnsupported,
                      "recursive mount attributes and idmapped mounts need Linux 5.12");
  }
  if (attributes.propagation != 0 &&
      ::mount(nullptr, descriptor_path(mount_fd).c_str(), nullptr,
              static_cast<unsigned long>(attributes.propagation), nullptr) != 0) {
    return system_error("mount propagation");
  }
  if (attributes.set == 0 && attributes.clear == 0) return {};
  return remount(mount_fd, attributes);
}

Result<void> set_propagation(const char* path, unsigned long flags) {
  if (::mount(nullptr, path, nullptr, flags, nullptr) != 0) {
    return system_error(std::string("set propagation of ") + path);
  }
  return {};
}

}  // namespace langsbx
