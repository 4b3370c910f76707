// cgroup.subtree_control and cgroup.type.
#include "runtime/cgroup/v2/enable.h"

#include <algorithm>
#include <cerrno>

#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::v2 {
namespace {

bool contains(const std::vector<std::string_view>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// From the mount point to the parent of `directory`, outermost first.
std::vector<std::string> ancestors(const std::string& mount_point, const std::string& directory) {
  std::vector<std::string> list;
  std::string_view path = directory;
  while (path.size() > mount_point.size()) {
    path = parent_path(path);
    list.emplace_back(path);
  }
  std::reverse(list.begin(), list.end());
  return list;
}

// "+a +b" at once; where the kernel refuses that, each alone, so that one controller that can't be
// had (cpu with real-time processes around) does not cost the others.
void enable_in(const std::string& directory, const std::vector<std::string_view>& names,
               UsedFiles& used) {
  const std::string file = directory + "/cgroup.subtree_control";
  std::string all;
  for (const auto name : names) all.append("+").append(name).append(" ");
  if (used.write(file, all).ok() || names.size() == 1) return;
  for (const auto name : names) {
    // What is missing in the end is found there, with a better message.
    [[maybe_unused]] const auto ignored = used.write(file, "+" + std::string(name));
  }
}

Error unavailable(const RequiredController& controller, const std::string& directory) {
  return make_error(ErrorKind::kUnsupported, controller.field + ": controller \"" +
                                                 controller.name + "\" is not available in " +
                                                 directory);
}

Error unusable(const RequiredController& controller, const std::string& directory,
               std::string_view type) {
  return make_error(ErrorKind::kWrongState, controller.field + ": controller \"" + controller.name +
                                                "\" can't be used in " + directory + ", which is " +
                                                std::string(type));
}

}  // namespace

Result<void> enable_controllers(const std::string& mount_point, const std::string& directory,
                                const std::vector<RequiredController>& required, bool only_required,
                                UsedFiles& used) {
  const std::string file = directory + "/cgroup.controllers";
  const std::string have = TRY(used.read(file));
  const std::string offered =
      only_required ? std::string() : TRY(used.read(mount_point + "/cgroup.controllers"));
  const auto enabled = split(trim(have), ' ');
  std::vector<std::string_view> missing;
  for (const auto name : split(trim(offered), ' ')) {
    if (!contains(enabled, name)) missing.push_back(name);
  }
  for (const auto& [name, field] : required) {
    if (!contains(enabled, name) && !contains(missing, name)) missing.emplace_back(name);
  }
  if (missing.empty()) return {};
  for (const auto& ancestor : ancestors(mount_point, directory)) enable_in(ancestor, missing, used);
  if (required.empty()) return {};
  const std::string now = TRY(used.read(file));
  const auto available = split(trim(now), ' ');
  for (const auto& controller : required) {
    if (!contains(available, controller.name)) return unavailable(controller, directory);
  }
  return {};
}

Result<void> settle_type(const std::string& mount_point, const std::string& directory,
                         const std::vector<RequiredController>& required, UsedFiles& used) {
  if (parent_path(directory) == mount_point) return {};  // children of the root are domains
  const std::string file = directory + "/cgroup.type";
  auto type = used.read(file);
  if (!type.ok()) return {};  // before 4.14 there is no threaded mode
  const std::string_view kind = trim(*type);
  if (kind == "domain") return {};
  for (const auto& controller : required) {
    const std::string& name = controller.name;
    if (name == "cpu" || name == "cpuset" || name == "pids" || name == "perf_event") continue;
    return unusable(controller, directory, kind);
  }
  if (kind == "domain invalid") return used.write(file, "threaded");
  return {};
}

}  // namespace langsbx::cgroup::v2
