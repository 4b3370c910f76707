// The call.
#include "runtime/kernel/bpf.h"

#include <sys/syscall.h>
#include <unistd.h>

namespace langsbx {

long bpf(bpf_cmd command, bpf_attr& attributes) {
  return ::syscall(SYS_bpf, command, &attributes, sizeof attributes);
}

}  // namespace langsbx
