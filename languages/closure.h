// Judging a program: the file that is started and every local file it pulls in.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/closure_names.h"
#include "languages/judge.h"

namespace langsbx::languages {

struct ClosureLimits {
  std::size_t max_files = 256;
  std::size_t max_bytes = 16U << 20U;  // of all files together
  // Folders that references are looked for in last, each with its '/'.
  std::vector<std::string> roots = {};
  // Of files and folders, as the reader sees them.
  RealPath real_path = {};
};

// Gives the content of a file, or nothing when there is none; `path` is the entry's folder joined
// with what the source named. What it gives must be what will run: the caller pins it. Asked for a
// path that ends in '/', it gives the names in that folder, each with a line feed behind it.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

struct ClosureJudgement {
  Report report;                   // of all files, the entry's findings first
  std::vector<std::string> files;  // what was judged besides the entry, in order
};

// References are looked for next to the file that makes them, then next to the entry. A required
// one that is not there, and anything beyond the limits, is a violation.
[[nodiscard]] ClosureJudgement judge_closure(const Language& language, const Source& entry,
                                             const Policy& policy, const FileReader& reader,
                                             const ClosureLimits& limits = {});

}  // namespace langsbx::languages
