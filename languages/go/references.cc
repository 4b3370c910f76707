// A package of Go is a folder of the module: every file of it is compiled.
#include <algorithm>

#include "languages/closure_manifests.h"
#include "languages/go/judge.h"
#include "languages/package_search.h"
#include "languages/shared_rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages {
namespace {

constexpr auto kCompiled = text_list(".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".f",
                                     ".F", ".f90", ".syso", ".swig", ".swigcxx");

// Where a package's files are, by the nearest go.mod; empty when it is of another module.
std::string folder_in_module(PackageSearch& search, const std::string& folder,
                             std::string_view package) {
  const auto found = nearest_manifest(search, folder, "go.mod");
  if (!found) return {};
  const std::string module = module_of(found->text);
  // A replacement, or a second mention: part of the tree is taken from elsewhere.
  const bool whole = found->text.find("replace") == std::string::npos &&
                     found->text.find(module + "/") == std::string::npos;
  if (module.empty() || !whole || !package.starts_with(module)) return {};
  package.remove_prefix(module.size());
  if (!package.empty() && package[0] != '/') return {};
  if (!package.empty()) package.remove_prefix(1);
  return found->folder + std::string(package) + (package.empty() ? "" : "/");
}

// Whether a known package may be taken from beside the program: go.mod replaces it, go.work or
// vendor/ holds it.
bool is_replaced(PackageSearch& search, const std::string& folder) {
  if (nearest_manifest(search, folder, "go.work")) return true;
  const auto module = nearest_manifest(search, folder, "go.mod");
  if (!module) return false;
  if (module->text.find("replace") != std::string::npos) return true;
  const auto* const names = search.names_in(module->folder);
  return names != nullptr && std::ranges::any_of(*names, [](std::string_view name) {
           return name == "vendor" || name == "vendor/";
         });
}

}  // namespace

bool go::follow_reference(PackageSearch& search, const std::string& folder,
                          const Source& /*source*/, const LocalReference& reference) {
  if (reference.package.empty()) return false;
  if (!reference.required) {
    if (is_replaced(search, folder)) {
      search.report(*reference.missing, reference.package);
    }
    return true;
  }
  const std::string inside = folder_in_module(search, folder, reference.package);
  if (inside.empty()) return false;
  if (!search.is_new(inside)) return true;
  const auto* const names = search.names_in(inside);
  if (names == nullptr) return false;
  for (const std::string_view name : *names) {
    if (name.ends_with("_test.go") || name.starts_with('_') || name.starts_with('.')) continue;
    const std::string path = inside + std::string(name);
    const bool compiled = std::ranges::any_of(
        kCompiled, [&](std::string_view ending) { return name.ends_with(ending); });
    if (compiled) search.report("closure-foreign-file"_rule, path, name.size());
    const bool source = name.ends_with(".go");
    if (source && !search.open(inside, name)) {
      search.report("closure-missing"_rule, path, name.size());
    }
  }
  return true;
}

}  // namespace langsbx::languages
