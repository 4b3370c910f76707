// The findings in an error, which crosses a socket.
#pragma once

#include <algorithm>
#include <string>

namespace langsbx::guard {

inline constexpr std::size_t kMostText = 32U << 10U;

// As many whole lines as fit; the rest is counted, not cut silently.
inline std::string shortened(std::string text) {
  if (text.size() <= kMostText) return text;
  const auto end = text.rfind('\n', kMostText);
  const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  text.resize(end);
  return text + "\n... and " + std::to_string(lines) + " more lines; see `langsbx inspect`";
}

}  // namespace langsbx::guard
