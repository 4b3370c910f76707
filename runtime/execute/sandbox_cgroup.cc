// Making the cgroup; sweeping those of killed runs.
#include "runtime/execute/sandbox_cgroup.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
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

Result<cgroup::Cgroup> no_cgroup() {
  cgroup::Plan none;
  none.manager = cgroup::Manager::kDisabled;
  return cgroup::create(std::move(none));
}

// No cgroup file system, none of ours in it, or one that is only shown: no fault of this run's.
bool has_none_to_give(const Error& error) {
  switch (error.errno_value) {
    case EACCES:
    case ENOENT:
    case EPERM:
    case EROFS:
      return true;
    default:
      return false;
  }
}

std::string parent_of(const cgroup::Placement& place) {
  return place.directory.substr(0, place.directory.rfind('/'));
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
  auto plan = cgroup::plan(config, host);
  std::string why;
  if (plan.ok()) {
    auto made = cgroup::create(plan.release_value());
    if (made.ok()) {
      std::string controllers = host.mode == cgroup::Mode::kV2 ? "v2:" : "v1:";
      return SandboxCgroup{std::move(host), made.release_value(), controllers + " cpu memory pids"};
    }
    // What has controllers and fails holds no limits: such a run is none.
    if (!has_none_to_give(made.error())) {
      return made.release_error().with_context("the run's cgroup");
    }
    why = made.error().to_string();
  } else {
    why = plan.error().to_string();
  }
  auto none = TRY(no_cgroup());
  return SandboxCgroup{std::move(host), std::move(none), "none: " + why};
}

// A run that was killed leaves empty cgroups: its processes died with it. The first hierarchy is
// where each begins and ends to be.
void sweep_left_cgroups(const SandboxCgroup& cgroup) {
  const auto& placements = cgroup.group.record().placements;
  if (!cgroup.group.exists() || placements.empty()) return;
  for (const auto& name : left_in(parent_of(placements.front()))) {
    for (auto place = placements.rbegin(); place != placements.rend(); ++place) {
      const std::string path = parent_of(*place) + "/" + name;
      ::rmdir((path + "/box").c_str());  // of the maximum tier
      // Where somebody still is dying, a later run finds it by its name in the first one.
      if (::rmdir(path.c_str()) != 0 && errno != ENOENT) break;
    }
  }
}

void remove_beside(const std::string& id) {
  const auto host = cgroup::detect();
  if (!host.ok()) return;
  const std::string path = "/" + std::string(kCgroupPrefix) + id;
  for (const auto& hierarchy : host->hierarchies) ::rmdir(hierarchy.directory(path).c_str());
  if (!host->unified.mount_point.empty()) ::rmdir(host->unified.directory(path).c_str());
}

}  // namespace langsbx::execute
