// The two passes.
#include "languages/javascript/judge.h"

#include <algorithm>

#include "languages/javascript/rules.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

// More declarations of one global's name than this are not remembered: their uses are judged.
constexpr std::size_t kMostRanges = 256;
constexpr scanner::Symbol kFunctionWord = scanner::name_hash("function");

// Names whose local declarations hide the global.
bool can_be_hidden(Free free) {
  return free != Free::kNone && free != Free::kWith && free != Free::kImport &&
         free != Free::kExport && free != Free::kArguments && free != Free::kFunction;
}

bool starts_like_text(const Code& code, Index index) {
  const Token& token = code.at(index);
  if (token.kind == TokenKind::kString || token.kind == TokenKind::kTemplate) return true;
  if (token.is('[') || token.is('(')) return code.at(index + 1).is_literal_text();
  if (token.kind != TokenKind::kIdentifier) return false;
  const std::string_view text = code.text(index);
  return text == "String" || text == "atob" || text == "Buffer" || text == "unescape" ||
         text == "decodeURIComponent" || text == "path" || text == "__dirname" ||
         code.is(index + 1, '+');
}

}  // namespace

void Judge::report(const Rule& rule, Index index, std::string_view detail) {
  report(rule, rule.capability, index, detail);
}

void Judge::report(const Rule& rule, Capability capability, Index index, std::string_view detail) {
  const Token& token = code_.at(index);
  findings_.add(rule, capability, token.offset, token.length, detail);
}

void Judge::run() {
  learn();
  ask_uses();
  if (!handles_.empty()) ask_handles();
  for (const Index open : brackets_) ask_bracket(open);
  ask_made_functions();
  for (const Index function : this_givers_) ask_function(function);
  if (!findings_.full() && !is_strict()) ask_plain_this();
  if (streams_seen_) ask_streams();
  for (const Index text : texts_) ask_text(text);
  if (folder_.exhausted() || flow_steps_ <= 0) report("javascript-too-deep"_rule, 0, "");
}

void Judge::learn() {
  const std::size_t marks = code_.scan().marks.size();
  uses_.reserve(marks / 2 + 8);
  brackets_.reserve(marks / 4 + 8);
  texts_.reserve(marks / 2 + 8);
  for (const Index i : code_.scan().marks) {
    const Token& token = code_.at(i);
    switch (token.kind) {
      case TokenKind::kIdentifier:
        learn_identifier(i);
        break;
      case TokenKind::kString:
      case TokenKind::kTemplate:
        texts_.push_back(i);
        break;
      case TokenKind::kPunctuation:
        // arr[0] and the empty literal need no second look.
        if (token.symbol == '[' && code_.at(i + 1).kind != TokenKind::kNumber &&
            !code_.is(i + 1, ']')) {
          brackets_.push_back(i);
        } else if (token.symbol == '=' && i > 4 && gives_everything(i)) {
          report("javascript-prototype"_rule, i - 1,
                 "Object.prototype." + std::string(code_.text(i - 1)));
        } else if (token.symbol == '=' && i > 0 && code_.is_identifier(i - 1) &&
                   (starts_like_text(code_, i + 1) || is_given_anew(i))) {
          // const path: string = "text"
          const bool typed =
              code_.typescript() && i > 2 && code_.is(i - 2, ':') && code_.is_identifier(i - 3);
          learn_text_variable(typed ? i - 2 : i, i + 1);
        } else if (token.symbol == '=' && i > 1 && code_.is(i - 1, '+') &&
                   code_.is_identifier(i - 2)) {
          learn_text_variable(i - 1, i + 1);
        }
        break;
      default:
        break;
    }
  }
}

// Object.prototype.x = ..., (Object.prototype as any).x = ...: `index` is the sign.
bool Judge::gives_everything(Index index) const {
  if (!code_.is(index - 2, '.')) return false;
  Index name = index - 3;
  if (code_.is(name, ')')) {
    name = code_.partner(name);
    if (name == kNoIndex) return false;
    name += 3;
  }
  return code_.is(name, std::string_view("prototype")) &&
         code_.is(name - 2, std::string_view("Object"));
}

