// mount_setattr of bind mounts.
#include "runtime/isolate/bind_flags.h"

#include <linux/mount.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>

#include <cerrno>
#include <string>

#include "runtime/kernel/mount_api.h"

namespace langsbx::isolate {
namespace {

#ifndef MOUNT_ATTR_NOSYMFOLLOW
#define MOUNT_ATTR_NOSYMFOLLOW 0x00200000
#endif

struct Flag {
  std::uint64_t attribute;
  unsigned long reported;  // by statfs
  const char* name;
};
// Those that a user namespace can't take away.
constexpr Flag kLockable[] = {{MOUNT_ATTR_RDONLY, ST_RDONLY, "ro"},
                              {MOUNT_ATTR_NOSUID, ST_NOSUID, "nosuid"},
                              {MOUNT_ATTR_NODEV, ST_NODEV, "nodev"},
                              {MOUNT_ATTR_NOEXEC, ST_NOEXEC, "noexec"}};
constexpr std::uint64_t kAll = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
                               MOUNT_ATTR_NOEXEC | MOUNT_ATTR_NOSYMFOLLOW;
constexpr std::uint64_t kTimes = MOUNT_ATTR__ATIME | MOUNT_ATTR_NODIRATIME;

MountAttributes exactly(const plan::MountOptions& options) {
  MountAttributes attributes;
  attributes.set = options.attributes.set & kAll;
  attributes.clear = kAll & ~attributes.set;
  if (options.named_times != 0) {
    attributes.set |= plan::times_of(options.named_times);
    attributes.clear |= kTimes & ~(attributes.set & MOUNT_ATTR_NODIRATIME);
  }
  return attributes;
}

std::uint64_t times_in(unsigned long reported) {
  std::uint64_t times = (reported & ST_NODIRATIME) != 0 ? MOUNT_ATTR_NODIRATIME : 0;
  if ((reported & ST_NOATIME) != 0) return times | MOUNT_ATTR_NOATIME;
  return (reported & ST_RELATIME) != 0 ? times : times | MOUNT_ATTR_STRICTATIME;
}

// The names of the source's flags that `cleared` asks away; empty: none.
std::string locked_names(unsigned long reported, std::uint64_t cleared) {
  std::string names;
  for (const auto& flag : kLockable) {
    if ((reported & flag.reported) == 0 || (cleared & flag.attribute) == 0) continue;
    names.append(names.empty() ? "" : ",").append(flag.name);
  }
  return names;
}

Result<unsigned long> reported_flags(int mount) {
  struct statfs status {};
  if (::fstatfs(mount, &status) != 0) return system_error("statfs the source");
  return static_cast<unsigned long>(status.f_flags);
}

Error locked_error(const std::string& names) {
  return make_error(ErrorKind::kInvalidInput,
                    "options: cannot clear locked flags of the source's mount: " + names +
                        "; a user namespace keeps them: operation not permitted");
}

// With what the source's mount has.
Result<void> set_with_locked(int mount, const plan::MountStep& step, const MountContext& context) {
  const auto& options = step.options;
  const auto reported = TRY(reported_flags(mount));
  const std::string names = locked_names(reported, options.attributes.clear);
  if (!names.empty() && !context.acts_as_crun) return locked_error(names);
  auto attributes = exactly(options);
  if (options.named_times != 0) {
    if (plan::times_of(options.named_times) != times_in(reported) && !context.acts_as_crun) {
      return locked_error("times of access");
    }
    attributes.set &= ~kTimes;
    attributes.clear &= ~kTimes;
  }
  for (const auto& flag : kLockable) {
    if ((reported & flag.reported) == 0) continue;
    attributes.set |= flag.attribute;
    attributes.clear &= ~flag.attribute;
  }
  TRY_CONTEXT(set_mount_attributes(mount, attributes, false), "options");
  return {};
}

Result<void> set_own(int mount, const plan::MountStep& step, const MountContext& context) {
  if (!step.options.names_flags) return {};
  // The runtime opened the source for us on the host: the kernel has not locked anything of it.
  if (context.user_namespace && context.sources->mount_of(step) >= 0) {
    return set_with_locked(mount, step, context);
  }
  auto done = set_mount_attributes(mount, exactly(step.options), false);
  if (done.ok()) return done;
  if (context.user_namespace && done.error().errno_value == EPERM) {
    return set_with_locked(mount, step, context);
  }
  return done.release_error().with_context("options");
}

}  // namespace

Result<void> set_bind_flags(int mount, const plan::MountStep& step, const MountContext& context) {
  TRY(set_own(mount, step, context));
  const auto& recursive = step.options.recursive;
  if (recursive == MountAttributes{}) return {};
  if (context.user_namespace && context.sources->mount_of(step) >= 0 && recursive.clear != 0) {
    const std::string names = locked_names(TRY(reported_flags(mount)), recursive.clear);
    if (!names.empty()) return locked_error(names);
  }
  TRY_CONTEXT(set_mount_attributes(mount, recursive, true), "recursive options");
  return {};
}

}  // namespace langsbx::isolate
