#include "cmd/langsbxd/run_request.h"

#include <algorithm>

#include "languages/registry.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/request_document.h"

namespace langsbx::serve {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostOutput = 64U << 20U;

bool is_in(const std::vector<std::string>& list, const std::string& name) {
  return list.empty() || std::find(list.begin(), list.end(), name) != list.end();
}

Error not_allowed(const std::string& member, const std::string& value) {
  return make_error(ErrorKind::kRefused,
                    member + ": \"" + value + "\" is not allowed for this key");
}

Result<std::string> text_of(const Json& document, const char* member, const char* otherwise) {
  const auto found = document.find(member);
  if (found == document.end()) return std::string(otherwise);
  if (found->is_string()) return found->get<std::string>();
  return make_error(ErrorKind::kInvalidInput, std::string(member) + ": not a string");
}

// By any of its names; the key's list has the language's own.
Result<void> check_language(Json& document, const Allowed& allowed) {
  const auto name = TRY(text_of(document, "language", ""));
  const auto file = TRY(text_of(document, "file", ""));
  const auto* language =
      name.empty() ? languages::language_of_file(file, "") : languages::find_language(name);
  if (language == nullptr && name.empty()) {
    return make_error(ErrorKind::kInvalidInput,
                      "language: missing, and the file's name does not say it");
  }
  if (language == nullptr) {
    return make_error(ErrorKind::kInvalidInput, "language: \"" + name + "\" is not known");
  }
  const std::string own(language->name);
  if (!is_in(allowed.languages, own)) return not_allowed("language", own);
  document["language"] = own;
  return {};
}

Result<void> check_names(Json& document, const Allowed& allowed) {
  const auto profile = TRY(text_of(document, "profile", "default"));
  // A path would be a file of this host.
  if (profile.find('/') != std::string::npos) {
    return make_error(ErrorKind::kInvalidInput, "profile: \"" + profile + "\" is not a name");
  }
  if (!is_in(allowed.profiles, profile)) return not_allowed("profile", profile);
  const auto tier = TRY(text_of(document, "isolation", "auto"));
  if (tier == "off" && allowed.tiers.empty()) return not_allowed("isolation", tier);
  if (!is_in(allowed.tiers, tier)) return not_allowed("isolation", tier);
  const auto network = TRY(text_of(document, "network", "none"));
  if (!is_in(allowed.networks, network)) return not_allowed("network", network);
  // A profile could bring a network that nobody named here.
  document["network"] = network;
  if (!TRY(text_of(document, "setup", "")).empty() &&
      std::find(allowed.networks.begin(), allowed.networks.end(), "host") ==
          allowed.networks.end()) {
    return make_error(ErrorKind::kRefused,
                      "setup: it has the network, which is not allowed for this key");
  }
  return {};
}

Result<std::optional<std::chrono::milliseconds>> take_deadline(Json& document) {
  const auto found = document.find("deadline_ms");
  std::optional<std::chrono::milliseconds> deadline;
  if (found == document.end()) return deadline;
  constexpr std::int64_t kMost = 24LL * 3600 * 1000;
  const bool fits = found->is_number_integer() && found->get<std::int64_t>() > 0 &&
                    found->get<std::int64_t>() <= kMost;
  if (!fits) {
    return make_error(ErrorKind::kInvalidInput, "deadline_ms: not a whole number up to a day");
  }
  deadline = std::chrono::milliseconds(found->get<std::int64_t>());
  document.erase(found);
  return deadline;
}

// What is asked for above a ceiling is an error: a caller who wants a minute and gets ten seconds
// should know it before.
Result<void> put_ceilings(Json& document, const Allowed& allowed) {
  Json ceilings = Json::object();
  const auto wanted = document.find("limits");
  for (std::size_t i = 0; i < allowed.ceilings.size(); ++i) {
    const auto& row = execute::limit_table()[i];
    const std::string field(row.field);
    auto ceiling = allowed.ceilings[i];
    // The service holds what a run writes until somebody has taken it.
    if (field == "output_bytes") ceiling = std::min(ceiling.value_or(kMostOutput), kMostOutput);
    if (!ceiling) continue;
    const bool parts = row.unit == execute::Unit::kProcessors;
    const double most = static_cast<double>(*ceiling) / (parts ? 1000 : 1);
    if (parts) {
      ceilings[field] = most;
    } else {
      ceilings[field] = *ceiling;
    }
    if (wanted == document.end() || !wanted->is_object() || !wanted->contains(field)) continue;
    const auto& asked = (*wanted)[field];
    if (asked.is_number() && asked.get<double>() > most) {
      return make_error(ErrorKind::kRefused, "limits." + field + ": " + asked.dump() +
                                                 " is above this key's " + Json(most).dump());
    }
  }
  document["ceilings"] = ceilings;
  return {};
}

}  // namespace

Result<RunRequest> make_run_request(Json document, const Allowed& allowed) {
  if (!document.is_object()) {
    return make_error(ErrorKind::kInvalidInput, "the body is not a JSON object");
  }
  for (const char* ours : {"ceilings", "id"}) {
    if (document.contains(ours)) {
      return make_error(ErrorKind::kInvalidInput, std::string(ours) + ": not known");
    }
  }
  RunRequest request;
  TRY(check_language(document, allowed));
  TRY(check_names(document, allowed));
  TRY(put_ceilings(document, allowed));
  request.deadline = TRY(take_deadline(document));
  const auto artifacts = document.find("artifacts");
  request.wants_files = artifacts != document.end() && artifacts->is_array() && !artifacts->empty();
  // What execute would find wrong is told before the run waits.
  execute::Request checked;
  TRY(execute::take_request(document, checked, nullptr));
  request.document = std::move(document);
  return request;
}

}  // namespace langsbx::serve
