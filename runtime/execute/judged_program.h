// The program's files as the guard judged them. Each is read once: what is judged is what runs.
#pragma once

#include <string>
#include <vector>

#include "languages/finding.h"
#include "runtime/execute/case.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

struct ProgramFile {
  std::string name;  // below the program's folder: "helpers/text.py"
  std::string content;
};

struct JudgedProgram {
  languages::Report report;
  std::string entry;                // "main.py", "src/main.js"
  std::vector<ProgramFile> others;  // what it takes in, by every name it has for them
  std::vector<Input> texts;         // the same files, by the names that findings have for them
};

[[nodiscard]] bool is_of(const JudgedProgram& judged, const std::string& name);

JudgedProgram judge_program(const Request& request, const Case& made);

}  // namespace langsbx::execute
