// What the parent and its watcher add to the log of verdicts: programs refused before a child could
// judge them, and containers ended by a time limit.
#pragma once

#include <string>
#include <string_view>

#include "runtime/guard/settings.h"
#include "runtime/guard/verdict_log.h"

namespace langsbx::guard {

struct ParentVerdict {
  std::string_view verdict;  // "unjudged" or "ended"
  std::string language;      // empty: nobody knows
  std::string profile;
  std::string source;
  std::string problem;
};

// Adds the line. `user`: to the user's own log.
Result<void> log_from_parent(const VerdictLogSettings& settings, bool user,
                             const VerdictFacts& facts, const ParentVerdict& verdict);

// A time limit ended the container.
Result<void> log_end(const GuardRecord& record, bool user, const std::string& problem,
                     const std::string& config_file = kConfigFile);

}  // namespace langsbx::guard
