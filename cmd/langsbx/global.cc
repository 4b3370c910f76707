// Parses the options before the command.
#include "cmd/langsbx/global.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/confine/landlock_mode.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/own_status.h"

namespace langsbx::cmd {
namespace {

Error bad_value(std::string_view option, std::string_view value, std::string_view expected) {
  return make_error(ErrorKind::kInvalidInput, "invalid value \"" + std::string(value) +
                                                  "\" for flag -" + std::string(option) +
                                                  ": expected " + std::string(expected));
}

Result<cgroup::Manager> parse_manager(const std::string& name, bool systemd_cgroup) {
  if (systemd_cgroup || name == "systemd") return cgroup::Manager::kSystemd;
  if (name.empty() || name == "cgroupfs") return cgroup::Manager::kCgroupfs;
  if (name == "disabled") return cgroup::Manager::kDisabled;
  return bad_value("cgroup-manager", name, "cgroupfs, systemd or disabled");
}

Result<std::optional<bool>> parse_rootless(const std::string& value) {
  if (value.empty() || value == "auto") return std::optional<bool>();
  if (value == "true") return std::optional<bool>(true);
  if (value == "false") return std::optional<bool>(false);
  return bad_value("rootless", value, "true, false or auto");
}

// Root of a user namespace is not root of the host.
bool in_user_namespace() {
  if (in_initial_user_namespace()) return false;
  auto map = read_file("/proc/self/uid_map", 65536);
  if (!map.ok()) return false;
  std::string compact;
  for (const char letter : map.value()) {
    if (letter != ' ' || (!compact.empty() && compact.back() != ' ')) compact += letter;
  }
  return compact != "0 0 4294967295\n";
}

struct RawOptions {
  std::string log_format;
  std::string log_level;
  std::string cgroup_manager;
  std::string rootless;
  std::string criu;
  bool systemd_cgroup = false;
};

void declare(OptionTable& table, Global& global, RawOptions& raw) {
  table.flag("debug", &global.debug, "enable debug logging");
  table.text("log", &global.log.destination, "FILE",
             "log to FILE, file:FILE, syslog:NAME or journald:NAME instead of stderr");
  table.text("log-format", &raw.log_format, "FORMAT", "text (default) or json");
  table.text("log-level", &raw.log_level, "LEVEL", "error, warning, info or debug");
  table.text("root", &global.root, "DIR", "where the state of containers is kept");
  table.flag("systemd-cgroup", &raw.systemd_cgroup,
             "let systemd make the cgroup; cgroupsPath is slice:prefix:name");
  table.text("cgroup-manager", &raw.cgroup_manager, "NAME", "cgroupfs, systemd or disabled");
  table.text("rootless", &raw.rootless, "WHETHER",
             "ignore cgroup permission errors: true, false or auto");
  table.text("config", &global.config_file, "FILE",
             "read this instead of the bundle's config.json");
  table.filled("profile", &global.guard_profile, "NAME", "judge programs by this guard profile");
  table.filled("landlock", &global.landlock, "HOW",
               "required, auto (default: the container's layer steps aside for CAP_SYS_ADMIN), "
               "best-effort or off");
  table.text("trace", &global.trace_path, "FILE", "write a trace of the phases to FILE");
  table.text("criu", &raw.criu, "PATH", "accepted and ignored");
  table.flag("version,v", &global.version, "print the version");
}

Result<void> settle_log(LogSettings& log, const RawOptions& raw, bool debug) {
  if (!raw.log_format.empty() && raw.log_format != "text" && raw.log_format != "json")
    return bad_value("log-format", raw.log_format, "text or json");
  log.json = raw.log_format == "json";
  log.level = log.destination.empty() ? LogLevel::kWarning : LogLevel::kError;
  if (!raw.log_level.empty()) log.level = TRY(parse_level(raw.log_level));
  if (debug) log.level = LogLevel::kDebug;
  return {};
}

Result<void> settle(Global& global, const RawOptions& raw) {
  if (!global.landlock.empty() && !confine::landlock_mode_from(global.landlock))
    return bad_value("landlock", global.landlock, std::string(confine::kLandlockModes));
  global.cgroup_manager = TRY(parse_manager(raw.cgroup_manager, raw.systemd_cgroup));
  global.rootless = TRY(parse_rootless(raw.rootless));
  // Podman's user is root in a user namespace, without a right to the host's cgroups.
  if (!global.rootless && ::getauxval(AT_EUID) == 0 && in_user_namespace()) global.rootless = true;
  global.root_is_given = !global.root.empty();
  if (!global.root_is_given) global.root = default_root();
  return {};
}

}  // namespace

std::string program_name(std::string_view argv0) {
  const std::string_view base = argv0.substr(argv0.rfind('/') + 1);
  return base == "runc" || base == "crun" ? std::string(base) : "langsbx";
}

std::string default_root() {
  const char* const runtime_directory = std::getenv("XDG_RUNTIME_DIR");
  const bool has_directory = runtime_directory != nullptr && *runtime_directory == '/';
  if (::geteuid() == 0 && !(has_directory && in_user_namespace())) return "/run/langsbx";
  if (has_directory) return std::string(runtime_directory) + "/langsbx";
  return "/run/user/" + std::to_string(::geteuid()) + "/langsbx";
}

Result<GlobalParse> parse_global(std::string_view argv0, std::span<const std::string> args) {
  GlobalParse result;
  Global& global = result.global;
  global.program = program_name(argv0);
  RawOptions raw;
  OptionTable table;
  declare(table, global, raw);
  Parsed parsed = TRY(table.parse(args, Positionals::kEndOptions));
  result.help = parsed.help;
  result.rest = std::move(parsed.positionals);
  if (parsed.help || result.rest.empty() || result.rest[0] == "help") {
    result.options_help = table.help();
  }
  TRY(settle_log(global.log, raw, global.debug));
  result.values = settle(global, raw);
  return result;
}

}  // namespace langsbx::cmd
