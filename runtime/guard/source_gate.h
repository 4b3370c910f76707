// The gate that reads the source inside the container and asks its language's judge.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/profile.h"
#include "runtime/guard/gate.h"
#include "runtime/guard/settings.h"

namespace langsbx::guard {

struct GateDecision {
  Mode mode = Mode::kObserve;
  const languages::Language* language = nullptr;
  languages::Policy policy;
  std::string settings;      // JSON
  languages::Limits limits;  // enforced ones
  // For a program of `exec`, enforced: what happens to one that is no interpreter. Absent:
  // `create`.
  std::optional<ExecPolicy> exec = {};
  VerdictLogSettings verdicts = {};
  bool asked = false;                            // by anyone
  std::vector<std::string>* warnings = nullptr;  // the parent's
  std::vector<std::string> unenforced = {};      // of Landlock: what this kernel lacks
};

// Enforcing refuses what has findings, what cannot be read, and what is no source of `language`;
// observing refuses nothing. Both record the verdict.
[[nodiscard]] std::unique_ptr<Gate> make_source_gate(GateDecision decision);

}  // namespace langsbx::guard
