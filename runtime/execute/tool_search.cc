// Looking for programs, on the host and in another root.
#include "runtime/execute/tool_search.h"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "languages/registry.h"
#include "runtime/base/text_list.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

// Where people and official images install what no package of the distribution brings.
constexpr auto kFolders =
    text_list("/usr/local/bin", "/usr/local/go/bin", "/bin", "/opt/java/openjdk/bin");
// The same, below a directory whose name is a version's.
constexpr auto kAbove =
    text_list("/usr/local/rustup/toolchains", "/usr/local", "/usr/lib/jvm", "/opt/java", "/opt");

// Names in a directory of the root, in order, so that the choice does not depend on the disk.
std::vector<std::string> names_in(int root, const std::string& path) {
  std::vector<std::string> names;
  auto directory = open_in_root(root, path, O_RDONLY | O_DIRECTORY);
  if (!directory.ok()) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> list(::fdopendir(directory->release()), &::closedir);
  while (const dirent* entry = list == nullptr ? nullptr : ::readdir(list.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Links of that root lead to where they lead in it.
ToolFacts facts_of_root(int root) {
  ToolFacts facts;
  for (const std::string_view folder : kFolders) facts.folders.emplace_back(folder);
  for (const std::string_view folder : kAbove) {
    const std::string above(folder);
    for (const auto& name : names_in(root, above)) {
      facts.folders.emplace_back(above).append("/").append(name).append("/bin");
    }
  }
  facts.has = [root](std::string_view path) { return open_in_root(root, path, O_PATH).ok(); };
  // A program of another root is not one that we execute.
  facts.version = [](const std::string&) { return std::optional<Version>(); };
  return facts;
}

ToolFacts facts_of_host(const std::string& state_root) {
  ToolFacts facts;
  facts.folders = {"/usr/local/bin", "/usr/local/go/bin"};
  facts.has = [](std::string_view path) { return ::access(std::string(path).c_str(), X_OK) == 0; };
  facts.version = [state_root](const std::string& program) {
    return program_version(program, state_root);
  };
  return facts;
}

std::optional<std::string> place_of(std::string_view usual, const ToolFacts& facts) {
  if (facts.has(usual)) return std::string(usual);
  const auto name = usual.substr(usual.rfind('/'));
  for (const auto& folder : facts.folders) {
    std::string path = folder + std::string(name);
    if (facts.has(path)) return path;
  }
  return {};
}

std::optional<std::string> listed_place(const Toolchain& toolchain, const ToolFacts& facts) {
  if (facts.has(toolchain.program)) return std::string(toolchain.program);
  const auto place = std::find_if(toolchain.places.begin(), toolchain.places.end(), facts.has);
  if (place == toolchain.places.end()) return {};
  return std::string(*place);
}

}  // namespace

std::optional<Tool> choose_tool(std::string_view language, const ToolFacts& facts, bool several) {
  const languages::Language* const found = languages::find_language(language);
  if (found == nullptr || found->launch == nullptr) return {};
  for (const Toolchain& toolchain : found->launch->toolchains) {
    if (toolchain.of_several && !several) continue;
    auto program = toolchain.places.empty() ? place_of(toolchain.program, facts)
                                            : listed_place(toolchain, facts);
    if (program && !toolchain.starts.empty()) program = place_of(toolchain.starts, facts);
    if (!program) continue;
    Tool tool{&toolchain, std::move(*program), {}};
    if (toolchain.asks_version) tool.version = facts.version(tool.program);
    // An unknown version is one of another root: let it say so itself.
    if (tool.version && *tool.version < toolchain.least_version) continue;
    return tool;
  }
  return {};
}

Result<Tool> find_tool(std::string_view language, const std::string& rootfs,
                       const std::string& state_root, bool several) {
  const auto* usual = TRY(find_toolchain(language));
  std::optional<Tool> found;
  if (rootfs.empty()) {
    found = choose_tool(language, facts_of_host(state_root), several);
  } else {
    const auto root = TRY(open_file(rootfs, O_PATH | O_DIRECTORY));
    found = choose_tool(language, facts_of_root(root.get()), several);
  }
  if (found) return *found;
  return make_error(
      ErrorKind::kNotFound,
      std::string(language) + ": " + std::string(usual->program) +
          (rootfs.empty() ? " is not installed: apt install " + std::string(usual->package)
                          : " is not in " + rootfs));
}

}  // namespace langsbx::execute
