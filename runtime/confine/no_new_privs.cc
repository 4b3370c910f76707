// prctl's no_new_privs bit.
#include "runtime/confine/no_new_privs.h"

#include <sys/prctl.h>

namespace langsbx::confine {

Result<bool> has_no_new_privs() {
  const int value = ::prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
  if (value < 0) return system_error("prctl PR_GET_NO_NEW_PRIVS");
  return value == 1;
}

Result<void> set_no_new_privs() {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return system_error("prctl PR_SET_NO_NEW_PRIVS");
  }
  return verify_no_new_privs();
}

Result<void> verify_no_new_privs() {
  if (TRY(has_no_new_privs())) return {};
  return make_error(ErrorKind::kInternal, "no_new_privs was set and reads back as unset");
}

}  // namespace langsbx::confine
