// Scripts that change their directory: a file named by a relative path may then be another than the
// one that was judged.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "languages/closure_names.h"
#include "languages/language.h"

namespace langsbx::languages {

class ClosureMoves {
 public:
  // Files in the order of the walk: the one that pulls in before the one that is pulled in. What
  // `source` alone shows is added to `findings`.
  void add(const Source& source, const Policy& policy,
           const std::vector<LocalReference>& references, const ClosureNames& names,
           Findings& findings);
  // What all files together show.
  [[nodiscard]] std::vector<Finding> take() const;

 private:
  // What is wrong where another file changes the directory.
  struct Doubt {
    std::string file;
    bool late = false;  // else a move in a library matters, none in the program's first file
    std::vector<Finding> findings;
  };

  std::vector<Doubt> doubts_;
  std::unordered_set<std::string> movers_;           // files that change the directory
  std::unordered_set<std::string> included_movers_;  // those but for the first
  std::unordered_set<std::string> moved_before_;     // pulled in after the directory had changed
};

}  // namespace langsbx::languages
