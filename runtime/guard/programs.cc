// From names to files of the container.
#include "runtime/guard/programs.h"

#include <algorithm>

#include "languages/registry.h"
#include "runtime/kernel/elf_loader.h"

namespace langsbx::guard {
namespace {

void add_once(std::string path, std::vector<std::string>& paths) {
  if (path.empty() || std::find(paths.begin(), paths.end(), path) != paths.end()) return;
  paths.push_back(std::move(path));
}

}  // namespace

bool starts_any_program(const languages::Policy& policy) {
  if (policy.allows(languages::Capability::kProcessSpawn)) return true;
  const languages::Language* const language = languages::find_language(policy.language);
  return language != nullptr && language->commands && policy.commands_allowed.empty();
}

const std::vector<std::string>& program_folders() {
  static const std::vector<std::string> kFolders = {
      "/bin",     "/sbin",           "/usr/bin",     "/usr/sbin", "/usr/local/bin",
      "/usr/lib", "/usr/local/sbin", "/usr/libexec", "/lib",      "/lib64"};
  return kFolders;
}

const std::vector<std::string>& library_folders() {
  static const std::vector<std::string> kFolders = {
      "/usr/lib",         "/usr/lib64", "/usr/share", "/usr/local/lib",
      "/usr/local/share", "/lib",       "/lib64",     "/etc/ld.so.cache"};
  return kFolders;
}

std::vector<std::string> with_loaders(const std::vector<std::string>& executables,
                                      const std::string& cwd, const StartOf& start_of) {
  std::vector<std::string> paths;
  for (const std::string& executable : executables) {
    const std::string path = executable.starts_with('/') ? executable : cwd + "/" + executable;
    add_once(path, paths);
    if (const auto start = start_of(path)) add_once(elf_loader(*start), paths);
  }
  return paths;
}

std::vector<std::string> installed_commands(const languages::Policy& policy,
                                            const NamesIn& names_in) {
  std::vector<std::string> paths;
  if (policy.commands_allowed.empty()) return paths;
  // zcat, egrep and which are scripts of sh, and a shell can be started anyway: the program's own.
  paths.emplace_back("/bin/sh");
  for (const std::string folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
    const auto names = names_in(folder);
    for (std::size_t at = 0; names && at < names->size();) {
      const std::size_t end = std::min(names->find('\n', at), names->size());
      const auto name = std::string_view(*names).substr(at, end - at);
      // "." is a builtin on the list, and the folder itself here.
      const bool folder_itself = name == "." || name == "..";
      if (!folder_itself && policy.commands_allowed.contains(name))
        paths.push_back(folder + std::string(name));
      at = end + 1;
    }
  }
  return paths;
}

}  // namespace langsbx::guard
