// The command lines of interpreters: where the source stands in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace langsbx::guard {

struct SourceArgument {
  std::string path;
  std::string text;
  std::string problem;
};

// `args` with the interpreter at [0].
[[nodiscard]] SourceArgument source_argument(std::string_view language, std::string_view program,
                                             const std::vector<std::string>& args);

}  // namespace langsbx::guard
