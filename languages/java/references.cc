// Classes of Java need no import: javac and newer launchers look for `util.helper.run()` below the
// package's root.
#include <deque>
#include <unordered_set>
#include <utility>

#include "languages/closure_names.h"
#include "languages/java/judge.h"
#include "languages/package_search.h"
#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

constexpr int kMostClassFolders = 256;

}  // namespace

// Of the files below the root, those count whose folders and class the source mentions.
bool java::follow_reference(PackageSearch& search, const std::string& folder, const Source& source,
                            const LocalReference& reference) {
  if (reference.package.empty()) return false;
  const std::unordered_set<std::string_view> words = words_of(source.bytes);
  std::deque<std::string> folders{folder + (reference.package == "." ? "" : reference.package)};
  for (int count = 0; !folders.empty() && count < kMostClassFolders; ++count) {
    const std::string inside = std::move(folders.front());
    folders.pop_front();
    const auto* const names = search.names_in(inside);
    if (names == nullptr) continue;
    for (const std::string_view name : *names) {
      const std::size_t dot = name.find('.');
      if (!words.contains(name.substr(0, dot))) continue;
      if (dot == std::string::npos) folders.push_back(inside + std::string(name) + "/");
      if (name.ends_with(".java")) (void)search.open(inside, name);
    }
  }
  if (!folders.empty()) search.report("closure-too-large"_rule, folders.front(), 0);
  return true;
}

}  // namespace langsbx::languages
