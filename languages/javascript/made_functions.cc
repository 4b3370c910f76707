// Functions made by what an unknown key yields: object[key]("code")() where the key may be
// "constructor". What a computed member gives is ordinary; that its result is a function which is
// called in turn hardly ever is.
#include <algorithm>

#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

constexpr int kMostSteps = 32;

// x.call(...), x.apply(...), x.bind(...) behind x.
bool calls_by_name(const Code& code, Index dot) {
  return (code.is(dot, '.') || code.is(dot, scanner::kOptionalChain)) && code.is(dot + 2, '(') &&
         is_one_of(code.text(dot + 1), "call", "apply", "bind");
}

// The ( that calls what ends before `next`, kNoIndex when it is not called.
Index call_of(const Code& code, Index next) {
  if (calls_by_name(code, next)) return next + 2;
  if (code.is(next, scanner::kOptionalChain) && code.is(next + 1, '(')) return next + 1;
  return code.is(next, '(') && !code.newline_before(next) ? next : kNoIndex;
}

// Whether the ( at `index` only groups: nothing stands before it that it would call.
bool opens_group(const Code& code, Index index) {
  const Token& before = code.at(index - 1);
  if (before.is(')') || before.is(']') || before.is(scanner::kOptionalChain)) return false;
  if (before.kind != TokenKind::kIdentifier) return code.is(index, '(');
  return is_one_of(code.text(index - 1), "return", "new", "await", "typeof", "void", "yield",
                   "throw", "case", "else");
}

// The first argument that `open` hands over: behind `this` for call, apply and bind.
Index first_argument(const Code& code, Index open) {
  if (!calls_by_name(code, open - 2)) return open + 1;
  const Index close = code.partner(open);
  Index at = open + 1;
  while (close != kNoIndex && at < close && !code.is(at, ',')) {
    const Index other = code.partner(at);
    at = other != kNoIndex && other > at ? other + 1 : at + 1;
  }
  return at + 1;
}

// Whether what stands in the brackets could be code: something that is no function written out,
// number or object.
bool may_hand_over_code(const Code& code, Index open) {
  const Index close = code.partner(open);
  const Index at = first_argument(code, open);
  if (close == kNoIndex || at >= close) return false;
  const Token& first = code.at(at);
  const bool arrow = code.is(at + 1, scanner::kFatArrow) ||
                     (first.is('(') && code.is(code.after(at), scanner::kFatArrow));
  const bool written = is_one_of(code.text(at), "function", "async", "true", "false", "null",
                                 "undefined", "this", "class");
  const bool whole = first.is('{') && code.after(at) == close;
  const bool single = code.is(at + 1, ')') || code.is(at + 1, ',');
  return !arrow && !written && !whole &&
         !(single && (first.kind == TokenKind::kNumber || first.kind == TokenKind::kRegex));
}

// Properties that the language itself calls.
bool is_called_property(string_view name) {
  return is_one_of(name, "toString", "valueOf", "toJSON", "then", "get", "set", "next", "return",
                   "throw", "has", "apply", "construct", "deleteProperty", "ownKeys");
}

}  // namespace

// Where the expression begins that ends with the member at `open`.
Index Judge::start_of_chain(Index open) const {
  Index at = open;
  for (int steps = 0; steps < kMostSteps && at > 0; ++steps) {
    const Token& before = code_.at(at - 1);
    if (before.is(scanner::kOptionalChain)) {
      --at;
      continue;
    }
    if (before.is(')') || before.is(']')) {
      const Index partner = code_.partner(at - 1);
      if (partner == kNoIndex) return at;
      at = partner;
      if (code_.at(at - 1).kind == TokenKind::kIdentifier || code_.is(at - 1, ')') ||
          code_.is(at - 1, ']')) {
        continue;
      }
      return at;
    }
    if (before.kind != TokenKind::kIdentifier) return at;
    --at;
    if (!code_.is_member(at)) return at;
    --at;
  }
  return at;
}

// The variable that the expression from `start` is given to, kNoIndex when there is none.
Index Judge::given_to(Index start) const {
  while (code_.is(start - 1, string_view("await")) || code_.is(start - 1, string_view("new"))) {
    --start;
  }
  return code_.is(start - 1, '=') && code_.is_identifier(start - 2) ? start - 2 : kNoIndex;
}

// The body of the function that `index` is in, or the whole source.
Range Judge::function_around(Index index) const {
  Index brace = code_.enclosing(index);
  for (int level = 0; level < kMostSteps && brace != kNoIndex && flow_steps_ > 0; ++level) {
    --flow_steps_;
    const Index head = code_.is(brace - 1, ')') ? code_.partner(brace - 1) : kNoIndex;
    const bool block = head != kNoIndex && is_one_of(code_.text(head - 1), "if", "for", "while",
                                                     "switch", "catch", "with", "await");
    const bool body = code_.is(brace, '{') &&
                      ((head != kNoIndex && !block) || code_.is(brace - 1, scanner::kFatArrow));
    if (body) return {brace, code_.after(brace)};
    brace = code_.enclosing(brace);
  }
  return {0, code_.size()};
}

// Whether a variable of that name is made once and never given anew.
bool Judge::is_constant(Index name) const {
  const auto found = variables_.find(code_.text(name));
  if (found == variables_.end() || found->second.size() != 1) return false;
  Index declared = found->second.front() - 2;
  if (code_.typescript() && code_.is(declared - 1, ':')) declared -= 2;
  return code_.is(declared - 1, string_view("const"));
}

