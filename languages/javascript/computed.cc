// obj[key], and texts that are put together: what they come to is judged as if it were written.

#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"
#include "languages/scanner/judging.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

bool is_keyword_before_value(string_view word) {
  static constexpr auto kWords =
      text_list("return", "typeof", "case", "in", "of", "await", "yield", "const", "let", "var",
                "throw", "default", "new", "delete", "void", "else", "extends", "instanceof");
  for (const string_view candidate : kWords) {
    if (word == candidate) return true;
  }
  return false;
}

// Text that is code: "return process", "require('child_process')".
bool holds_code(string_view text) {
  const std::size_t process = text.find("process");
  if (process != string_view::npos) {
    if (text.find("child_process") != string_view::npos) return true;
    static constexpr auto kCode =
        text_list("return process", "process.mainModule", "process.binding",
                  "process.getBuiltinModule", "process.dlopen");
    for (const string_view code : kCode) {
      if (text.find(code) != string_view::npos) return true;
    }
  }
  return text == "return this" || text == "return globalThis" || text == "return global" ||
         text == "return require" || text == "return eval";
}

constexpr auto kLooks = text_list("includes", "indexOf", "lastIndexOf", "has");

bool is_look(string_view name) { return kLooks.contains(name); }

}  // namespace

bool Judge::is_computed_member(Index open) const {
  const Token& before = code_.at(open - 1);
  if (before.kind == TokenKind::kIdentifier) {
    return code_.is_member(open - 1) || !is_keyword_before_value(code_.text(open - 1));
  }
  if (before.is(')') || before.is(']') || before.is(scanner::kOptionalChain)) return true;
  if (before.is('}')) return !code_.newline_before(open);
  return before.is_literal_text() || before.kind == TokenKind::kRegex;
}

void Judge::ask_bracket(Index open) {
  if (findings_.full()) return;
  const bool literal_key = code_.at(open + 1).is_literal_text();
  if (is_computed_member(open)) return ask_computed_key(open);
  const Index next = code_.after(open);
  const Index brace = code_.enclosing(open);
  const bool key_position = brace != kNoIndex && code_.is(brace, '{') &&
                            (code_.is(open - 1, '{') || code_.is(open - 1, ','));
  if (key_position && code_.is(next, ':') &&
      may_be_pattern(brace)) {  // const {[key]: value} = object
    for (const Value& value : folder_.possible(open + 1)) {
      const bool known = value.exact() ? is_sensitive_member(value.text)
                                       : may_be_sensitive(value.text, value.tail);
      if (known) report("javascript-hidden-name"_rule, open + 1, value.text);
      const bool named = code_.is_identifier(next + 1) && !value.exact();
      if (named) taken_.add(code_.text(next + 1), next + 1);
    }
    return;
  }
  if (literal_key && code_.is(next, '.') && !key_position) {  // ['a', 'b'].join('')
    const Value value = folder_.fold(open);
    if (value.exact()) ask_value(value, open);
  }
}

// Math['random'] is Math.random to a profile that blocks it.
void Judge::ask_profile_name(Index open, const std::string& member) {
  if (policy_.functions_blocked.empty() && policy_.attributes_blocked.empty()) return;
  const std::string dotted = std::string(code_.text(open - 1)) + "." + member;
  if (policy_.attributes_blocked.contains(member) || policy_.functions_blocked.contains(member) ||
      policy_.functions_blocked.contains(dotted)) {
    report("javascript-profile-name"_rule, open + 1, dotted);
  }
}

namespace {

// (() => 0)[key], (function () {})[key], (class {})[key]
bool is_function_literal(const Code& code, Index open) {
  const Index start = code.is(open - 1, ')') ? code.partner(open - 1) : kNoIndex;
  if (start == kNoIndex) return false;
  const Index parameters = code.is(start + 1, '(') ? code.after(start + 1) : start + 2;
  return code.is(start + 1, string_view("function")) || code.is(start + 1, string_view("class")) ||
         code.is(start + 1, string_view("async")) || code.is(parameters, scanner::kFatArrow);
}

}  // namespace

// Whether the ( at `open` calls what stands before it.
bool Judge::is_called(Index open) const {
  if (!code_.is(open - 1, ')')) return code_.is_identifier(open - 1) || code_.is(open - 1, ']');
  const Index head = code_.partner(open - 1);  // for (...) (() => {})[key](): not a call
  if (head == kNoIndex) return true;
  const string_view word = code_.text(head - 1);
  return word != "for" && word != "if" && word != "while" && word != "with";
}

