// Profiles as JSON text: the shipped ones, and any that is not part of config.json.
#include <iterator>

#include "oci/reader.h"

#include "runtime/confine/seccomp.h"
#include "seccomp_profiles.h"  // generated from seccomp-profiles/

namespace langsbx::confine {

Result<oci::Seccomp> parse_seccomp_profile(std::string_view json, std::string_view name) {
  return oci::read_seccomp(json, name);
}

std::optional<std::string_view> builtin_seccomp_profile(std::string_view name) {
  for (const BuiltinSeccompProfile& profile : kBuiltinSeccompProfiles) {
    if (profile.name == name) return profile.json;
  }
  return std::nullopt;
}

std::vector<std::string_view> builtin_seccomp_profile_names() {
  std::vector<std::string_view> names;
  names.reserve(std::size(kBuiltinSeccompProfiles));
  for (const BuiltinSeccompProfile& profile : kBuiltinSeccompProfiles) {
    names.push_back(profile.name);
  }
  return names;
}

}  // namespace langsbx::confine
