// The config.json that `spec` writes: a shell with few capabilities, to be edited.
#include "cmd/langsbx/spec_template.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "cmd/langsbx/version.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;

Json mount(const char* destination, const char* type, const char* source,
           const std::vector<std::string>& options) {
  Json json;
  json["destination"] = destination;
  json["type"] = type;
  json["source"] = source;
  if (!options.empty()) json["options"] = options;
  return json;
}

Json process() {
  const std::vector<std::string> capabilities{"CAP_AUDIT_WRITE", "CAP_KILL",
                                              "CAP_NET_BIND_SERVICE"};
  Json json;
  json["terminal"] = true;
  json["user"] = {{"uid", 0}, {"gid", 0}};
  json["args"] = {"sh"};
  json["env"] = {"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "TERM=xterm"};
  json["cwd"] = "/";
  // Inheritable stays empty, or programs would gain file capabilities nobody meant.
  for (const char* set : {"bounding", "effective", "permitted"})
    json["capabilities"][set] = capabilities;
  json["rlimits"] = Json::array({{{"type", "RLIMIT_NOFILE"}, {"hard", 1024}, {"soft", 1024}}});
  json["noNewPrivileges"] = true;
  return json;
}

Json mounts(bool rootless) {
  Json json = Json::array();
  json.push_back(mount("/proc", "proc", "proc", {}));
  json.push_back(
      mount("/dev", "tmpfs", "tmpfs", {"nosuid", "strictatime", "mode=755", "size=65536k"}));
  std::vector<std::string> pts{"nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620"};
  // The group tty is not mapped when only one group is.
  if (!rootless) pts.emplace_back("gid=5");
  json.push_back(mount("/dev/pts", "devpts", "devpts", pts));
  json.push_back(
      mount("/dev/shm", "tmpfs", "shm", {"nosuid", "noexec", "nodev", "mode=1777", "size=65536k"}));
  json.push_back(mount("/dev/mqueue", "mqueue", "mqueue", {"nosuid", "noexec", "nodev"}));
  // Without a network namespace of its own a container can't mount sysfs.
  json.push_back(rootless
                     ? mount("/sys", "none", "/sys", {"rbind", "nosuid", "noexec", "nodev", "ro"})
                     : mount("/sys", "sysfs", "sysfs", {"nosuid", "noexec", "nodev", "ro"}));
  json.push_back(
      mount("/sys/fs/cgroup", "cgroup", "cgroup", {"nosuid", "noexec", "nodev", "relatime", "ro"}));
  return json;
}

Json linux_part(const SpecTemplate& what) {
  Json json;
  if (what.rootless) {
    const auto mapping = [](unsigned host) {
      return Json::array({{{"containerID", 0}, {"hostID", host}, {"size", 1}}});
    };
    json["uidMappings"] = mapping(what.uid);
    json["gidMappings"] = mapping(what.gid);
  } else {
    json["resources"]["devices"] = Json::array({{{"allow", false}, {"access", "rwm"}}});
  }
  std::vector<std::string> namespaces{"pid", "ipc", "uts", "mount"};
  if (!what.rootless) namespaces.insert(namespaces.begin() + 1, "network");
  if (what.rootless) namespaces.emplace_back("user");
  if (what.cgroup_namespace) namespaces.emplace_back("cgroup");
  for (const std::string& name : namespaces) json["namespaces"].push_back({{"type", name}});
  json["maskedPaths"] = {"/proc/acpi",
                         "/proc/asound",
                         "/proc/interrupts",
                         "/proc/kcore",
                         "/proc/keys",
                         "/proc/latency_stats",
                         "/proc/timer_list",
                         "/proc/timer_stats",
                         "/proc/sched_debug",
                         "/sys/firmware",
                         "/sys/devices/virtual/powercap",
                         "/proc/scsi"};
  json["readonlyPaths"] = {"/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys",
                           "/proc/sysrq-trigger"};
  return json;
}

}  // namespace

std::string spec_template_json(const SpecTemplate& what) {
  Json json;
  json["ociVersion"] = kSpecVersion;
  json["process"] = process();
  json["root"] = {{"path", "rootfs"}, {"readonly", true}};
  json["hostname"] = "langsbx";
  json["mounts"] = mounts(what.rootless);
  json["linux"] = linux_part(what);
  return json.dump(1, '\t') + "\n";
}

}  // namespace langsbx::cmd
