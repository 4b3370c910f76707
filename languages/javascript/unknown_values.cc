// Values whose name nobody saw: what an unknown key gives, and `this` where a function is called on
// nothing. They may be kept and printed, not called, constructed, extended or looked into.
#include <algorithm>

#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

constexpr scanner::Symbol kThisWord = scanner::name_hash("this");
constexpr scanner::Symbol kFunctionWord = scanner::name_hash("function");
constexpr scanner::Symbol kConnectWord = scanner::name_hash("connect");

// The last name in a group that may be what is called: (0, o.f)(), (o.f || g)().
Index last_of_choice(const Code& code, Index close) {
  const Index open = code.partner(close);
  if (open == kNoIndex || !code.is_identifier(close - 1)) return kNoIndex;
  const bool plain = code.is(open - 1, ')') || code.is(open - 1, ']') ||
                     (code.is_identifier(open - 1) && !code.is(open - 1, string_view("return")));
  if (plain) return kNoIndex;
  for (Index i = open + 1; i + 1 < close; ++i) {
    if (code.is(i, ',') || code.is(i, scanner::kOr) || code.is(i, scanner::kNullish) ||
        code.is(i, scanner::kAnd) || code.is(i, '?') || code.is(i, '=')) {
      return close - 1;
    }
  }
  return kNoIndex;
}

// f.call(), f.call(null), f.apply(undefined, x), f.call(this)
bool is_called_on_nothing(const Code& code, Index dot) {
  if (!code.is(dot, '.') || !code.is(dot + 2, '(')) return false;
  const string_view name = code.text(dot + 1);
  if (name != "call" && name != "apply" && name != "bind") return false;
  const string_view first = code.text(dot + 3);
  return first == ")" || first == "null" || first == "undefined" || first == "void" ||
         first == "this" || first == "0";
}

// What stands behind a name that is called, has .call behind it, or is handed to a function.
bool may_be_called(const Token& next) {
  if (next.kind == TokenKind::kTemplate) return true;
  return next.is('(') || next.is('.') || next.is(')') || next.is(',');
}

}  // namespace

// Who calls the functions that it is handed, on nothing.
bool Judge::is_caller(string_view name) {
  static constexpr auto kCallers = text_list(
      "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick", "then", "catch",
      "finally", "forEach", "map", "filter", "some", "every", "find", "findIndex", "findLast",
      "findLastIndex", "reduce", "reduceRight", "flatMap", "sort", "toSorted", "replace",
      "replaceAll", "from", "Promise", "on", "once", "addListener", "addEventListener", "groupBy");
  return kCallers.contains(name);
}

// Whether the name at `index` is a function that the source declares and gives no members: nothing
// ordinary looks up what it does not know in one.
bool Judge::is_own_function(Index index) {
  if (!code_.is_identifier(index) || code_.is_member(index)) return false;
  if (!own_functions_) learn_own_functions();
  const string_view name = code_.text(index);
  return own_functions_->contains(name) && !other_names_.contains(name);
}

void Judge::learn_own_functions() {
  own_functions_.emplace();
  GatheredNames& others = other_names_;
  for (const Index i : code_.scan().marks) {
    const Token& token = code_.at(i);
    if (token.symbol == kFunctionWord && code_.is(i, string_view("function"))) {
      if (code_.is_identifier(i + 1) && code_.is(i + 2, '(')) {
        own_functions_->add(code_.text(i + 1));
      }
      continue;
    }
    if (!token.is('=') || i < 2) continue;
    // f[x] = ..., f.x = ...: an object as well; let f, var f: another variable of the name.
    const Index open = code_.is(i - 1, ']') ? code_.partner(i - 1) : kNoIndex;
    if (open != kNoIndex && code_.is_identifier(open - 1)) others.add(code_.text(open - 1));
    if (!code_.is_identifier(i - 1)) continue;
    if (code_.is_member(i - 1)) {
      if (i > 2 && code_.is_identifier(i - 3)) others.add(code_.text(i - 3));
      continue;
    }
    if (!code_.is(i - 2, string_view("const"))) {
      others.add(code_.text(i - 1));
      continue;
    }
    const Index value = code_.is(i + 1, string_view("async")) ? i + 2 : i + 1;
    const bool arrow = code_.is(value + 1, scanner::kFatArrow) ||
                       (code_.is(value, '(') && code_.is(code_.after(value), scanner::kFatArrow));
    const bool function = arrow || code_.is(value, string_view("function"));
    (function ? *own_functions_ : others).add(code_.text(i - 1));
  }
}

// extends f[key], Reflect.construct(f[key], ...), Reflect.apply(f[key], ...)
bool Judge::is_made_into_class(Index start) const {
  if (code_.is(start - 1, string_view("extends"))) return true;
  if (!code_.is(start - 1, '(') || !code_.is(start - 3, '.')) return false;
  const string_view member = code_.text(start - 2);
  return (member == "construct" || member == "apply") &&
         code_.is(start - 4, string_view("Reflect"));
}

