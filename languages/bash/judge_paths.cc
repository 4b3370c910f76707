// Paths: where a file stands, for operands, options and redirections alike.
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/rules.h"
#include "languages/work_area.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

template <typename Texts>
bool any_prefix(std::string_view path, const Texts& prefixes) {
  for (const std::string_view prefix : prefixes) {
    if (path.starts_with(prefix)) return true;
  }
  return false;
}

// The same for whole names: what follows may be a part of the path or a text nobody knows.
template <typename Texts>
bool any_name(std::string_view path, const Texts& names) {
  for (const std::string_view name : names) {
    if (path.size() < name.size() || path[name.size() - 1] != name.back()) continue;
    if (!path.starts_with(name)) continue;
    const char next = path.size() == name.size() ? '/' : path[name.size()];
    if (next == '/' || next == '*' || next == '?' || next == '[' || next == '{' ||
        is_marker(next)) {
      return true;
    }
  }
  return false;
}

// What of a path stands in somebody's home directory, from its '/' on.
std::string_view below_home(std::string_view path) {
  if (path[0] == kHome) return path.substr(1);
  if (path.starts_with("/root/")) return path.substr(5);
  if (!path.starts_with("/home/")) return {};
  return path.substr(std::min(path.find('/', 6), path.size()));
}

// Beside the secrets, and none: who else is known, what is public, settings.
bool beside_secrets(std::string_view path, bool writes) {
  static constexpr auto kFree =
      text_list("/.docker/run", "/.kube/cache", "/.kube/kube-ps1", "/.ssh/known_hosts");
  static constexpr auto kReadable =
      text_list("/.ssh/config", "/.gnupg/gpg.conf", "/.gnupg/gpg-agent.conf",
                "/.docker/cli-plugins", "/.gnupg/dirmngr.conf");
  for (const char c : path) {
    if (is_marker(c)) return false;
  }
  if (any_name(path, kFree)) return path.find("..") == std::string_view::npos;
  return !writes && (any_name(path, kReadable) || path.ends_with(".pub"));
}

bool is_secret(std::string_view path, bool writes) {
  static constexpr auto kSecrets =
      text_list("/etc/ssl/private", "/etc/ssh/ssh_host", "/run/secrets", "/var/run/secrets",
                "/var/run/docker.sock", "/run/docker.sock", "/run/containerd/containerd.sock",
                "/dev/mem", "/dev/kmem", "/proc/kcore", "/etc/krb5.keytab");
  static constexpr auto kFiles = text_list("/etc/shadow", "/etc/shadow-", "/etc/gshadow",
                                           "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d");
  static constexpr auto kHomeSecrets =
      text_list("/.ssh", "/.aws", "/.gnupg", "/.netrc", "/.kube", "/.docker", "/.git-credentials",
                "/.npmrc", "/.pgpass", "/.my.cnf", "/.bash_history", "/.zsh_history",
                "/.config/gcloud", "/.config/gh", "/.config/rclone", "/.local/share/keyrings",
                "/.vault-token", "/.azure", "/.pypirc", "/.password-store");
  const std::string_view home = below_home(path);
  if (!home.empty()) return any_name(home, kHomeSecrets) && !beside_secrets(home, writes);
  if (any_name(path, kFiles)) return true;
  if (any_prefix(path, kSecrets)) return writes || !path.ends_with(".pub");
  return path.starts_with("/proc/") && (path.ends_with("/environ") || path.ends_with("/mem"));
}

bool persists(std::string_view path) {
  static constexpr auto kStartup =
      text_list("/etc/cron", "/var/spool/cron", "/etc/init.d", "/etc/rc.local",
                "/etc/systemd/system", "/etc/systemd/user", "/lib/systemd", "/usr/lib/systemd",
                "/etc/profile", "/etc/bash.bashrc", "/etc/ld.so.preload", "/etc/passwd",
                "/etc/shadow", "/etc/sudoers", "/etc/pam.d", "/etc/update-motd.d");
  static constexpr auto kHomeStartup =
      text_list("/.bashrc", "/.profile", "/.bash_profile", "/.bash_login", "/.bash_logout",
                "/.bashrc.d", "/.zshrc", "/.zprofile", "/.zshenv", "/.zlogin", "/.config/autostart",
                "/.config/systemd", "/.ssh/authorized_keys");
  const std::string_view home = below_home(path);
  return home.empty() ? any_prefix(path, kStartup) : any_name(home, kHomeStartup);
}

