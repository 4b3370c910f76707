// Strings where a name can stand: format fields, constants that names hold.
#include <algorithm>
#include <charconv>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    out += static_cast<char>(0xE0U | ((code >> 12U) & 0xFU));
    out += static_cast<char>(0x80U | ((code >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

// The escape at `i` (behind the backslash); moves past it. Names (\N{...}) become '?'; they can
// spell ASCII too, so the result counts as unknown to nobody but a reader of paths.
void append_escape(std::string& out, std::string_view body, std::size_t& i) {
  static constexpr std::string_view kFrom = "abfnrtv\\'\"";
  static constexpr std::string_view kTo = "\a\b\f\n\r\t\v\\'\"";
  const char c = body[i++];
  if (const std::size_t at = kFrom.find(c); at != std::string_view::npos) {
    out += kTo[at];
  } else if (c == '\n') {
  } else if (c >= '0' && c <= '7') {
    std::uint32_t value = static_cast<std::uint32_t>(c - '0');
    for (int n = 0; n < 2 && i < body.size() && body[i] >= '0' && body[i] <= '7'; ++n) {
      value = value * 8 + static_cast<std::uint32_t>(body[i++] - '0');
    }
    append_utf8(out, value);
  } else if (c == 'x' || c == 'u' || c == 'U') {
    const std::size_t digits = c == 'x' ? 2 : c == 'u' ? 4 : 8;
    std::uint32_t value = 0;
    const std::size_t have = std::min(digits, body.size() - i);
    std::from_chars(body.data() + i, body.data() + i + have, value, 16);
    append_utf8(out, value);
    i += have;
  } else if (c == 'N' && i < body.size() && body[i] == '{') {
    const std::size_t end = std::min(body.find('}', i), body.size() - 1);
    const std::string_view name = body.substr(i, end - i);
    out += name == "{LOW LINE" ? '_' : name == "{SOLIDUS" ? '/' : name == "{FULL STOP" ? '.' : '?';
    i = end + 1;
  } else {
    out += '\\';
    out += c;
  }
}

// What is kept in home directories.
bool keeps_secrets(std::string_view name) {
  static constexpr auto kPlaces =
      text_list(".ssh/", ".ssh", ".aws/", ".aws", ".netrc", ".gnupg", ".bash_history", ".bashrc",
                ".profile", ".git-credentials", ".docker/config.json", ".kube");
  return std::ranges::any_of(kPlaces, [&](std::string_view place) {
    return name.starts_with(place) && (place.ends_with('/') || name.size() == place.size() + 1);
  });
}

// Whether some escape stands for '_'.
bool spells_underscore(std::string_view literal) {
  for (std::size_t at = literal.find('\\'); at != std::string_view::npos;
       at = literal.find('\\', at + 2)) {
    const std::string_view escape = literal.substr(at + 1, 9);
    const bool hexadecimal =
        escape.starts_with("x5") || escape.starts_with("u005") || escape.starts_with("U0000005");
    if (hexadecimal || escape.starts_with("137") || escape.starts_with("N{LOW")) return true;
  }
  return false;
}

}  // namespace

std::string Analysis::decoded(const Token& token) const {
  std::string_view body = source_.bytes.substr(token.offset, token.length);
  steps_ += token.length;
  bool raw = false;
  while (!body.empty() && body[0] != '"' && body[0] != '\'') {
    raw = raw || (body[0] | 0x20) == 'r';
    body.remove_prefix(1);
  }
  const std::size_t quotes = body.size() >= 6 && body[1] == body[0] && body[2] == body[0] ? 3 : 1;
  if (body.size() < 2 * quotes) return {};
  body = body.substr(quotes, body.size() - 2 * quotes);
  if (raw || (token.op & kMarkBackslash) == 0) return std::string(body);
  std::string out;
  for (std::size_t i = 0; i < body.size();) {
    if (body[i] != '\\' || i + 1 >= body.size()) {
      out += body[i++];
    } else {
      append_escape(out, body, ++i);
    }
  }
  return out;
}

// "a" "b" + ("c"): what the tokens [begin, end) spell when they are string literals only.
// With `repeats`, "ab" * 3 counts too, as "ab": the same fields, fewer times.
std::optional<std::string> Analysis::constant(std::uint32_t begin, std::uint32_t end,
                                              bool repeats) const {
  std::string value;
  bool any = false;
  for (std::uint32_t i = begin; i < end; ++i, ++steps_) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kString) {
      value += decoded(token);
      any = true;
      if (value.size() > kMaxConstant) return std::nullopt;
    } else if (repeats && (is_op(i, '*') || token.kind == TokenKind::kNumber)) {
    } else if (!is_op(i, '+') && !is_open(i, '(') &&
               !(token.kind == TokenKind::kClose && token.op == ')')) {
      return std::nullopt;
    }
  }
  if (!any) return std::nullopt;
  return value;
}

