// Podman: one drop-in file of our own for all handlers, since its lists replace earlier ones.
#include <algorithm>
#include <array>
#include <map>

#include "cmd/langsbx/clients/client.h"
#include "cmd/langsbx/clients/toml_scan.h"

namespace langsbx::clients {
namespace {

constexpr std::string_view kMark = "# Written by langsbx install";
constexpr const char* kName = "50-langsbx.conf";

// The key is runtime_supports_nocgroup in the code, whatever the manual says. By which names Podman
// knows that errors come as JSON, and that no cgroup can be asked for.
struct Lists {
  std::vector<std::string> json{"crun", "runc", "kata", "runsc", "youki", "krun"};
  std::vector<std::string> no_cgroups{"crun", "krun"};
};

using Runtimes = std::map<std::string, std::vector<std::string>>;

std::string settings_folder(const Host& host) {
  return (host.user_config.empty() ? "/etc" : host.user_config) + "/containers";
}
std::string file_of(const Host& host) {
  return settings_folder(host) + "/containers.conf.d/" + kName;
}

Error refused(const std::string& file, const std::string& problem) {
  return make_error(ErrorKind::kInvalidInput, file + ": " + problem);
}

// In the order in which Podman reads them; each may replace what stands in an earlier one.
Result<std::vector<std::string>> other_files(const Host& host) {
  std::vector<std::string> folders{"/usr/share/containers", "/etc/containers"};
  if (!host.user_config.empty()) folders.push_back(settings_folder(host));
  std::vector<std::string> files;
  for (const std::string& folder : folders) {
    files.push_back(folder + "/containers.conf");
    const std::string drop_ins = folder + "/containers.conf.d/";
    for (const std::string& name : TRY(host.list(drop_ins))) {
      if (name.ends_with(".conf") && drop_ins + name != file_of(host))
        files.push_back(drop_ins + name);
    }
  }
  return files;
}

Result<void> take(const std::vector<TomlStatement>& statements, const std::string& file,
                  const char* key, std::vector<std::string>& list, std::vector<std::string>& notes,
                  bool later) {
  const TomlStatement* const found = find_toml(statements, {"engine", key});
  if (found == nullptr) return {};
  auto strings = toml_strings(found->value);
  if (!strings) return refused(file, std::string(key) + " is not a list of names");
  if (later) notes.push_back(file + " replaces " + key + ": add the name there");
  list = std::move(*strings);
  return {};
}

Result<Lists> lists_of(const Host& host, std::vector<std::string>& notes) {
  Lists lists;
  for (const std::string& file : TRY(other_files(host))) {
    const auto text = TRY(host.read(file));
    if (!text) continue;
    const auto statements = TRY_CONTEXT(scan_toml(*text), file);
    const bool later =
        file.starts_with(settings_folder(host) + "/containers.conf.d/") && file > file_of(host);
    TRY(take(statements, file, "runtime_supports_json", lists.json, notes, later));
    TRY(take(statements, file, "runtime_supports_nocgroup", lists.no_cgroups, notes, later));
  }
  return lists;
}

// The handlers of the file that we wrote before.
Result<Runtimes> runtimes_of(const std::optional<std::string>& text, const std::string& file) {
  Runtimes runtimes;
  if (!text) return runtimes;
  if (!text->starts_with(kMark)) return refused(file, "was not written by langsbx install");
  for (const TomlStatement& statement : TRY_CONTEXT(scan_toml(*text), file)) {
    if (statement.kind != TomlStatement::Kind::kValue) continue;
    auto strings = toml_strings(statement.value);
    const bool list = statement.path.size() == 2;
    if (!begins_with(statement.path, {"engine"}) || !strings || statement.path.size() > 3 ||
        (!list && statement.path[1] != "runtimes"))
      return refused(
          file, "was changed by hand: move \"" + statement.path.back() + "\" to a file of its own");
    if (!list) runtimes[statement.path[2]] = std::move(*strings);
  }
  return runtimes;
}

std::string with_names(std::vector<std::string> list, const Runtimes& runtimes) {
  const auto add = [&](const std::string& name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  };
  add("langsbx");  // podman --runtime /path/langsbx
  for (const auto& [name, paths] : runtimes) add(name);
  return toml_array(list);
}

FileChange change(const Host& host, const Runtimes& runtimes, const Lists& lists) {
  FileChange made{file_of(host), std::nullopt, 0644, true};
  if (runtimes.empty()) return made;
  std::string text =
      std::string(kMark) + "; langsbx uninstall --for podman removes it.\n[engine]\n";
  text += "runtime_supports_json = " + with_names(lists.json, runtimes) + "\n";
  text += "runtime_supports_nocgroup = " + with_names(lists.no_cgroups, runtimes) + "\n";
  text += "[engine.runtimes]\n";
  for (const auto& [name, paths] : runtimes) text += name + " = " + toml_array(paths) + "\n";
  made.text = std::move(text);
  return made;
}

Result<Plan> install(const Host& host, const Handler& handler) {
  Plan plan;
  Runtimes runtimes = TRY(runtimes_of(TRY(host.read(file_of(host))), file_of(host)));
  if (!host.user_config.empty() && !handler.profile.empty())
    return make_error(
        ErrorKind::kUnsupported,
        "--profile for rootless Podman: name it in an annotation, io.langsbx.profile");
  runtimes[handler.name] = {host.user_config.empty() ? add_launcher(kPodman, handler, plan)
                                                     : handler.binary};
  const Lists lists = TRY(lists_of(host, plan.notes));
  plan.changes.push_back(change(host, runtimes, lists));
  plan.notes.push_back("podman --runtime " + handler.name + " run ...");
  return plan;
}

Result<Plan> uninstall(const Host& host, const Handler& handler) {
  Plan plan;
  const auto text = TRY(host.read(file_of(host)));
  Runtimes runtimes = TRY(runtimes_of(text, file_of(host)));
  if (host.user_config.empty()) TRY(remove_launcher(kPodman, host, handler, plan));
  if (runtimes.erase(handler.name) == 0) return plan;
  const Lists lists = TRY(lists_of(host, plan.notes));
  plan.changes.push_back(change(host, runtimes, lists));
  return plan;
}

}  // namespace

extern const Client kPodman{
    .name = "podman", .restart = "", .install = install, .uninstall = uninstall};

}  // namespace langsbx::clients
