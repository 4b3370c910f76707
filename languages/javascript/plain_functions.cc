// Functions that are called on nothing: there `this` is the global object.
#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

// The bracket of the parameters of the function whose keyword stands at `index`.
Index parameters_of(const Code& code, Index index) {
  if (code.is(index + 1, '*')) ++index;
  const Index open = code.is_identifier(index + 1) ? index + 2 : index + 1;
  return code.is(open, '(') ? open : kNoIndex;
}

}  // namespace

// function () { return this }
bool Judge::gives_this(Index function) const {
  constexpr Index kNear = 12;  // further than that, brackets are looked up
  const Index open = parameters_of(code_, function);
  if (open == kNoIndex) return false;
  Index close = open + 1;
  while (close < open + kNear && !code_.is(close, ')')) ++close;
  if (!code_.is(close + 1, '{')) close = code_.partner(open);
  return code_.is(close + 1, '{') && code_.is(close + 2, string_view("return")) &&
         code_.is(close + 3, string_view("this")) &&
         (code_.is(close + 4, ';') || code_.is(close + 4, '}'));
}

void Judge::ask_function(Index function) {
  if (is_called_bare(function)) report("javascript-global-object"_rule, function, "this");
}

// this[key](text), where `open` is the key's bracket.
void Judge::ask_own_member(Index open, Index call) {
  const Index function = function_of_this(open);
  if (function != kNoIndex && is_called_bare(function)) {
    report("javascript-hidden-name"_rule, call, "a computed member of the global object is called");
  }
}

// The keyword of the function whose `this` counts at `index`; none in methods and at the top.
Index Judge::function_of_this(Index index) const {
  Index brace = code_.enclosing(index);
  for (int level = 0; level < kMostLevels && brace != kNoIndex; ++level) {
    const Index head = code_.is(brace - 1, ')') ? code_.partner(brace - 1) : kNoIndex;
    if (code_.is(brace, '{') && head != kNoIndex) {
      if (code_.is(head - 1, string_view("function"))) return head - 1;
      if (code_.is(head - 2, string_view("function"))) return head - 2;
      if (code_.is(head - 2, '*') && code_.is(head - 3, string_view("function"))) return head - 3;
      const string_view word = code_.text(head - 1);
      const bool block = word == "if" || word == "for" || word == "while" || word == "switch" ||
                         word == "catch" || word == "await";
      if (!block) return kNoIndex;
    }
    brace = code_.enclosing(brace);
  }
  return kNoIndex;
}

// At once, by who it is handed to, or by its name somewhere in the source.
bool Judge::is_called_bare(Index function) {
  const Index open = parameters_of(code_, function);
  if (open == kNoIndex) return false;
  const Index end = code_.after(code_.after(open));
  if (code_.is(end, '(')) return true;
  const Index group = code_.is(function - 1, string_view("async")) ? function - 2 : function - 1;
  if (code_.is(group, '('))
    return !code_.is(end, ')') || !code_.is(end + 1, '.') ||
           !code_.is(end + 2, string_view("bind"));
  const bool given =
      code_.is(group, '=') && code_.is_identifier(group - 1) && !code_.is_member(group - 1);
  const Index own = code_.is(function + 1, '*') ? function + 2 : function + 1;
  const Index name = code_.is_identifier(own) ? own : group - 1;
  if (name != own && !given) return false;
  if (!bare_calls_) learn_bare_calls();
  return bare_calls_->contains(code_.text(name));
}

}  // namespace langsbx::languages::javascript
