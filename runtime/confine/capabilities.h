// Capability sets exactly as config.json gives them, verified after the drop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "oci/spec_security.h"
#include "runtime/base/result.h"
#include "runtime/kernel/own_status.h"

namespace langsbx::confine {

using CapabilitySet = std::uint64_t;  // bit n: capability n

struct CapabilityPlan {
  CapabilitySet bounding = 0;
  CapabilitySet effective = 0;
  CapabilitySet permitted = 0;
  CapabilitySet inheritable = 0;  // never filled from another set (CVE-2022-29162 and kin)
  CapabilitySet ambient = 0;
  // Unknown names and capabilities that this process cannot give: reported, not an error.
  std::vector<std::string> warnings;
};

// What the planning process can give: the newest capability that the kernel and we know, and the
// bounding set. A new user namespace starts with all of them (`new_user_namespace`).
struct CapabilityHost {
  int last_capability = 40;
  CapabilitySet bounding = 0;
  bool new_user_namespace = false;
};
Result<CapabilityHost> read_capability_host();

CapabilityPlan plan_capabilities(const oci::Capabilities& capabilities, const CapabilityHost& host);
int capability_number(std::string_view name);  // "CAP_CHOWN" -> 0; -1: unknown
std::string capability_name(int number);
std::vector<std::string> capability_names(CapabilitySet set);

// --- in the child, in this order around setresuid ---
// Drops everything outside `bounding` from the bounding set; needs CAP_SETPCAP.
Result<void> apply_bounding_set(const CapabilityPlan& plan);
// Sets effective, permitted, inheritable.
Result<void> set_capabilities(const CapabilityPlan& plan);
// The same, then ambient.
Result<void> apply_capabilities(const CapabilityPlan& plan);
// Compares all five sets with what the kernel says of this process now.
Result<void> verify_capabilities(const CapabilityPlan& plan, const OwnStatus& status);
Result<void> verify_capabilities(const CapabilityPlan& plan);

}  // namespace langsbx::confine
