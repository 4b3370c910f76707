// Text in columns.
#include "cmd/langsbx/columns.h"

#include <algorithm>

namespace langsbx::cmd {

std::string in_columns(const std::vector<std::vector<std::string>>& rows) {
  constexpr std::size_t kNarrowest = 12;
  constexpr std::size_t kGap = 3;
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), kNarrowest);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size() + kGap);
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - row[i].size(), ' ');
    }
    text += '\n';
  }
  return text;
}

}  // namespace langsbx::cmd
