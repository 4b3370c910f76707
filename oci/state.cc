// Writes the state documents.
#include "oci/state.h"

#include <array>
#include <chrono>
#include <nlohmann/json.hpp>

#include "runtime/base/text_list.h"

namespace langsbx::oci {
namespace {

using Json = nlohmann::ordered_json;

// Bytes that are no UTF-8 (a bundle's path may hold any) become U+FFFD instead of an exception.
std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

// With leading zeros. Not printf: its pages nothing else of a launch touches.
void append_number(std::string& text, std::string_view before, std::int64_t value,
                   std::size_t digits) {
  constexpr int kBase = 10;
  text += before;
  const std::size_t begin = text.size();
  text.resize(begin + digits);
  for (std::size_t at = begin + digits; at > begin; value /= kBase) {
    text[--at] = static_cast<char>('0' + value % kBase);
  }
}

Json hook_state(const State& state) {
  Json json;
  json["ociVersion"] = state.oci_version;
  json["id"] = state.id;
  json["status"] = status_name(state.status);
  if (state.pid != 0) json["pid"] = state.pid;
  json["bundle"] = state.bundle;
  if (!state.annotations.empty()) json["annotations"] = state.annotations;
  return json;
}

Json full_state(const State& state) {
  Json json;
  json["ociVersion"] = state.oci_version;
  json["id"] = state.id;
  json["pid"] = state.pid;
  json["status"] = status_name(state.status);
  json["bundle"] = state.bundle;
  json["rootfs"] = state.rootfs;
  json["created"] = state.created;
  if (!state.annotations.empty()) json["annotations"] = state.annotations;
  json["owner"] = state.owner;
  return json;
}

}  // namespace

std::string_view status_name(Status status) {
  static constexpr auto kNames = text_list("creating", "created", "running", "paused", "stopped");
  return kNames[static_cast<std::size_t>(status)];
}

std::string hook_state_json(const State& state) { return text_of(hook_state(state), -1); }

std::string state_json(const State& state) { return text_of(full_state(state), 2); }

std::string state_list_json(const std::vector<State>& states) {
  if (states.empty()) return "null";
  Json list = Json::array();
  for (const State& state : states) list.push_back(full_state(state));
  return text_of(list, -1);
}

std::string seccomp_listener_json(const State& state, pid_t pid, std::string_view metadata) {
  Json json;
  json["ociVersion"] = state.oci_version;
  json["fds"] = {"seccompFd"};
  json["pid"] = pid;
  if (!metadata.empty()) json["metadata"] = metadata;
  json["state"] = hook_state(state);
  return text_of(json, -1);
}

std::string rfc3339_nano(const timespec& time) {
  // Not gmtime, which reads the file of the local time zone to answer in UTC.
  const auto since_epoch = std::chrono::sys_seconds(std::chrono::seconds(time.tv_sec));
  const auto day = std::chrono::floor<std::chrono::days>(since_epoch);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(since_epoch - day);
  std::string text;
  text.reserve(sizeof "2026-11-18T13:57:33.000000001Z");
  append_number(text, "", static_cast<int>(date.year()), 4);
  append_number(text, "-", static_cast<unsigned>(date.month()), 2);
  append_number(text, "-", static_cast<unsigned>(date.day()), 2);
  append_number(text, "T", clock.hours().count(), 2);
  append_number(text, ":", clock.minutes().count(), 2);
  append_number(text, ":", clock.seconds().count(), 2);
  if (time.tv_nsec != 0) {
    append_number(text, ".", time.tv_nsec, 9);
    while (text.back() == '0') text.pop_back();
  }
  return text + 'Z';
}

}  // namespace langsbx::oci
