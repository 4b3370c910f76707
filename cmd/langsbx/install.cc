// install, uninstall: tell a client of langsbx by editing its files, and undo that.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "cmd/langsbx/clients/client.h"
#include "cmd/langsbx/command.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

using clients::FileChange;
using clients::Handler;
using clients::Plan;
namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 4U << 20U;

struct Options {
  std::vector<std::string> clients;
  Handler handler;
  std::string sysroot;
  bool dry_run = false;
};

Error failed(const std::string& path, const std::error_code& error) {
  return make_error(ErrorKind::kSystem, path + ": " + error.message());
}

// The parts of a path in order, in front of those that are still to come.
void put_before(std::vector<std::string>& rest, const fs::path& path) {
  std::vector<std::string> parts;
  for (const fs::path& part : path.relative_path()) parts.push_back(part.string());
  rest.insert(rest.end(), parts.rbegin(), parts.rend());
}

// Where on this machine the file is that `path` names below the sysroot: links lead where they lead
// from there, never out of it. By text, as a sysroot need not have a /proc.
Result<std::string> place_of(const std::string& sysroot, const std::string& path) {
  constexpr int kMostLinks = 40;
  std::vector<std::string> rest;
  put_before(rest, path);
  fs::path place = "/";
  for (int links = 0; !rest.empty();) {
    const std::string part = std::move(rest.back());
    rest.pop_back();
    if (part == "..") place = place.parent_path();
    if (part.empty() || part == "." || part == "..") continue;
    std::error_code none;
    const fs::path target = fs::read_symlink(sysroot + (place / part).string(), none);
    if (none) {
      place /= part;
      continue;
    }
    if (++links > kMostLinks)
      return make_error(ErrorKind::kInvalidInput, sysroot + path + ": too many links");
    if (target.is_absolute()) place = "/";
    put_before(rest, target);
  }
  return sysroot + place.string();
}

Result<std::optional<std::string>> read_if_there(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<std::string>();
    return failed(path, std::error_code(errno, std::system_category()));
  }
  // Opening a pipe would wait for whoever writes to it.
  if (!S_ISREG(status.st_mode))
    return make_error(ErrorKind::kInvalidInput, path + ": is not a regular file");
  return std::optional(TRY(read_file(path, kLargestFile)));
}

Result<std::vector<std::string>> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory)
    return names;
  for (const fs::directory_iterator end; !error && entries != end; entries.increment(error))
    names.push_back(entries->path().filename());
  if (error) return failed(folder, error);
  std::sort(names.begin(), names.end());
  return names;
}

clients::Host make_host(const Options& options) {
  clients::Host host;
  host.read = [&](const std::string& path) -> Result<std::optional<std::string>> {
    return read_if_there(TRY(place_of(options.sysroot, path)));
  };
  host.list = [&](const std::string& folder) -> Result<std::vector<std::string>> {
    return names_in(TRY(place_of(options.sysroot, folder)));
  };
  if (::geteuid() == 0) return host;
  const char* const config = std::getenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  if (config != nullptr && *config == '/')
    host.user_config = config;
  else if (home != nullptr && *home == '/')
    host.user_config = std::string(home) + "/.config";
  return host;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// Our edits are in one place of a file: what differs lies between equal beginnings and ends.
std::string difference(const std::string& before, const std::string& after) {
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  const std::size_t shorter = std::min(old_lines.size(), new_lines.size());
  std::size_t same = 0;
  while (same < shorter && old_lines[same] == new_lines[same]) ++same;
  std::size_t tail = 0;
  while (tail < shorter - same &&
         old_lines[old_lines.size() - 1 - tail] == new_lines[new_lines.size() - 1 - tail])
    ++tail;
  std::string text;
  for (std::size_t i = same; i < old_lines.size() - tail; ++i) text += "-" + old_lines[i] + "\n";
  for (std::size_t i = same; i < new_lines.size() - tail; ++i) text += "+" + new_lines[i] + "\n";
  return text;
}

// The old file beside it, under a name that is free.
Result<std::string> keep_copy(const std::string& path, const std::string& text, mode_t mode) {
  std::string copy = path + ".before-langsbx";
  for (int number = 2; ::access(copy.c_str(), F_OK) == 0; ++number)
    copy = path + ".before-langsbx." + std::to_string(number);
  TRY(replace_file_at(AT_FDCWD, copy, text, mode));
  return copy;
}

// `path` has no links any more: a link stays a link, what it points to is replaced.
Result<std::string> write_change(const FileChange& change, const std::string& path,
                                 const std::optional<std::string>& before) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (error) return failed(path, error);
  struct stat status {};
  const bool old = ::stat(path.c_str(), &status) == 0;
  const mode_t mode = old ? status.st_mode & 07777U : change.mode;
  std::string copy;
  if (before && !change.ours) copy = TRY(keep_copy(path, *before, mode));
  if (!change.text) {
    if (!fs::remove(path, error) && error) return failed(path, error);
    return "removed " + path + "\n";
  }
  TRY(replace_file_at(AT_FDCWD, path, *change.text, mode));
  if (old && ::lchown(path.c_str(), status.st_uid, status.st_gid) != 0)
    return failed(path, std::error_code(errno, std::system_category()));
  return "wrote " + path + (copy.empty() ? "" : " (before: " + copy + ")") + "\n";
}

