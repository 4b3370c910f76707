// Capabilities, seccomp and Landlock of config.json as values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace langsbx::oci {

struct Capabilities {
  std::vector<std::string> bounding;
  std::vector<std::string> effective;
  std::vector<std::string> inheritable;
  std::vector<std::string> permitted;
  std::vector<std::string> ambient;
};

struct SeccompArg {
  std::uint32_t index = 0;
  std::uint64_t value = 0;
  std::uint64_t value_two = 0;
  std::string op;  // "SCMP_CMP_EQ", ...
};

struct SeccompRule {
  std::vector<std::string> names;
  std::string action;  // "SCMP_ACT_ALLOW", ...
  std::optional<std::uint32_t> errno_ret;
  std::vector<SeccompArg> args;
};

struct Seccomp {
  std::string default_action;
  std::optional<std::uint32_t> default_errno_ret;
  std::vector<std::string> architectures;
  std::vector<std::string> flags;
  bool flags_present = false;  // "flags": [] differs from no flags at all
  std::string listener_path;
  std::string listener_metadata;
  std::vector<SeccompRule> syscalls;
};

// Landlock as config.json, an annotation or a landlockconfig document gives it. Rights are names
// or raw numbers, kept as text until confine/ maps them ("read_file", "0x4").
struct LandlockPathRule {
  std::vector<std::string> allowed_access;
  std::vector<std::string> paths;
};
struct LandlockPortRule {
  std::vector<std::string> allowed_access;
  std::vector<std::uint64_t> ports;
};
// landlockconfig: "${name}" in a path stands for each of these.
struct LandlockVariable {
  std::string name;
  std::vector<std::string> values;
};
struct Landlock {
  std::vector<std::string> handled_access_fs;
  std::vector<std::string> handled_access_net;
  std::vector<std::string> scoped;
  std::vector<LandlockPathRule> path_beneath;
  std::vector<LandlockPortRule> port_beneath;
  std::vector<LandlockVariable> variables;
  std::optional<std::int32_t> abi;
  bool best_effort = false;  // #1241: the inverse of disableBestEffort, which we default to true
};

}  // namespace langsbx::oci
