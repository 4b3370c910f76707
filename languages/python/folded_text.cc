// What methods of text and the few functions that make text yield for values that are known.
#include <algorithm>
#include <array>

#include "languages/python/folded.h"

namespace langsbx::languages::python {
namespace {

using std::string_view;

MaybeFolded text_of(std::string text) {
  if (text.size() > Folder::kMostText) return std::nullopt;
  return Folded::of_text(std::move(text));
}

// None of them is known in part only.
bool all_whole(const std::vector<Folded>& values) {
  return std::ranges::all_of(values, [](const Folded& value) { return value.whole; });
}

std::string letter_of(std::int64_t code) {
  // Beyond ASCII nothing is a separator: which character it is plays no part.
  return {code >= 0 && code < 0x80 ? static_cast<char>(code) : '?'};
}

std::string replaced(string_view text, string_view from, string_view to) {
  std::string out;
  if (from.empty()) return std::string(text);
  std::size_t at = 0;
  for (std::size_t found = text.find(from); found != string_view::npos;
       found = text.find(from, at)) {
    out += text.substr(at, found - at);
    out += to;
    at = found + from.size();
    if (out.size() > Folder::kMostText) return {};
  }
  return out += text.substr(at);
}

string_view stripped(string_view text, string_view letters, bool left, bool right) {
  while (left && !text.empty() && letters.find(text.front()) != string_view::npos) {
    text.remove_prefix(1);
  }
  while (right && !text.empty() && letters.find(text.back()) != string_view::npos) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<Folded> split(string_view text, string_view by) {
  std::vector<Folded> parts;
  for (;;) {
    const std::size_t end = by.empty() ? string_view::npos : text.find(by);
    parts.push_back(Folded::of_text(std::string(text.substr(0, end))));
    if (end == string_view::npos) return parts;
    text.remove_prefix(end + by.size());
  }
}

MaybeFolded joined(string_view between, const std::vector<Folded>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].is_text()) return std::nullopt;
    if (i > 0) out += between;
    out += parts[i].text;
    if (!parts[i].whole) {
      Folded value = Folded::of_text(std::move(out));
      value.whole = false;
      return value;
    }
  }
  return text_of(std::move(out));
}

// str.maketrans("ab", "cd"), {47: "x"}
MaybeFolded translated(string_view text, const Folded& table) {
  if (table.kind != Folded::Kind::kTable) return std::nullopt;
  std::string out;
  for (const char c : text) {
    std::string now(1, c);
    for (std::size_t i = 0; i + 1 < table.items.size(); i += 2) {
      const Folded& key = table.items[i];
      const Folded& held = table.items[i + 1];
      const bool same = key.is_number() ? key.number == static_cast<unsigned char>(c)
                                        : key.text.size() == 1 && key.text[0] == c;
      if (same) now = held.is_number() ? letter_of(held.number) : held.text;
    }
    out += now;
  }
  return text_of(std::move(out));
}

// "{}/{0}".format(a): fields by place only
MaybeFolded formatted(string_view text, const std::vector<Folded>& values) {
  std::string out;
  std::size_t next = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '}') ++i;
    if (i >= text.size() || text[i] != '{' || (i + 1 < text.size() && text[i + 1] == '{')) {
      i += i < text.size() && text[i] == '{' ? 1 : 0;
      if (i < text.size()) out += text[i];
      continue;
    }
    const std::size_t end = text.find('}', i);
    if (end == string_view::npos) return std::nullopt;
    const string_view field = text.substr(i + 1, end - i - 1);
    const bool place = field.size() == 1 && field[0] >= '0' && field[0] <= '9';
    const std::size_t which = place ? static_cast<std::size_t>(field[0] - '0') : next++;
    if ((!place && !field.empty()) || which >= values.size()) return std::nullopt;
    const Folded& value = values[which];
    out += value.is_number() ? std::to_string(value.number) : value.text;
    i = end;
  }
  return text_of(std::move(out));
}

MaybeFolded padded(string_view method, string_view text, const std::vector<Folded>& arguments) {
  if (arguments.empty() || !arguments[0].is_number()) return std::nullopt;
  const std::int64_t width = arguments[0].number;
  if (width > static_cast<std::int64_t>(Folder::kMostText)) return std::nullopt;
  const auto more = static_cast<std::size_t>(
      std::max<std::int64_t>(width - static_cast<std::int64_t>(text.size()), 0));
  char fill = method == "zfill" ? '0' : ' ';
  if (arguments.size() > 1 && arguments[1].text.size() == 1) fill = arguments[1].text[0];
  std::size_t left = method == "ljust" ? 0 : more;
  if (method == "center") left = more / 2;
  return text_of(std::string(left, fill) + std::string(text) + std::string(more - left, fill));
}

