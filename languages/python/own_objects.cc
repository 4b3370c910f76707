// Whether `self` is surely an instance of a class that the file makes: then a member of it may be
// asked for by a computed name, and all of them may be listed.
#include <algorithm>

#include "languages/python/analysis.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

constexpr auto kPlainBases =
    text_list("object", "ABC", "Exception", "ValueError", "RuntimeError", "KeyError", "TypeError",
              "Generic", "Protocol", "Enum", "IntEnum", "dict", "list", "set", "tuple", "str");

// Whose `self` is the class.
constexpr auto kOfClasses = text_list("__new__", "__init_subclass__", "__class_getitem__");

}  // namespace

std::size_t Analysis::column_of(std::uint32_t token) const {
  const std::size_t line = source_.bytes.rfind('\n', tokens_[token].offset);
  return tokens_[token].offset - (line == std::string_view::npos ? 0 : line + 1);
}

// The `def` that the token stands in directly or through inner functions without a `self` of their
// own, and the `class` around it; false where that is not what stands there.
bool Analysis::method_around(std::uint32_t i, std::uint32_t& method, std::uint32_t& type) const {
  std::size_t current = column_of(i) + 1;
  std::uint32_t k = i;
  while (k > 0 && tokens_[k - 1].kind != TokenKind::kNewline) --k;
  current = std::min(current, column_of(k) + 1);
  ++k;  // the statement's own line, too
  bool inside = false;
  for (; k > 0 && current > 0; --k, ++steps_) {
    if (k > 1 && tokens_[k - 2].kind != TokenKind::kNewline) continue;
    const std::uint32_t start = k - 1;
    const std::size_t at = column_of(start);
    if (at >= current) continue;
    current = at;
    if (is_name(start, kClass)) {
      type = start;
      return inside;
    }
    if (!is_name(start, kDef)) continue;
    if (is_open(start + 2, '(') && is_name(start + 3, kSelf)) {
      method = start;
      inside = true;
    } else if (inside) {
      return false;  // a class inside of a function
    }
  }
  return false;
}

bool Analysis::own_instance(std::uint32_t i) {
  if (source_.included || foreign_imports_ || depth_ > 0 || !is_name(i, kSelf)) return false;
  if (!may_search()) return false;
  std::uint32_t method = 0;
  std::uint32_t type = 0;
  if (!method_around(i, method, type) || !plain_bases(type)) return false;
  // What derives from it brings nothing of a library's either.
  for (std::uint32_t k = 0; k + 3 < tokens_.size(); ++k, ++steps_) {
    if (!is_name(k, kClass) || !is_open(k + 2, '(')) continue;
    for (std::uint32_t base = k + 3; base < tokens_[k + 2].link; ++base, ++steps_) {
      if (text(base) == text(type + 1) && !plain_bases(k)) return false;
    }
  }
  // Undecorated: a static method's `self` is anything.
  if (method < 2 || tokens_[method - 1].kind != TokenKind::kNewline) return false;
  for (std::uint32_t k = method - 1; k > 0 && tokens_[k - 1].kind != TokenKind::kNewline; --k) {
    if (k == 1 || tokens_[k - 2].kind == TokenKind::kNewline) {
      if (is_op(k - 1, '@')) return false;
    }
  }
  return called_on_instances(method);
}

// class A, class A(Own, object): nothing of a library's inside comes with it.
bool Analysis::plain_bases(std::uint32_t type) const {
  if (!is_open(type + 2, '(')) return true;
  for (std::uint32_t k = type + 3; k < tokens_[type + 2].link; ++k, ++steps_) {
    if (is_op(k, ',') || is_op(k, '.') || kPlainBases.contains(text(k))) continue;
    if (tokens_[k].kind != TokenKind::kName) return false;
    bool own = false;
    for (std::uint32_t at = 1; at < type && !own; ++at, ++steps_) {
      own = is_name(at - 1, kClass) && text(at) == text(k);
    }
    if (!own) return false;
  }
  return true;
}

// No other object gets to be this method's `self`: the method is called through instances only,
// with as many arguments as that takes, and handed to nobody.
bool Analysis::called_on_instances(std::uint32_t method) const {
  const std::string_view name = text(method + 1);
  if (kOfClasses.contains(name)) return false;
  const Arguments parameters = arguments(method + 2);
  bool fixed = parameters.size() < Arguments::kMost;
  for (const Argument& parameter : parameters) {
    fixed = fixed && !parameter.keyword && !is_op(parameter.begin, '*') &&
            !is_op(parameter.begin, kOpOther) && !is_op(parameter.begin, '/');
  }
  const bool special = is_dunder(name);
  for (std::uint32_t k = 1; k + 1 < tokens_.size(); ++k, ++steps_) {
    const Token& token = tokens_[k];
    if (token.kind == TokenKind::kString && token.length == name.size() + 2 &&
        text(k).substr(1, name.size()) == name) {
      return false;
    }
    if (token.kind != TokenKind::kName) continue;
    const bool rebinds = token.name == kSelf && !is_op(k - 1, '.') &&
                         ((is_op(k + 1, '=') && statement_start(k)) || is_op(k + 1, kOpWalrus) ||
                          is_name(k - 1, kFor) || is_name(k - 1, kAs) || is_name(k - 1, kLambda) ||
                          is_name(k - 1, kNonlocal));
    if (rebinds) return false;
    // getattr(A, "na" "me"): the method by its name, without an instance.
    const bool asks = token.name == kGetattr && !(is_open(k + 1, '(') && is_name(k + 2, kSelf));
    if (asks || text(k) == "attrgetter" || text(k) == "methodcaller") return false;
    if (text(k) != name || k == method + 1) continue;
    if (!is_op(k - 1, '.')) {
      if (!is_name(k - 1, kDef)) return false;
      continue;
    }
    const bool super = k >= 2 && tokens_[k - 2].kind == TokenKind::kClose &&
                       is_name(before(tokens_[k - 2].link), kSuper);
    if (super && is_open(k + 1, '(')) continue;
    if (special || !fixed || !is_open(k + 1, '(')) return false;
    const Arguments given = arguments(k + 1);
    for (const Argument& argument : given) {
      if (is_op(argument.begin, '*') || is_op(argument.begin, kOpOther)) return false;
    }
    if (given.size() + 1 != parameters.size()) return false;
  }
  return true;
}

}  // namespace langsbx::languages::python