// name = name.method(...): what the name held before is not all it holds.
bool Judge::is_given_anew(Index index) const {
  const Token& before = code_.at(index - 2);
  return before.kind != TokenKind::kIdentifier && !before.is('.') && code_.is(index + 2, '.') &&
         code_.is_identifier(index + 1) && code_.text(index + 1) == code_.text(index - 1);
}

// The name stands before `behind`, its text begins at `value`.
void Judge::learn_text_variable(Index behind, Index value) {
  if (code_.is_member(behind - 1)) return;
  std::vector<Index>& texts = variables_[code_.text(behind - 1)];
  if (texts.size() < 16) texts.push_back(value);
}

void Judge::learn_identifier(Index index) {
  if (code_.at(index).symbol == kFunctionWord && code_.is(index, string_view("function"))) {
    if (gives_this(index)) this_givers_.push_back(index);
    return;
  }
  const Meaning meaning = meaning_of(code_.text(index));
  if (meaning.free == Free::kNone && meaning.dotted == Dotted::kNone) return;
  if (index < skip_to_) return;
  const bool member = code_.is_member(index);
  if (!member && can_be_hidden(meaning.free)) {
    const Range range = hidden_by_declaration(code_, index);
    if (range.to > range.from) {
      std::vector<Range>& ranges = hidden_[code_.text(index)];
      if (ranges.size() < kMostRanges) ranges.push_back(range);
      return;
    }
  }
  uses_.push_back({index, meaning});
  if (member) return;
  if (meaning.free == Free::kImport) learn_import(index);
  if (meaning.free == Free::kExport) learn_export(index);
  if (meaning.free == Free::kRequire) learn_require(index);
  if (meaning.free == Free::kProcess) bind(nullptr, index, index + 1);
}

void Judge::ask_uses() {
  for (const Use& use : uses_) {
    if (findings_.full()) return;
    const Index index = use.index;
    const bool of_global =
        code_.is_member(index) && index >= 2 && !code_.is_member(index - 2) &&
        meaning_of(code_.is_identifier(index - 2) ? code_.text(index - 2) : "-").free ==
            Free::kGlobal &&
        !is_hidden(index - 2);
    if (code_.is_member(index) && !of_global) {
      ask_dotted(use);
      continue;
    }
    if (is_method_name(index)) continue;
    // declare var require: any; makes nothing and names nothing else.
    if (is_ambient_name(index)) continue;
    if (is_key(index)) {
      const bool taken =
          use.meaning.dotted != Dotted::kNone && may_be_pattern(code_.enclosing(index));
      if (taken) ask_dotted(use);
      continue;
    }
    if (use.meaning.free == Free::kNone) {
      ask_dotted(use);  // { constructor } in a pattern
    } else if (of_global || !is_hidden(index)) {
      ask_free(use);
    }
  }
}

void Judge::ask_handles() {
  const Index count = code_.size();
  std::vector<bool> binding(count, false);
  for (std::size_t k = 0; k + 1 < skipped_.size(); k += 2) {
    std::fill(binding.begin() + skipped_[k], binding.begin() + skipped_[k + 1], true);
  }
  scanner::WordFilter words;
  for (const auto& [name, handle] : handles_) words.add(name);
  for (Index i = 0; i < count && !findings_.full(); ++i) {
    if (!code_.is_identifier(i) || !words.may_hold(code_.at(i).symbol)) continue;
    if (binding[i] || code_.is_member(i)) continue;
    const auto found = handles_.find(code_.text(i));
    if (found == handles_.end() || is_key(i) || is_method_name(i)) continue;
    ask_chain(found->second, i, i + 1);
  }
}

bool Judge::is_ambient_name(Index index) const {
  if (!code_.typescript() || !code_.is(index - 2, std::string_view("declare"))) return false;
  const std::string_view word = code_.text(index - 1);
  return word == "var" || word == "let" || word == "const" || word == "function";
}