template <typename Change>
MaybeFolded changed(std::string text, Change change) {
  std::transform(text.begin(), text.end(), text.begin(), change);
  return text_of(std::move(text));
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }
char rotated(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>('a' + (c - 'a' + 13) % 26);
  if (c >= 'A' && c <= 'Z') return static_cast<char>('A' + (c - 'A' + 13) % 26);
  return c;
}

int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = lower(c);
  return small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

MaybeFolded from_hex(string_view text) {
  std::string out;
  int high = -1;
  for (const char c : text) {
    const int digit = digit_of(c);
    if (digit < 0) continue;
    if (high < 0) {
      high = digit;
    } else {
      out += letter_of(high * 16 + digit);
      high = -1;
    }
  }
  return text_of(std::move(out));
}

MaybeFolded from_base64(string_view text) {
  static constexpr string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  unsigned count = 0;
  for (const char c : text) {
    const char digit = c == '-' ? '+' : c == '_' ? '/' : c;
    const std::size_t at = kDigits.find(digit);
    if (at == string_view::npos) continue;
    bits = (bits << 6U | static_cast<unsigned>(at)) & 0xFFFFU;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += letter_of(bits >> count & 0xFFU);
  }
  return text_of(std::move(out));
}

// os.path.join(a, b), a / b: what begins with a separator stands alone.
MaybeFolded path_joined(const std::vector<Folded>& parts) {
  std::string out;
  for (const Folded& part : parts) {
    if (!part.is_text()) return std::nullopt;
    if (part.text.starts_with('/')) out.clear();
    if (!out.empty() && !out.ends_with('/')) out += '/';
    out += part.text;
    if (!part.whole) {
      Folded value = Folded::of_text(std::move(out));
      value.whole = false;
      return value;
    }
  }
  return text_of(std::move(out));
}

MaybeFolded table_of(const std::vector<Folded>& arguments) {
  if (arguments.size() == 1 && arguments[0].kind == Folded::Kind::kTable) return arguments[0];
  if (arguments.size() < 2 || arguments[0].text.size() != arguments[1].text.size()) {
    return std::nullopt;
  }
  Folded table;
  table.kind = Folded::Kind::kTable;
  for (std::size_t i = 0; i < arguments[0].text.size(); ++i) {
    table.items.push_back(Folded::of_text(std::string(1, arguments[0].text[i])));
    table.items.push_back(Folded::of_text(std::string(1, arguments[1].text[i])));
  }
  return table;
}

MaybeFolded text_from_numbers(const std::vector<Folded>& arguments) {
  if (arguments.size() != 1) return std::nullopt;
  if (arguments[0].is_text()) return arguments[0];
  const auto items = fold_items(arguments[0]);
  std::string out;
  if (!items) return std::nullopt;
  for (const Folded& item : *items) {
    if (!item.is_number()) return std::nullopt;
    out += letter_of(item.number);
  }
  return text_of(std::move(out));
}

MaybeFolded without_end(string_view method, string_view text, string_view part) {
  if (method == "removeprefix" && text.starts_with(part)) text.remove_prefix(part.size());
  if (method == "removesuffix" && text.ends_with(part)) text.remove_suffix(part.size());
  return text_of(std::string(text));
}

MaybeFolded letters_changed(string_view method, const std::string& text) {
  if (method == "lower" || method == "casefold") return changed(text, lower);
  if (method == "upper") return changed(text, upper);
  if (method == "swapcase") {
    return changed(text, [](char c) { return lower(c) == c ? upper(c) : lower(c); });
  }
  return std::nullopt;
}

}  // namespace

MaybeFolded fold_method(const Folded& value, string_view method,
                        const std::vector<Folded>& arguments) {
  if (!value.is_text() || !all_whole(arguments)) return std::nullopt;
  const std::string& text = value.text;
  const string_view first =
      !arguments.empty() && arguments[0].is_text() ? string_view(arguments[0].text) : "";
  if (method == "decode" || method == "encode") {
    return first == "hex" ? from_hex(text) : first == "rot13" ? changed(text, rotated) : value;
  }
  if (method == "join" && arguments.size() == 1) {
    const auto items = fold_items(arguments[0]);
    return items ? joined(text, *items) : std::nullopt;
  }
  if (method == "replace" && arguments.size() >= 2) {
    return text_of(replaced(text, first, arguments[1].text));
  }
  if (method == "strip" || method == "lstrip" || method == "rstrip") {
    const string_view letters = arguments.empty() ? string_view(" \t\r\n\v\f") : first;
    return text_of(std::string(stripped(text, letters, method != "rstrip", method != "lstrip")));
  }
  if (method == "split" && arguments.size() == 1) return Folded::of_list(split(text, first));
  if (method == "translate" && arguments.size() == 1) return translated(text, arguments[0]);
  if (method == "format") return formatted(text, arguments);
  if (method.ends_with("just") || method == "center" || method == "zfill") {
    return padded(method, text, arguments);
  }
  if (method.starts_with("remove")) return without_end(method, text, first);
  return letters_changed(method, text);
}

