// Picks lines of ps by their PID column.
#include "cmd/langsbx/ps_table.h"

#include <algorithm>

#include "runtime/base/text.h"

namespace langsbx::cmd {
Result<std::string> filter_ps(std::string_view output, const std::vector<pid_t>& pids) {
  const std::string_view header = take_line(output);
  std::string_view titles = header;
  std::size_t column = 0;
  for (std::string_view title = take_word(titles); title != "PID"; title = take_word(titles)) {
    if (title.empty())
      return make_error(ErrorKind::kInvalidInput, "couldn't find PID field in ps output");
    ++column;
  }
  std::string kept = std::string(header) + "\n";
  while (!output.empty()) {
    const std::string_view line = take_line(output);
    std::string_view words = line;
    std::string_view word = take_word(words);
    for (std::size_t i = 0; i < column; ++i) word = take_word(words);
    const pid_t pid = take_number<pid_t>(word).value_or(0);
    if (std::find(pids.begin(), pids.end(), pid) == pids.end()) continue;
    kept += std::string(line) + "\n";
  }
  return kept;
}

}  // namespace langsbx::cmd
