// PR_SET_NO_NEW_PRIVS, set and read back.
#pragma once

#include "runtime/base/result.h"

namespace langsbx::confine {

Result<void> set_no_new_privs();
Result<void> verify_no_new_privs();
Result<bool> has_no_new_privs();

}  // namespace langsbx::confine
