// A verdict as JSON: in the container's record and in the log of verdicts.
#include "runtime/guard/verdict_lines.h"

#include <ctime>
#include <iterator>
#include <nlohmann/json.hpp>

#include "languages/report.h"
#include "oci/state.h"

namespace langsbx::guard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRecord = 256U << 10U;
constexpr std::size_t kMostLine = 48U << 10U;
constexpr std::ptrdiff_t kMostFindings = 50;
constexpr std::size_t kMostShown = 1024;

// Bytes that are no UTF-8 come from names in the container.
std::string written(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string_view word_of(const GateDecision& decision, const Verdict& verdict) {
  if (verdict.is_program) return decision.exec == ExecPolicy::kOff ? "let through" : "confined";
  if (!verdict.problem.empty()) return "unjudged";
  return verdict.judgement.report.safe() ? "clean" : "findings";
}

Json summary(const GateDecision& decision, const Verdict& verdict) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  Json line = {
      {"time", oci::rfc3339_nano(now)},
      {"mode", to_string(decision.mode)},
      {"verdict", word_of(decision, verdict)},
      {"language", verdict.is_program ? std::string_view("none") : decision.language->name},
      {"profile", decision.policy.profile},
      {"source", verdict.source}};
  if (!verdict.problem.empty()) line["problem"] = verdict.problem;
  if (!decision.unenforced.empty()) line["unenforced"] = decision.unenforced;
  return line;
}

Json report_of(const Verdict& verdict) {
  return Json::parse(languages::to_json(verdict.judgement.report), nullptr, false);
}

}  // namespace

bool refuses(const Verdict& verdict) {
  return !verdict.problem.empty() || !verdict.judgement.report.safe();
}

std::string log_line(const GateDecision& decision, const VerdictFacts& facts,
                     const Verdict& verdict) {
  const Json summed = summary(decision, verdict);
  Json line = {{"time", summed["time"]}};
  for (const auto& [name, text] : facts) line[name] = text;
  line.update(summed);
  line["refused"] = decision.mode == Mode::kEnforce && refuses(verdict);
  Json findings = report_of(verdict)["violations"];
  line["count"] = findings.size();
  if (std::ssize(findings) > kMostFindings) {
    findings.erase(findings.begin() + kMostFindings, findings.end());
  }
  line["findings"] = std::move(findings);
  std::string text = written(line);
  if (text.size() <= kMostLine) return text;
  line["findings"] = Json::array();
  line["source"] = verdict.source.substr(0, kMostShown);
  if (!verdict.problem.empty()) line["problem"] = verdict.problem.substr(0, kMostShown);
  return written(line);
}

std::string record_line(const GateDecision& decision, const Verdict& verdict,
                        std::string_view not_logged) {
  Json line = summary(decision, verdict);
  line["files"] = verdict.judgement.files;
  if (!not_logged.empty()) line["not_logged"] = not_logged;
  if (!verdict.removed_environment.empty()) {
    line["removed_environment"] = verdict.removed_environment;
  }
  if (verdict.problem.empty() && !verdict.is_program) {
    line["findings"] = verdict.judgement.report.violations.size();
    line["report"] = report_of(verdict);
  }
  std::string text = written(line);
  if (text.size() <= kMostRecord) return text;
  line.erase("report");
  line.erase("files");
  return written(line);
}

}  // namespace langsbx::guard
