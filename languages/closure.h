// Judging a program: the file that is started and every local file it pulls in.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "languages/closure_files.h"
#include "languages/closure_names.h"
#include "languages/judge.h"

namespace langsbx::languages {

// Judges a file that another one pulls in, as judge() does; it may remember what it said of the
// same bytes.
using JudgeIncluded = std::function<std::shared_ptr<const Judgement>(const Source& source)>;

struct ClosureLimits {
  std::size_t max_files = 256;
  std::size_t max_bytes = 16U << 20U;  // of all files together
  // Files that belong to the program without being named by it.
  std::vector<std::string> beside = {};
  // Folders that references are looked for in last, each with its '/'.
  std::vector<std::string> roots = {};
  // Of files and folders, as the reader sees them.
  RealPath real_path = {};
  JudgeIncluded judge_included = {};
};

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
