// The state of a container as the specification's document: hooks' stdin, `state`, `list`,
// seccomp listeners. Compact or indented, and slashes are never escaped: consumers use grep.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <ctime>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx::oci {

// kPaused is not the specification's, but runc's clients read it.
enum class Status : std::uint8_t { kCreating, kCreated, kRunning, kPaused, kStopped };
std::string_view status_name(Status status);

struct State {
  std::string oci_version = "1.3.0";
  std::string id;
  Status status = Status::kStopped;
  pid_t pid = 0;  // 0 when stopped
  std::string bundle;
  std::map<std::string, std::string> annotations;
  // Only in what `state` and `list` print:
  std::string rootfs;
  std::string created;  // rfc3339_nano()
  std::string owner;    // user name
};

// One line: what a hook gets on stdin. The pid is left out when it is 0.
std::string hook_state_json(const State& state);
// What `state` prints: indented, with runc's extra members.
std::string state_json(const State& state);
// What `list --format json` prints: one line, "null" for none, as Go prints an empty list.
std::string state_list_json(const std::vector<State>& states);
// ContainerProcessState, sent to linux.seccomp.listenerPath beside the descriptor.
std::string seccomp_listener_json(const State& state, pid_t pid, std::string_view metadata);

// "2026-11-18T13:57:33.12Z": UTC, the fraction without trailing zeros.
std::string rfc3339_nano(const timespec& time);

}  // namespace langsbx::oci
