// Lines and columns, counted only where a finding needs them.
#include "languages/source.h"

#include <algorithm>
#include <cstring>

namespace langsbx::languages {

Position position_of(std::string_view bytes, std::size_t offset) {
  offset = std::min(offset, bytes.size());
  Position position;
  std::size_t line_start = 0;
  while (line_start < offset) {
    const void* newline = std::memchr(bytes.data() + line_start, '\n', offset - line_start);
    if (newline == nullptr) break;
    line_start = static_cast<std::size_t>(static_cast<const char*>(newline) - bytes.data()) + 1;
    ++position.line;
  }
  position.column = static_cast<std::uint32_t>(offset - line_start) + 1;
  return position;
}

std::string_view line_at(std::string_view bytes, std::size_t offset) {
  offset = std::min(offset, bytes.size());
  const std::size_t before = offset == 0 ? std::string_view::npos : bytes.rfind('\n', offset - 1);
  const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
  std::size_t end = bytes.find('\n', offset);
  if (end == std::string_view::npos) end = bytes.size();
  if (end > start && bytes[end - 1] == '\r') --end;
  return bytes.substr(start, end - start);
}

bool names_sh(std::string_view bytes) {
  if (!bytes.starts_with("#!")) return false;
  std::string_view line = bytes.substr(2, bytes.find('\n') - 2);
  bool again = true;  // env and busybox run what stands behind them
  while (again) {
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    std::string_view name = line.substr(0, line.find_first_of(" \t"));
    line.remove_prefix(name.size());
    const bool option = name.starts_with('-') || name.find('=') != std::string_view::npos;
    name = name.substr(name.rfind('/') + 1);
    if (name == "sh" || name == "dash" || name == "ash") return true;
    again = !name.empty() && (option || name == "env" || name == "busybox");
  }
  return false;
}

}  // namespace langsbx::languages