void Analysis::string(std::uint32_t i) {
  const std::string_view literal = text(i);
  // Readers that take a path whatever they belong to: config.read("/etc/x"), tree.parse("/etc/x").
  if (literal.size() > 2 && (literal[1] == '/' || literal[1] == '~') && i >= 3 &&
      is_open(i - 1, '(') && is_op(i - 3, '.')) {
    const std::string_view method = text(i - 2);
    if (method == "read" || method == "parse" || method == "load" || method == "iterparse" ||
        method == "extractall" || method == "joinpath" || method == "symlink_to" ||
        method == "hardlink_to" || method == "rename" || method == "savefig" ||
        method == "to_csv") {
      path_text(decoded(tokens_[i]), true, i, intern("." + std::string(method)));
    }
  }
  if (literal.size() > 5 && (literal[1] == '/' || literal[1] == '~' || literal[2] == '/')) {
    if (i > 0 && is_op(i - 1, '/') && literal[1] == '/')
      path_text(decoded(tokens_[i]), true, i, "/");
    if (!statement_start(i) && (i > path_judged_ || i == 0)) telling_text(i);
  }
  if (i > 0 && is_op(i - 1, '/')) code_name(i, i + 1, i);
  if (literal.size() > 4 && literal[1] == '.' && i > 0 && keeps_secrets(literal.substr(1)) &&
      (is_op(i - 1, '/') || is_open(i - 1, '(') || is_op(i - 1, ','))) {
    reach(Capability::kFilesOutside, i, literal);
  }
  if (sympy_) sympy_text(i);
  if (literal.size() > 10) told_text(i);
  if (literal.size() == 3 && literal[1] == '{' && i > 2 && is_op(i - 1, '=')) brace_style(i);
  if (i > 0 && (is_op(i - 1, ':') || is_op(i - 1, kOpArrow) || is_open(i - 1, '['))) {
    annotation_text(i);
  }
  const bool dunder = (tokens_[i].op & kMarkDunder) != 0;
  const bool spelt = (tokens_[i].op & kMarkBackslash) != 0 && spells_underscore(literal);
  if (!dunder && !spelt) return;
  if (literal.size() < 100) {
    // A whole literal that is a closed name: a key into a namespace.
    const std::string value = decoded(tokens_[i]);
    const std::uint16_t known = find_name(value, hash_name(value));
    if (known != 0 && (name_info(known).uses & kDunderDenied) != 0) {
      report("python-special-name"_rule, i, value);
    }
  }
  if (literal.find('{') != std::string_view::npos) format_text(literal, i);
}

// logging.Formatter(template, style="{")
void Analysis::brace_style(std::uint32_t i) {
  if (text(i - 2) != "style") return;
  if (!may_search()) return report("python-unseen-template"_rule, i, "style");
  std::uint32_t open = i;
  while (open > 0 && tokens_[open].kind != TokenKind::kOpen) {
    open = tokens_[open].kind == TokenKind::kClose ? tokens_[open].link - 1 : open - 1;
  }
  for (const Argument& argument : arguments(open)) {
    const std::string_view key = argument.keyword ? text(*argument.keyword) : "fmt";
    if (key != "fmt" && key != "format") continue;
    const auto value = constant(argument.begin, argument.end);
    if (!value) return report("python-unseen-template"_rule, i, "style");
    format_text(*value, argument.begin);
    return;
  }
}