bool harmless_device(std::string_view path, bool writes) {
  static constexpr auto kDevices =
      text_list("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/full");
  static constexpr auto kSources = text_list("/dev/zero", "/dev/random", "/dev/urandom");
  for (const std::string_view device : kDevices) {
    if (path == device) return true;
  }
  for (const std::string_view device : kSources) {
    if (path == device && !writes) return true;
  }
  return path.starts_with("/dev/fd/");
}

// Disks and memory: what is written there is not a file.
bool is_disk(std::string_view path) {
  static constexpr auto kDisks = text_list("/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme",
                                           "/dev/mmcblk", "/dev/mapper", "/dev/md", "/dev/dm-",
                                           "/dev/mem", "/dev/kmem", "/dev/port", "/dev/nbd");
  return any_prefix(path, kDisks);
}

// Without "." and "//", ".." taken back; up to the first thing that is not known. `up`: how far it
// climbs above where it starts.
std::string normalise(std::string_view path, int& up) {
  std::vector<std::string_view> parts;
  const bool absolute = !path.empty() && path[0] == '/';
  up = 0;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    start = end + 1;
    if (part.empty() || part == ".") continue;
    if (part != "..") {
      parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    } else if (!absolute) {
      ++up;
    }
  }
  std::string out;
  for (const std::string_view part : parts) {
    if (absolute || !out.empty()) out += '/';
    out += part;
  }
  return out.empty() ? (absolute ? "/" : ".") : out;
}

bool needs(const Policy& policy, PathUse use) {
  switch (use) {
    case PathUse::kWrite:
      return !policy.allows(Capability::kFilesWrite);
    case PathUse::kDelete:
      return !policy.allows(Capability::kFilesDelete);
    case PathUse::kRead:
    case PathUse::kRun:
    case PathUse::kList:
      return false;
  }
  return false;
}

// The script's own file, by $0 or by its name.
bool is_script(std::string_view text, const Source& source) {
  if (text.size() > 1 && text[0] == kHere && text.substr(1) == "/script") return true;
  const std::string_view base = source.path.substr(source.path.rfind('/') + 1);
  while (text.starts_with("./")) text.remove_prefix(2);
  return !base.empty() && text == base;
}

// Where a name that nobody saw is opened both ways, it is a pipe of the script's own.
bool makes_pipe(std::string_view script) {
  return script.find("mkfifo") != std::string_view::npos ||
         script.find("mktemp") != std::string_view::npos;
}

}  // namespace

bool ruinous(std::string_view target) {
  static constexpr auto kPillars = text_list(
      "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib32", "/lib64", "/opt", "/proc",
      "/root", "/run", "/sbin", "/srv", "/sys", "/usr", "/var", "/usr/bin", "/usr/lib", "/var/lib");
  std::string text;
  bool unset = false;
  for (const char c : target) {
    unset = unset || c == kUnset;
    if (c != kUnset) text += c;
  }
  // "$UNSET" alone deletes nothing; "$UNSET/" and "$UNSET/"* everything.
  if (unset && text != "/" && text != "/*" && text != "/.") return false;
  while (text.size() > 1 && (text.ends_with("/*") || text.ends_with('/') || text.ends_with("/."))) {
    text.resize(text.size() - (text.ends_with('/') ? 1 : 2));
    if (text.empty()) return true;
  }
  if (text.empty() || text == std::string(1, kHome)) return !text.empty();
  if (text[0] != '/') return false;
  int up = 0;
  text = normalise(text, up);
  if (text == "/" || text == "/*") return true;
  for (const std::string_view pillar : kPillars) {
    if (text == pillar) return true;
  }
  return false;
}

