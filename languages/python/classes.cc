// Classes made without a class statement, and what decides which objects a class pattern takes.

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

constexpr auto kBuiltinClasses = text_list("int", "str", "object", "list", "dict", "tuple", "type",
                                           "float", "bytes", "set", "bool", "complex");

bool builtin_class(std::string_view name) { return kBuiltinClasses.contains(name); }

}  // namespace

// type(x) asks, type(name, bases, dict) makes a class whose special names may be computed.
void Analysis::type_use(std::uint32_t i) {
  const std::uint32_t last = before(i);
  if (is_open(i + 1, '(')) {
    // `class M(type):` is told apart by the bracket before; here type is called.
    const Arguments list = arguments(i + 1);
    const bool unpacked =
        !list.empty() && (is_op(list[0].begin, '*') || is_op(list[0].begin, kOpOther));
    if (list.size() > 1 || unpacked) return report("python-class-from-text"_rule, i, "type");
    const std::uint32_t close = tokens_[i + 1].link;
    if (!list.empty() && gives_metaclass(i, list[0], close))
      report("python-class-from-text"_rule, i, "type");
    return;
  }
  if (is_open(last, '(') && last >= 2 && is_name(last - 2, kClass)) {
    remember(metaclasses_, text(last - 1));
    return;
  }
  const bool value = is_op(last, '=') || is_op(last, kOpWalrus) || is_name(last, kReturn) ||
                     is_name(last, kYield) || is_name(last, kElse) || is_name(last, kOr) ||
                     is_name(last, kAnd);
  const bool plain = tokens_[i + 1].kind == TokenKind::kNewline || is_op(i + 1, ';') ||
                     is_op(i + 1, ',') || tokens_[i + 1].kind == TokenKind::kClose;
  if (value && plain) report("python-class-from-text"_rule, i, "type");
}

// type(int)("A", (), {...}) is type("A", ...) in disguise, type(lambda: 0)(code, {}) a function.
bool Analysis::gives_metaclass(std::uint32_t i, const Argument& argument, std::uint32_t close) {
  const std::uint32_t first = argument.begin;
  const bool single = argument.end == first + 1 && tokens_[first].kind == TokenKind::kName;
  const bool of_class = (single && builtin_class(text(first))) || is_name(first, kLambda) ||
                        is_name(first, kTypeName) || is_name(argument.end - 1, kDunderClass);
  if (!of_class) return false;
  // Compared or asked for its name it stays a question.
  return is_open(close + 1, '(') || is_op(before(i), '=') || is_op(before(i), kOpWalrus) ||
         is_name(before(i), kReturn);
}

// x.__class__.__class__(...), int.__class__(...)
void Analysis::class_attribute(std::uint32_t i) {
  const bool twice = is_op(i + 1, '.') && is_name(i + 2, kDunderClass);
  const bool of_class = i >= 2 && tokens_[i - 2].kind == TokenKind::kName &&
                        builtin_class(text(i - 2)) && is_open(i + 1, '(');
  if (twice || of_class) report("python-class-from-text"_rule, i, text(i));
}

// M("A", (), {...}) where `class M(type)`.
void Analysis::metaclass_calls() {
  for (std::uint32_t i = 1; !metaclasses_.empty() && i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::kName || !is_open(i + 1, '(')) continue;
    if (is_name(i - 1, kClass) || is_name(i - 1, kDef) || is_op(i - 1, '.')) continue;
    if (metaclasses_.contains(text(i))) report("python-class-from-text"_rule, i, text(i));
  }
}

// super().__new__(meta, name, bases, namespace): the namespace is what the class statement gave,
// untouched, or the class has names that stand nowhere.
void Analysis::new_use(std::uint32_t i) {
  if (!is_open(i + 1, '(')) return;
  const Arguments list = arguments(i + 1);
  if (list.size() < 4 || list[3].keyword) return;
  const Argument& space = list[3];
  const bool bare = space.end == space.begin + 1 && tokens_[space.begin].kind == TokenKind::kName;
  if (!bare) {
    const bool made = is_open(space.begin, '{') || is_open(space.begin + 1, '(');
    if (made) report("python-class-from-text"_rule, i, "__new__");
    return;
  }
  if (!may_search()) return report("python-class-from-text"_rule, i, "__new__");
  for (std::uint32_t k = 0; k + 3 < tokens_.size(); ++k) {
    if (tokens_[k].kind != TokenKind::kName || text(k) != text(space.begin)) continue;
    if (is_open(k + 1, '[')) {
      const std::uint32_t close = tokens_[k + 1].link;
      const auto key = constant(k + 2, close);
      const bool seen = key && !is_dunder(*key);
      if (is_op(close + 1, '=') && !seen)
        return report("python-class-from-text"_rule, i, "__new__");
    }
    const bool grown =
        is_op(k + 1, kOpAugmented) ||
        (is_op(k + 1, '.') &&
         (text(k + 2) == "update" || text(k + 2) == "setdefault" || text(k + 2) == "__setitem__"));
    if (grown) return report("python-class-from-text"_rule, i, "__new__");
  }
}

// Abstract.register(X) makes isinstance say yes: X is a class of the program's own or a builtin.
void Analysis::register_use(std::uint32_t i) {
  if (!is_open(i + 1, '(')) return;
  if (!contains_module("abc") && !contains_module("collections") && !contains_module("numbers")) {
    return;
  }
  const Arguments list = arguments(i + 1);
  if (list.size() != 1 || is_name(before(i - 1), kRegister)) return;
  if (tokens_[before(i - 1)].kind == TokenKind::kName && text(i - 2) == "atexit") return;
  for (std::uint32_t k = list[0].begin; k < list[0].end; ++k) {
    if (is_name(k, kTypeName) || is_name(k, kDunderClass) || text(k) == "types") {
      return report("python-computed-attribute"_rule, i, text(i));
    }
  }
  if (list[0].end != list[0].begin + 1 || tokens_[list[0].begin].kind != TokenKind::kName) return;
  if (!may_search()) return report("python-computed-attribute"_rule, i, text(i));
  for (std::uint32_t k = 2; k + 1 < tokens_.size(); ++k) {
    // A variable that holds a class which nobody wrote down.
    if (!is_op(k - 1, '=') || !statement_start(k - 2) || text(k - 2) != text(list[0].begin)) {
      continue;
    }
    if (is_name(k, kTypeName) || is_name(chain_end(k), kDunderClass)) {
      return report("python-computed-attribute"_rule, i, text(i));
    }
  }
}

// Whether the statement at i stands in the body of a class, not in a function of it.
bool Analysis::in_class(std::uint32_t i) const {
  const auto column = [&](std::uint32_t token) {
    const std::size_t line = source_.bytes.rfind('\n', tokens_[token].offset);
    return tokens_[token].offset - (line == std::string_view::npos ? 0 : line + 1);
  };
  if (!may_search()) return true;
  std::uint32_t k = i;
  while (k > 0 && tokens_[k - 1].kind != TokenKind::kNewline) --k;
  if (is_name(k, kClass) && k != i) return true;
  std::size_t current = column(k);
  for (; k > 0 && current > 0; --k) {
    if (k > 1 && tokens_[k - 2].kind != TokenKind::kNewline) continue;
    const std::uint32_t start = k - 1;
    const std::size_t at = column(start);
    if (at >= current) continue;
    if (is_name(start, kClass)) return true;
    if (is_name(start, kDef) || is_name(start, kAsync)) return false;
    current = at;
  }
  return false;
}

}  // namespace langsbx::languages::python
