// What one walk has asked of the disk: it lists a folder once, and asks once for a file that is not
// there. The content of a file is never kept here; the walk reads each file once by itself.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace langsbx::languages {

// Gives the content of a file, or nothing when there is none; `path` is the entry's folder joined
// with what the source named. What it gives must be what will run: the caller pins it. Asked for a
// path that ends in '/', it gives the names in that folder, each with a line feed behind it.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

class ClosureFiles {
 public:
  explicit ClosureFiles(const FileReader& reader) : reader_(reader) {}

  // The content. A file that was not there once stays missing for this walk: who pins the files has
  // not pinned it either.
  [[nodiscard]] std::optional<std::string> read(const std::string& path);
  // The names in a folder ("" is the current one), sorted; nullptr: it cannot be listed.
  [[nodiscard]] const std::vector<std::string_view>* names_in(const std::string& folder);
  // Whether lists alone tell that `folder` holds no `path`, part by part from `folder` on. As
  // Python's import looks: what is not listed is not opened. False where a folder has no list.
  [[nodiscard]] bool lists_no(const std::string& folder, std::string_view path);
  // Whether it tells that nothing in `folder` is called `stem`, with or without an ending.
  [[nodiscard]] bool lists_none_of(const std::string& folder, std::string_view stem);

 private:
  struct Listing {
    bool known = false;
    std::string text;
    std::vector<std::string_view> names;  // in `text`
  };

  const FileReader& reader_;
  std::unordered_map<std::string, Listing> listings_;
  std::unordered_set<std::string> missing_;
};

}  // namespace langsbx::languages
