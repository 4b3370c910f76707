// Functions under a second name: `const h = f`, `const h = o.f`, `const { f: h } = o`. Called by
// that name on nothing, `this` in them is the global object.
#include "languages/javascript/judge.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

constexpr Index kFarthest = 12;  // tokens of a value that may be one of several functions
constexpr int kMostHands = 3;    // from one name to the next

// What stands behind a name that is given away as it is.
bool ends_value(const Code& code, Index behind) {
  const Token& next = code.at(behind);
  return !next.is('(') && !next.is('.') && !next.is('[') && !next.is(scanner::kFatArrow) &&
         !next.is(scanner::kOptionalChain) && !code.is_whole_template(behind) && !next.is('=');
}

bool chooses(const Code& code, Index i) {
  return code.is(i, '=') || code.is(i, '?') || code.is(i, ':') || code.is(i, scanner::kOr) ||
         code.is(i, scanner::kNullish) || code.is(i, scanner::kAnd) || code.is(i, '(') ||
         code.is(i, ',');
}

}  // namespace

// name = f, name = o.f, name = c ? f : g
void Judge::learn_second_names(Index equals) {
  const string_view name = code_.text(equals - 1);
  for (Index i = equals + 1; i < equals + kFarthest && i < code_.size(); ++i) {
    if (code_.is(i, ';') || code_.is(i, '{') || code_.is(i, scanner::kFatArrow)) return;
    if (!code_.is_identifier(i) || !ends_value(code_, i + 1)) continue;
    if (code_.is_member(i)) {
      second_names_.push_back({code_.text(i), name, true});
    } else if (chooses(code_, i - 1)) {
      second_names_.push_back({code_.text(i), name, false});
    }
  }
}

// { f, g: h } = o, ({ f }) => f(), for (const { f } of list)
void Judge::learn_pattern(Index close) {
  const Index open = code_.partner(close);
  if (open == kNoIndex) return;
  // What a module or a file gives is no function of this source.
  if (code_.is(close + 2, string_view("require")) || code_.is(close + 2, string_view("await"))) {
    return;
  }
  for (Index i = open + 1; i < close; ++i) {
    if (code_.is(i, '{') || code_.is(i, '[') || code_.is(i, '(')) {
      i = code_.after(i) - 1;
      continue;
    }
    if (!code_.is_identifier(i) || (!code_.is(i - 1, ',') && i != open + 1)) continue;
    const bool renamed = code_.is(i + 1, ':') && code_.is_identifier(i + 2);
    const bool plain = code_.is(i + 1, ',') || code_.is(i + 1, '=') || i + 1 == close;
    if (renamed || plain)
      second_names_.push_back({code_.text(i), code_.text(renamed ? i + 2 : i), true});
  }
}

void Judge::learn_taken_out() {
  const Index count = code_.size();
  for (Index i = 1; i + 1 < count; ++i) {
    if (code_.is(i, '=') && code_.is_identifier(i - 1) && !code_.is_member(i - 1)) {
      learn_second_names(i);
    } else if (code_.is(i, '}') && (code_.is(i + 1, '=') || code_.is(i + 1, string_view("of")) ||
                                    (code_.is(i + 1, ')') && (code_.is(i + 2, scanner::kFatArrow) ||
                                                              code_.is(i + 2, '{'))))) {
      learn_pattern(i);
    }
  }
  for (int hand = 0; hand < kMostHands; ++hand) {
    std::vector<const SecondName*> called;
    for (const SecondName& name : second_names_) {
      if (bare_calls_->contains(name.second)) called.push_back(&name);
    }
    for (const SecondName* name : called) {
      if (name->member) taken_out_.add(name->first);
      if (!name->member) bare_calls_->add(name->first);
    }
  }
}

// The name of the method of an object's literal in whose body `index` is; none in a class, whose
// code is strict.
Index Judge::method_of_this(Index index) const {
  Index brace = code_.enclosing(index);
  for (int level = 0; level < kMostLevels && brace != kNoIndex; ++level) {
    const Index head = code_.is(brace - 1, ')') ? code_.partner(brace - 1) : kNoIndex;
    if (code_.is(brace, '{') && head != kNoIndex && code_.is_identifier(head - 1)) {
      const bool first = code_.is(head - 2, '{') || code_.is(head - 2, ',') ||
                         code_.is(head - 2, string_view("async"));
      const Index literal = first ? code_.enclosing(head - 1) : kNoIndex;
      if (literal == kNoIndex || !code_.is(literal, '{')) return kNoIndex;
      const bool value = code_.is(literal - 1, '=') || code_.is(literal - 1, '(') ||
                         code_.is(literal - 1, ',') || code_.is(literal - 1, ':') ||
                         code_.is(literal - 1, '[') || code_.is(literal - 1, string_view("return"));
      return value ? head - 1 : kNoIndex;
    }
    brace = code_.enclosing(brace);
  }
  return kNoIndex;
}

// const o = { f() { return this; } }; const { f } = o; f();
bool Judge::is_taken_out(Index method) {
  if (!bare_calls_) learn_bare_calls();
  return taken_out_.contains(code_.text(method));
}

}  // namespace langsbx::languages::javascript
