// Judging a text under a shipped profile.
#pragma once

#include <string>

#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {

inline Judgement judged(std::string_view language_name, std::string_view text,
                        std::string_view profile_name = "default") {
  const Language* language = find_language(language_name);
  if (language == nullptr) return {};
  const auto profile = load_profile(*language, profile_name);
  if (!profile.ok()) return {};
  return judge(*language, {"main", text}, make_policy(*profile));
}

// "rule: reason" of each violation, one a line.
inline std::string violations(std::string_view language, std::string_view text,
                              std::string_view profile = "default") {
  std::string out;
  for (const Finding& finding : judged(language, text, profile).report.violations) {
    out += std::string(finding.rule) + ": " + finding.reason + "\n";
  }
  return out;
}

}  // namespace langsbx::languages
