// bpf(2), for which the C library has no door.
#pragma once

#include <linux/bpf.h>

namespace langsbx {

// What the command gives, a descriptor or 0; -1 and errno.
long bpf(bpf_cmd command, bpf_attr& attributes);

}  // namespace langsbx