MaybeFolded fold_call(string_view function, const std::vector<Folded>& arguments) {
  const bool path = function == "join" || function == "Path" || function == "PurePath" ||
                    function == "PosixPath" || function == "PurePosixPath";
  if (path && !arguments.empty()) return path_joined(arguments);
  if (arguments.empty() || !all_whole(arguments)) return std::nullopt;
  const Folded& first = arguments[0];
  if (function == "chr") {
    return first.is_number() ? text_of(letter_of(first.number)) : std::nullopt;
  }
  if (function == "bytes" || function == "bytearray") return text_from_numbers(arguments);
  if (function == "ord") {
    const bool letter = first.is_text() && first.text.size() == 1;
    return letter ? MaybeFolded(Folded::of_number(first.text[0])) : std::nullopt;
  }
  if (function == "reversed" || function == "list" || function == "tuple") {
    auto items = fold_items(first);
    if (!items || !all_whole(*items)) return std::nullopt;
    if (function == "reversed") std::reverse(items->begin(), items->end());
    return Folded::of_list(std::move(*items));
  }
  if (function == "maketrans") return table_of(arguments);
  if (!first.is_text()) return std::nullopt;
  if (function == "fromhex" || function == "unhexlify") return from_hex(first.text);
  if (function == "b64decode" || function == "urlsafe_b64decode" || function == "a2b_base64") {
    return from_base64(first.text);
  }
  if (function == "decode" && arguments.size() == 2) {
    return fold_method(first, "decode", {arguments[1]});
  }
  return function == "str" ? MaybeFolded(first) : std::nullopt;
}

MaybeFolded fold_index(const Folded& value, std::int64_t index) {
  if (value.kind == Folded::Kind::kTable || !all_whole(value.items)) return std::nullopt;
  const auto size =
      static_cast<std::int64_t>(value.is_text() ? value.text.size() : value.items.size());
  if (index < 0) index += size;
  if (value.is_number() || index < 0 || index >= size) return std::nullopt;
  const auto at = static_cast<std::size_t>(index);
  return value.is_text() ? Folded::of_text(std::string(1, value.text[at])) : value.items[at];
}

MaybeFolded fold_slice(const Folded& value, const std::optional<std::int64_t> (&parts)[3]) {
  if (value.is_number() || value.kind == Folded::Kind::kTable || !all_whole(value.items)) {
    return std::nullopt;
  }
  const std::int64_t step = parts[2].value_or(1);
  const auto size =
      static_cast<std::int64_t>(value.is_text() ? value.text.size() : value.items.size());
  if (step == 0 || step < -size - 1 || step > size + 1) return std::nullopt;
  const std::int64_t lowest = step < 0 ? -1 : 0;
  const std::int64_t highest = step < 0 ? size - 1 : size;
  const auto bound = [&](const std::optional<std::int64_t>& part, std::int64_t otherwise) {
    if (!part) return otherwise;
    const std::int64_t from_start = *part < 0 ? *part + size : *part;
    return std::clamp(from_start, lowest, std::max(lowest, highest));
  };
  const std::int64_t first = bound(parts[0], step < 0 ? highest : lowest);
  const std::int64_t last = bound(parts[1], step < 0 ? lowest : highest);
  Folded out = value.is_text() ? Folded::of_text("") : Folded::of_list({});
  for (std::int64_t i = first; step > 0 ? i < last : i > last; i += step) {
    const auto at = static_cast<std::size_t>(i);
    if (at >= static_cast<std::size_t>(size)) break;
    if (value.is_text()) {
      out.text += value.text[at];
    } else {
      out.items.push_back(value.items[at]);
    }
  }
  return out;
}

std::optional<std::vector<Folded>> fold_items(const Folded& value) {
  if (value.kind == Folded::Kind::kList) return value.items;
  if (!value.is_text() || !value.whole) return std::nullopt;
  std::vector<Folded> letters;
  for (const char c : value.text) letters.push_back(Folded::of_text(std::string(1, c)));
  return letters;
}

}  // namespace langsbx::languages::python
