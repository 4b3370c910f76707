// A kernel that refuses one call, or that only pretends to have done it: what a security step does
// about it.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "runtime/kernel/seccomp.h"

namespace langsbx::test {

struct AnsweredCall {
  std::uint32_t number = 0;
  std::optional<std::uint32_t> first_argument = std::nullopt;  // absent: whatever it is
};

// From here on the call is not made and gives `errno_value`; 0: success. Needs no_new_privs or
// CAP_SYS_ADMIN. False: it could not be arranged.
inline bool answer_call(const AnsweredCall& call, std::uint32_t errno_value) {
  const std::uint32_t argument = call.first_argument.value_or(0);
  const std::uint8_t skips = call.first_argument ? 0 : 2;
  const std::array<sock_filter, 7> steps = {
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, nr)},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 4, call.number},
      sock_filter{BPF_JMP | BPF_JA, 0, 0, skips},
      sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(seccomp_data, args)},
      sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 1, argument},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | errno_value},
      sock_filter{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  return seccomp_set_filter(steps, 0) == 0;
}

}  // namespace langsbx::test
