// Names of severities, finding types and capabilities.
#include "languages/finding.h"

#include <cstddef>

#include "runtime/base/text_list.h"

namespace langsbx::languages {
namespace {

constexpr auto kCapabilityNames =
    text_list("none", "files.read", "files.write", "files.delete", "files.outside", "process.spawn",
              "network.connect", "network.listen", "dynamic-code", "introspection", "native-code",
              "environment", "signals", "system-admin", "deserialise", "persistence", "secrets",
              "threads", "interactive");
static_assert(kCapabilityNames.size() == static_cast<std::size_t>(Capability::kCount));

}  // namespace

std::string_view to_string(Severity severity) {
  return severity == Severity::kError ? "error" : "warning";
}

std::string_view to_string(FindingType type) {
  switch (type) {
    case FindingType::kBlockedModule:
      return "blocked_module";
    case FindingType::kBlockedFunction:
      return "blocked_function";
    case FindingType::kDangerousPattern:
      return "dangerous_pattern";
    case FindingType::kFileAccess:
      return "file_access";
    case FindingType::kNetworkAccess:
      return "network_access";
    case FindingType::kSystemCall:
      return "system_call";
    case FindingType::kSyntax:
      return "syntax";
    case FindingType::kEncoding:
      return "encoding";
    case FindingType::kLimit:
      return "limit";
  }
  return "unknown";
}

std::string_view to_string(Capability capability) {
  const auto index = static_cast<std::size_t>(capability);
  return index < kCapabilityNames.size() ? kCapabilityNames[index] : "unknown";
}

std::optional<Capability> capability_from(std::string_view name) {
  for (std::size_t index = 1; index < kCapabilityNames.size(); ++index) {
    if (kCapabilityNames[index] == name) return static_cast<Capability>(index);
  }
  return std::nullopt;
}

}  // namespace langsbx::languages