Result<std::string> apply(const clients::Client& client, const Plan& plan, const Options& options) {
  std::string text = plan.print;
  bool changed = false;
  for (const FileChange& change : plan.changes) {
    const std::string path = TRY(place_of(options.sysroot, change.path));
    const auto before = TRY(read_if_there(path));
    if (before == change.text) {
      if (before) text += "unchanged " + path + "\n";
      continue;
    }
    changed = true;
    if (options.dry_run)
      text += (change.text ? "would write " : "would remove ") + path + "\n" +
              difference(before.value_or(""), change.text.value_or(""));
    else
      text += TRY(write_change(change, path, before));
  }
  if (plan.print.empty() && plan.changes.empty()) text += "nothing to remove\n";
  for (const std::string& note : plan.notes) text += "note: " + note + "\n";
  if (changed && !client.restart.empty()) text += "then: " + std::string(client.restart) + "\n";
  return text;
}

Result<std::string> own_path() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  if (error) return failed("/proc/self/exe", error);
  return path.string();
}

Result<int> edit(const Invocation& invocation, bool install) {
  Options options;
  options.handler.profile = invocation.global.guard_profile;
  OptionTable table;
  table.list("for", &options.clients, "CLIENT",
             "docker, containerd, crio, podman or kubernetes; may be given several times");
  table.text("name", &options.handler.name, "NAME", "the runtime's name there; default: langsbx");
  table.filled("profile,p", &options.handler.profile, "NAME",
               "judge programs by this guard profile");
  table.text("path", &options.handler.binary, "FILE", "the program to register; default: this one");
  table.text("image", &options.handler.image, "IMAGE", "kubernetes: the installer's image");
  table.text("sysroot", &options.sysroot, "DIR", "edit the files below DIR instead of /");
  table.flag("dry-run", &options.dry_run, "show the changes only");
  if (!TRY(parse(invocation, table))) return 0;
  if (options.handler.binary.empty()) options.handler.binary = TRY(own_path());
  TRY(clients::check_handler(options.handler));
  if (options.clients.empty())
    return make_error(ErrorKind::kInvalidInput, "--for: no client is named");
  const clients::Host host = make_host(options);
  // A file that is not understood stops all of them before anything is written.
  std::vector<std::pair<const clients::Client*, Plan>> plans;
  for (const std::string& name : options.clients) {
    const clients::Client* const client = clients::find_client(name);
    if (client == nullptr)
      return make_error(ErrorKind::kInvalidInput, "--for: \"" + name + "\" is not known");
    const auto plan = install ? client->install : client->uninstall;
    plans.emplace_back(client, TRY(plan(host, options.handler)));
  }
  for (const auto& [client, plan] : plans) TRY(print(TRY(apply(*client, plan, options))));
  return 0;
}

Result<int> install(const Invocation& invocation) { return edit(invocation, true); }
Result<int> uninstall(const Invocation& invocation) { return edit(invocation, false); }

}  // namespace

extern const Command kInstall{.name = "install",
                              .arguments = "",
                              .summary = "tell Docker, containerd, CRI-O or Podman of langsbx",
                              .run = install};
extern const Command kUninstall{.name = "uninstall",
                                .arguments = "",
                                .summary = "take out what install wrote",
                                .run = uninstall};

}  // namespace langsbx::cmd
