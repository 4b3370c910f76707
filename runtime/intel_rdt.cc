// linux.intelRdt: the container's class of service in resctrl.
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>

#include "runtime/host_setup.h"
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

// Removes what was made when a later step fails.
class MadeGroup {
 public:
  MadeGroup() = default;
  MadeGroup(const MadeGroup&) = delete;
  MadeGroup& operator=(const MadeGroup&) = delete;
  ~MadeGroup() {
    if (!path_.empty()) ::rmdir(path_.c_str());
  }
  void set(std::string path) { path_ = std::move(path); }
  std::string keep() { return std::exchange(path_, {}); }

 private:
  std::string path_;
};

Result<std::string> join(const oci::IntelRdt& settings, const std::string& id, pid_t pid) {
  const std::string mount = TRY(find_resctrl());
  const std::string text = schemata_text(settings);
  const bool is_root = settings.clos_id == "/";
  const bool is_shared = !settings.clos_id.empty();
  const std::string group = is_root ? mount : mount + "/" + (is_shared ? settings.clos_id : id);
  MadeGroup made_class;
  MadeGroup made_monitor;
  // A class that is only named has to be prepared by the host's administrator.
  if (is_shared && text.empty()) {
    if (::access(group.c_str(), F_OK) != 0) return system_error("closID: access " + group);
  } else if (!is_root && TRY(make_group(group))) {
    made_class.set(group);
  }
  TRY(write_schemata(mount, group, text));
  TRY(write_file(group + "/tasks", std::to_string(pid)));
  if (settings.enable_monitoring) {
    const std::string monitor = group + "/mon_groups/" + id;
    if (TRY(make_group(monitor))) made_monitor.set(monitor);
    TRY(write_file(monitor + "/tasks", std::to_string(pid)));
  }
  // Other containers may have joined a class with a name; it stays. With a class of ours its
  // monitoring group goes by itself.
  const std::string own_class = made_class.keep();
  const std::string own_monitor = made_monitor.keep();
  return is_shared ? own_monitor : own_class;
}

}  // namespace

Result<std::string> join_intel_rdt(const oci::IntelRdt& settings, const std::string& id,
                                   pid_t pid) {
  auto directory = join(settings, id, pid);
  if (!directory.ok()) return directory.release_error().with_context("linux.intelRdt");
  return directory;
}

}  // namespace langsbx::runtime
