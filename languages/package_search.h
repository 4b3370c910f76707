// What a language's own search for a program's files may do. The walk over the files (closure.cc)
// implements it; a search reads through it and has what it finds judged.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/language.h"

namespace langsbx::languages {

inline constexpr int kMostFoldersUp = 16;

class PackageSearch {
 public:
  virtual ~PackageSearch() = default;

  virtual std::optional<std::string> read(const std::string& path) = 0;
  // The names in a folder, sorted; nullptr: it cannot be listed.
  virtual const std::vector<std::string_view>* names_in(const std::string& folder) = 0;
  // Has the file judged with the program; false: it is not there.
  virtual bool open(const std::string& folder, std::string_view file) = 0;
  // What `file` means, seen from `folder`.
  virtual std::string path_of(const std::string& folder, std::string_view file) = 0;
  // True the first time; for what is looked through once.
  virtual bool is_new(const std::string& path) = 0;
  // The file decides what is judged: who pins the program's files pins it too.
  virtual void keep(const std::string& path) = 0;
  // Reports at the place of the reference.
  virtual void report(const Rule& rule, std::string_view detail, std::size_t length) = 0;
  void report(const Rule& rule, std::string_view detail) { report(rule, detail, detail.size()); }
};

struct Manifest {
  std::string folder;
  std::string text;
};

// The manifest of that name in `folder` or the nearest one above; it is kept.
[[nodiscard]] std::optional<Manifest> nearest_manifest(PackageSearch& search, std::string folder,
                                                       const std::string& name);
// With its '/' at the end, like `folder`.
[[nodiscard]] std::string folder_above(const std::string& folder);

}  // namespace langsbx::languages
