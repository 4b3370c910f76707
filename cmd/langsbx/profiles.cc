// profiles: which there are, and what one says once everything it extends is merged in.
#include <dirent.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cmd/langsbx/columns.h"
#include "cmd/langsbx/command.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "runtime/guard/profile_directories.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;
using languages::Language;
using languages::NameLists;
using languages::Profile;

struct Options {
  std::string language;
  std::string directory;
};

void put(Json& object, const char* name, const std::vector<std::string>& list) {
  if (!list.empty()) object[name] = list;
}

Json names(const NameLists& lists) {
  Json object = Json::object();
  if (lists.exclusive) object["exclusive"] = *lists.exclusive;
  if (lists.allowed) object["allowed"] = *lists.allowed;
  put(object, "additional", lists.additional);
  put(object, "blocked", lists.blocked);
  return object;
}

template <typename T>
void put(Json& object, const char* name, const std::optional<T>& value) {
  if (value) object[name] = *value;
}

Json limits_of(const languages::Limits& limits) {
  Json object = Json::object();
  put(object, "memory_bytes", limits.memory);
  put(object, "cpu_thousandths", limits.cpu);
  put(object, "cpu_time_ms", limits.cpu_time);
  put(object, "wall_time_ms", limits.wall_time);
  put(object, "processes", limits.processes);
  put(object, "files", limits.files);
  put(object, "disk_bytes", limits.disk);
  put(object, "output_bytes", limits.output);
  put(object, "source_bytes", limits.source_bytes);
  put(object, "source_nesting", limits.source_nesting);
  return object;
}

Json landlock_of(const languages::LandlockLayer& layer) {
  Json object = Json::object();
  put(object, "read", layer.read);
  put(object, "write", layer.write);
  put(object, "execute", layer.execute);
  if (!layer.connect_tcp.empty()) object["connect_tcp"] = layer.connect_tcp;
  if (!layer.bind_tcp.empty()) object["bind_tcp"] = layer.bind_tcp;
  put(object, "scopes", layer.scopes);
  put(object, "best_effort", layer.best_effort);
  return object;
}

Json document_of(const Profile& profile, const Language& language) {
  Json document = {{"name", profile.name},
                   {"language", language.name},
                   {"description", profile.description},
                   {"file", profile.file}};
  Json capabilities = Json::object();
  put(capabilities, "allow", profile.allow);
  put(capabilities, "deny", profile.deny);
  Json paths = Json::object();
  put(paths, "read", profile.paths_read);
  put(paths, "write", profile.paths_write);
  Json patterns = Json::array();
  for (const auto& pattern : profile.patterns) {
    patterns.push_back({{"what", pattern.what}, {"message", pattern.message}});
  }
  Json stages = Json::object();
  for (const auto& [name, mode] : profile.stages) {
    stages[name] = mode == languages::StageMode::kEnforce ? "enforce" : "observe";
  }
  Json attributes = Json::object();
  put(attributes, "blocked", profile.blocked_attributes);
  const std::pair<const char*, Json> parts[] = {{"capabilities", std::move(capabilities)},
                                                {"modules", names(profile.modules)},
                                                {"commands", names(profile.commands)},
                                                {"functions", names(profile.functions)},
                                                {"attributes", std::move(attributes)},
                                                {"patterns", std::move(patterns)},
                                                {"paths", std::move(paths)},
                                                {"limits", limits_of(profile.limits)},
                                                {"landlock", landlock_of(profile.landlock)}};
  for (const auto& [name, part] : parts) {
    if (!part.empty()) document[name] = part;
  }
  put(document, "seccomp", profile.seccomp);
  put(document, "exec", profile.exec);
  put(document, "network", profile.network);
  if (!stages.empty()) document["stages"] = std::move(stages);
  return document;
}

struct Closer {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

void add_names(const std::string& directory, std::set<std::string>& names) {
  const std::unique_ptr<DIR, Closer> stream(::opendir(directory.c_str()));
  if (!stream) return;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): a stream of our own
  while (const dirent* entry = ::readdir(stream.get())) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".yaml")) names.emplace(name.substr(0, name.size() - 5));
  }
}

// The shipped ones in their order, then the others of the directories by name.
std::vector<std::string> names_of(const Language& language,
                                  const std::vector<std::string>& directories,
                                  const languages::ProfileFinder& finder) {
  std::vector<std::string> names;
  std::set<std::string> found;
  for (const std::string& directory : directories) {
    add_names(directory + "/" + std::string(language.name), found);
    add_names(directory, found);
  }
  for (const auto& profile : language.builtin_profiles) {
    names.emplace_back(profile.name);
    found.erase(std::string(profile.name));
  }
  for (const std::string& name : found) {
    if (guard::has_profile(language, name, finder)) names.push_back(name);
  }
  return names;
}

std::vector<const Language*> chosen(const Language* only) {
  if (only != nullptr) return {only};
  const auto all = languages::all_languages();
  return {all.begin(), all.end()};
}

Result<std::string> list(const Language* only, const std::vector<std::string>& directories) {
  const auto finder = guard::find_in(directories);
  std::vector<std::vector<std::string>> rows{{"LANGUAGE", "PROFILE", "DESCRIPTION"}};
  for (const Language* language : chosen(only)) {
    for (const std::string& name : names_of(*language, directories, finder)) {
      const auto profile = TRY(languages::load_profile(*language, name, finder));
      rows.push_back({std::string(language->name), name, profile.description});
    }
  }
  return in_columns(rows);
}

Result<std::string> show(const Language* only, const std::string& name,
                         const std::vector<std::string>& directories) {
  const auto finder = guard::find_in(directories);
  Json documents = Json::array();
  for (const Language* language : chosen(only)) {
    if (only == nullptr && !guard::has_profile(*language, name, finder)) continue;
    const auto profile = TRY(languages::load_profile(*language, name, finder));
    documents.push_back(document_of(profile, *language));
  }
  if (documents.empty()) {
    return make_error(ErrorKind::kNotFound, "no language has a profile \"" + name + "\"");
  }
  return (documents.size() == 1 ? documents[0] : documents).dump(2) + "\n";
}

Result<int> run(const Invocation& invocation) {
  Options options;
  OptionTable table;
  table.text("language,l", &options.language, "NAME", "of this language only");
  table.text("profiles", &options.directory, "DIR", "look profiles up here first");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const Language* only = nullptr;
  if (!options.language.empty()) {
    only = languages::find_language(options.language);
    if (only == nullptr) {
      return make_error(ErrorKind::kInvalidInput,
                        "--language: \"" + options.language + "\" is not known");
    }
  }
  std::vector<std::string> directories;
  if (!options.directory.empty()) directories.push_back(options.directory);
  directories.emplace_back(guard::kProfileDirectory);
  TRY(print(positionals->empty() ? TRY(list(only, directories))
                                 : TRY(show(only, positionals->front(), directories))));
  return 0;
}

}  // namespace

extern const Command kProfiles{.name = "profiles",
                               .arguments = "[profile]",
                               .summary = "list the guard's profiles, or show one resolved",
                               .most = 1,
                               .run = run,
                               .failure_status = 2};

}  // namespace langsbx::cmd
