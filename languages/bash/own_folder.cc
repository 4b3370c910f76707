// A command gives the script's file or its folder: dirname turns the one into the other, cd needs
// the folder, readlink and realpath give what they are given.
#include "languages/bash/own_folder.h"

#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

enum class Place { kUnknown, kFile, kFolder };

constexpr int kMostNested = 8;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Place whole() {
    const Place place = command(0);
    skip_spaces();
    return text_.empty() ? place : Place::kUnknown;
  }

 private:
  Place command(int depth) {
    const std::string_view name = word();
    if (name == "dirname") {
      options(text_list("--"));
      return value(depth) == Place::kFile ? Place::kFolder : Place::kUnknown;
    }
    if (name == "cd") {
      options(text_list("-P", "-L", "-e", "--"));
      if (value(depth) != Place::kFolder || word() != "&&" || word() != "pwd") {
        return Place::kUnknown;
      }
      options(text_list("-P", "-L"));
      return Place::kFolder;
    }
    if (name == "readlink") {
      const bool any = options(text_list("-f", "-e", "-m", "-n", "-fn", "-nf", "--"));
      return any ? value(depth) : Place::kUnknown;  // without one it gives what a link holds
    }
    if (name != "realpath") return Place::kUnknown;
    options(text_list("-e", "-m", "-s", "-P", "-L", "--"));
    return value(depth);
  }

  // A variable or a substitution, in quotes or not.
  Place value(int depth) {
    skip_spaces();
    const bool quoted = take("\"");
    const Place place = take("$(") ? nested(depth) : variable();
    if (place == Place::kFolder && !take("/.")) take("/");
    if (quoted && !take("\"")) return Place::kUnknown;
    const bool ends = text_.empty() || text_[0] == ' ' || text_[0] == '\t' || text_[0] == ')';
    return ends ? place : Place::kUnknown;
  }

  Place nested(int depth) {
    if (depth >= kMostNested) return Place::kUnknown;
    const Place place = command(depth + 1);
    skip_spaces();
    return take(")") ? place : Place::kUnknown;
  }

  Place variable() {
    for (const std::string_view file :
         {"$0", "${0}", "$BASH_SOURCE", "${BASH_SOURCE}", "${BASH_SOURCE[0]}",
          "${BASH_SOURCE[0]:-$0}", "${BASH_SOURCE:-$0}"}) {
      if (take(file)) return Place::kFile;
    }
    for (const std::string_view folder : {"${0%/*}", "${BASH_SOURCE%/*}", "${BASH_SOURCE[0]%/*}"}) {
      if (take(folder)) return Place::kFolder;
    }
    return Place::kUnknown;
  }

  bool options(const auto& known) {
    bool any = false;
    std::string_view before = text_;
    while (known.contains(word())) {
      any = true;
      before = text_;
    }
    text_ = before;
    return any;
  }

  std::string_view word() {
    skip_spaces();
    std::size_t end = text_.find_first_of(" \t)");
    if (end == std::string_view::npos) end = text_.size();
    const std::string_view found = text_.substr(0, end);
    text_.remove_prefix(end);
    return found;
  }

  void skip_spaces() {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\t')) text_.remove_prefix(1);
  }

  bool take(std::string_view expected) {
    if (!text_.starts_with(expected)) return false;
    text_.remove_prefix(expected.size());
    return true;
  }

  std::string_view text_;
};

}  // namespace

bool names_own_folder(std::string_view text) { return Reader(text).whole() == Place::kFolder; }

}  // namespace langsbx::languages::bash
