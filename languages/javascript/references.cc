// Modules as Node finds them: a file, with an ending, what a package.json names, an index; packages
// in the node_modules of each folder up to "/".
#include "languages/javascript/references.h"

#include <algorithm>
#include <string>

#include "languages/closure_manifests.h"
#include "languages/closure_names.h"
#include "languages/package_search.h"
#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

// What a package.json says of the folder `base`. What other tools than Node would take before it is
// judged as well.
bool open_folder(PackageSearch& search, const std::string& folder, const std::string& base) {
  for (const char* native : {".node", "/index.node"}) {
    const std::string path = search.path_of(folder, base + native);
    if (search.read(path)) search.report("closure-foreign-module"_rule, path);
  }
  const std::string path = search.path_of(folder, base + "/package.json");
  const auto manifest = search.read(path);
  if (!manifest) return false;
  search.keep(path);
  const auto main = main_of(*manifest);
  if (!main) search.report("closure-foreign-module"_rule, path);
  if (!main || main->empty()) return false;
  bool found = false;
  for (const char* ending : {"", ".js", "/index.js"}) {
    const std::string file = base + "/" + *main + ending;
    found |= !file.ends_with(".json") && search.open(folder, file);
  }
  if (main->ends_with(".node")) {
    search.report("closure-foreign-module"_rule, *main, path.size());
  }
  return found;
}

// `most_certain`: how many of the first candidates end the search when they are there.
bool open_module(PackageSearch& search, const std::string& folder, const LocalReference& reference,
                 std::size_t most_certain) {
  const auto& candidates = reference.candidates;
  bool found = false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    found |= search.open(folder, candidates[i]);
    if (found && i < most_certain) return true;
  }
  if (candidates.size() < 3) return found;
  return open_folder(search, folder, candidates.front()) || found;
}

// The folder of that name, or a file with any ending.
bool has_package(PackageSearch& search, const std::string& path) {
  const std::string_view last = std::string_view(path).substr(path.rfind('/') + 1);
  const auto* const names = search.names_in(folder_of(path));
  return names != nullptr && std::ranges::any_of(*names, [&](std::string_view name) {
           return name.starts_with(last) &&
                  (name.size() == last.size() || name[last.size()] == '.');
         });
}

// A package found there is judged.
void follow_node_modules(PackageSearch& search, std::string folder, const LocalReference& reference,
                         std::size_t most_certain) {
  const std::string_view package = reference.package;
  std::size_t end = package.find('/');
  if (package.starts_with('@') && end != std::string_view::npos) end = package.find('/', end + 1);
  const std::string name(package.substr(0, end));
  for (int level = 0; level < kMostFoldersUp; ++level) {
    const std::string modules = folder + "node_modules/";
    if (has_package(search, modules + name)) {
      // Which file it stands for is said in more ways than are followed.
      const auto manifest = search.read(modules + name + "/package.json");
      const bool plain = !manifest || manifest->find("\"exports\"") == std::string::npos;
      if (!plain || !open_module(search, modules, reference, most_certain)) {
        search.report("closure-foreign-module"_rule, modules + name, modules.size());
      }
      return;
    }
    if (folder == "/") return;
    folder = folder_above(folder);
  }
}

bool follow(PackageSearch& search, const std::string& folder, const LocalReference& reference,
            std::size_t most_certain) {
  if (reference.package.empty()) return open_module(search, folder, reference, most_certain);
  follow_node_modules(search, folder, reference, most_certain);
  return true;
}

}  // namespace

bool javascript::follow_reference(PackageSearch& search, const std::string& folder,
                                  const Source& /*source*/, const LocalReference& reference) {
  return follow(search, folder, reference, 2);
}

bool javascript::follow_type_reference(PackageSearch& search, const std::string& folder,
                                       const Source& /*source*/, const LocalReference& reference) {
  return follow(search, folder, reference, 0);
}

}  // namespace langsbx::languages
