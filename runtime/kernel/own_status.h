// What the kernel says about the calling process in /proc/self/status: one file instead of one
// question for each capability, signal and id.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx {

struct OwnStatus {
  struct Ids {
    std::uint32_t real = 0;
    std::uint32_t effective = 0;
    std::uint32_t saved = 0;
    std::uint32_t file_system = 0;
  };
  Ids uid;
  Ids gid;
  std::vector<gid_t> groups;          // ascending, as the kernel keeps them
  std::uint64_t ignored_signals = 0;  // bit n-1: signal n
  std::uint64_t inheritable = 0;      // capabilities, bit n: capability n
  std::uint64_t permitted = 0;
  std::uint64_t effective = 0;
  std::uint64_t bounding = 0;
  std::uint64_t ambient = 0;
};

// `procfs`: a descriptor of /proc of the host; -1 opens /proc. A field that is missing is an error.
Result<OwnStatus> read_own_status(int procfs = -1);
Result<OwnStatus> parse_own_status(std::string_view text);

// As it was when it was asked first: for the runtime itself, not for its children.
bool in_initial_user_namespace();

}  // namespace langsbx
