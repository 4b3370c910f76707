// A profile's rules, checked and sorted by the call that they are about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "oci/spec_security.h"
#include "runtime/base/result.h"
#include "runtime/confine/seccomp.h"
#include "runtime/confine/seccomp_judge.h"
#include "runtime/confine/seccomp_names.h"

namespace langsbx::confine {

struct Verdict {
  const SeccompAction* action = nullptr;
  std::uint32_t value = 0;  // SECCOMP_RET_* with its data
};

struct NamedCall {
  std::string name;
  std::string field;  // of its first rule
  std::vector<CallRule> rules;

  [[nodiscard]] const CallRule& strictest() const;
  // One answer, whatever the arguments are.
  [[nodiscard]] bool is_plain() const;
};

struct ProfileRules {
  std::vector<NamedCall> calls;
  std::vector<std::string> skipped;    // names nobody knows
  std::vector<std::string> unrefused;  // those of them that a rule refuses and the default does not
};

// Errors name the field below `name`: "linux.seccomp.syscalls[3].args[0].op".
Result<Verdict> read_default(const oci::Seccomp& profile, std::string_view name);
Result<ProfileRules> read_rules(const oci::Seccomp& profile, std::string_view name,
                                UnknownCalls unknown, const Verdict& by_default);

}  // namespace langsbx::confine
