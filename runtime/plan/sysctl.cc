// linux.sysctl: only keys that belong to a namespace of the container's own.
#include <string_view>

#include "runtime/base/text_list.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::plan {
namespace {

using oci::NamespaceType;

constexpr auto kIpcKeys =
    text_list("kernel/msgmax", "kernel/msgmnb", "kernel/msgmni", "kernel/sem", "kernel/shmall",
              "kernel/shmmax", "kernel/shmmni", "kernel/shm_rmid_forced");

// The first separator decides the spelling: "net.ipv4.conf.eth0/1.x" and "net/ipv4/conf/eth0.1/x"
// name the same file.
std::string key_to_path(std::string_view key) {
  std::string path(key);
  const auto first = path.find_first_of("./");
  if (first != std::string::npos && path[first] == '.') {
    for (char& c : path) c = c == '.' ? '/' : c == '/' ? '.' : c;
  }
  return path;
}

Error not_separate(const std::string& key) {
  return make_error(ErrorKind::kInvalidInput,
                    "linux.sysctl: sysctl \"" + key + "\" is not in a separate kernel namespace");
}

Result<void> check(const std::string& key, const std::string& path,
                   const NamespacePlan& namespaces) {
  if (path.find("//") != std::string::npos ||
      ("/" + path + "/").find("/../") != std::string::npos) {
    return make_error(ErrorKind::kInvalidInput, "linux.sysctl: bad key \"" + key + "\"");
  }
  const bool ipc = kIpcKeys.contains(path) || path.starts_with("fs/mqueue/");
  if (ipc && namespaces.has(NamespaceType::kIpc)) return {};
  if (path.starts_with("net/") && namespaces.has(NamespaceType::kNetwork)) return {};
  if (path.starts_with("user/") && namespaces.has(NamespaceType::kUser)) return {};
  if (path == "kernel/domainname" && namespaces.has(NamespaceType::kUts)) return {};
  if (path == "kernel/hostname" && namespaces.has(NamespaceType::kUts)) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.sysctl: kernel.hostname conflicts with the field hostname");
  }
  return not_separate(key);
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> plan_sysctl(
    const std::map<std::string, std::string>& sysctl, const NamespacePlan& namespaces,
    const oci::Spec& spec) {
  std::vector<std::pair<std::string, std::string>> result;
  for (const auto& [key, value] : sysctl) {
    const std::string path = key_to_path(key);
    TRY(check(key, path, namespaces));
    if (path == "kernel/domainname" && !spec.domainname.empty() && value != spec.domainname) {
      return make_error(ErrorKind::kInvalidInput,
                        "linux.sysctl: kernel.domainname conflicts with the field domainname");
    }
    if (value.find('\0') != std::string::npos) {
      return make_error(ErrorKind::kInvalidInput, "linux.sysctl." + key + ": NUL in value");
    }
    result.emplace_back(path, value);
  }
  return result;
}

}  // namespace langsbx::plan
