// What `features` prints. Only members of the specification: anything else goes to annotations.
#include "cmd/langsbx/features_document.h"

#include <nlohmann/json.hpp>

#include "cmd/langsbx/version.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;

Json seccomp_part() {
  Json json;
  json["enabled"] = true;
  json["actions"] = seccomp_actions();
  json["operators"] = seccomp_operators();
  json["archs"] = seccomp_architectures();
  json["knownFlags"] = seccomp_flags();
  json["supportedFlags"] = seccomp_flags();
  return json;
}

Json linux_part(const FeatureFacts& facts) {
  Json json;
  json["namespaces"] = {"cgroup", "ipc", "mount", "network", "pid", "time", "user", "uts"};
  json["capabilities"] = facts.capabilities;
  json["cgroup"] = {
      {"v1", true}, {"v2", true}, {"systemd", true}, {"systemdUser", true}, {"rdma", true}};
  json["seccomp"] = seccomp_part();
  json["apparmor"]["enabled"] = true;
  json["selinux"]["enabled"] = true;
  json["intelRdt"] = {{"enabled", true}, {"schemata", true}, {"monitoring", true}};
  json["memoryPolicy"] = {{"modes", memory_policy_modes()}, {"flags", memory_policy_flags()}};
  json["mountExtensions"]["idmap"]["enabled"] = true;
  json["netDevices"]["enabled"] = true;
  return json;
}

Json annotations_part(const FeatureFacts& facts) {
  Json json;
  json["io.github.seccomp.libseccomp.version"] = facts.libseccomp_version;
  json["org.langsbx.version"] = program_version();
  json["org.langsbx.commit"] = program_commit();
  json["org.langsbx.landlock.abi"] = std::to_string(facts.landlock_abi);
  json["org.opencontainers.runc.checkpoint.enabled"] = "false";
  return json;
}

}  // namespace

std::vector<std::string_view> seccomp_actions() {
  return {"SCMP_ACT_ALLOW",        "SCMP_ACT_ERRNO",       "SCMP_ACT_KILL",
          "SCMP_ACT_KILL_PROCESS", "SCMP_ACT_KILL_THREAD", "SCMP_ACT_LOG",
          "SCMP_ACT_NOTIFY",       "SCMP_ACT_TRACE",       "SCMP_ACT_TRAP"};
}
std::vector<std::string_view> seccomp_operators() {
  return {"SCMP_CMP_EQ", "SCMP_CMP_GE",        "SCMP_CMP_GT", "SCMP_CMP_LE",
          "SCMP_CMP_LT", "SCMP_CMP_MASKED_EQ", "SCMP_CMP_NE"};
}
std::vector<std::string_view> seccomp_architectures() {
  return {
      "SCMP_ARCH_AARCH64",   "SCMP_ARCH_ARM",      "SCMP_ARCH_MIPS",     "SCMP_ARCH_MIPS64",
      "SCMP_ARCH_MIPS64N32", "SCMP_ARCH_MIPSEL",   "SCMP_ARCH_MIPSEL64", "SCMP_ARCH_MIPSEL64N32",
      "SCMP_ARCH_PARISC",    "SCMP_ARCH_PARISC64", "SCMP_ARCH_PPC",      "SCMP_ARCH_PPC64",
      "SCMP_ARCH_PPC64LE",   "SCMP_ARCH_RISCV64",  "SCMP_ARCH_S390",     "SCMP_ARCH_S390X",
      "SCMP_ARCH_X32",       "SCMP_ARCH_X86",      "SCMP_ARCH_X86_64"};
}
std::vector<std::string_view> seccomp_flags() {
  return {"SECCOMP_FILTER_FLAG_LOG", "SECCOMP_FILTER_FLAG_SPEC_ALLOW", "SECCOMP_FILTER_FLAG_TSYNC",
          "SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV"};
}
std::vector<std::string_view> memory_policy_modes() {
  return {"MPOL_BIND",      "MPOL_DEFAULT",        "MPOL_INTERLEAVE",         "MPOL_LOCAL",
          "MPOL_PREFERRED", "MPOL_PREFERRED_MANY", "MPOL_WEIGHTED_INTERLEAVE"};
}
std::vector<std::string_view> memory_policy_flags() {
  return {"MPOL_F_NUMA_BALANCING", "MPOL_F_RELATIVE_NODES", "MPOL_F_STATIC_NODES"};
}

std::string features_json(const FeatureFacts& facts) {
  Json json;
  json["ociVersionMin"] = "1.0.0";
  json["ociVersionMax"] = kSpecVersion;
  json["hooks"] = {"prestart",       "createRuntime", "createContainer",
                   "startContainer", "poststart",     "poststop"};
  json["mountOptions"] = facts.mount_options;
  json["linux"] = linux_part(facts);
  json["annotations"] = annotations_part(facts);
  // Engines must not let images or pods set these: they change how the host is used.
  json["potentiallyUnsafeConfigAnnotations"] = {"bundle", "io.langsbx.", "org.systemd.property.",
                                                "run.oci."};
  return json.dump(4, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace langsbx::cmd
