// Picks lines of ps by their PID column.
#include "cmd/langsbx/ps_table.h"

#include <algorithm>
#include <charconv>

namespace langsbx::cmd {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line;
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(" \t"));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace

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
    pid_t pid = 0;
    std::from_chars(word.data(), word.data() + word.size(), pid);
    if (std::find(pids.begin(), pids.end(), pid) == pids.end()) continue;
    kept += std::string(line) + "\n";
  }
  return kept;
}

}  // namespace langsbx::cmd
