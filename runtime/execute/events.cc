// Lines of events.
#include "runtime/execute/events.h"

#include <fcntl.h>

#include <ctime>
#include <nlohmann/json.hpp>

#include "oci/state.h"
#include "runtime/execute/verdict.h"
#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

using Json = nlohmann::ordered_json;

// For a reader that lags behind.
constexpr std::size_t kMostPending = std::size_t{1} << 20U;
constexpr std::chrono::milliseconds kPatience{1000};
constexpr std::uint64_t kMostRequests = 10'000;

timespec now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return time;
}

Json plain(std::string_view type, const std::string& id) {
  return {{"time", oci::rfc3339_nano(now())}, {"event", type}, {"id", id}};
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

// https://schema.ocsf.io, class 2001: the numbers are the schema's.
Json ocsf(std::string_view source, std::string_view title, const std::string& text,
          const std::string& id, std::uint64_t number) {
  constexpr int kSecurityFinding = 2001;
  constexpr int kFindings = 2;
  constexpr int kCreate = 1;
  const bool attack = source == "guard" || source == "seccomp" || source == "landlock";
  const timespec time = now();
  return {{"class_uid", kSecurityFinding},
          {"class_name", "Security Finding"},
          {"category_uid", kFindings},
          {"category_name", "Findings"},
          {"activity_id", kCreate},
          {"activity_name", "Create"},
          {"type_uid", kSecurityFinding * 100 + kCreate},
          {"time", static_cast<std::int64_t>(time.tv_sec) * 1000 + time.tv_nsec / 1'000'000},
          {"severity_id", attack ? 4 : 3},
          {"severity", attack ? "High" : "Medium"},
          {"state_id", 1},
          {"state", "New"},
          {"message", text},
          {"metadata",
           {{"version", "1.0.0"}, {"product", {{"name", "langsbx"}, {"vendor_name", "langsbx"}}}}},
          {"finding",
           {{"uid", id + "/" + std::to_string(number)},
            {"title", title},
            {"desc", text},
            {"types", Json::array({source})}}},
          {"resources", Json::array({{{"uid", id}, {"type", "sandbox"}}})}};
}

}  // namespace

Result<Events> Events::open(const std::string& path, std::string id) {
  Events made;
  made.file_ = TRY_CONTEXT(open_file(path, O_WRONLY | O_APPEND | O_CREAT | O_NOCTTY, 0600),
                           "--events " + path);
  made.outlet_ = Outlet(made.file_.get());
  made.id_ = std::move(id);
  return made;
}

void Events::line(const std::string& text) {
  if (outlet_.pending() + text.size() > kMostPending) {
    lost_ = true;
    return;
  }
  outlet_.add(text);
  flush();
}

void Events::flush() {
  if (outlet_.flush().ok()) return;
  outlet_.clear();
  lost_ = true;
}

void Events::drain() {
  if (!langsbx::drain(outlet_, kPatience, "--events").ok()) lost_ = true;
}

void Events::lifecycle(std::string_view type) { line(text_of(plain(type, id_))); }

void Events::ended(const Record& record) {
  auto event = plain(record.killed() ? "killed" : "completed", id_);
  event["status"] = to_string(record.status);
  event["exit_code"] = record.exit_code;
  event["kill_reason"] =
      record.reason == KillReason::kNone ? Json(nullptr) : Json(to_string(record.reason));
  event["duration_ms"] = record.duration_ms;
  if (requests_ > kMostRequests) event["requests_left_out"] = requests_ - kMostRequests;
  line(text_of(event));
}

void Events::limit_warning(std::string_view field, std::uint64_t used, std::uint64_t limit) {
  auto event = plain("limit.warning", id_);
  event["limit"] = field;
  event["used"] = used;
  event["allowed"] = limit;
  line(text_of(event));
}

void Events::network(const egress::Asked& asked) {
  if (++requests_ > kMostRequests) return;
  auto event = plain("network", id_);
  event["method"] = asked.method;
  event["host"] = asked.host;
  event["port"] = asked.port;
  event["allowed"] = asked.allowed;
  event["reason"] = asked.reason[0] == 0 ? Json(nullptr) : Json(asked.reason);
  line(text_of(event));
}

void Events::violation(std::string_view source, std::string_view title, const std::string& text) {
  auto event = plain("violation", id_);
  event["source"] = source;
  event["type"] = title;
  event["message"] = text;
  line(text_of(event));
  line(text_of(ocsf(source, title, text, id_, ++findings_)));
}

}  // namespace langsbx::execute
