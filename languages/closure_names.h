// What a program's files are called: one name for a file, however many ways lead to it, and the
// file that the language itself would take.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/language.h"

namespace langsbx::languages {

// Where a path leads: absolute, without symbolic links; empty when nothing is there. Absent: there
// are no symbolic links.
using RealPath = std::function<std::string(const std::string& path)>;

class ClosureNames {
 public:
  ClosureNames(References kind, std::string_view entry, const RealPath& real_path);

  // The folder, with its '/', that references of the program's first file start from.
  [[nodiscard]] const std::string& entry_folder() const { return entry_folder_; }
  // The file that a source of `folder` means; two such paths may still be one file.
  [[nodiscard]] std::string path_of(const std::string& folder, std::string_view reference) const;

  struct Name {
    std::string path;      // what findings call it; its own references start from its folder
    std::string identity;  // the same for whatever is judged alike
  };
  // Of a file that is there.
  [[nodiscard]] Name name_of(const std::string& path) const;

 private:
  [[nodiscard]] std::string real(const std::string& path) const;
  // Asked once for each folder of a walk.
  [[nodiscard]] const std::string& real_folder(const std::string& folder) const;
  [[nodiscard]] std::string absolute(const std::string& path) const;
  [[nodiscard]] std::string by_kernel(const std::string& path) const;

  References kind_;
  const RealPath& real_path_;
  std::string here_;  // where names that do not begin with '/' begin
  std::string entry_folder_;
  mutable std::unordered_map<std::string, std::string> real_folders_;
};

[[nodiscard]] std::string folder_of(std::string_view path);
// The first part's name without an ending; of several, what all begin with, or nothing.
[[nodiscard]] std::string_view stem_of(std::string_view path);
[[nodiscard]] std::string_view stem_of(const std::vector<std::string>& candidates);
// Every run of letters, digits and _ of a source.
[[nodiscard]] std::unordered_set<std::string_view> words_of(std::string_view bytes);
// Without ".", and without ".." as far as a name stands before it.
[[nodiscard]] std::string without_dots(std::string_view path);

}  // namespace langsbx::languages