void Judge::judge_path(const Argument& argument, PathUse use) {
  judge_path_text(argument.text, argument, use);
}

void Judge::judge_path_text(std::string_view text, const Argument& at, PathUse use) {
  if (text.empty()) return;
  if (needs(policy_, use)) {
    report("bash-file-command"_rule,
           use == PathUse::kDelete ? Capability::kFilesDelete : Capability::kFilesWrite, at.offset,
           at.length, text);
  }
  if (use == PathUse::kWrite && is_script(text, source_)) {
    // The shell reads on where it was: what stands there now runs unjudged.
    return report("bash-dynamic-code"_rule, at.offset, at.length, text);
  }
  const char first = text[0];
  if (first == '/' || first == kHome) return judge_absolute(text, at, use);
  if (first == kUnset && text.size() > 1 && text[1] == '/') {
    // With an empty variable in front this is an absolute path.
    if (!policy_.allows(Capability::kFilesOutside)) judge_absolute(text.substr(1), at, use);
    return;
  }
  std::string_view rest = text;
  if (first == kHere) {
    // Absolute in form, but beside the script: only climbing counts.
    rest.remove_prefix(1);
    while (rest.starts_with('/')) rest.remove_prefix(1);
  }
  if (rest.find("..") == std::string_view::npos) return;
  int up = 0;
  normalise(rest, up);
  // An unknown directory may be deep enough for one step up, not for more.
  const int most = first == kUnknown || first == kUnset ? 1 : 0;
  if (up > most) report("bash-path-outside"_rule, at.offset, at.length, text);
}

void Judge::judge_absolute(std::string_view path, const Argument& at, PathUse use) {
  int up = 0;
  std::string known = normalise(path, up);
  if (path[0] == kHome) known[0] = kHome;
  const bool writes = use == PathUse::kWrite || use == PathUse::kDelete;
  if (known.starts_with("/dev/tcp/") || known.starts_with("/dev/udp/")) {
    return report("bash-network-redirection"_rule, at.offset, at.length, path);
  }
  if (harmless_device(known, writes)) return;
  if (is_secret(known, writes)) report("bash-secret-path"_rule, at.offset, at.length, path);
  if (writes && persists(known)) report("bash-persistence"_rule, at.offset, at.length, path);
  if (writes && is_disk(known)) {
    return report("bash-device-write"_rule, at.offset, at.length, path);
  }
  if (use == PathUse::kWrite &&
      (known.starts_with("/dev/") || known.starts_with("/sys/") || known.starts_with("/proc/")) &&
      !known.starts_with("/dev/shm/")) {
    return report("bash-system-command"_rule, at.offset, at.length, path);
  }
  // What is not known may be anything below, or (in the last part) a longer name.
  const std::size_t unknown =
      known.find_first_of(std::string{kUnknown, kUnset, kHere, '*', '?', '['});
  std::string_view prefix = known;
  if (unknown != std::string::npos) prefix = prefix.substr(0, known.rfind('/', unknown));
  if (path[0] != kHome && !prefix.empty() &&
      place_of_path(prefix, policy_, writes) == PathPlace::kInside) {
    return;
  }
  report("bash-path-outside"_rule, at.offset, at.length, path);
}

