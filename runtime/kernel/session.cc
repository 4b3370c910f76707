// setsid, prctl, keyctl.
#include "runtime/kernel/session.h"

#include <linux/keyctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace langsbx {

Result<void> start_session() {
  if (::setsid() < 0) return system_error("setsid");
  return {};
}

Result<void> become_undumpable() {
  if (::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return system_error("prctl PR_SET_DUMPABLE");
  return {};
}

Result<void> allow_any_tracer(bool allowed) {
  if (::prctl(PR_SET_PTRACER, allowed ? PR_SET_PTRACER_ANY : 0, 0, 0, 0) == 0) return {};
  if (errno == EINVAL) return {};  // a kernel without Yama
  return system_error("prctl PR_SET_PTRACER");
}

Result<void> join_new_keyring(const std::string& name) {
  if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, name.c_str()) >= 0) return {};
  return system_error("create session key");
}

Result<void> adopt_orphans() {
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
    return system_error("prctl PR_SET_CHILD_SUBREAPER");
  }
  return {};
}

}  // namespace langsbx