// x.format(...), x.format: the template must be seen, and its fields must be harmless.
void Analysis::format_use(std::uint32_t i) {
  const std::uint32_t last = i - 2;
  const Token& receiver = tokens_[last];
  if (is_name(last, kStr)) {
    if (!is_open(i + 1, '(')) return report("python-unseen-template"_rule, i, text(i));
    const Arguments list = arguments(i + 1);
    const auto value = list.empty() ? std::nullopt : constant(list[0].begin, list[0].end);
    return value ? format_text(*value, i) : report("python-unseen-template"_rule, i, text(i));
  }
  if (is_open(i + 1, '(') && tokens_[i + 1].link == i + 2) return;  // no arguments, no fields
  if (text(last) == "style" && is_op(before(last), '.') && is_open(i + 1, '(') &&
      imported_.contains("pandas")) {
    // A table's style: its templates are the arguments.
    for (std::uint32_t k = i + 2; k < tokens_[i + 1].link; ++k) {
      if (tokens_[k].kind == TokenKind::kString) format_text(decoded(tokens_[k]), k);
      const bool free = tokens_[k].kind == TokenKind::kName && !is_op(k + 1, '=') &&
                        tokens_[k].name == 0 && !is_op(before(k), '.');
      if (free && is_op(before(k), '=') && text(k - 2) == "formatter") {
        return report("python-unseen-template"_rule, i, text(i));
      }
    }
    const Arguments given = arguments(i + 1);
    const bool seen = given.empty() || given[0].keyword ||
                      tokens_[given[0].begin].kind == TokenKind::kString ||
                      is_open(given[0].begin, '{') || is_name(given[0].begin, kLambda);
    if (seen) return;
  }
  if (receiver.kind == TokenKind::kString || receiver.kind == TokenKind::kClose) {
    if (literal_receiver(last, i)) return;
  } else if (receiver.kind == TokenKind::kName && !is_op(before(last), '.') &&
             !is_name(last, kSelf) && !is_name(last, kCls)) {
    std::vector<std::string> values;
    if (constant_name(last, values)) {
      for (const std::string& value : values) format_text(value, i);
      return;
    }
  }
  report("python-unseen-template"_rule, i, text(i));
}

bool Analysis::literal_receiver(std::uint32_t last, std::uint32_t token) {
  std::uint32_t first = last;
  if (tokens_[last].kind == TokenKind::kClose) {
    first = tokens_[last].link;
    if (!is_open(first, '(')) return false;
    // A call's result is not a literal.
    const Token& caller = tokens_[before(first)];
    const bool keyword = caller.kind == TokenKind::kName && caller.name != 0 &&
                         (name_info(caller.name).uses & kKeyword) != 0;
    if ((caller.kind == TokenKind::kName && !keyword) || caller.kind == TokenKind::kClose) {
      return false;
    }
  } else {
    while (tokens_[before(first)].kind == TokenKind::kString && first > 0) --first;
    if (tokens_[before(first)].kind == TokenKind::kFEnd) return false;
  }
  const std::optional<std::string> value = constant(first, last + 1, true);
  if (!value) return false;
  format_text(*value, token);
  return true;
}

// Attribute names in "{0.a.b[c]}". Every brace counts, so fields inside specifications do too.
void Analysis::format_text(std::string_view format, std::uint32_t token) {
  for (std::size_t open = format.find('{'); open != std::string_view::npos;
       open = format.find('{', open + 1)) {
    std::size_t at = open + 1;
    const std::size_t end = std::min(format.find_first_of("{}:!", at), format.size());
    for (at = std::min(format.find('.', at), end); at < end;) {
      const std::size_t stop = std::min(format.find_first_of(".[]{}:!", at + 1), end);
      const std::string_view name = format.substr(at + 1, stop - at - 1);
      const std::uint16_t known = find_name(name, hash_name(name));
      const std::uint8_t uses = name_info(known).uses;
      const bool closed = is_dunder(name)
                              ? (uses & kDunderAllowed) == 0
                              : (uses & (kFrame | kLeak)) != 0 || (known == kObj && keeps_module());
      if (closed) report("python-format-field"_rule, token, name);
      at = std::min(format.find('.', stop), end);
    }
  }
}

}  // namespace langsbx::languages::python