void Judge::judge_redirect(const Redirect& redirect, const Command& command) {
  if (redirect.target == nullptr) return;
  if (redirect.op == RedirectOp::kDuplicate || redirect.op == RedirectOp::kHereString) return;
  const bool reads = redirect.op == RedirectOp::kRead;
  std::vector<Argument> targets;
  values_.expand(*redirect.target, targets);
  for (const Argument& target : targets) {
    const std::string_view text = target.text;
    bool descriptor = !text.empty();
    for (const char c : text) descriptor = descriptor && (is_digit(c) || c == '-' || c == kUnknown);
    const std::string_view source =
        source_.bytes.substr(std::min<std::size_t>(redirect.offset, source_.bytes.size()), 8);
    if (descriptor && source.find('&') != std::string_view::npos &&
        source.find('&') < source.find_first_of(" \"$\n")) {
      continue;  // >&$fd
    }
    if (text.starts_with("/dev/tcp/") || text.starts_with("/dev/udp/")) {
      report("bash-network-redirection"_rule, target);
      connects_ = arrives_ = true;
      if (command.words != nullptr) {
        const CommandInfo* info = find_command(command.words->text);
        if (info != nullptr && info->handler == Handler::kShell)
          report("bash-reverse-shell"_rule, target);
      }
      continue;
    }
    if (harmless_device(text, !reads)) continue;
    // exec 3<>"$(...)": what a command made up, opened both ways as a connection is.
    const bool made = !text.empty() && text[0] == kUnknown;
    if (made && redirect.op == RedirectOp::kReadWrite && !makes_pipe(source_.bytes)) {
      report("bash-network-redirection"_rule, target);
      continue;
    }
    if (reads && !policy_.allows(Capability::kFilesRead)) {
      report("bash-file-command"_rule, Capability::kFilesRead, target.offset, target.length, text);
    }
    judge_path(target, reads ? PathUse::kRead : PathUse::kWrite);
  }
}

// Operands and the values of options that look like paths. `skip`: operands that are no paths.
void Judge::judge_disks(std::string_view command, Arguments arguments) {
  const auto lists = [](const Argument& argument) {
    return argument.text == "-l" || argument.text == "--list";
  };
  // Without a change to them.
  if (command.ends_with("fdisk") && std::any_of(arguments.begin(), arguments.end(), lists)) return;
  for (const Argument& argument : arguments) {
    int up = 0;
    if (argument.text.starts_with('/') && is_disk(normalise(argument.text, up))) {
      report("bash-device-write"_rule, argument);
    }
  }
}

void Judge::judge_operands(std::string_view command, Arguments arguments, PathUse use,
                           std::size_t skip) {
  bool options = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& argument = arguments[i];
    const std::string_view text = argument.text;
    if (options && text == "--") {
      options = false;
    } else if (options && text.size() > 1 && text[0] == '-') {
      if (judge_option(command, arguments, i)) continue;
      const std::size_t equals = text.find('=');
      if (text.starts_with("--") && equals != std::string_view::npos) {
        const std::string_view value = text.substr(equals + 1);
        if (!value.empty() && (value[0] == '/' || value[0] == kHome || value.starts_with("../"))) {
          judge_path_text(value, argument, use);
        }
      } else if (!text.starts_with("--") && text.size() > 3 && text[2] == '/') {
        judge_path_text(text.substr(2), argument, use);
      }
    } else if (skip > 0) {
      --skip;
    } else {
      judge_path(argument, use);
    }
  }
}

// True when the option has been dealt with; `index` moves over a value of its own.
bool Judge::judge_option(std::string_view command, Arguments arguments, std::size_t& index) {
  const Argument& argument = arguments[index];
  if (argument.text.empty()) return false;
  std::string_view value;
  const OptionRule* rule = match_option(command, argument.text, value);
  if (rule == nullptr) return false;
  switch (rule->effect) {
    case OptionEffect::kSpawns:
      report("bash-spawn-option"_rule, argument);
      return true;
    case OptionEffect::kRunsFile:
      report("bash-dynamic-code"_rule, argument);
      return true;
    case OptionEffect::kConnects:
      report("bash-network-command"_rule, argument);
      return true;
    case OptionEffect::kAdmin:
      report("bash-system-command"_rule, argument);
      return true;
    case OptionEffect::kOutside:
      report("bash-path-outside"_rule, argument);
      return true;
    case OptionEffect::kMode:
      if (value.empty() && index + 1 < arguments.size()) value = arguments[++index].text;
      if (special_mode(value)) report("bash-system-command"_rule, argument);
      return true;
    case OptionEffect::kReads:
    case OptionEffect::kWrites:
      break;
  }
  const PathUse use = rule->effect == OptionEffect::kReads ? PathUse::kRead : PathUse::kWrite;
  if (!value.empty()) {
    judge_path_text(value, argument, use);
  } else if (index + 1 < arguments.size()) {
    judge_path(arguments[++index], use);
  }
  return true;
}

}  // namespace langsbx::languages::bash
