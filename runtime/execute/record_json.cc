// Records for tools and for people.
#include "runtime/execute/record_json.h"

#include <nlohmann/json.hpp>

#include "languages/report.h"
#include "languages/unicode.h"
#include "oci/state.h"
#include "runtime/base/base64.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/tiers.h"
#include "runtime/execute/verdict.h"

namespace langsbx::execute {
namespace {

using Json = nlohmann::ordered_json;

Json limits_json(const Limits& limits) {
  Json json = Json::object();
  for (const auto& row : limit_table()) {
    const auto value = limits.*row.value;
    if (row.unit == Unit::kProcessors) {
      json[std::string(row.field)] = static_cast<double>(value) / 1000;
    } else {
      json[std::string(row.field)] = value;
    }
  }
  return json;
}

Json usage_json(const Usage& usage) {
  return {{"cpu_time_ns", usage.cpu_time_ns}, {"user_ns", usage.user_ns},
          {"system_ns", usage.system_ns},     {"memory_peak_bytes", usage.memory_peak},
          {"io_read_bytes", usage.io_read},   {"io_write_bytes", usage.io_write},
          {"pids_peak", usage.pids_peak},     {"disk_bytes", usage.disk},
          {"output_bytes", usage.output}};
}

Json enforced_json(const Enforced& enforced) {
  return {{"landlock", enforced.landlock},
          {"seccomp", enforced.seccomp},
          {"cgroup", enforced.cgroup},
          {"namespaces", enforced.namespaces},
          {"no_new_privs", enforced.no_new_privs}};
}

// The guard's findings first, as the guard prints them, then the limits.
Json violations_json(const Record& record) {
  auto guard = Json::parse(languages::to_json(record.guard), nullptr, false);
  Json list =
      guard.is_object() && guard.contains("violations") ? guard["violations"] : Json::array();
  for (const auto& violation : record.violations) {
    list.push_back({{"type", violation.type}, {"reason", violation.message}});
  }
  return list;
}

Json warnings_json(const Record& record) {
  Json list = record.warnings;
  for (const auto& finding : record.guard.warnings) {
    list.push_back(finding.file + ":" + std::to_string(finding.line) + ": " + finding.reason);
  }
  return list;
}

Json refused_json(const std::vector<explain::Denial>& denials) {
  Json list = Json::array();
  for (const auto& denial : denials) {
    list.push_back(Json::parse(explain::denial_json(denial), nullptr, false));
  }
  return list;
}

Json artifacts_json(const Record& record) {
  Json list = Json::array();
  for (const auto& artifact : record.artifacts) {
    list.push_back({{"name", artifact.name}, {"size", artifact.size}});
  }
  return list;
}

Json left_out_json(const LeftOut& left_out) {
  Json list = Json::array();
  for (const auto& file : left_out.files) {
    list.push_back({{"name", file.name}, {"reason", file.reason}});
  }
  return {{"count", left_out.count}, {"files", list}};
}

Json phases_json(const Phases& phases) {
  return {{"guard_us", phases.guard_us},
          {"setup_us", phases.setup_us},
          {"prepare_ms", phases.prepare_ms},
          {"compile_ms", phases.compile_ms},
          {"compile_cached", phases.compile_cached},
          {"run_ms", phases.run_ms}};
}

bool is_utf8(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto length = languages::decode_utf8(bytes, i).length;
    if (length == 0) return false;
    i += length;
  }
  return true;
}

}  // namespace

std::string record_json(const Record& record) {
  Json json = {{"id", record.id},
               {"language", record.language},
               {"profile", record.profile},
               {"status", to_string(record.status)},
               {"exit_code", record.exit_code},
               {"signal", record.signal == 0 ? Json(nullptr) : Json(record.signal)},
               {"stdout", record.out},
               {"stderr", record.err},
               {"truncated", record.truncated},
               {"start_time", oci::rfc3339_nano(record.start)},
               {"end_time", oci::rfc3339_nano(record.end)},
               {"duration_ms", record.duration_ms},
               {"killed", record.killed()}};
  // A program's bytes need not be UTF-8: the text shows what can be shown, this is all of it.
  if (!is_utf8(record.out)) json["stdout_base64"] = to_base64(record.out);
  if (!is_utf8(record.err)) json["stderr_base64"] = to_base64(record.err);
  json["kill_reason"] =
      record.reason == KillReason::kNone ? Json(nullptr) : Json(to_string(record.reason));
  json["violations"] = violations_json(record);
  json["warnings"] = warnings_json(record);
  if (record.refused) json["refused"] = refused_json(*record.refused);
  json["resource_usage"] = usage_json(record.usage);
  json["limits"] = limits_json(record.limits);
  json["enforced"] = enforced_json(record.enforced);
  json["isolation"] = {{"tier", to_string(record.isolation.tier)},
                       {"reason", record.isolation.reason}};
  json["artifacts"] = artifacts_json(record);
  json["kept"] = record.kept_directory.empty() ? Json(nullptr) : Json(record.kept_directory);
  json["left_out"] = left_out_json(record.left_out);
  json["phases"] = phases_json(record.phases);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string record_summary(const Record& record) {
  std::string text = "langsbx: " + std::string(to_string(record.status));
  if (record.reason != KillReason::kNone && record.reason != KillReason::kTimeout) {
    text += " (" + std::string(to_string(record.reason)) + ")";
  }
  if (record.status == Status::kFailed) {
    text += record.signal != 0 ? " by signal " + std::to_string(record.signal)
                               : " with exit code " + std::to_string(record.exit_code);
  }
  text += " after " + std::to_string(record.duration_ms) + " ms, " +
          std::to_string(record.usage.memory_peak >> 20U) + " MiB";
  for (const auto& violation : record.violations) text += "; " + violation.message;
  return languages::printable(text) + "\n";
}

}  // namespace langsbx::execute
