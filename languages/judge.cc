// The order of judging: bytes first, because every scanner relies on what preflight rules out.
#include "languages/judge.h"

#include "languages/patterns.h"
#include "languages/preflight.h"

namespace langsbx::languages {

Judgement judge(const Language& language, const Source& source, const Policy& policy) {
  Findings findings(source, policy);
  if (preflight(source, policy, language.preflight, findings)) {
    language.judge(source, policy, findings);
    if (!policy.patterns.empty()) {
      match_patterns(policy, Pattern::Where::kAnywhere, source.bytes, 0, findings);
    }
  }
  Judgement judgement;
  judgement.report.language = language.name;
  judgement.report.profile = policy.profile;
  judgement.report.violations = findings.take_violations();
  judgement.report.warnings = findings.take_warnings();
  judgement.references = findings.take_references();
  judgement.steps = findings.steps();
  return judgement;
}

}  // namespace langsbx::languages
