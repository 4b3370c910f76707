// Judging one file: preflight, the language's own judge, the profile's patterns, one report.
#pragma once

#include <vector>

#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages {

struct Judgement {
  Report report;
  std::vector<LocalReference> references;  // local files to be judged as well
  std::size_t steps = 0;                   // what it cost (Findings::count_steps)
};

// Pure and re-entrant: any number of threads may judge at once with the same policy.
[[nodiscard]] Judgement judge(const Language& language, const Source& source, const Policy& policy);

}  // namespace langsbx::languages
