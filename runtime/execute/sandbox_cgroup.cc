// Making the cgroup; sweeping those of killed runs.
#include "runtime/execute/sandbox_cgroup.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <memory>

namespace langsbx::execute {
namespace {

// Fewer hierarchies, fewer directories to make and to remove.
cgroup::Host limiting_host(cgroup::Host host) {
  if (host.mode == cgroup::Mode::kV2) return host;
  std::erase_if(host.hierarchies, [](const cgroup::Hierarchy& hierarchy) {
    return std::none_of(hierarchy.controllers.begin(), hierarchy.controllers.end(),
                        [](const std::string& name) {
                          return name == "memory" || name == "pids" || name == "cpu" ||
                                 name == "cpuacct" || name == "devices";
                        });
  });
  if (host.mode == cgroup::Mode::kHybrid) host.mode = cgroup::Mode::kV1;
  host.unified = {};
  return host;
}

// A run that was killed leaves empty cgroups: its processes died with it.
void sweep(const std::string& parent) {
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(parent.c_str()), &::closedir);
  if (directory == nullptr) return;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    if (pid <= 0 || ::kill(pid, 0) == 0 || errno != ESRCH) continue;
    const std::string path = parent + "/" + std::string(name);
    ::rmdir((path + "/box").c_str());  // of the maximum tier
    ::rmdir(path.c_str());
  }
}

void sweep_all(const cgroup::Plan& plan) {
  for (const auto& place : plan.placements) {
    sweep(place.directory.substr(0, place.directory.rfind('/')));
  }
}

Result<cgroup::Cgroup> no_cgroup() {
  cgroup::Plan none;
  none.manager = cgroup::Manager::kDisabled;
  return cgroup::create(std::move(none));
}

Result<cgroup::Cgroup> limited_cgroup(const cgroup::Config& config, const cgroup::Host& host) {
  auto plan = TRY(cgroup::plan(config, host));
  sweep_all(plan);
  return cgroup::create(std::move(plan));
}

}  // namespace

Result<SandboxCgroup> make_sandbox_cgroup(const std::string& id, const oci::Resources& resources,
                                          bool rootless) {
  auto detected = cgroup::detect();
  cgroup::Host host;
  if (detected.ok()) host = limiting_host(detected.release_value());
  cgroup::Config config;
  config.id = id;
  config.rootless = rootless;
  config.resources = &resources;
  config.path = (rootless ? "" : "/") + std::string(kCgroupParent) + "/" + id;
  auto made = limited_cgroup(config, host);
  if (made.ok()) {
    std::string controllers = host.mode == cgroup::Mode::kV2 ? "v2:" : "v1:";
    return SandboxCgroup{std::move(host), made.release_value(), controllers + " cpu memory pids"};
  }
  const std::string why = made.error().to_string();
  auto none = TRY(no_cgroup());
  return SandboxCgroup{std::move(host), std::move(none), "none: " + why};
}

}  // namespace langsbx::execute
