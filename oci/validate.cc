// Rules of config.json's top level, of processes, mounts and hooks.
#include "oci/validate.h"

#include <algorithm>
#include <string>

#include "oci/validate_parts.h"

namespace langsbx::oci {
namespace {

Result<void> check_environment(const std::vector<std::string>& env, const std::string& path) {
  for (std::size_t i = 0; i < env.size(); ++i) {
    const std::size_t equals = env[i].find('=');
    if (equals == std::string::npos || equals == 0)
      return invalid(at(path, i), "expected NAME=value, found \"" + env[i] + "\"");
  }
  return {};
}

Result<void> check_rlimits(const std::vector<Rlimit>& rlimits, const std::string& path) {
  for (std::size_t i = 0; i < rlimits.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (rlimits[i].type == rlimits[j].type)
        return invalid(at(path, i) + ".type", "duplicate " + rlimits[i].type);
    }
    if (rlimits[i].soft > rlimits[i].hard)
      return invalid(at(path, i) + ".soft", "is above the hard limit");
  }
  return {};
}

Result<void> check_hooks(const std::vector<Hook>& hooks, const std::string& path) {
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    const Hook& hook = hooks[i];
    if (!is_absolute(hook.path))
      return invalid(at(path, i) + ".path", "is not absolute: \"" + hook.path + "\"");
    if (hook.timeout && *hook.timeout <= 0)
      return invalid(at(path, i) + ".timeout", "must be greater than zero");
    if (hook.env) TRY(check_environment(*hook.env, at(path, i) + ".env"));
  }
  return {};
}

Result<void> check_all_hooks(const Hooks& hooks) {
  TRY(check_hooks(hooks.prestart, "hooks.prestart"));
  TRY(check_hooks(hooks.create_runtime, "hooks.createRuntime"));
  TRY(check_hooks(hooks.create_container, "hooks.createContainer"));
  TRY(check_hooks(hooks.start_container, "hooks.startContainer"));
  TRY(check_hooks(hooks.poststart, "hooks.poststart"));
  return check_hooks(hooks.poststop, "hooks.poststop");
}

Result<void> check_mounts(const std::vector<Mount>& mounts) {
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Mount& mount = mounts[i];
    const std::string path = at("mounts", i);
    if (mount.destination.empty()) return invalid(path + ".destination", "is empty");
    TRY(validate_mappings(mount.uid_mappings, path + ".uidMappings"));
    TRY(validate_mappings(mount.gid_mappings, path + ".gidMappings"));
    if (mount.uid_mappings.empty() != mount.gid_mappings.empty())
      return invalid(path, "uidMappings and gidMappings are needed together");
  }
  return {};
}

// What may be set only beside a namespace of the container's own.
Result<void> check_namespace_needs(const Spec& spec) {
  static const std::vector<Namespace> none;
  const auto& namespaces = spec.linux_ ? spec.linux_->namespaces : none;
  const bool uts = find_namespace(namespaces, NamespaceType::kUts) != nullptr;
  if (!spec.hostname.empty() && !uts) return invalid("hostname", "needs a uts namespace");
  if (!spec.domainname.empty() && !uts) return invalid("domainname", "needs a uts namespace");
  return {};
}

}  // namespace

bool is_supported_version(std::string_view oci_version) {
  if (!oci_version.starts_with("1.") || oci_version.size() < 3) return false;
  return oci_version[2] >= '0' && oci_version[2] <= '9';
}

Result<void> validate(const Process& process, std::string_view path) {
  const auto member = [&](std::string_view name) { return std::string(path) + std::string(name); };
  if (process.args.empty()) return invalid(member("args"), "is empty");
  if (process.cwd.empty()) return invalid(member("cwd"), "is required");
  if (!is_absolute(process.cwd))
    return invalid(member("cwd"), "is not absolute: \"" + process.cwd + "\"");
  TRY(check_environment(process.env, member("env")));
  TRY(check_rlimits(process.rlimits, member("rlimits")));
  if (process.landlock && !process.no_new_privileges)
    return invalid(member("landlock"), "needs noNewPrivileges");
  return {};
}

Result<void> validate(const Spec& spec) {
  if (!spec.process) return invalid("process", "is required");
  TRY(validate(*spec.process, "process."));
  if (!spec.root) return invalid("root", "is required");
  if (spec.root->path.empty()) return invalid("root.path", "is empty");
  TRY(check_mounts(spec.mounts));
  TRY(check_all_hooks(spec.hooks));
  TRY(check_namespace_needs(spec));
  return spec.linux_ ? validate_linux(*spec.linux_) : Result<void>{};
}

}  // namespace langsbx::oci
