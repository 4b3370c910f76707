// Lines of the log of verdicts that no child writes.
#include "runtime/guard/parent_verdicts.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "oci/state.h"

namespace langsbx::guard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 1024;  // a datagram has to hold the line

std::string line_of(const VerdictFacts& facts, const ParentVerdict& verdict) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  Json line = {{"time", oci::rfc3339_nano(now)}};
  for (const auto& [name, text] : facts) line[name] = text;
  line["mode"] = "enforce";
  line["verdict"] = verdict.verdict;
  if (!verdict.language.empty()) line["language"] = verdict.language;
  if (!verdict.profile.empty()) line["profile"] = verdict.profile;
  if (!verdict.source.empty()) line["source"] = verdict.source.substr(0, kMostShown);
  line["problem"] = verdict.problem.substr(0, kMostShown);
  line["refused"] = verdict.verdict == "unjudged";
  // Names in the container may be no UTF-8.
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<void> log_from_parent(const VerdictLogSettings& settings, bool user,
                             const VerdictFacts& facts, const ParentVerdict& verdict) {
  if (settings.to == VerdictTarget::kOff) return {};
  const auto log = TRY(VerdictLog::open(settings, verdict_folder(user)));
  return log.write(line_of(facts, verdict));
}

Result<void> log_end(const GuardRecord& record, bool user, const std::string& problem,
                     const std::string& config_file) {
  const auto administrator = TRY(administrator_of(config_file));
  return log_from_parent(administrator.verdicts, user, {record.facts.begin(), record.facts.end()},
                         {"ended", record.judged_as, record.profile, "", problem});
}

}  // namespace langsbx::guard
