// Making the cgroup; sweeping those of killed runs.
#include "runtime/execute/sandbox_cgroup.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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

// Names of runs whose langsbx is dead.
std::vector<std::string> left_in(const std::string& parent) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(parent.c_str()), &::closedir);
  if (directory == nullptr) return names;
  while (const dirent* entry = ::readdir(directory.get())) {
    std::string_view name = entry->d_name;
    if (!name.starts_with(kCgroupPrefix)) continue;
    name.remove_prefix(kCgroupPrefix.size());
    pid_t pid = 0;
    std::from_chars(name.data(), name.data() + name.size(), pid);
    if (pid > 0 && ::kill(pid, 0) != 0 && errno == ESRCH) names.emplace_back(entry->d_name);
  }
  return names;
}

// A run that was killed leaves empty cgroups: its processes died with it. The first hierarchy is
// where each begins and ends to be.
void sweep(const cgroup::Plan& plan) {
  const auto parent_of = [](const cgroup::Placement& place) {
    return place.directory.substr(0, place.directory.rfind('/'));
  };
  if (plan.placements.empty()) return;
  for (const auto& name : left_in(parent_of(plan.placements.front()))) {
    for (auto place = plan.placements.rbegin(); place != plan.placements.rend(); ++place) {
      const std::string path = parent_of(*place) + "/" + name;
      ::rmdir((path + "/box").c_str());  // of the maximum tier
      ::rmdir(path.c_str());
    }
  }
}

Result<cgroup::Cgroup> no_cgroup() {
  cgroup::Plan none;
  none.manager = cgroup::Manager::kDisabled;
  return cgroup::create(std::move(none));
}

Result<cgroup::Cgroup> limited_cgroup(const cgroup::Config& config, const cgroup::Host& host) {
  auto plan = TRY(cgroup::plan(config, host));
  sweep(plan);
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
  config.path = (rootless ? "" : "/") + std::string(kCgroupPrefix) + id;
  auto made = limited_cgroup(config, host);
  if (made.ok()) {
    std::string controllers = host.mode == cgroup::Mode::kV2 ? "v2:" : "v1:";
    return SandboxCgroup{std::move(host), made.release_value(), controllers + " cpu memory pids"};
  }
  const std::string why = made.error().to_string();
  auto none = TRY(no_cgroup());
  return SandboxCgroup{std::move(host), std::move(none), "none: " + why};
}

void remove_beside(const std::string& id) {
  const auto host = cgroup::detect();
  if (!host.ok()) return;
  const std::string path = "/" + std::string(kCgroupPrefix) + id;
  for (const auto& hierarchy : host->hierarchies) ::rmdir(hierarchy.directory(path).c_str());
  if (!host->unified.mount_point.empty()) ::rmdir(host->unified.directory(path).c_str());
}

}  // namespace langsbx::execute
