// What words stand for that put a name together: what `echo` and `printf` of literals print:
// scripts put names together with them.
#include "languages/bash/characters.h"
#include "languages/bash/values.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::size_t kLongest = 256;

// The words of a command of literals; false where it is more than that.
bool literal_words(std::string_view text, std::vector<std::string>& words) {
  std::string word;
  bool any = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c == ' ' || c == '\t' || c == '\n') {
      if (any) words.push_back(std::move(word));
      word.clear();
      any = false;
    } else if (c == '\'' || c == '"') {
      const std::size_t end = text.find(c, i + 1);
      if (end == std::string_view::npos) return false;
      const std::string_view quoted = text.substr(i + 1, end - i - 1);
      if (c == '"' && quoted.find_first_of("$`\\") != std::string_view::npos) return false;
      word += quoted;
      any = true;
      i = end;
    } else if (std::string_view("$`|&;<>(){}*?[~#!").find(c) != std::string_view::npos) {
      return false;
    } else {
      if (c == '\\' && ++i == text.size()) return false;
      word += text[i];
      any = true;
    }
  }
  return true;
}

// \n, \x2f, \057 as printf and echo -e read them.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      out += text[i];
      continue;
    }
    const char c = text[++i];
    const bool hexadecimal = c == 'x';
    if (!hexadecimal && (c < '0' || c > '7')) {
      out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
      continue;
    }
    const unsigned base = hexadecimal ? 16 : 8;
    const std::size_t most = i + (hexadecimal ? 2 : c == '0' ? 3 : 2);
    unsigned value = hexadecimal ? 0 : static_cast<unsigned>(c - '0');
    for (; i < most && i + 1 < text.size(); ++i) {
      const char digit = static_cast<char>(text[i + 1] | 0x20);
      const bool letter = base == 16 && digit >= 'a' && digit <= 'f';
      if (!letter && !is_digit(text[i + 1])) break;
      value = value * base + static_cast<unsigned>(letter ? digit - 'a' + 10 : text[i + 1] - '0');
    }
    out += static_cast<char>(value & 0x7FU);
  }
  return out;
}

// The format once for each round of arguments that it takes.
std::string formatted(std::string_view format, const std::vector<std::string>& words,
                      std::size_t next) {
  std::string out;
  do {
    const std::size_t before = next;
    for (std::size_t i = 0; i < format.size(); ++i) {
      if (format[i] != '%' || i + 1 == format.size()) {
        out += format[i];
        continue;
      }
      while (i + 1 < format.size() && !is_name_start(format[i + 1]) && format[i + 1] != '%') ++i;
      if (++i == format.size()) break;
      if (format[i] == '%') {
        out += '%';
      } else if (next < words.size()) {
        out += format[i] == 'c' ? words[next].substr(0, 1) : words[next];
        ++next;
      }
    }
    if (next == before) break;
  } while (next < words.size() && out.size() < kLongest);
  return out;
}

}  // namespace

std::string_view Values::printed(std::string_view text) {
  steps_ += text.size();
  std::vector<std::string> words;
  if (text.size() > kLongest || !literal_words(text, words) || words.size() < 2) {
    return kUnknownText;
  }
  std::size_t first = 1;
  while (first + 1 < words.size() && words[first].size() > 1 && words[first][0] == '-') ++first;
  std::string out;
  if (words[0] == "printf") {
    out = formatted(unescaped(words[first]), words, first + 1);
  } else {
    for (std::size_t i = first; i < words.size(); ++i) {
      out += (i == first ? "" : " ") + unescaped(words[i]);
    }
  }
  while (!out.empty() && out.back() == '\n') out.pop_back();
  if (out.size() > kLongest || has_marker(out)) return kUnknownText;
  return script_.arena.copy(out);
}

// ${PWD:0:1}, ${HOME::1}, ${PATH%%[!/]*}: what is left of a path's beginning is its slash.
bool Values::cuts_slash(const Part& part) {
  static constexpr auto kPaths = text_list("PWD", "OLDPWD", "HOME", "PATH", "SHELL", "BASH", "0");
  const Parameter* parameter = part.parameter;
  if (parameter == nullptr || parameter->indirect || parameter->op != ParameterOp::kOther) {
    return false;
  }
  if (part.text != "_" && !kPaths.contains(part.text)) return false;
  std::string_view operand = parameter->operand_text;
  const auto is_word = [](char c) { return c >= 'a' && c <= 'z'; };
  if (parameter->detail == ':') {
    if (operand.starts_with(':')) return true;  // ${PWD::1}
    // From the beginning, or from where nobody knows.
    const std::size_t start = operand.find_first_not_of(" 0+");
    return start == std::string_view::npos || operand[start] == ':' || operand[start] == '$' ||
           is_word(operand[start]);
  }
  while (operand.starts_with('%')) operand.remove_prefix(1);
  return parameter->detail == '%' && (operand.starts_with('[') || operand.starts_with("\\["));
}

}  // namespace langsbx::languages::bash
