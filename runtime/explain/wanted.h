// What a failed system call of a traced process wanted: which object, which Landlock right.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/confine/landlock_rights.h"

namespace langsbx::explain {

struct TracedCall {
  pid_t pid = 0;
  std::uint32_t architecture = 0;  // AUDIT_ARCH_*
  long number = 0;
  std::array<std::uint64_t, 6> args{};
  std::uint64_t instruction_pointer = 0;
};

struct WantedFile {
  std::string path;  // canonical, as the container sees it
  std::uint64_t rights = 0;
};

struct Wanted {
  std::string object;  // for people: path, "port 443", "pid 1"
  std::vector<WantedFile> files;
  std::uint64_t net = 0;  // any one of these, by the socket's type
  std::optional<std::uint16_t> port;
  std::uint64_t scope = 0;
  bool topology = false;  // mount and its kin: refused in every domain that handles files
};

// Looks into the stopped process's memory and descriptors. A call that no Landlock right is about
// gives an object at most.
Wanted wanted_by(const TracedCall& call);
// `path` inside the root of `pid` with symbolic links followed; as it is when it does not exist.
std::string canonical_in(pid_t pid, const std::string& path);
// "openat"; its number when it has no name.
std::string syscall_name(std::uint32_t architecture, long number);

}  // namespace langsbx::explain
