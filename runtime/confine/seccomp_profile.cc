// Profiles as JSON text: the shipped ones, and any that is not part of config.json.
#include <array>
#include <limits>

#include "runtime/confine/json_reader.h"
#include "runtime/confine/seccomp.h"
#include "seccomp_profiles.h"  // generated: kBuiltinProfiles

namespace langsbx::confine {
namespace {

constexpr std::uint64_t kMostErrno = 0xffff;
constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();

Result<std::optional<std::uint32_t>> read_errno(const JsonView& object, const char* key) {
  const auto found = TRY(object.member(key));
  if (!found) return std::optional<std::uint32_t>{};
  return std::optional<std::uint32_t>{static_cast<std::uint32_t>(TRY(found->number(kMostErrno)))};
}

Result<oci::SeccompRule> read_rule(const JsonView& object) {
  oci::SeccompRule rule;
  TRY(object.read("names", rule.names));
  TRY(object.read("action", rule.action));
  rule.errno_ret = TRY(read_errno(object, "errnoRet"));
  TRY(object.each("args", [&rule](const JsonView& item) -> Result<void> {
    oci::SeccompArg arg;
    TRY(item.read_number("index", arg.index, 5));
    TRY(item.read_number("value", arg.value, kAny));
    TRY(item.read_number("valueTwo", arg.value_two, kAny));
    TRY(item.read("op", arg.op));
    rule.args.push_back(std::move(arg));
    return {};
  }));
  return rule;
}

}  // namespace

Result<oci::Seccomp> parse_seccomp_profile(std::string_view json, std::string_view name) {
  const Json document = TRY(parse_json(json, name));
  const JsonView root(document, std::string(name));
  oci::Seccomp profile;
  TRY(root.read("defaultAction", profile.default_action));
  profile.default_errno_ret = TRY(read_errno(root, "defaultErrnoRet"));
  TRY(root.read("architectures", profile.architectures));
  profile.flags_present = TRY(root.member("flags")).has_value();
  TRY(root.read("flags", profile.flags));
  TRY(root.read("listenerPath", profile.listener_path));
  TRY(root.read("listenerMetadata", profile.listener_metadata));
  TRY(root.each("syscalls", [&profile](const JsonView& item) -> Result<void> {
    profile.syscalls.push_back(TRY(read_rule(item)));
    return {};
  }));
  return profile;
}

std::optional<std::string_view> builtin_seccomp_profile(std::string_view name) {
  for (const BuiltinSeccompProfile& profile : kBuiltinSeccompProfiles) {
    if (profile.name == name) return profile.json;
  }
  return std::nullopt;
}

std::vector<std::string_view> builtin_seccomp_profile_names() {
  std::vector<std::string_view> names;
  for (const BuiltinSeccompProfile& profile : kBuiltinSeccompProfiles) {
    names.push_back(profile.name);
  }
  return names;
}

}  // namespace langsbx::confine