void Judge::ask_computed_key(Index open) {
  const Index key = open + 1;
  const Index next = code_.after(open);
  const bool called = code_.is(next, '(') || code_.is_template(next);
  const bool simple = code_.is_identifier(key) && code_.is(key + 1, ']');
  if (simple && !called && !variables_.contains(code_.text(key))) {
    if (is_function_literal(code_, open)) {
      return report("javascript-hidden-name"_rule, key, "an unknown member of a function");
    }
    return ask_unknown_member(open, next);
  }
  bool unknown = called && simple && !is_constant(key);
  for (const Value& value : folder_.possible(key)) {
    if (value.exact()) {
      ask_profile_name(open, value.text);
      if (is_sensitive_member(value.text) && !code_.is(next, scanner::kEqual)) {
        report(value.text == "constructor" ? "javascript-constructor"_rule
                                           : "javascript-hidden-name"_rule,
               key, value.text);
      }
      continue;
    }
    unknown = true;
    if (value.kind == Value::Kind::kPartial && may_be_sensitive(value.text, value.tail)) {
      report("javascript-hidden-name"_rule, key, value.text + "..." + value.tail);
    }
  }
  if (unknown && !code_.is(key, string_view("Symbol"))) {
    ask_unknown_member(open, next);
  }
  if (unknown && !called && is_function_literal(code_, open)) {
    report("javascript-hidden-name"_rule, key, "an unknown member of a function");
  }
  if (!called) return;
  // [](...)[key](...) and (() => {})[key](...): nothing ordinary calls a literal's unknown member.
  const Token& before = code_.at(open - 1);
  const Index start = code_.partner(open - 1);
  bool literal = before.is_literal_text() || before.kind == TokenKind::kRegex;
  if (before.is(')') && start != kNoIndex && !is_called(start)) {
    for (Index i = start + 1; i < open - 1 && i < start + 40; ++i) {
      literal |= code_.is(i, scanner::kFatArrow) || code_.is(i, string_view("function")) ||
                 code_.is(i, string_view("class"));
    }
  }
  Index first = start;  // [][a][b](...) begins with the literal, too
  while (first != kNoIndex && code_.is(first - 1, ']') && is_computed_member(first)) {
    first = code_.partner(first - 1);
  }
  if (before.is(']') && first != kNoIndex && !is_computed_member(first)) literal = true;
  const bool known = folder_.fold(key).exact() || code_.is(key, string_view("Symbol"));
  if (literal && !known)
    report("javascript-hidden-name"_rule, key, "a computed member of a literal is called");
}

// A value put together from literals and then used for anything.
void Judge::ask_value(const Value& value, Index at) {
  if (!value.exact()) return;
  if (is_telltale(value.text)) return report("javascript-hidden-name"_rule, at, value.text);
  if (holds_code(value.text))
    report("javascript-code-in-string"_rule, at, value.text.substr(0, 60));
}

// Whether the text stands in a list that nothing is taken out of: ['constructor'].includes(key), or
// const names = new Set(['constructor']) where all that follows is names.has(key).
bool Judge::only_looked_up(Index index) {
  constexpr std::size_t kMostLists = 16;
  if (makes_own_looks()) return false;
  const auto looks = [&](Index dot) {
    return code_.is(dot, '.') && code_.is(dot + 2, '(') && is_look(code_.text(dot + 1));
  };
  const Index list = code_.enclosing(index);
  if (list == kNoIndex || !code_.is(list, '[') || is_computed_member(list)) return false;
  if (looks(code_.after(list))) return true;
  Index begin = list;
  Index behind = code_.after(list);
  const bool set = code_.is(list - 1, '(') && code_.is(list - 2, string_view("Set")) &&
                   code_.is(list - 3, string_view("new"));
  if (set && code_.is(behind, ')')) {
    begin = list - 3;
    ++behind;
    if (looks(behind)) return true;
  }
  const bool whole = code_.is(behind, ';') || code_.newline_before(behind);
  const Index name = begin - 2;
  const bool declared = code_.is(name - 1, string_view("const")) ||
                        code_.is(name - 1, string_view("static")) ||
                        code_.is(name - 1, string_view("readonly"));
  if (!whole || !code_.is(begin - 1, '=') || !code_.is_identifier(name) || !declared ||
      code_.is(name - 2, string_view("export"))) {
    return false;
  }
  if (looked_up_.size() >= kMostLists) return false;
  const auto [known, fresh] = looked_up_.emplace(code_.text(name), true);
  if (!fresh) return known->second;
  for (Index i = 0; i < code_.size(); ++i) {
    const bool other =
        i != name && code_.at(i).symbol == code_.at(name).symbol && code_.is(i, code_.text(name));
    if (other && !looks(i + 1)) known->second = false;
  }
  return known->second;
}

