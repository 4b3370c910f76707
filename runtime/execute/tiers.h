// Which tier a run gets, and why.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

std::string_view to_string(Tier tier);
// "auto": nothing. "container", "light", "maximum", "off": that one and no other.
Result<std::optional<Tier>> parse_tier(std::string_view text);

// The automatic choice starts with a container, and where this host refuses one, ends with the
// light tier; the record and a warning tell.
Isolation first_choice(const std::optional<Tier>& named);
Isolation after_refusal(const Error& refusal);

// For `check-host`: each tier tried with a program that does nothing.
struct TierFact {
  Tier tier = Tier::kOff;
  bool available = false;
  std::string detail;
};
std::vector<TierFact> probe_tiers(const std::string& state_root);

}  // namespace langsbx::execute
