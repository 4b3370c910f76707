// Names of tiers, the automatic choice, and trying them out.
#include "runtime/execute/tiers.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "runtime/execute/light_base.h"
#include "runtime/execute/light_folder.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/oci_runtime.h"
#include "runtime/execute/sandbox.h"

namespace langsbx::execute {
namespace {

constexpr auto kTiers = std::array{Tier::kContainer, Tier::kLight, Tier::kMaximum, Tier::kOff};

TierFact try_tier(Tier tier, const std::string& state_root) {
  static const Toolchain nothing = {
      .program = "/usr/bin/true", .package = "coreutils", .extension = ""};
  Program program;
  program.id = std::to_string(::getpid()) + "-probe-" + std::string(to_string(tier));
  program.tier = tier;
  program.toolchain = &nothing;
  program.limits = *preset_limits("default");
  if (tier == Tier::kLight) {
    auto base = light_base(program.limits.disk);
    if (!base.ok()) return {tier, false, base.error().to_string()};
    program.base = base.release_value();
    program.places = light_places(program.base, program.id);
  }
  program.args = {"/usr/bin/true"};
  program.seccomp = "default";
  program.is_tool = true;
  program.landlock = tool_landlock(program.places, tier, Network::kNone);
  SandboxOptions options;
  options.capture = true;
  options.state_root = state_root;
  auto run = run_sandboxed(std::move(program), options);
  if (!run.ok()) return {tier, false, run.error().to_string()};
  if (run->refused) return {tier, false, run->refused->to_string()};
  const auto& end = run->outcome.end;
  const bool good = end && WIFEXITED(end->wait_status) && WEXITSTATUS(end->wait_status) == 0;
  std::string detail = "landlock " + run->enforced.landlock + "; cgroup " + run->enforced.cgroup;
  return {tier, good, good ? detail : "a program that does nothing failed in it"};
}

}  // namespace

std::string_view to_string(Tier tier) {
  switch (tier) {
    case Tier::kOff:
      return "off";
    case Tier::kLight:
      return "light";
    case Tier::kContainer:
      return "container";
    case Tier::kMaximum:
      return "maximum";
  }
  return "container";
}

Result<std::optional<Tier>> parse_tier(std::string_view text) {
  if (text.empty() || text == "auto") return std::optional<Tier>();
  for (const Tier tier : kTiers) {
    if (to_string(tier) == text) return std::optional(tier);
  }
  return make_error(
      ErrorKind::kInvalidInput,
      "--isolation: \"" + std::string(text) + "\" is not auto, container, light, maximum or off");
}

Isolation first_choice(const std::optional<Tier>& named) {
  if (named) return {*named, "named by --isolation"};
  return {Tier::kContainer, "chosen: the strongest that needs nothing else installed"};
}

Isolation after_refusal(const Error& refusal) {
  return {Tier::kLight, "chosen: no container can be made here (" + refusal.to_string() + ")"};
}

std::vector<TierFact> probe_tiers(const std::string& state_root) {
  std::vector<TierFact> facts;
  for (const Tier tier : {Tier::kContainer, Tier::kLight}) {
    facts.push_back(try_tier(tier, state_root));
  }
  const auto runtime = find_oci_runtime({});
  if (runtime.ok()) {
    auto fact = try_tier(Tier::kMaximum, state_root);
    fact.detail = *runtime + (fact.available ? "; " : ": ") + fact.detail;
    facts.push_back(std::move(fact));
  } else {
    facts.push_back({Tier::kMaximum, false, runtime.error().to_string()});
  }
  facts.push_back({Tier::kOff, true, "limits alone, by name only"});
  return facts;
}

}  // namespace langsbx::execute
