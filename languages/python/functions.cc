// The functions that a file defines: whether a name stands for one, and who can call it.
#include "languages/python/analysis.h"

namespace langsbx::languages::python {
namespace {

constexpr std::uint32_t kFarthestDecorator = 64;

}  // namespace

// Whether a decorator gets hold of the function of this name; says yes when that is too far away.
bool Analysis::decorated(std::uint32_t function) const {
  std::uint32_t start = function - 1;
  if (start > 0 && is_name(start - 1, kAsync)) --start;
  if (start == 0) return false;
  if (tokens_[start - 1].kind != TokenKind::kNewline) return true;  // nowhere a function can stand
  // The line before: where one of several decorators stands, the last does.
  std::uint32_t line = start - 1;
  for (std::uint32_t n = 0; line > 0 && tokens_[line - 1].kind != TokenKind::kNewline; ++n) {
    if (n == kFarthestDecorator) return true;
    --line;
    ++steps_;
  }
  return is_op(line, '@');
}

// Whether the function whose parameters begin at `open` can be called from nowhere but where its
// name is followed by a bracket.
bool Analysis::called_by_name(std::uint32_t open) {
  const std::uint32_t function = open - 1;
  if (source_.included || foreign_imports_ || depth_ > 0 || !may_search()) return false;
  // Operators, formatting and their like call methods.
  const Scopes& all = scopes();
  const bool method = !all.understood() || all[all.scope_of(function)].kind == ScopeKind::kClass;
  if (method || is_dunder(text(function))) return false;
  if (decorated(function)) return false;
  // Text that runs as code may call it.
  const std::string_view name = text(function);
  for (const Token& token : tokens_) {
    const bool literal = token.kind == TokenKind::kString || token.kind == TokenKind::kFText;
    if (!literal || token.length < name.size()) continue;
    if (source_.bytes.substr(token.offset, token.length).find(name) != std::string_view::npos) {
      return false;
    }
  }
  return true;
}

// How many functions of this file the name stands for: 0 when it may be something else.
int Analysis::own_functions(std::uint32_t name) {
  index_names();
  const std::uint32_t scope = variable(name);
  const bool shared = scope == kAnyScope || scope == 0;
  if (shared && foreign_names_) return 0;
  int defined = 0;
  for (std::uint32_t at = 0; (at = next_occurrence(at, tokens_[name].link, text(name))) != 0;) {
    if (++searched_ > most_searched()) return 0;
    const std::uint32_t i = at - 1;
    if (!may_be_same(name, i) || is_op(before(i), '.')) continue;
    if (is_name(before(i), kDef)) {
      if (decorated(i)) return 0;
      ++defined;
      continue;
    }
    const std::uint32_t bracket = occurrences_.bracket[i];
    const bool header = bracket >= 2 && is_name(bracket - 2, kDef);
    if (header || (is_op(i + 1, '=') && statement_start(i)) || stores(i, bracket, bracket == 0)) {
      return 0;
    }
  }
  if (shared && defined > 0) relied_.emplace_back(text(name), name);
  return defined;
}

}  // namespace langsbx::languages::python
