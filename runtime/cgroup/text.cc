// Texts of cgroup files.
#include "runtime/cgroup/text.h"

#include <charconv>
#include <limits>

namespace langsbx::cgroup {

namespace {

// "/a/b": no part is empty or begins with a dot, and no slash ends it.
bool is_joined(std::string_view path) {
  if (path.empty() || path.front() != '/' || path.back() == '/') return false;
  for (std::size_t slash = 0; slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    if (path[slash + 1] == '/' || path[slash + 1] == '.') return false;
  }
  return true;
}

void append_parts(std::string& joined, std::string_view path) {
  if (is_joined(path)) {
    joined.append(path);
    return;
  }
  for (std::string_view part; next_part(path, '/', part);) {
    if (part != ".") joined.append("/").append(part);
  }
}

}  // namespace

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::string_view part; next_part(text, separator, part);) parts.push_back(part);
  return parts;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return text;
}

std::optional<std::uint64_t> to_number(std::string_view text) {
  text = trim(text);
  if (text == "max") return std::numeric_limits<std::uint64_t>::max();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> to_signed(std::string_view text) {
  text = trim(text);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::pair<std::string_view, std::uint64_t>> key_values(std::string_view text) {
  std::vector<std::pair<std::string_view, std::uint64_t>> values;
  for (std::string_view line; next_part(text, '\n', line);) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos) continue;
    if (const auto number = to_number(line.substr(space + 1))) {
      values.emplace_back(line.substr(0, space), *number);
    }
  }
  return values;
}

std::optional<std::vector<std::uint16_t>> range_list(std::string_view text) {
  constexpr std::uint64_t kLargest = 65535;
  std::vector<std::uint16_t> numbers;
  for (const auto part : split(trim(text), ',')) {
    const auto dash = part.find('-');
    const auto first = to_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : to_number(part.substr(dash + 1));
    if (!first || !last || *first > *last || *last > kLargest) return std::nullopt;
    for (auto number = *first; number <= *last; ++number) {
      numbers.push_back(static_cast<std::uint16_t>(number));
    }
  }
  return numbers;
}

std::string join_path(std::string_view base, std::string_view path) {
  std::string joined;
  joined.reserve(base.size() + path.size() + 1);
  append_parts(joined, base);
  append_parts(joined, path);
  return joined.empty() ? "/" : joined;
}

std::string clean_path(std::string_view path) {
  std::vector<std::string_view> parts;
  std::string_view rest = path;
  for (std::string_view part; next_part(rest, '/', part);) {
    if (part != "..") {
      if (part != ".") parts.push_back(part);
    } else if (!parts.empty()) {
      parts.pop_back();
    }
  }
  std::string clean;
  for (const auto part : parts) {
    if (!clean.empty() || path.starts_with('/')) clean += '/';
    clean += part;
  }
  return clean.empty() ? "/" : clean;
}

std::string_view parent_path(std::string_view path) {
  const auto slash = path.rfind('/');
  if (slash == std::string_view::npos || slash == 0) return "/";
  return path.substr(0, slash);
}

Result<void> check_path(std::string_view path, std::string_view field) {
  const std::string name(field);
  std::string_view rest = path;
  for (std::string_view part; next_part(rest, '/', part);) {
    if (part == "..") {
      return make_error(ErrorKind::kInvalidInput,
                        name + ": \"" + std::string(path) + "\": `..` components are not allowed");
    }
  }
  if (path.find('\0') != std::string_view::npos || path.find('\n') != std::string_view::npos) {
    return make_error(ErrorKind::kInvalidInput, name + ": NUL or newline in a cgroup path");
  }
  return {};
}

}  // namespace langsbx::cgroup
