// The confinement really in force as a value: for `inspect` (text and JSON), `state` and
// `features`.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/confine/identity.h"
#include "runtime/confine/landlock.h"
#include "runtime/confine/seccomp.h"

namespace langsbx::confine {

// Not applied yet, or taken from the state file: what `create` decided and `start` put in force.
struct ConfinementReport {
  LandlockPlan landlock;
  std::vector<SeccompSummary> seccomp;
  CapabilityPlan capabilities;
  bool no_new_privileges = false;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string apparmor_profile;
  std::string selinux_label;
  std::vector<std::string> removed_environment;
};

// The same where it lies, for what is only written.
struct ConfinementView {
  const LandlockPlan& landlock;
  const std::vector<SeccompSummary>& seccomp;
  const CapabilityPlan& capabilities;
  bool no_new_privileges = false;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::string_view apparmor_profile;
  std::string_view selinux_label;
  const std::vector<std::string>& removed_environment;
};

std::string report_text(const ConfinementReport& report);  // lines, for people
std::string report_json(const ConfinementReport& report, Names names = Names::kYes);
std::string report_json(const ConfinementView& report, Names names);
// The record in the state file and back.
Result<ConfinementReport> report_from_json(std::string_view json);
// io.langsbx.confinement.* for `state`: short values ("container+program, ABI 7").
std::map<std::string, std::string> report_annotations(const ConfinementReport& report);

}  // namespace langsbx::confine
