// Everything a launch does, decided in the parent from config and host before anything is made.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oci/spec.h"
#include "runtime/base/result.h"
#include "runtime/confine/identity.h"
#include "runtime/confine/labels.h"
#include "runtime/confine/landlock.h"
#include "runtime/confine/rlimits.h"
#include "runtime/confine/scheduling.h"
#include "runtime/confine/seccomp.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/plan/mount_options.h"

namespace langsbx::plan {

// What the host can do and who we are; read once.
struct HostFacts {
  uid_t euid = 0;
  gid_t egid = 0;
  bool rootless = false;
  confine::CapabilityHost capabilities;
  int landlock_abi = 0;
  bool setgroups_allowed = true;  // of our own user namespace
};
Result<HostFacts> read_host_facts(std::optional<bool> rootless);

struct NamespaceJoin {
  oci::NamespaceType type = oci::NamespaceType::kPid;
  UniqueFd fd;
};

struct NamespacePlan {
  std::uint64_t clone_flags = 0;  // made by clone3: all new ones but cgroup and time
  bool new_cgroup = false;        // by unshare, once inside the container's cgroup
  bool new_time = false;          // by unshare + setns, since the offsets come between
  std::string time_offsets;       // text for /proc/self/timens_offsets
  std::vector<NamespaceJoin> joins;
  bool new_user = false;
  bool join_user = false;
  bool keep_groups = false;  // as the program's identity has it
  std::vector<oci::IdMapping> uid_map;
  std::vector<oci::IdMapping> gid_map;
  [[nodiscard]] bool makes(oci::NamespaceType type) const;
  [[nodiscard]] bool joins_type(oci::NamespaceType type) const;
  // The descriptor of a joined namespace; -1 when it is not joined.
  [[nodiscard]] int joined(oci::NamespaceType type) const;
  [[nodiscard]] bool has(oci::NamespaceType type) const { return makes(type) || joins_type(type); }
};

struct MountStep {
  std::string field;        // "mounts[3]", for errors
  std::string destination;  // below the root, absolute
  std::string type;
  std::string source;         // absolute for bind mounts
  std::string source_inside;  // below the root, where the source of a bind mount lies in it
  // The folder of the host that the source has to lie in, without a link on the way: somebody else
  // may write there. Empty: anywhere.
  std::string source_folder;
  MountOptions options;
  std::vector<oci::IdMapping> uid_map;  // of an idmapped mount
  std::vector<oci::IdMapping> gid_map;

  // It is mounted over the root and is the root from then on. Without a type, flags are changed.
  [[nodiscard]] bool covers_root() const {
    const bool mounts = options.bind || !(type.empty() || type == "none");
    return destination == "/" && !options.remount && mounts;
  }
};

struct DeviceStep {
  std::string path;
  mode_t mode = 0;  // type and permissions
  dev_t number = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};

// A file, folder or link (content is its target) made in a root of our own.
struct FileStep {
  std::string path;
  std::string content;
  mode_t mode = 0444;
  uid_t uid = 0;
  bool link = false;
  bool folder = false;
};

struct RootfsPlan {
  std::string path;  // absolute
  bool readonly = false;
  // The root is a new tmpfs, mounted over `path` in the container's mount namespace only: nothing
  // of it is ever on disk. `files` are written when all mounts are there.
  bool in_memory = false;
  std::vector<FileStep> files;
  // Of these: folders and files that become mounts of themselves, so that who owns them can neither
  // move nor remove them; the files read-only.
  std::vector<std::string> fixed_folders;
  std::vector<std::string> fixed_files;
  std::uint64_t propagation = 0;  // MS_*; 0: slave
  bool no_pivot = false;
  std::vector<MountStep> mounts;
  std::vector<DeviceStep> devices;
  bool own_dev = true;  // /dev is not bound from the host: default nodes and links are ours
  bool console_link = false;
  std::vector<std::string> masked_paths;
  std::vector<std::string> readonly_paths;
  std::vector<std::pair<std::string, std::string>> sysctl;  // path below /proc/sys -> value
  std::string hostname;
  std::string domainname;
  std::string mount_label;
};

// One program started in the container: its init, or an exec.
struct ProgramPlan {
  std::vector<std::string> args;
  std::vector<std::string> env;
  std::string cwd;
  confine::IdentityPlan identity;
  std::optional<gid_t> streams_group;  // crun changes the group of stdio, too
  confine::RlimitPlan rlimits;
  // Of the guard's profile and of execute: put on last, each lowered to what is in force already.
  confine::RlimitPlan lowered_rlimits;
  confine::SchedulingPlan scheduling;
  confine::LabelPlan labels;
  std::optional<std::int32_t> oom_score_adj;
  bool no_new_privileges = false;
  confine::LandlockPlan landlock;
  confine::SeccompPlan seccomp;
  bool terminal = false;
  std::optional<oci::ConsoleSize> console_size;
  std::vector<int> preserved_fds;  // stay open: LISTEN_FDS and --preserve-fds
  std::string session_keyring;     // empty: keep the caller's
  std::optional<confine::CpuMask> cpu_affinity_final;
  bool acts_as_crun = false;   // a program that is not there is reported in crun's words, too
  std::size_t processors = 0;  // it stays on so many; 0: on any
  std::vector<std::string> warnings;
  // CAP_SYS_ADMIN is kept in the permitted set until execve: Landlock and seccomp are applied last
  // and need it when no_new_privs is not set. execve recomputes the sets, so it ends there.
  bool keeps_admin = false;
};

struct LaunchPlan {
  NamespacePlan namespaces;
  RootfsPlan rootfs;
  ProgramPlan program;
  oci::Hooks hooks;
  std::map<std::string, oci::NetDevice> net_devices;
  std::optional<oci::IntelRdt> intel_rdt;
};

struct PlanInputs {
  const oci::Spec* spec = nullptr;
  const HostFacts* host = nullptr;
  std::string id;
  std::string bundle;      // absolute
  std::string state_root;  // for the seccomp cache
  bool no_pivot = false;
  bool no_new_keyring = false;
  std::vector<int> preserved_fds;
  bool acts_as_crun = false;  // a seccomp listener is made whenever listenerPath is there
  bool acts_as_runc = false;  // SCMP_ACT_NOTIFY of write is refused
  std::optional<confine::LandlockMode> landlock_mode = {};  // absent: the annotation's
  bool devices_judged = false;                              // by a device cgroup
  bool log_denials = false;  // true: somebody asks what Landlock refuses
};

Result<LaunchPlan> make_plan(const PlanInputs& inputs);

// Parts of it, also for exec.
// `acts_as_crun`: a user namespace of root's without mappings gets all ids that we have.
Result<NamespacePlan> plan_namespaces(const oci::Linux& linux_, const HostFacts& host,
                                      bool acts_as_crun = false);
Result<RootfsPlan> plan_rootfs(const oci::Spec& spec, const PlanInputs& inputs,
                               const NamespacePlan& namespaces);
Result<ProgramPlan> plan_program(const oci::Process& process, const PlanInputs& inputs,
                                 bool new_user_namespace);
// An empty one where the config has none.
const oci::Linux& linux_part_of(const oci::Spec& spec);
Result<std::vector<std::pair<std::string, std::string>>> plan_sysctl(
    const std::map<std::string, std::string>& sysctl, const NamespacePlan& namespaces,
    const oci::Spec& spec);

// "/a/./b/../c" -> "/a/c"; never above "/".
std::string clean_path(std::string_view path);

}  // namespace langsbx::plan
