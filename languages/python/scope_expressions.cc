// Scopes inside expressions: lambdas, comprehensions, parameters, walruses, declarations.
#include "languages/python/scope_reader.h"

namespace langsbx::languages::python {

std::uint32_t ScopeReader::make_scope(ScopeKind kind, std::uint32_t token) {
  out_.scopes_.push_back({kind, scope_, token});
  return static_cast<std::uint32_t>(out_.scopes_.size() - 1);
}

std::uint32_t ScopeReader::expression(std::uint32_t i, bool to_colon) {
  for (;; ++i) {
    switch (tokens_[i].kind) {
      case TokenKind::kNewline:
      case TokenKind::kEnd:
        end_lambdas();
        if (!frames_.empty()) not_understood();
        return i;
      case TokenKind::kName:
        name(i);
        break;
      case TokenKind::kOpen:
        open(i);
        break;
      case TokenKind::kClose:
        close();
        break;
      case TokenKind::kOperator: {
        const std::uint8_t op = tokens_[i].op;
        if (op != ',' && op != ':' && op != '=' && op != ';' && op != kOpAugmented) break;
        end_lambdas();
        Frame* const top = frames_.empty() ? nullptr : &frames_.back();
        if (op == ';') {
          if (top != nullptr) not_understood();
          return i;
        }
        if (op == ':' && top != nullptr && top->kind == FrameKind::kLambdaParameters) {
          top->kind = FrameKind::kLambdaBody;
          top->expects = false;
          scope_ = top->scope;
        } else if (op == ':' && top == nullptr && to_colon) {
          return i;
        } else if (top != nullptr && (top->kind == FrameKind::kParameters ||
                                      top->kind == FrameKind::kLambdaParameters)) {
          top->expects = op == ',';
        }
        break;
      }
      default:
        break;
    }
    if (!out_.understood_) return i;
  }
}

// The body of a lambda ends before what can't belong to it.
void ScopeReader::end_lambdas() {
  while (!frames_.empty() && frames_.back().kind == FrameKind::kLambdaBody) {
    scope_ = frames_.back().outer;
    frames_.pop_back();
  }
}

bool ScopeReader::in_comprehension() const {
  return !frames_.empty() && frames_.back().kind == FrameKind::kComprehension;
}

void ScopeReader::open(std::uint32_t i) {
  std::uint32_t loop = 0;
  while (next_comprehension_ < comprehensions_.size() &&
         comprehensions_[next_comprehension_].open <= i) {
    const Comprehension& next = comprehensions_[next_comprehension_++];
    if (next.open == i) loop = next.loop;
  }
  if (i == parameters_ && i != 0) {
    frames_.push_back({FrameKind::kParameters, true, false, scope_, function_});
    if (loop != 0) not_understood();
    return;
  }
  if (loop == 0) {
    frames_.push_back({FrameKind::kBracket, false, false, scope_, scope_});
    return;
  }
  if (is_open(i, 'f')) return not_understood();
  const std::uint32_t own = make_scope(ScopeKind::kComprehension, i);
  frames_.push_back({FrameKind::kComprehension, false, false, scope_, own});
  frames_.back().in = loop_in(loop + 1);
  scope_ = own;
}

void ScopeReader::close() {
  end_lambdas();
  // Without its colon, as in the braces of an f-string, where that is no lambda's.
  if (!frames_.empty() && frames_.back().kind == FrameKind::kLambdaParameters) not_understood();
  if (frames_.empty()) return not_understood();
  scope_ = frames_.back().outer;
  frames_.pop_back();
}

void ScopeReader::name(std::uint32_t i) {
  if (i > 0 && is_op(i - 1, '.')) return mark(i, scope_, NameRole::kMember);
  if (is_keyword(i)) return keyword(i);
  Frame* const top = frames_.empty() ? nullptr : &frames_.back();
  if (top != nullptr && top->expects) {
    top->expects = false;
    return mark(i, top->scope, NameRole::kBind);
  }
  if (out_.role(i) != NameRole::kUse) return;  // a target
  if (is_op(i + 1, kOpWalrus)) {
    std::uint32_t scope = scope_;
    while (out_.scopes_[scope].kind == ScopeKind::kComprehension)
      scope = out_.scopes_[scope].parent;
    return mark(i, scope, NameRole::kBind);
  }
  const bool argument = is_op(i + 1, '=') && top != nullptr && top->kind == FrameKind::kBracket &&
                        (is_op(i - 1, ',') || is_open(i - 1, '('));
  mark(i, scope_, argument ? NameRole::kMember : NameRole::kUse);
}

void ScopeReader::keyword(std::uint32_t i) {
  switch (tokens_[i].name) {
    case kLambda: {
      // Before 3.9 a condition in a comprehension ends such a lambda elsewhere.
      if (i > 0 && is_name(i - 1, kIf)) return not_understood();
      const std::uint32_t own = make_scope(ScopeKind::kFunction, i);
      frames_.push_back({FrameKind::kLambdaParameters, true, false, scope_, own});
      return;
    }
    case kGlobal:
    case kNonlocal:
      return declare(i);
    case kAs:
      end_lambdas();
      return as_target(i);
    case kFrom:
      return end_lambdas();
    case kFor:
      return loop(i);
    case kAsync:
    case kIf:
      if (is_name(i, kAsync)) end_lambdas();
      if (in_comprehension() && frames_.back().first_iterable) {
        frames_.back().first_iterable = false;
        scope_ = frames_.back().scope;
      }
      return;
    case kIn:
      if (in_comprehension() && frames_.back().in == i) {
        frames_.back().first_iterable = true;
        scope_ = frames_.back().outer;
      }
      return;
    default:
      return;
  }
}

void ScopeReader::declare(std::uint32_t i) {
  const NameRole role = is_name(i, kGlobal) ? NameRole::kGlobal : NameRole::kNonlocal;
  for (std::uint32_t k = i + 1; is_variable(k); k += 2) {
    mark(k, scope_, role);
    if (!is_op(k + 1, ',')) return;
  }
}

// `as x`, `as (a, b)`; an attribute or an element is no name.
void ScopeReader::as_target(std::uint32_t i) {
  if (is_variable(i + 1)) {
    if (!is_trailer(i + 2)) mark(i + 1, scope_, as_role_);
  } else if (is_open(i + 1, '(') || is_open(i + 1, '[')) {
    targets(i + 1, tokens_[i + 1].link + 1, NameRole::kBind);
  }
}

// A comprehension's `for`: what follows up to `in` is bound in it.
void ScopeReader::loop(std::uint32_t i) {
  end_lambdas();
  if (!in_comprehension()) return;
  frames_.back().first_iterable = false;
  scope_ = frames_.back().scope;
  targets(i + 1, loop_in(i + 1), NameRole::kBind);
}

}  // namespace langsbx::languages::python
