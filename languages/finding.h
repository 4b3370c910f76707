// What the guard says about a piece of source: findings and the report that holds them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx::languages {

enum class Severity : std::uint8_t { kError, kWarning };

enum class FindingType : std::uint8_t {
  kBlockedModule,
  kBlockedFunction,
  kDangerousPattern,
  kFileAccess,
  kNetworkAccess,
  kSystemCall,
  kSyntax,    // not understood: refused, never passed
  kEncoding,  // bytes on which reader and interpreter may disagree
  kLimit,     // too large, too deep, too slow to judge
};

// What code can reach for. Profiles allow and deny these; rules map source to them.
enum class Capability : std::uint8_t {
  kNone,  // a finding that no profile can allow (encoding, syntax, limits)
  kFilesRead,
  kFilesWrite,
  kFilesDelete,
  kFilesOutside,  // a path outside the work directories, whatever is done to it
  kProcessSpawn,
  kNetworkConnect,
  kNetworkListen,
  kDynamicCode,
  kIntrospection,
  kNativeCode,
  kEnvironment,
  kSignals,
  kSystemAdmin,
  kDeserialise,
  kPersistence,
  kSecrets,
  kThreads,
  kInteractive,  // terminals, debuggers, prompts
  kCount,
};

[[nodiscard]] std::string_view to_string(Severity severity);
[[nodiscard]] std::string_view to_string(FindingType type);
// "files.read", "dynamic-code", ...; "none" for kNone.
[[nodiscard]] std::string_view to_string(Capability capability);
// The inverse; nothing for an unknown name and for "none", which no profile can name.
[[nodiscard]] std::optional<Capability> capability_from(std::string_view name);

struct Finding {
  std::string_view rule;  // static text: the rule's id
  FindingType type = FindingType::kDangerousPattern;
  Severity severity = Severity::kError;
  Capability capability = Capability::kNone;
  std::string file;          // as the caller named it
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1, in bytes
  std::string code;          // the offending text, shortened
  std::string reason;        // for a person: what it is and why the profile refuses it
};

struct Report {
  std::string language;
  std::string profile;
  std::vector<Finding> violations;  // sorted by file, line, column, rule, capability, reason
  std::vector<Finding> warnings;
  [[nodiscard]] bool safe() const { return violations.empty(); }
};

}  // namespace langsbx::languages
