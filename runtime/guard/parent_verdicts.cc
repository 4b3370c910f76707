// Lines of the log of verdicts that no child writes.
#include "runtime/guard/parent_verdicts.h"

#include <ctime>
#include <nlohmann/json.hpp>

#include "oci/state.h"

namespace langsbx::guard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostShown = 1024;  // a datagram has to hold the line
constexpr const char* kFacts = "facts";

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

std::string with_facts(std::string settings, const VerdictFacts& facts) {
  auto document = Json::parse(settings, nullptr, false);
  if (!document.is_object()) return settings;
  for (const auto& [name, text] : facts) document[kFacts][name] = text;
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<void> log_end(std::string_view settings, bool user, const std::string& problem,
                     const std::string& config_file) {
  const auto administrator = TRY(administrator_of(config_file));
  const auto document = Json::parse(settings, nullptr, false);
  const auto text = [&](const char* name) -> std::string {
    const auto place = document.find(name);
    return place != document.end() && place->is_string() ? *place : "";
  };
  VerdictFacts facts;
  if (const auto place = document.find(kFacts); place != document.end() && place->is_object()) {
    for (const auto& [name, value] : place->items()) {
      if (value.is_string()) facts.emplace_back(name, value.get<std::string>());
    }
  }
  return log_from_parent(administrator.verdicts, user, facts,
                         {"ended", text("judged_as"), text("profile"), "", problem});
}

}  // namespace langsbx::guard
