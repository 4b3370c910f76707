// Writes the state documents.
#include "oci/state.h"

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace langsbx::oci {
namespace {

using Json = nlohmann::ordered_json;

// Bytes that are no UTF-8 (a bundle's path may hold any) become U+FFFD instead of an exception.
std::string text_of(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
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
  static constexpr std::array<std::string_view, 5> kNames{"creating", "created", "running",
                                                          "paused", "stopped"};
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
  tm utc{};
  ::gmtime_r(&time.tv_sec, &utc);
  std::array<char, 32> buffer{};
  const std::size_t length = std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%S", &utc);
  std::string text(buffer.data(), length);
  if (time.tv_nsec != 0) {
    std::array<char, 16> fraction{};
    std::snprintf(fraction.data(), fraction.size(), ".%09ld", time.tv_nsec);
    text += fraction.data();
    while (text.back() == '0') text.pop_back();
  }
  return text + 'Z';
}

}  // namespace langsbx::oci
