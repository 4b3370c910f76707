// linux.namespaces, mappings and time offsets -> NamespacePlan.
#include <linux/nsfs.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>

#include "runtime/kernel/file.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/namespace_types.h"

namespace langsbx::plan {
namespace {

Result<UniqueFd> open_namespace(const oci::Namespace& entry, const std::string& field) {
  auto fd = TRY_CONTEXT(open_file(entry.path, O_RDONLY), field + ".path");
  const int type = ::ioctl(fd.get(), NS_GET_NSTYPE);
  if (type < 0) {
    return make_error(ErrorKind::kInvalidInput,
                      field + ".path: " + entry.path + " is not a namespace");
  }
  if (static_cast<std::uint64_t>(type) != clone_flag(entry.type)) {
    return make_error(ErrorKind::kInvalidInput, field + ".path: " + entry.path + " is not a " +
                                                    std::string(namespace_name(entry.type)) +
                                                    " namespace");
  }
  return fd;
}

// Joining the namespace we are in already is nothing to do; for a user namespace the kernel even
// refuses it.
bool is_own_namespace(int fd, oci::NamespaceType type) {
  struct stat theirs {
  }, ours{};
  const std::string own = "/proc/self/ns/" + std::string(proc_name(type));
  return ::fstat(fd, &theirs) == 0 && ::stat(own.c_str(), &ours) == 0 &&
         theirs.st_ino == ours.st_ino && theirs.st_dev == ours.st_dev;
}

Result<void> add_namespace(NamespacePlan& plan, const oci::Namespace& entry,
                           const std::string& field) {
  if (entry.path.empty()) {
    if (entry.type == oci::NamespaceType::kCgroup) {
      plan.new_cgroup = true;
    } else if (entry.type == oci::NamespaceType::kTime) {
      plan.new_time = true;
    } else {
      plan.clone_flags |= clone_flag(entry.type);
      if (entry.type == oci::NamespaceType::kUser) plan.new_user = true;
    }
    return {};
  }
  auto fd = TRY(open_namespace(entry, field));
  if (is_own_namespace(fd.get(), entry.type)) return {};
  if (entry.type == oci::NamespaceType::kUser) plan.join_user = true;
  plan.joins.push_back({entry.type, std::move(fd)});
  return {};
}

// The user namespace first: it gives the rights for the others.
void order_joins(std::vector<NamespaceJoin>& joins) {
  std::stable_partition(joins.begin(), joins.end(), [](const NamespaceJoin& join) {
    return join.type == oci::NamespaceType::kUser;
  });
}

// Without mappings in the config a rootless caller is mapped to root, as crun does.
void default_mappings(NamespacePlan& plan, const HostFacts& host) {
  if (!plan.new_user) return;
  if (plan.uid_map.empty()) plan.uid_map.push_back({0, host.euid, 1});
  if (plan.gid_map.empty()) plan.gid_map.push_back({0, host.egid, 1});
}

// The first line of an id map is about the ids from 0 on, as a rule all that there are.
Result<std::uint32_t> ids_from_zero(const char* file) {
  const std::string text = TRY(read_kernel_file(AT_FDCWD, file));
  std::uint32_t numbers[3] = {1, 0, 0};  // inside, outside, how many
  const char* at = text.data();
  const char* const end = at + text.size();
  for (auto& number : numbers) {
    while (at != end && *at == ' ') ++at;
    at = std::from_chars(at, end, number).ptr;
  }
  if (numbers[0] == 0 && numbers[2] > 0) return numbers[2];
  return make_error(ErrorKind::kUnsupported, std::string(file) + ": id 0 is not mapped");
}

Result<void> map_all(NamespacePlan& plan) {
  if (plan.uid_map.empty()) plan.uid_map = {{0, 0, TRY(ids_from_zero("/proc/self/uid_map"))}};
  if (plan.gid_map.empty()) plan.gid_map = {{0, 0, TRY(ids_from_zero("/proc/self/gid_map"))}};
  return {};
}

}  // namespace

bool NamespacePlan::makes(oci::NamespaceType type) const {
  if (type == oci::NamespaceType::kCgroup) return new_cgroup;
  if (type == oci::NamespaceType::kTime) return new_time;
  return (clone_flags & clone_flag(type)) != 0;
}

bool NamespacePlan::joins_type(oci::NamespaceType type) const {
  return std::any_of(joins.begin(), joins.end(),
                     [&](const NamespaceJoin& join) { return join.type == type; });
}

int NamespacePlan::joined(oci::NamespaceType type) const {
  const auto found = std::find_if(joins.begin(), joins.end(),
                                  [&](const NamespaceJoin& join) { return join.type == type; });
  return found == joins.end() ? -1 : found->fd.get();
}

Result<NamespacePlan> plan_namespaces(const oci::Linux& linux_, const HostFacts& host,
                                      bool acts_as_crun) {
  NamespacePlan plan;
  for (std::size_t i = 0; i < linux_.namespaces.size(); ++i) {
    TRY(add_namespace(plan, linux_.namespaces[i], "linux.namespaces[" + std::to_string(i) + "]"));
  }
  order_joins(plan.joins);
  if (host.rootless && host.euid != 0 && !plan.new_user && !plan.join_user) {
    plan.new_user = true;
    plan.clone_flags |= CLONE_NEWUSER;
  }
  plan.uid_map = linux_.uid_mappings;
  plan.gid_map = linux_.gid_mappings;
  if (acts_as_crun && plan.new_user && host.euid == 0) TRY(map_all(plan));
  const bool user = plan.new_user || plan.join_user;
  if (!user && (!plan.uid_map.empty() || !plan.gid_map.empty())) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.uidMappings: id mappings need a user namespace");
  }
  if (plan.new_user && host.euid == 0 && (plan.uid_map.empty() || plan.gid_map.empty())) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.uidMappings: user namespaces enabled, but no uid or gid mapping "
                      "found");
  }
  default_mappings(plan, host);
  if (!linux_.time_offsets.empty() && !plan.new_time) {
    return make_error(ErrorKind::kInvalidInput,
                      "linux.timeOffsets: needs a new time namespace in linux.namespaces");
  }
  for (const auto& [clock, offset] : linux_.time_offsets) {
    if (clock != "monotonic" && clock != "boottime") {
      return make_error(ErrorKind::kInvalidInput, "linux.timeOffsets." + clock + ": unknown clock");
    }
    plan.time_offsets +=
        clock + " " + std::to_string(offset.secs) + " " + std::to_string(offset.nanosecs) + "\n";
  }
  return plan;
}

}  // namespace langsbx::plan