// Names that are called as they stand somewhere, or handed to who does.
void Judge::learn_bare_calls() {
  bare_calls_.emplace();
  const Token* const tokens = code_.scan().tokens.begin();
  const Index count = code_.size();
  for (Index i = 0; i < count; ++i) {
    const TokenKind kind = tokens[i].kind;
    if (kind == TokenKind::kPunctuation) {
      if (!tokens[i].is(')') || !code_.is(i + 1, '(')) continue;
      if (const Index last = last_of_choice(code_, i); last != kNoIndex) {
        bare_calls_->add(code_.text(last));
      }
      continue;
    }
    if (kind != TokenKind::kIdentifier || !may_be_called(code_.at(i + 1))) continue;
    if (code_.is_member(i)) continue;
    const bool called = (code_.is(i + 1, '(') || is_called_on_nothing(code_, i + 1)) &&
                        !code_.is(i - 1, string_view("new")) &&
                        !code_.is(i - 1, string_view("function"));
    const bool handed = (code_.is(i - 1, '(') || code_.is(i - 1, ',')) &&
                        (code_.is(i + 1, ')') || code_.is(i + 1, ',')) && is_handed_to_caller(i);
    const bool applied = handed || (code_.is(i - 1, '(') && is_applied_to_nothing(i));
    if (called || applied || code_.is_whole_template(i + 1)) bare_calls_->add(code_.text(i));
  }
  learn_taken_out();
}

// Reflect.apply(f, undefined, [])
bool Judge::is_applied_to_nothing(Index function) const {
  return code_.is(function - 2, string_view("apply")) &&
         code_.is(function - 4, string_view("Reflect")) && code_.is(function + 1, ',') &&
         (code_.is(function + 2, string_view("undefined")) ||
          code_.is(function + 2, string_view("null")) ||
          code_.is(function + 2, string_view("void")));
}

bool Judge::is_handed_to_caller(Index function) const {
  const Index open = code_.enclosing(function);
  return open != kNoIndex && code_.is(open, '(') && code_.is_identifier(open - 1) &&
         is_caller(code_.text(open - 1));
}

// Modules and files that say so: there `this` of a function called on nothing is undefined.
bool Judge::is_strict() const {
  if (code_.is_string(0) && code_.text(0).find("use strict") != string_view::npos) return true;
  return std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) {
    const bool import = use.meaning.free == Free::kImport || use.meaning.free == Free::kExport;
    return import && code_.enclosing(use.index) == kNoIndex && !code_.is(use.index + 1, '(') &&
           !code_.is(use.index + 1, '.');
  });
}

// Kept, handed on or given back, where a member by its name is not all that is asked of it.
bool Judge::is_value_of_this(Index index) const {
  const Token& next = code_.at(index + 1);
  if (next.is('.') || next.is(scanner::kOptionalChain) || next.is(scanner::kEqual) ||
      next.is(scanner::kNotEqual) || next.is(scanner::kAnd)) {
    return false;
  }
  if (next.is('[')) {
    return !code_.at(index + 2).is_literal_text() && !code_.is(code_.after(index + 1), '=');
  }
  const Index last = index - 1;
  const string_view word = code_.text(last);
  if (code_.is(last, '(') && code_.is(last - 2, '.')) {
    const string_view method = code_.text(last - 1);
    if (method == "call" || method == "apply" || method == "bind") return false;
  }
  return code_.is(last, '=') || code_.is(last, '(') || code_.is(last, ',') || code_.is(last, '[') ||
         code_.is(last, ':') || code_.is(last, '?') || code_.is(last, scanner::kOr) ||
         code_.is(last, scanner::kNullish) || code_.is(last, scanner::kFatArrow) ||
         word == "return" || word == "yield" || word == "throw" || word == "...";
}

// function f() { const t = this; return t; } f()
void Judge::ask_plain_this() {
  if (code_.scan().bytes.find("this") == string_view::npos) return;
  const Token* const tokens = code_.scan().tokens.begin();
  const Index count = code_.size();
  for (Index i = 1; i < count; ++i) {
    if (tokens[i].symbol != kThisWord || !code_.is(i, string_view("this"))) continue;
    if (findings_.full()) return;
    if (code_.is_member(i) || !is_value_of_this(i)) continue;
    const Index function = function_of_this(i);
    if (function == kNoIndex) {
      const Index method = method_of_this(i);
      if (method != kNoIndex && is_taken_out(method)) {
        report("javascript-global-object"_rule, i, "this");
      }
      continue;
    }
    // { f: function () { return this; } }
    if (code_.is(function - 1, ':') && code_.is_identifier(function - 2) &&
        is_taken_out(function - 2)) {
      report("javascript-global-object"_rule, i, "this");
    }
    const Index before = code_.is(function - 1, string_view("async")) ? function - 2 : function - 1;
    const bool argument = (code_.is(before, '(') || code_.is(before, ',')) &&
                          code_.enclosing(function) != kNoIndex &&
                          code_.is_identifier(code_.enclosing(function) - 1);
    const bool bare = argument ? is_handed_to_caller(function) : is_called_bare(function);
    if (bare) report("javascript-global-object"_rule, i, "this");
  }
}

// process.stdin and its kin are sockets where they are pipes: they connect to anything.
void Judge::ask_streams() {
  const Token* const tokens = code_.scan().tokens.begin();
  const Index count = code_.size();
  for (Index i = 1; i < count && !findings_.full(); ++i) {
    while (i < count && tokens[i].symbol != kConnectWord && !tokens[i].is_literal_text()) ++i;
    if (i == count) return;
    const bool word = tokens[i].symbol == kConnectWord && code_.is(i, string_view("connect"));
    const bool text =
        code_.is_string(i) && code_.text(i).size() == 9 && code_.text(i).substr(1, 7) == "connect";
    if (word && code_.is_member(i)) report("javascript-network-global"_rule, i, "connect");
    const Index open = word && !code_.is_member(i) ? code_.enclosing(i) : kNoIndex;
    if (open != kNoIndex && code_.is(open, '{') && !code_.is(i + 1, '(')) {
      report("javascript-network-global"_rule, i, "connect");  // a pattern, perhaps
    }
    if (text) report("javascript-network-global"_rule, i, "connect");
  }
}

}  // namespace langsbx::languages::javascript
