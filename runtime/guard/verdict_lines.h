// What the guard found about a program, and the lines of JSON that say so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "languages/closure.h"
#include "runtime/guard/source_gate.h"

namespace langsbx::guard {

struct Verdict {
  std::string source;
  std::string problem;  // why it could not be judged
  languages::ClosureJudgement judgement;
  std::string text;  // the findings
  std::vector<std::string> removed_environment;
  bool is_program = false;            // no interpreter, and let through by the policy for `exec`
  std::vector<std::string> programs;  // what is executed on the way to the source
};

// The program may not run under an enforced profile.
bool refuses(const Verdict& verdict);

// A line of the log of verdicts, which outlives the container; short enough for a datagram.
std::string log_line(const GateDecision& decision, const VerdictFacts& facts,
                     const Verdict& verdict);

// A line of the container's own record, with the whole report where it fits. `not_logged`: why the
// log of verdicts has no line of it.
std::string record_line(const GateDecision& decision, const Verdict& verdict,
                        std::string_view not_logged);

}  // namespace langsbx::guard