// Whether the source says itself what such a method or a Set is.
bool Judge::makes_own_looks() {
  if (own_looks_) return *own_looks_;
  own_looks_ = false;
  for (Index i = 0; i < code_.size(); ++i) {
    if (!code_.is_identifier(i)) continue;
    const string_view name = code_.text(i);
    const bool given = code_.is(i + 1, '=') || code_.is(i + 1, ':') || !code_.is_member(i);
    const bool set =
        name == "Set" && (code_.is(i + 1, '=') || code_.is(i - 1, ',') || code_.is(i - 1, '{') ||
                          code_.is(i - 1, ':') ||
                          (code_.is_identifier(i - 1) && !code_.is(i - 1, string_view("new")) &&
                           !code_.is(i - 1, string_view("instanceof"))));
    if (set || (is_look(name) && given)) own_looks_ = true;
  }
  return *own_looks_;
}

// Where a telltale word is only looked at, or names a test.
bool Judge::excused_text(Index index) {
  const Token& before = code_.at(index - 1);
  const Token& next = code_.at(index + 1);
  if (next.is(scanner::kEqual) || next.is(scanner::kNotEqual) || before.is(scanner::kEqual) ||
      before.is(scanner::kNotEqual) || code_.is(index - 1, string_view("case")) ||
      code_.is(index + 1, string_view("in")) ||
      (next.is(':') && (before.is('{') || before.is(',')))) {
    return true;
  }
  if (code_.is(index - 1, string_view("from")) || code_.is(index - 1, string_view("import"))) {
    return true;  // judged as an import
  }
  if (only_looked_up(index)) return true;
  const Index open = code_.enclosing(index);
  if (open == kNoIndex || !code_.is(open, '(')) return false;
  static constexpr auto kLookers = text_list(
      "describe", "it", "test", "context", "suite", "log", "error", "warn", "includes", "has",
      "require", "import", "toBe", "toEqual", "hasOwnProperty", "hasOwn", "toHaveProperty");
  for (const string_view looker : kLookers) {
    if (code_.is(open - 1, looker)) return true;
  }
  return code_.is(open - 1, string_view("defineProperty")) &&
         code_.is(index - 2, string_view("prototype"));
}

void Judge::ask_text(Index index) {
  if (findings_.full()) return;
  const bool whole = code_.is_string(index);
  const string_view raw = code_.text(index);
  const Token& next = code_.at(index + 1);
  const Token& before = code_.at(index - 1);
  // The start of a sum, of a template with holes, or of a method call on a literal.
  const bool composed =
      (next.is('+') && !before.is('+')) || next.is('.') || (!whole && raw.front() == '`');
  if (composed && !before.is('[')) ask_value(folder_.fold(index), index);
  if (before.is('(') && code_.is_identifier(index - 2)) {  // atob('...'), Buffer.from('...')
    const string_view name = code_.text(index - 2);
    if (name == "atob" || name == "unescape" || name == "decodeURIComponent") {
      ask_value(folder_.fold(index - 2), index);
    } else if (name == "from" && code_.is(index - 4, string_view("Buffer"))) {
      ask_value(folder_.fold(index - 4), index);
    }
  }
  if (!whole || raw.size() < 6) return;
  const bool escaped = code_.at(index).has(scanner::kEscaped);
  const std::string decoded = escaped ? decode_literal(raw) : std::string();
  const string_view text = escaped ? string_view(decoded) : raw.substr(1, raw.size() - 2);
  if (uses_files_ && scanner::names_system_path(text, policy_)) {
    return report("javascript-file-path"_rule, index, text.substr(0, 80));
  }
  // const {'constructor': f} = function () {}
  const Index brace =
      next.is(':') && (before.is('{') || before.is(',')) ? code_.enclosing(index) : kNoIndex;
  if (brace != kNoIndex && is_sensitive_member(text) && may_be_pattern(brace)) {
    return report("javascript-hidden-name"_rule, index, text);
  }
  if (is_telltale(text)) {
    const bool key = before.is('[') && is_computed_member(index - 1);  // asked as such
    if (!excused_text(index) && !key) report("javascript-hidden-name"_rule, index, text);
  } else if (holds_code(text)) {
    if (!excused_text(index)) report("javascript-code-in-string"_rule, index, text.substr(0, 60));
  }
}

}  // namespace langsbx::languages::javascript
