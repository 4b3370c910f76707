// What is going to be made and written for a container: decided before anything is touched.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "oci/spec_resources.h"
#include "runtime/cgroup/host.h"

namespace langsbx::cgroup {

enum class Manager : std::uint8_t { kCgroupfs, kSystemd, kDisabled };

struct Owner {
  uid_t uid = 0;
  gid_t gid = 0;
};

struct Config {
  Manager manager = Manager::kCgroupfs;
  std::string id;
  std::string path;       // linux.cgroupsPath
  bool rootless = false;  // no cgroup is an acceptable outcome when no limit is asked for
  const oci::Resources* resources = nullptr;                        // linux.resources
  const std::map<std::string, std::string>* annotations = nullptr;  // org.systemd.property.*
  std::optional<Owner> delegate_to;  // v2 + new cgroup namespace + writable cgroup mount: chown
};

// A controller that cgroup2 must offer, and the first field that asks for it.
struct RequiredController {
  std::string name;   // "memory"
  std::string field;  // "linux.resources.memory.limit"
};

// One value for one file, with the field of config.json that asks for it.
struct Write {
  std::string controller;  // whose directory: "memory"; empty: cgroup2 core files
  std::string file;        // "memory.max"
  std::string value;
  std::string field;  // "linux.resources.memory.limit"
  // Tried when `file` does not exist (blkio.weight and blkio.bfq.weight).
  std::string other_file = {};
  std::string other_value = {};
  // EINVAL postpones the write until the others are done: memory against memory+swap, period
  // and burst against quota, each of which depends on the other's old value.
  bool order_free = false;
  bool missing_ok = false;   // no such file: not written (hugetlb rsvd on old kernels)
  bool best_effort = false;  // any refusal by the kernel is a warning (v1 kernel memory)
  bool by_line = false;      // multi-line value: one write(2) a line
};

// One directory of one hierarchy.
struct Placement {
  std::vector<std::string> controllers;  // empty: cgroup2
  std::string mount_point;
  std::string directory;  // absolute, below mount_point

  [[nodiscard]] bool has(std::string_view controller) const;
};

// A property of a systemd unit: its D-Bus signature and its value as JSON text.
struct UnitProperty {
  std::string name;
  std::string signature;  // "t", "s", "as", "a(ss)", ...
  std::string json;
};

struct Unit {
  std::string name;   // "langsbx-ID.scope"; ends in .slice for a slice
  std::string slice;  // "system.slice"
  bool user_bus = false;
  std::string subgroup;  // below the unit's cgroup; empty: the unit's cgroup itself
  std::vector<UnitProperty> properties;
};

struct Plan {
  Mode mode = Mode::kNone;
  Manager manager = Manager::kCgroupfs;
  std::vector<Placement> placements;  // systemd: filled when the unit exists
  std::vector<Write> before_join;     // v1 cpu.rt_*: needed before a process can enter
  std::vector<Write> writes;
  std::vector<std::uint64_t> device_program;  // cgroup2: BPF instructions; empty: none
  std::optional<Unit> unit;
  std::optional<Owner> delegate_to;
  std::vector<RequiredController> required_controllers;  // cgroup2: those `writes` belongs to
  std::int64_t memory_must_exceed_usage = 0;             // memory.checkBeforeUpdate: the new limit
  bool may_do_without = false;  // rootless without limits: no permission means no cgroup
  bool rootless = false;
  std::vector<std::string> warnings;
  Host host;  // systemd: where the unit's cgroup will be found
};

// Pure: every refusal that config and host can show is made here; errors name the field.
Result<Plan> plan(const Config& config, const Host& host);

}  // namespace langsbx::cgroup
