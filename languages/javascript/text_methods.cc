// Text methods; only what serves to build a name or a path.
#include "languages/javascript/text_methods.h"

#include <algorithm>
#include <charconv>

namespace langsbx::languages::javascript {
namespace {

constexpr std::size_t kLongest = 4096;  // longer results are not names

Value text_value(std::string text) {
  Value value;
  if (text.size() > kLongest) return value;
  value.kind = Value::Kind::kText;
  value.text = std::move(text);
  return value;
}

Value join_list(const Value& list, std::string_view separator) {
  std::string out;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    if (i > 0) out += separator;
    out += list.items[i];
    if (out.size() > kLongest) return {};
  }
  return text_value(std::move(out));
}

Value split(const std::string& text, const std::string& separator) {
  Value list;
  list.kind = Value::Kind::kList;
  if (separator.empty()) {
    for (const char letter : text) list.items.emplace_back(1, letter);
    return list;
  }
  std::size_t start = 0;
  for (;;) {
    const std::size_t end = text.find(separator, start);
    list.items.push_back(text.substr(start, end - start));
    if (end == std::string::npos) return list;
    start = end + separator.size();
  }
}

bool number(const Value& value, long& out) {
  if (!value.exact()) return false;
  const char* end = value.text.data() + value.text.size();
  const auto [at, error] = std::from_chars(value.text.data(), end, out);
  return error == std::errc{} && at == end;
}

// slice, substring, substr and at, with numbers as literals.
Value cut(const std::string& text, std::string_view name, const std::vector<Value>& arguments) {
  const long size = static_cast<long>(text.size());
  long from = 0;
  long to = size;
  if (!arguments.empty() && !number(arguments[0], from)) return {};
  const bool has_second = arguments.size() > 1;
  if (has_second && !number(arguments[1], to)) return {};
  if (from < 0) from = name == "substring" ? 0 : std::max(0L, size + from);
  if (name == "charAt" || name == "at") to = from + 1;
  if (name == "substr" && has_second) to = from + to;
  if (to < 0) to = name == "substring" ? 0 : size + to;
  if (name == "substring" && from > to) std::swap(from, to);
  from = std::min(from, size);
  to = std::clamp(to, from, size);
  return text_value(
      text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)));
}

Value replace(std::string text, const std::vector<Value>& arguments, bool all) {
  if (arguments.size() < 2 || !arguments[0].exact() || !arguments[1].exact()) return {};
  const std::string& from = arguments[0].text;
  if (from.empty()) return {};
  std::size_t at = 0;
  while ((at = text.find(from, at)) != std::string::npos) {
    text.replace(at, from.size(), arguments[1].text);
    at += arguments[1].text.size();
    if (!all || text.size() > kLongest) break;
  }
  return text_value(std::move(text));
}

// repeat, padStart and padEnd
Value widened(const std::string& text, std::string_view name, const std::vector<Value>& arguments) {
  long count = 0;
  if (arguments.empty() || !number(arguments[0], count) || count < 0) return {};
  const auto wanted = static_cast<std::size_t>(count);
  if (wanted > kLongest || (name == "repeat" && wanted * text.size() > kLongest)) return {};
  std::string more;
  if (name == "repeat") {
    for (std::size_t n = 0; n < wanted; ++n) more += text;
    return text_value(std::move(more));
  }
  const std::string fill = arguments.size() > 1 && arguments[1].exact() ? arguments[1].text : " ";
  for (std::size_t n = 0; !fill.empty() && n + text.size() < wanted; ++n) {
    more += fill[n % fill.size()];
  }
  return text_value(name == "padStart" ? more + text : text + more);
}

Value text_method(const Value& value, std::string_view name, const std::vector<Value>& arguments) {
  std::string text = value.text;
  const bool first = !arguments.empty() && arguments[0].exact();
  if (name == "toString" || name == "valueOf" || name == "normalize") return value;
  if (name == "trim") {
    const std::size_t start = std::min(text.find_first_not_of(" \t\n\r"), text.size());
    text = text.substr(start, text.find_last_not_of(" \t\n\r") + 1 - start);
    return text_value(std::move(text));
  }
  if (name == "toLowerCase" || name == "toUpperCase") {
    const char low = name == "toLowerCase" ? 'A' : 'a';
    for (char& letter : text) {
      if (letter >= low && letter <= low + 25) letter = static_cast<char>(letter ^ 0x20);
    }
    return text_value(std::move(text));
  }
  if (name == "concat") {
    for (const Value& argument : arguments) {
      if (!argument.exact()) return {};
      text += argument.text;
    }
    return text_value(std::move(text));
  }
  if (name == "split" && first) return split(text, arguments[0].text);
  if (name == "replace" || name == "replaceAll") {
    return replace(std::move(text), arguments, name == "replaceAll");
  }
  if (name == "slice" || name == "substring" || name == "substr" || name == "charAt" ||
      name == "at") {
    return cut(text, name, arguments);
  }
  if (name == "repeat" || name == "padStart" || name == "padEnd") {
    return widened(text, name, arguments);
  }
  return {};
}

int base64_digit(char letter) {
  if (letter >= 'A' && letter <= 'Z') return letter - 'A';
  if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
  if (letter >= '0' && letter <= '9') return letter - '0' + 52;
  if (letter == '+' || letter == '-') return 62;
  if (letter == '/' || letter == '_') return 63;
  return -1;
}

int hex_value(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  letter = static_cast<char>(letter | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

}  // namespace

Value apply_method(const Value& value, std::string_view name, const std::vector<Value>& arguments) {
  Value result;
  if (value.kind == Value::Kind::kText) {
    result = text_method(value, name, arguments);
  } else if (value.kind == Value::Kind::kList) {
    if (name == "join" || name == "toString") {
      if (arguments.empty()) result = join_list(value, ",");
      if (!arguments.empty() && arguments[0].exact()) result = join_list(value, arguments[0].text);
    } else if (name == "reverse") {
      result = value;
      std::reverse(result.items.begin(), result.items.end());
    }
  }
  result.from_literals = value.from_literals;
  for (const Value& argument : arguments) result.from_literals &= argument.from_literals;
  return result;
}

std::string decode_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char letter : text) {
    const int digit = base64_digit(letter);
    if (digit < 0) continue;
    bits = (bits << 6U | static_cast<std::uint32_t>(digit)) & 0xFFFFFFU;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU));
    }
  }
  return out;
}

std::string decode_hex(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    if (hex_value(text[i]) < 0 || hex_value(text[i + 1]) < 0) break;
    out.push_back(static_cast<char>(hex_value(text[i]) * 16 + hex_value(text[i + 1])));
  }
  return out;
}

std::string decode_percent(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 &&
        hex_value(text[i + 2]) >= 0) {
      out.push_back(static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2])));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string join_path(const std::vector<std::string>& parts, bool resolve) {
  std::string out;
  for (const std::string& part : parts) {
    if (resolve && part.starts_with('/')) out.clear();
    if (!out.empty()) out += '/';
    out += part;
  }
  return out;
}

}  // namespace langsbx::languages::javascript
