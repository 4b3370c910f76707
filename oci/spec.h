// config.json as values: spec 1.3.0 for Linux. Read by reader.h; nothing here does anything.
// An optional is empty when the property is absent or null; empty lists mean absent.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oci/spec_resources.h"
#include "oci/spec_security.h"

namespace langsbx::oci {

struct IdMapping {
  std::uint32_t container_id = 0;
  std::uint32_t host_id = 0;
  std::uint32_t size = 0;
  bool operator==(const IdMapping&) const = default;
};

enum class NamespaceType : std::uint8_t {
  kPid,
  kNetwork,
  kMount,
  kIpc,
  kUts,
  kUser,
  kCgroup,
  kTime
};

struct Namespace {
  NamespaceType type = NamespaceType::kPid;
  std::string path;  // empty: make a new one
};

struct Mount {
  std::string destination;
  std::string type;
  std::string source;
  std::vector<std::string> options;
  std::vector<IdMapping> uid_mappings;
  std::vector<IdMapping> gid_mappings;
};

struct Root {
  std::string path;
  bool readonly = false;
};

struct ConsoleSize {
  std::uint16_t height = 0;
  std::uint16_t width = 0;
};

struct User {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::optional<std::uint32_t> umask;
  std::vector<std::uint32_t> additional_gids;
};

struct Rlimit {
  std::string type;  // "RLIMIT_NOFILE"
  std::uint64_t soft = 0;
  std::uint64_t hard = 0;
};

struct Scheduler {
  std::string policy;  // "SCHED_OTHER", ...
  std::optional<std::int32_t> nice;
  std::optional<std::int32_t> priority;
  std::vector<std::string> flags;  // "SCHED_FLAG_RESET_ON_FORK", ...
  std::optional<std::uint64_t> runtime;
  std::optional<std::uint64_t> deadline;
  std::optional<std::uint64_t> period;
};

struct IoPriority {
  std::string io_class;  // "IOPRIO_CLASS_BE", ...
  std::int32_t priority = 0;
};

struct ExecCpuAffinity {
  std::string initial;
  std::string final_mask;
};

struct Process {
  bool terminal = false;
  std::optional<ConsoleSize> console_size;
  User user;
  std::vector<std::string> args;
  std::vector<std::string> env;
  std::string cwd;
  std::optional<Capabilities> capabilities;
  std::vector<Rlimit> rlimits;
  bool no_new_privileges = false;
  std::string apparmor_profile;
  std::string selinux_label;
  std::optional<std::int32_t> oom_score_adj;
  std::optional<Scheduler> scheduler;
  std::optional<IoPriority> io_priority;
  std::optional<ExecCpuAffinity> exec_cpu_affinity;
  std::optional<Landlock> landlock;  // not in the specification; both spellings of proposal #1241
};

struct Hook {
  std::string path;
  std::vector<std::string> args;
  std::optional<std::vector<std::string>> env;  // absent: see the hook's kind
  std::optional<std::int32_t> timeout;          // seconds
};

struct Hooks {
  std::vector<Hook> prestart;
  std::vector<Hook> create_runtime;
  std::vector<Hook> create_container;
  std::vector<Hook> start_container;
  std::vector<Hook> poststart;
  std::vector<Hook> poststop;
};

struct Device {
  std::string path;
  std::string type;  // "c", "b", "u", "p"
  std::int64_t major = 0;
  std::int64_t minor = 0;
  std::optional<std::uint32_t> file_mode;
  std::optional<std::uint32_t> uid;
  std::optional<std::uint32_t> gid;
};

struct TimeOffset {
  std::int64_t secs = 0;
  std::uint32_t nanosecs = 0;
};

struct Personality {
  std::string domain;  // "LINUX" or "LINUX32"
  std::vector<std::string> flags;
};

struct MemoryPolicy {
  std::string mode;  // "MPOL_BIND", ...
  std::string nodes;
  std::vector<std::string> flags;
};

struct NetDevice {
  std::string name;  // new name in the container; empty: keep
};

struct IntelRdt {
  std::string clos_id;
  std::vector<std::string> schemata;
  std::string l3_cache_schema;
  std::string mem_bw_schema;
  bool enable_monitoring = false;
};

struct Linux {
  std::vector<IdMapping> uid_mappings;
  std::vector<IdMapping> gid_mappings;
  std::map<std::string, TimeOffset> time_offsets;  // "monotonic", "boottime"
  std::vector<Namespace> namespaces;
  std::vector<Device> devices;
  std::map<std::string, NetDevice> net_devices;  // key: name on the host
  std::string cgroups_path;
  std::optional<Resources> resources;
  std::string rootfs_propagation;
  std::optional<Seccomp> seccomp;
  std::vector<std::string> masked_paths;
  std::vector<std::string> readonly_paths;
  std::string mount_label;
  std::map<std::string, std::string> sysctl;
  std::optional<IntelRdt> intel_rdt;
  std::optional<MemoryPolicy> memory_policy;
  std::optional<Personality> personality;
};

struct Spec {
  std::string oci_version;
  std::optional<Process> process;
  std::optional<Root> root;
  std::string hostname;
  std::string domainname;
  std::vector<Mount> mounts;
  Hooks hooks;
  std::map<std::string, std::string> annotations;
  std::optional<Linux> linux_;  // `linux` is a predefined macro in GNU mode
};

}  // namespace langsbx::oci
