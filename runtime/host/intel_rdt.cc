// linux.intelRdt: the container's class of service in resctrl.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "runtime/host/resctrl.h"
#include "runtime/kernel/file.h"

namespace langsbx::runtime {
namespace {

std::string_view next_word(std::string_view& text, char separator) {
  const auto end = text.find(separator);
  const auto word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

// ID PARENT MAJOR:MINOR ROOT MOUNTPOINT OPTIONS [TAG...] - TYPE SOURCE SUPER_OPTIONS
std::optional<std::string_view> resctrl_mount_point(std::string_view line) {
  std::string_view point;
  for (int field = 1; field <= 5; ++field) point = next_word(line, ' ');
  const auto separator = line.find(" - ");
  if (separator == std::string_view::npos) return std::nullopt;
  line.remove_prefix(separator + 3);
  if (next_word(line, ' ') != "resctrl") return std::nullopt;
  return point;
}

Result<std::string> find_resctrl() {
  const auto mounts = TRY(read_file("/proc/self/mountinfo"));
  std::string_view rest = mounts;
  while (!rest.empty()) {
    const auto point = resctrl_mount_point(next_word(rest, '\n'));
    // An escaped character (\040) is nothing a mount of resctrl needs.
    if (point && point->find('\\') == std::string_view::npos) return std::string(*point);
  }
  return make_error(ErrorKind::kUnsupported, "resctrl is not mounted on this host");
}

// A class of bandwidth in l3CacheSchema yields to memBwSchema, where both are given.
std::string cache_lines(const oci::IntelRdt& settings) {
  std::string lines;
  std::string_view rest = settings.l3_cache_schema;
  while (!rest.empty()) {
    const auto line = next_word(rest, '\n');
    if (line.empty() || (!settings.mem_bw_schema.empty() && line.starts_with("MB:"))) continue;
    lines += std::string(line) + "\n";
  }
  return lines;
}

// The kernel takes all lines of one write, later ones over earlier ones.
std::string schemata_text(const oci::IntelRdt& settings) {
  std::string text = cache_lines(settings);
  if (!settings.mem_bw_schema.empty()) text += settings.mem_bw_schema + "\n";
  for (const auto& line : settings.schemata) text += line + "\n";
  return text;
}

// True when it was not there before.
Result<bool> make_group(const std::string& path) {
  if (::mkdir(path.c_str(), 0755) == 0) return true;
  if (errno == EEXIST) return false;
  return system_error("mkdir " + path);
}

// resctrl tells why it refused a write in a file of its own.
Result<void> write_schemata(const std::string& mount, const std::string& group,
                            const std::string& text) {
  if (text.empty()) return {};
  auto written = write_file(group + "/schemata", text);
  if (written.ok()) return {};
  auto error = written.release_error();
  auto reason = read_file(mount + "/info/last_cmd_status", 4096).value_or("");
  while (!reason.empty() && reason.back() == '\n') reason.pop_back();
  if (!reason.empty() && reason != "ok") error.message += " (" + reason + ")";
  return error;
}

struct Places {
  std::string mount;
  std::string group;
  std::string monitor;
};

Result<Places> find_places(const oci::IntelRdt& settings, const std::string& id) {
  Places places;
  places.mount = TRY(find_resctrl());
  const bool is_root = settings.clos_id == "/";
  const std::string name = settings.clos_id.empty() ? id : settings.clos_id;
  places.group = is_root ? places.mount : places.mount + "/" + name;
  places.monitor = places.group + "/mon_groups/" + id;
  return places;
}

Result<ResctrlDirectory> join(const oci::IntelRdt& settings, const std::string& id, pid_t pid) {
  const auto places = TRY(find_places(settings, id));
  const std::string text = schemata_text(settings);
  const bool is_shared = !settings.clos_id.empty();
  ResctrlDirectory made_class;
  ResctrlDirectory made_monitor;
  // A class that is only named has to be prepared by the host's administrator.
  if (is_shared && text.empty()) {
    if (::access(places.group.c_str(), F_OK) != 0) {
      return system_error("closID: access " + places.group);
    }
  } else if (places.group != places.mount && TRY(make_group(places.group))) {
    made_class = ResctrlDirectory(places.group);
  }
  TRY(write_schemata(places.mount, places.group, text));
  TRY(write_file(places.group + "/tasks", std::to_string(pid)));
  if (settings.enable_monitoring) {
    if (TRY(make_group(places.monitor))) made_monitor = ResctrlDirectory(places.monitor);
    TRY(write_file(places.monitor + "/tasks", std::to_string(pid)));
  }
  if (!is_shared) {
    // Its monitoring group goes with it.
    made_monitor.keep();
    return made_class;
  }
  // Other containers may have joined a class with a name; it stays.
  made_class.keep();
  return made_monitor;
}

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

}  // namespace

ResctrlDirectory& ResctrlDirectory::operator=(ResctrlDirectory&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

ResctrlDirectory::~ResctrlDirectory() {
  if (!path_.empty()) ::rmdir(path_.c_str());
}

std::string planned_resctrl_directory(const oci::IntelRdt& settings, const std::string& id) {
  const auto places = find_places(settings, id);
  if (!places.ok()) return {};
  const bool is_shared = !settings.clos_id.empty();
  if (is_shared && !settings.enable_monitoring) return {};
  const std::string& planned = is_shared ? places->monitor : places->group;
  return is_there(planned) ? std::string() : planned;
}

Result<ResctrlDirectory> join_intel_rdt(const oci::IntelRdt& settings, const std::string& id,
                                        pid_t pid) {
  auto directory = join(settings, id, pid);
  if (!directory.ok()) return directory.release_error().with_context("linux.intelRdt");
  return directory;
}

Result<void> update_intel_rdt(const oci::IntelRdt& settings, const std::string& id) {
  const auto places = TRY(find_places(settings, id));
  return write_schemata(places.mount, places.group, schemata_text(settings));
}

nlohmann::ordered_json intel_rdt_stats(const oci::IntelRdt& settings, const std::string& id) {
  const auto places = find_places(settings, id);
  if (!places.ok()) return nlohmann::ordered_json::object();
  const bool monitored = settings.enable_monitoring && is_there(places->monitor);
  return read_resctrl_stats(places->mount, places->group,
                            monitored ? places->monitor : places->group);
}

}  // namespace langsbx::runtime
