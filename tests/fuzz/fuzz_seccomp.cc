// A seccomp profile as JSON: reading, compiling, and running the program on a few calls.
#include <linux/audit.h>
#include <sys/syscall.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp.h"

using langsbx::confine::evaluate_filter;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view json(reinterpret_cast<const char*>(data), size);
  auto profile = langsbx::confine::parse_seccomp_profile(json, "fuzz");
  if (!profile.ok()) return 0;
  const auto plan = langsbx::confine::plan_seccomp(*profile, {});
  if (!plan.ok()) return 0;
  for (const auto& filter : plan->filters) {
    if (filter.program.empty() || filter.program.size() > 4096) std::abort();
    for (int number = 0; number < 500; number += 7) {
      seccomp_data call{};
      call.nr = number;
      call.arch = langsbx::confine::native_audit_arch();
      (void)evaluate_filter(filter.program, call);
    }
  }
  return 0;
}
