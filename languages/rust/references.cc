// A crate of Rust that can be judged is the program's own library.
#include "languages/closure_manifests.h"
#include "languages/package_search.h"
#include "languages/rust/judge.h"

namespace langsbx::languages::rust {

// By the nearest Cargo.toml. Not another crate, and none whose making runs code of its own.
bool follow_reference(PackageSearch& search, const std::string& folder, const Source& /*source*/,
                      const LocalReference& reference) {
  if (reference.package.empty()) return false;
  const auto found = nearest_manifest(search, folder, "Cargo.toml");
  if (!found || search.read(found->folder + "build.rs")) return false;
  const CargoLibrary library = library_of(found->text);
  return library.name == reference.package && !library.runs_code &&
         search.open(found->folder, library.path);
}

}  // namespace langsbx::languages::rust
