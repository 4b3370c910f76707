// Tables of cases, one a line.
#pragma once

#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace langsbx::test {

// The cases of a file below tests/languages: a pilcrow stands for a line's end, "##" begins a
// section.
inline std::vector<std::string> case_lines(const std::string& path) {
  std::ifstream file(std::string(LANGSBX_SOURCE_DIR) + "/tests/languages/" + path);
  std::vector<std::string> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with("##")) continue;
    for (std::size_t at = 0; (at = line.find("\xC2\xB6", at)) != std::string::npos;) {
      line.replace(at, 2, "\n");
    }
    cases.push_back(line + "\n");
  }
  return cases;
}

}  // namespace langsbx::test
