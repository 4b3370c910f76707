// What this kernel can enforce: for `check-host`, `features` and planning.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::confine {

struct HostFact {
  std::string name;  // "landlock.scope.signal"
  bool enforceable = false;
  std::string detail;  // "ABI 7, errata 0x7" or why not: "needs Landlock ABI 9, the kernel has 7"
};

struct HostReport {
  std::string kernel;  // release
  int landlock_abi = 0;
  std::uint32_t landlock_errata = 0;
  int seccomp_api = 0;  // libseccomp's API level
  std::string libseccomp_version;
  std::vector<HostFact> facts;
};

// Probes without changing anything: every probe that needs a process of its own forks one.
HostReport read_host_report();

}  // namespace langsbx::confine
