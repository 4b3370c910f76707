// Tables of capabilities, seccomp and Landlock.
#include "oci/tables.h"

namespace langsbx::oci::decode {
namespace {

constexpr Field kCapabilitiesFields[] = {
    field<&Capabilities::bounding>("bounding"),       field<&Capabilities::effective>("effective"),
    field<&Capabilities::inheritable>("inheritable"), field<&Capabilities::permitted>("permitted"),
    field<&Capabilities::ambient>("ambient"),
};

// ---- seccomp ----

constexpr Type kArgIndex = kInteger<std::uint32_t, 0, 5>;
constexpr Field kSeccompArgFields[] = {
    required(field<&SeccompArg::index>("index", &kArgIndex)),
    required(field<&SeccompArg::value>("value")),
    field<&SeccompArg::value_two>("valueTwo"),
    required(field<&SeccompArg::op>("op")),
};
constexpr Type kSeccompArg = object<kSeccompArgFields>();
constexpr Type kSeccompArgs = array<std::vector<SeccompArg>, &kSeccompArg>();

// Docker's profiles are templates: rules with conditions that an engine resolves. Read as they
// are, each conditional rule would hold always.
constexpr Type kTemplate{.expected = Expected::kNothing};

constexpr Field kSeccompRuleFields[] = {
    required(field<&SeccompRule::names>("names")),
    required(field<&SeccompRule::action>("action")),
    field<&SeccompRule::errno_ret>("errnoRet"),
    field<&SeccompRule::args>("args", &kSeccompArgs),
};
constexpr Type kSeccompRule = object<kSeccompRuleFields>();
constexpr Type kSeccompRules = array<std::vector<SeccompRule>, &kSeccompRule>();

constexpr Field kProfileRuleFields[] = {
    kSeccompRuleFields[0], kSeccompRuleFields[1],          kSeccompRuleFields[2],
    kSeccompRuleFields[3], nested("includes", &kTemplate), nested("excludes", &kTemplate),
};
constexpr Type kProfileRule = object<kProfileRuleFields>();
constexpr Type kProfileRules = array<std::vector<SeccompRule>, &kProfileRule>();

void* open_seccomp_flags(void* object) {
  auto* const seccomp = static_cast<Seccomp*>(object);
  seccomp->flags_present = true;
  return &seccomp->flags;
}
void reset_seccomp_flags(void* object) {
  auto* const seccomp = static_cast<Seccomp*>(object);
  seccomp->flags_present = false;
  seccomp->flags.clear();
}

constexpr Field kSeccompFields[] = {
    required(field<&Seccomp::default_action>("defaultAction")),
    field<&Seccomp::default_errno_ret>("defaultErrnoRet"),
    field<&Seccomp::architectures>("architectures"),
    Field{"flags", type_of(Tag<std::vector<std::string>>{}), open_seccomp_flags,
          reset_seccomp_flags},
    field<&Seccomp::listener_path>("listenerPath"),
    field<&Seccomp::listener_metadata>("listenerMetadata"),
    field<&Seccomp::syscalls>("syscalls", &kSeccompRules),
};
constexpr Field kSeccompProfileFields[] = {
    kSeccompFields[0],
    kSeccompFields[1],
    kSeccompFields[2],
    kSeccompFields[3],
    kSeccompFields[4],
    kSeccompFields[5],
    field<&Seccomp::syscalls>("syscalls", &kProfileRules),
    nested("archMap", &kTemplate),
};

// ---- Landlock: proposal #1241 and the landlockconfig document, in one table ----

// Names ("read_file") or the kernel's numbers (4).
std::string store_right(void* target, const Scalar& scalar) {
  if (scalar.kind == ScalarKind::kString) return store_string(target, scalar);
  std::uint64_t number = 0;
  std::string problem =
      store_integer<std::uint64_t, 0, std::numeric_limits<std::uint64_t>::max()>(&number, scalar);
  if (problem.empty()) *static_cast<std::string*>(target) = std::to_string(number);
  return problem;
}
constexpr Type kRight{.expected = Expected::kRight,
                      .accepts = accepts(ScalarKind::kString) | accepts(ScalarKind::kNumber),
                      .store = store_right};
constexpr Type kRights = array<std::vector<std::string>, &kRight>();
// What is handled adds up over several rulesets: more handled is stricter.
constexpr Type kHandled{.shape = Shape::kArray, .expected = Expected::kArray, .add = kRights.add};

constexpr Field kPathRuleFields[] = {
    field<&LandlockPathRule::allowed_access>("allowedAccess", &kRights),
    field<&LandlockPathRule::paths>("paths"),
    field<&LandlockPathRule::paths>("parent"),
};
constexpr Type kPathRule = object<kPathRuleFields>(true);
constexpr Type kPathRules = array<std::vector<LandlockPathRule>, &kPathRule>();

constexpr Type kPort = kInteger<std::uint64_t, 0, 65535>;
constexpr Type kPorts = array<std::vector<std::uint64_t>, &kPort>();
constexpr Field kPortRuleFields[] = {
    field<&LandlockPortRule::allowed_access>("allowedAccess", &kRights),
    field<&LandlockPortRule::ports>("ports", &kPorts),
    field<&LandlockPortRule::ports>("port", &kPorts),
};
constexpr Type kPortRule = object<kPortRuleFields>(true);
constexpr Type kPortRules = array<std::vector<LandlockPortRule>, &kPortRule>();

constexpr Field kVariableFields[] = {
    required(field<&LandlockVariable::name>("name")),
    field<&LandlockVariable::values>("literal"),
};
constexpr Type kVariable = object<kVariableFields>(true);
constexpr Type kVariables = array<std::vector<LandlockVariable>, &kVariable>();

constexpr Field kRulesetFields[] = {
    field<&Landlock::handled_access_fs>("handledAccessFS", &kHandled),
    field<&Landlock::handled_access_fs>("handledAccessFs", &kHandled),
    // The proposal's own spelling, and the one it must have meant.
    field<&Landlock::handled_access_net>("handledAssessNetwork", &kHandled),
    field<&Landlock::handled_access_net>("handledAccessNetwork", &kHandled),
    field<&Landlock::handled_access_net>("handledAccessNet", &kHandled),
    field<&Landlock::scoped>("scoped", &kHandled),
};
constexpr Type kRuleset = object<kRulesetFields>(true);

// landlockconfig writes an array of rulesets, the proposal a single one.
constexpr Type kRulesets{.shape = Shape::kArray,
                         .expected = Expected::kObjectOrArray,
                         .single_allowed = true,
                         .add = [](void* landlock, std::string_view) {
                           return Slot{&kRuleset, landlock};
                         }};

constexpr Field kRulesFields[] = {
    field<&Landlock::path_beneath>("pathBeneath", &kPathRules),
    field<&Landlock::port_beneath>("portBeneath", &kPortRules),
};
constexpr Type kRules = object<kRulesFields>(true);

std::string store_inverse(void* target, const Scalar& scalar) {
  *static_cast<bool*>(target) = !scalar.boolean;
  return {};
}
constexpr Type kInverse{
    .expected = Expected::kBool, .accepts = accepts(ScalarKind::kBool), .store = store_inverse};

constexpr Field kLandlockFields[] = {
    nested("ruleset", &kRulesets),
    nested("rules", &kRules),
    field<&Landlock::best_effort>("disableBestEffort", &kInverse),
    field<&Landlock::abi>("abi"),
    field<&Landlock::variables>("variable", &kVariables),
    field<&Landlock::path_beneath>("pathBeneath", &kPathRules),
    field<&Landlock::port_beneath>("netPort", &kPortRules),
};

}  // namespace

constinit const Type kCapabilitiesTable = object<kCapabilitiesFields>();
constinit const Type kSeccompTable = object<kSeccompFields>();
constinit const Type kSeccompProfileTable = object<kSeccompProfileFields>();
constinit const Type kLandlockTable = object<kLandlockFields>(true);

}  // namespace langsbx::oci::decode
