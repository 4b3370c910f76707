// A profile resolved for judging: what one language's source may reach for. Made once, read only.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "languages/finding.h"

namespace langsbx::languages {

// A set of names asked by string_view without allocating.
struct NameHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
using NameSet = std::unordered_set<std::string, NameHash, std::equal_to<>>;

// A profile's own pattern: what is matched, where, and the message.
struct Pattern {
  enum class Where { kCode, kString, kComment, kCommand, kAnywhere };
  std::string what;  // own matcher: literal text, '*' any run within a line, '?' one character
  Where where = Where::kCode;
  std::string message;
  Severity severity = Severity::kError;
};

struct Policy {
  std::string language;
  std::string profile;
  std::bitset<static_cast<std::size_t>(Capability::kCount)> allowed;

  NameSet modules_allowed;  // on top of what the capabilities give; exact or "pkg.*"
  NameSet modules_blocked;
  bool modules_exclusive = false;  // true: only modules_allowed, whatever the capabilities say
  NameSet functions_allowed;       // dotted names: "os.getcwd"
  NameSet functions_blocked;
  NameSet attributes_blocked;
  NameSet commands_allowed;  // bash; exclusive when not empty
  NameSet commands_blocked;
  std::vector<Pattern> patterns;
  // Path prefixes that count as the work area; relative paths without ".." always do.
  std::vector<std::string> paths_read;
  std::vector<std::string> paths_write;

  std::size_t max_bytes = 4U << 20U;  // larger source is refused
  std::size_t max_findings = 200;
  std::size_t max_nesting = 200;
  bool observes_closure = false;  // what local files do is a warning

  [[nodiscard]] bool allows(Capability capability) const {
    return capability != Capability::kNone && allowed.test(static_cast<std::size_t>(capability));
  }
};

}  // namespace langsbx::languages
