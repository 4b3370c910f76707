// What `features` prints: the specification's document about what this runtime can.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace langsbx::cmd {

// What the runtime's parts know about themselves.
struct FeatureFacts {
  std::vector<std::string> mount_options;
  std::vector<std::string> capabilities;
  std::string libseccomp_version;
  int landlock_abi = 0;  // of this kernel, 0: none
};

std::string features_json(const FeatureFacts& facts);

// The words of config.json that the document lists; the parts must know each of them.
std::vector<std::string_view> seccomp_actions();
std::vector<std::string_view> seccomp_operators();
std::vector<std::string_view> seccomp_architectures();
std::vector<std::string_view> seccomp_flags();
std::vector<std::string_view> memory_policy_modes();
std::vector<std::string_view> memory_policy_flags();

}  // namespace langsbx::cmd
