// The steps that several languages' searches share.
#include "languages/package_search.h"

#include <utility>

#include "languages/closure_names.h"

namespace langsbx::languages {

std::optional<Manifest> nearest_manifest(PackageSearch& search, std::string folder,
                                         const std::string& name) {
  for (int level = 0; level < kMostFoldersUp; ++level) {
    const std::string path = folder + name;
    if (auto text = search.read(path)) {
      search.keep(path);
      return Manifest{folder, std::move(*text)};
    }
    if (folder == "/") return std::nullopt;
    folder = folder_above(folder);
  }
  return std::nullopt;
}

std::string folder_above(const std::string& folder) {
  if (folder.empty() || folder.ends_with("../")) return folder + "../";
  return folder_of(std::string_view(folder).substr(0, folder.size() - 1));
}

}  // namespace langsbx::languages
