// The matcher: the classic star-backtracking glob, anchored nowhere.
#include "languages/patterns.h"

#include <algorithm>

#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

// Glob match of the whole text; on a mismatch only the last star is retried, so it is
// pattern * text at worst.
bool glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      retry = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace

bool pattern_occurs(std::string_view pattern, std::string_view text) {
  if (pattern.find_first_of("*?") == std::string_view::npos) {
    return text.find(pattern) != std::string_view::npos;
  }
  return glob("*" + std::string(pattern) + "*", text);
}

void match_patterns(const Policy& policy, Pattern::Where where, std::string_view text,
                    std::size_t offset, Findings& findings) {
  for (const Pattern& pattern : policy.patterns) {
    if (pattern.where != where || pattern.what.empty()) continue;
    for (std::size_t start = 0; start < text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      const std::string_view line = text.substr(start, end - start);
      if (pattern_occurs(pattern.what, line)) {
        findings.add_message(
            "profile-pattern"_rule, pattern.severity, Capability::kNone, offset + start,
            line.size(),
            pattern.message.empty() ? "matches '" + pattern.what + "'" : pattern.message);
      }
      start = end + 1;
    }
  }
}

}  // namespace langsbx::languages
