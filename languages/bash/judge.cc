// Driver of the judge: parse, learn the variables, judge every command, follow literal code.
#include "languages/bash/judge.h"

#include <algorithm>

#include "languages/bash/rules.h"
#include "languages/patterns.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::size_t kMostRounds = 4;
constexpr std::size_t kMostTexts = 1000;
constexpr std::size_t kMostMoreText = 1U << 20U;
constexpr std::size_t kMostSteps = 4U << 20U;
constexpr std::size_t kStepsPerByte = 64;
constexpr std::size_t kMostCopied = 16U << 20U;
constexpr std::size_t kCopiedPerByte = 4;
// Real scripts take less than ten bytes a byte, short ones at most a few chunks more.
constexpr std::size_t kMostSyntax = 8U << 20U;
constexpr std::size_t kSyntaxPerByte = 10;

}  // namespace

Judge::Judge(const Source& source, const Policy& policy, Findings& findings)
    : source_(source),
      policy_(policy),
      findings_(findings),
      values_(script_),
      functions_(script_.arena),
      foreign_(script_.arena),
      fetched_(script_.arena),
      hands_on_(script_.arena),
      input_(script_.arena) {
  limits_.nesting = policy.max_nesting;
  limits_.memory = kMostSyntax + kSyntaxPerByte * source.bytes.size();
  values_.limit_copies(kMostCopied + kCopiedPerByte * source.bytes.size());
  // Of a large script not a multiple of what it takes itself.
  text_left_ =
      std::min(4 * source.bytes.size(), source.bytes.size() + kMostMoreText) + (64U << 10U);
}

// The deadline: counted, not timed, so that the same bytes always get the same verdict.
bool Judge::spent() {
  ++steps_;
  if (steps_ + values_.steps() < kMostSteps + kStepsPerByte * source_.bytes.size() &&
      !values_.copied_too_much() && script_.arena.size() <= limits_.memory + kMostCopied) {
    return false;
  }
  report("bash-limit"_rule, 0, 1, "judging it would take too long");
  return true;
}

void Judge::run() {
  judge();
  findings_.count_steps(steps_ + values_.steps());
}

void Judge::judge() {
  sh_ = source_.by_sh || names_sh(source_.bytes);
  // A command takes forty bytes or so: lists that needn't move while they grow.
  script_.commands.reserve(source_.bytes.size() / 40 + 8);
  script_.assignments.reserve(source_.bytes.size() / 120 + 8);
  if (!parse(source_.bytes, 0, false)) return;
  values_.learn();
  // Literal code first: nothing is judged before what that writes is known.
  for (std::size_t i = 0; i < values_.running_text().size(); ++i) {
    if (findings_.full() || spent()) return;
    know_functions();
    const Command command = script_.commands[values_.running_text()[i]];
    judge_command(command);
  }
  (void)values_.take_stale();
  for (std::size_t round = 0;; ++round) {
    const bool unset = unsets_functions_;
    const bool quoted = script_.quoted_code;
    const bool bracket = script_.quoted_bracket;
    learn_input();
    judge_from(0, 0, 0, 0);
    if (sh_ && script_.bash_quote != kNowhere) {
      report("bash-shell-dialect"_rule, script_.bash_quote, 2, "what stands behind this dollar");
    }
    // Code that was in a literal may have written variables that were judged before: once more.
    if (spent()) return;
    const bool same = unsets_functions_ == unset && script_.quoted_code == quoted &&
                      script_.quoted_bracket == bracket;
    if ((!values_.take_stale() && same) || findings_.full()) return;
    if (round == kMostRounds) {
      report("bash-limit"_rule, 0, 1, "code that makes code that makes code");
      return;
    }
  }
}

bool Judge::parse(std::string_view text, std::uint32_t origin, bool expansions) {
  Parser parser(script_, limits_);
  const auto error =
      expansions ? parser.parse_expansions(text, origin) : parser.parse(text, origin);
  steps_ += text.size() + parser.steps();
  if (!error) return true;
  const std::size_t at = std::min<std::size_t>(error->offset, source_.bytes.size());
  findings_.add(error->limit ? "bash-limit"_rule : "bash-syntax"_rule, at, 1, error->message);
  return false;
}

void Judge::know_functions() {
  for (; known_functions_ < script_.functions.size(); ++known_functions_) {
    const Function& defined = script_.functions[known_functions_];
    Defined& known = functions_.slot(defined.name);
    known.first = std::min(known.first, defined.offset);
    if (defined.certain) known.certain = std::min(known.certain, defined.offset);
  }
}

void Judge::judge_from(std::size_t command, std::size_t assignment, std::size_t arithmetic,
                       std::size_t parameter) {
  running_code_.clear();
  std::size_t function = 0;
  std::size_t environment = 0;
  // The lists grow while literal code is followed.
  for (bool more = true; more;) {
    more = false;
    know_functions();
    for (; assignment < script_.assignments.size(); ++assignment, more = true) {
      judge_assignment(*script_.assignments[assignment]);
    }
    for (; arithmetic < script_.arithmetic.size(); ++arithmetic, more = true) {
      judge_arithmetic(script_.arithmetic[arithmetic]);
    }
    for (; parameter < script_.parameters.size(); ++parameter, more = true) {
      judge_parameter(script_.parameters[parameter]);
    }
    for (; environment < script_.environment.size(); ++environment) {
      if (findings_.full()) return;
      judge_environment(script_.environment[environment]);
    }
    for (; command < script_.commands.size(); ++command, more = true) {
      if (findings_.full() || spent()) return;
      const Command current = script_.commands[command];  // a copy: the list may move
      index_ = static_cast<std::uint32_t>(command);
      judge_command(current);
      if (current.kind == CommandKind::kSimple && current.words != nullptr &&
          current.words->text == "rm") {
        judge_here(command);
      }
    }
    for (; function < script_.functions.size(); ++function, more = true) {
      judge_function(script_.functions[function]);
    }
  }
  if (arrives_) judge_arrivals();
}

void Judge::run_text(std::string_view text, std::uint32_t offset) {
  if (text.empty() || has_marker(text)) return;
  if (!seen_texts_.insert(std::string(text)).second) return;
  if (text.size() > text_left_ || seen_texts_.size() > kMostTexts) {
    report("bash-limit"_rule, offset, 1, "more text is run as code than the script is long");
    return;
  }
  text_left_ -= text.size();
  parse(text, offset, false);
  values_.learn();
}

void Judge::report(const Rule& rule, std::uint32_t offset, std::uint32_t length,
                   std::string_view detail) {
  report(rule, rule.capability, offset, length, detail);
}

void Judge::report(const Rule& rule, Capability capability, std::uint32_t offset,
                   std::uint32_t length, std::string_view detail) {
  ++reported_;
  if (fatal_only_ && &rule != &"bash-delete-root"_rule && &rule != &"bash-reverse-shell"_rule)
    return;
  if (policy_.allows(capability)) return;
  const bool plain =
      std::none_of(detail.begin(), detail.end(), [](char c) { return is_marker(c) || c == '\n'; });
  if (plain) return findings_.add(rule, capability, offset, length, detail);
  findings_.add(rule, capability, offset, length, shown(detail));
}

void Judge::report(const Rule& rule, const Argument& argument) {
  report(rule, argument.offset, argument.length, argument.text);
}

// The text for a person: markers as what they stand for.
std::string Judge::shown(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case kUnknown:
      case kUnset:
        out += "...";
        break;
      case kHome:
        out += "~";
        break;
      case kHere:
        out += ".";
        break;
      case '\n':
      case kSplit:
        out += ' ';
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace langsbx::languages::bash