// Whether the variable at `index` was given something in the function that it stands in.
bool Judge::holds(const Given& given, Index index) const {
  if (!given.may_hold(code_.at(index).symbol)) return false;
  const std::span<const Index> places = given.places_of(code_.text(index));
  return std::any_of(places.begin(), places.end(), [&](Index place) {
    if (flow_steps_ <= 0) return true;  // told by run()
    --flow_steps_;
    return place < index && index < function_around(place).to;
  });
}

// Functions of the language itself, of whose members none is asked for by an unknown key.
bool Judge::is_function_name(Index index) const {
  return code_.is_identifier(index) && !code_.is_member(index) &&
         is_one_of(code_.text(index), "isNaN", "isFinite", "parseInt", "parseFloat", "encodeURI",
                   "decodeURI", "encodeURIComponent", "decodeURIComponent", "escape", "unescape",
                   "structuredClone", "setTimeout", "setInterval", "queueMicrotask");
}

// What ends before `next`, beginning somewhere before the key at `open`, came of an unknown key.
void Judge::ask_unknown_member(Index open, Index next) {
  Index group = kNoIndex;  // (object[key]), (0, object[key])
  while (code_.is(next, ')')) {
    const Index outer = code_.partner(next);
    if (outer == kNoIndex || !opens_group(code_, outer)) break;
    group = outer;
    ++next;
  }
  const auto start = [&] { return group == kNoIndex ? start_of_chain(open) : group; };
  const Index call = call_of(code_, next);
  if (call != kNoIndex) {
    if (is_own_function(open - 1) && !calls_by_name(code_, call - 2)) {
      return report("javascript-hidden-name"_rule, open - 1,
                    "an unknown member of a function is called");
    }
    if (!may_hand_over_code(code_, call)) return;
    if (code_.is(open - 1, string_view("this"))) ask_own_member(open, call);
    return ask_made_function(start(), call);
  }
  const Token& token = code_.at(next);
  const bool handed_on = token.is(')') || token.is(',') || token.is(']') || token.is('}') ||
                         token.is(scanner::kOr) || token.is(scanner::kNullish) || token.is('.');
  if (handed_on && is_function_name(open - 1)) {
    return report("javascript-hidden-name"_rule, open - 1, "an unknown member of a function");
  }
  if (is_own_function(open - 1)) {
    return report("javascript-hidden-name"_rule, open - 1, "an unknown member of a function");
  }
  const bool ends = token.is(';') || token.is(',') || token.is(')') || token.is('}') ||
                    token.kind == TokenKind::kEnd || code_.newline_before(next) ||
                    code_.is(next, string_view("as"));
  if (!ends && !token.is('{')) return;
  const Index begin = start();
  if (is_made_into_class(begin)) {
    return report("javascript-hidden-name"_rule, begin,
                  "an unknown member is constructed or extended");
  }
  const Index name = given_to(begin);
  if (name != kNoIndex) taken_.add(code_.text(name), name);
}

// The call at `call` may have made a function of text.
void Judge::ask_made_function(Index start, Index call) {
  const Index behind = code_.after(call);
  const Index open = code_.enclosing(start);
  bool handed = open != kNoIndex && code_.is(open, '(') &&
                (start == open + 1 || code_.is(start - 1, ',')) && code_.is_identifier(open - 1) &&
                is_caller(code_.text(open - 1));
  const bool property = code_.is(start - 1, ':') || code_.is(start - 1, '=');
  handed = handed || (property && code_.is_identifier(start - 2) &&
                      (code_.is_member(start - 2) || code_.is(start - 1, ':')) &&
                      is_called_property(code_.text(start - 2)));
  handed = handed || (property && code_.is(start - 2, ']') && open != kNoIndex &&
                      code_.is(open, '{') && code_.is(start - 1, ':'));
  if (handed || call_of(code_, behind) != kNoIndex || code_.is_whole_template(behind)) {
    return report("javascript-hidden-name"_rule, start, "what an unknown member returns is called");
  }
  const Index name = given_to(start);
  if (name != kNoIndex) made_.add(code_.text(name), name);
}

// Calls of variables that got their functions that way, each within the function that gave it.
void Judge::ask_made_functions() {
  std::vector<Range> ranges;
  for (const Given* given : {&taken_, &made_}) {
    for (const Index place : given->places()) ranges.push_back({place, function_around(place).to});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.from < b.from; });
  Index next = 0;
  for (const Range& range : ranges) {
    for (Index i = std::max(next, range.from); i < range.to && !findings_.full() && flow_steps_ > 0;
         ++i) {
      const Token& token = code_.at(i);
      const bool named = token.kind == TokenKind::kIdentifier &&
                         (taken_.may_hold(token.symbol) || made_.may_hold(token.symbol));
      if (named) ask_given(i);
    }
    next = std::max(next, range.to);
  }
}

void Judge::ask_given(Index index) {
  if (code_.is_member(index) || code_.is(index - 1, string_view("function"))) return;
  const Index call = call_of(code_, index + 1);
  const Index around = code_.enclosing(index);
  const bool argument = code_.is(index - 1, '(') || code_.is(index - 1, ',');
  const bool handed =
      argument && around != kNoIndex && code_.is(around, '(') && is_caller(code_.text(around - 1));
  if (is_made_into_class(index) && holds(taken_, index)) {
    return report("javascript-hidden-name"_rule, index,
                  "an unknown member is constructed or extended");
  }
  if ((call == kNoIndex && !handed) || is_method_name(index)) return;
  if (holds(made_, index)) {
    report("javascript-hidden-name"_rule, index, "what an unknown member returned is called");
  } else if (call != kNoIndex && may_hand_over_code(code_, call) && holds(taken_, index)) {
    ask_made_function(index, call);
  }
}

}  // namespace langsbx::languages::javascript