bool Judge::is_hidden(Index index) const {
  const auto found = hidden_.find(code_.text(index));
  if (found == hidden_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [index](const Range& range) {
    return range.from <= index && index < range.to;
  });
}

bool Judge::is_key(Index index) const {
  const Index brace = code_.enclosing(index);
  if (brace == kNoIndex || !code_.is(brace, '{')) return false;
  Index colon = index + 1;
  if (code_.is(colon, '?') && code_.typescript()) ++colon;
  if (!code_.is(colon, ':')) return false;
  return begins_member(index, code_.typescript());  // Array<T>, or compared: harmless
}

// Whether a member of a class, an object or a type, or a statement, can begin at `index`: not
// inside an expression, which may go on over lines.
bool Judge::begins_member(Index index, bool behind_type) const {
  const Token& before = code_.at(index - 1);
  if (before.is('{') || before.is(',') || before.is(';') || before.is('}')) return true;
  if (before.kind == TokenKind::kIdentifier) {
    const std::string_view word = code_.text(index - 1);
    for (const std::string_view modifier :
         {"static", "async", "get", "set", "readonly", "public", "private", "protected", "declare",
          "abstract", "override", "accessor"}) {
      if (word == modifier) return true;
    }
    for (const std::string_view sign :
         {"typeof", "new", "await", "void", "delete", "yield", "in", "of", "instanceof", "case",
          "return", "throw", "else", "extends", "default", "as", "satisfies", "is", "keyof"}) {
      if (word == sign) return false;
    }
    return code_.newline_before(index);
  }
  const bool operand = before.kind != TokenKind::kPunctuation || before.is(')') || before.is(']') ||
                       (behind_type && before.is('>'));
  return operand && code_.newline_before(index);
}

bool Judge::is_method_name(Index index) const {
  const Index brace = code_.enclosing(index);
  if (brace == kNoIndex || !code_.is(brace, '{') || !code_.is(index + 1, '(')) return false;
  const Token& before = code_.at(index - 1);
  const bool generator = before.is('*') && begins_member(index - 1, false);
  if (!generator && !begins_member(index, false)) return false;
  const Index next = code_.after(index + 1);
  if (code_.is(next, '{')) {
    // f(x) <newline> { ... } is a call and a block, except that calls need more than a name here.
    return !code_.newline_before(next) || before.is(',') || code_.text(index) == "constructor";
  }
  return code_.typescript() && (code_.is(next, ':') || code_.is(next, ';'))
             ? code_.text(index) == "constructor" || code_.is(next, ':')
             : false;
}

// Whether the { or [ at `open` may open a destructuring pattern. Not where it certainly gives a
// value: as an argument of a call, behind a return, an operator or another literal's key.
bool Judge::may_be_pattern(Index open) const {
  for (int level = 0; level < kMostLevels; ++level) {
    const Index next = code_.after(open);
    if (code_.is(next, '=') || code_.is(next, string_view("of")) ||
        code_.is(next, string_view("in")) || (code_.typescript() && code_.is(next, ':'))) {
      return true;
    }
    Index before = open - 1;
    if (code_.is(before, string_view("const")) || code_.is(before, string_view("let")) ||
        code_.is(before, string_view("var"))) {
      return true;
    }
    if (code_.is(before, scanner::kEllipsis)) --before;
    const Index outer = code_.enclosing(open);
    const bool part = code_.is(before, '(') || code_.is(before, ',') || code_.is(before, '[') ||
                      code_.is(before, ':') || code_.is(before, '{');
    if (!part || outer == kNoIndex) return outer == kNoIndex && code_.is(before, ',');
    if (code_.is(outer, '(')) {
      if (code_.is(before, ':')) return false;  // the second branch of a choice
      const Index behind = code_.after(outer);
      return code_.is(behind, scanner::kFatArrow) || code_.is(behind, '{') ||
             code_.is(behind, '=') || (code_.typescript() && code_.is(behind, ':'));
    }
    if (!code_.is(outer, '{') && !code_.is(outer, '[')) return false;  // a template's hole
    open = outer;
  }
  return true;
}

}  // namespace langsbx::languages::javascript
