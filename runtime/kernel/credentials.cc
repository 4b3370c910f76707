// setgroups, setresgid, setresuid.
#include "runtime/kernel/credentials.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace langsbx {

Result<void> set_groups(const std::vector<gid_t>& groups) {
  if (::syscall(SYS_setgroups, groups.size(), groups.data()) == 0) return {};
  return system_error("setgroups");
}

Result<void> set_group(gid_t gid) {
  if (::syscall(SYS_setresgid, gid, gid, gid) == 0) return {};
  return system_error("setresgid " + std::to_string(gid));
}

Result<void> set_user(uid_t uid) {
  if (::syscall(SYS_setresuid, uid, uid, uid) == 0) return {};
  return system_error("setresuid " + std::to_string(uid));
}

}  // namespace langsbx
