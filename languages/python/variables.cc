// Whose variable a name is, by the file's scopes; in doubt, everybody's.
#include <algorithm>

#include "languages/python/analysis.h"

namespace langsbx::languages::python {
namespace {

constexpr int kDeepest = 256;  // scopes around a name

constexpr std::uint8_t bit(NameRole role) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(role));
}

constexpr std::uint8_t kBinds =
    bit(NameRole::kBind) | bit(NameRole::kImport) | bit(NameRole::kDelete);

}  // namespace

const Scopes& Analysis::scopes() {
  if (scopes_ == nullptr) {
    steps_ += 2 * tokens_.size();
    scopes_ = std::make_unique<Scopes>(source_.bytes, scan_);
  }
  return *scopes_;
}

// What the name does in each scope in which it stands, by their numbers.
const std::vector<Analysis::Placed>& Analysis::places(std::uint32_t name) {
  const auto [found, fresh] = places_.try_emplace(text(name));
  std::vector<Placed>& list = found->second;
  if (!fresh) return list;
  index_names();
  for (std::uint32_t at = 0; (at = next_occurrence(at, tokens_[name].link, text(name))) != 0;) {
    std::uint8_t role = bit(scopes_->role(at - 1));
    if (scopes_->role(at - 1) == NameRole::kBind && given_module(at - 1)) {
      role |= bit(NameRole::kImport);
    }
    const std::uint32_t scope = scopes_->scope_of(at - 1);
    if (!list.empty() && list.back().scope == scope) {
      list.back().roles |= role;
    } else {
      list.push_back({scope, role});
    }
  }
  std::sort(list.begin(), list.end(),
            [](const Placed& a, const Placed& b) { return a.scope < b.scope; });
  std::size_t kept = 0;
  for (const Placed& place : list) {
    if (kept > 0 && list[kept - 1].scope == place.scope) {
      list[kept - 1].roles |= place.roles;
    } else {
      list[kept++] = place;
    }
  }
  list.resize(kept);
  return list;
}

// `__name` in a class is another name.
bool Analysis::mangled(std::string_view name) {
  return name.size() > 2 && name[0] == '_' && name[1] == '_' && !is_dunder(name);
}

// `name = s` where s stands for a module or a member of one.
bool Analysis::given_module(std::uint32_t name) const {
  if (!is_op(name + 1, '=') || tokens_[name + 2].kind != TokenKind::kName) return false;
  const Token& value = tokens_[name + 2];
  if (value.name == kOpenName) return true;
  for (std::uint32_t b = bound_to(value.link); b != 0; b = bindings_[b - 1].next) {
    if (bindings_[b - 1].name == text(name + 2)) return true;
  }
  return false;
}

// The scope whose variable the name at this token is; kAnyScope when that is not clear.
std::uint32_t Analysis::variable(std::uint32_t name) {
  const Token& token = tokens_[name];
  if (depth_ > 0 || scan_.error != nullptr || (token.op & kMarkDisguise) != 0) return kAnyScope;
  if (mangled(text(name)) || searched_ > most_searched()) return kAnyScope;
  const Scopes& all = scopes();
  if (!all.understood() || all.hazy(text(name))) return kAnyScope;
  if (all.role(name) == NameRole::kMember) return kAnyScope;
  const std::vector<Placed>& list = places(name);
  std::uint32_t scope = all.scope_of(name);
  for (int n = 0; n < kDeepest; ++n, ++steps_, ++searched_) {
    if (scope == 0) return 0;
    const auto at = std::lower_bound(list.begin(), list.end(), scope,
                                     [](const Placed& a, std::uint32_t b) { return a.scope < b; });
    const std::uint8_t roles = at != list.end() && at->scope == scope ? at->roles : std::uint8_t{0};
    const bool seen = n == 0 || all[scope].kind != ScopeKind::kClass;
    if (seen && (roles & bit(NameRole::kGlobal)) != 0) return 0;
    if (seen && (roles & kBinds) != 0 && (roles & bit(NameRole::kNonlocal)) == 0) {
      return scope;
    }
    scope = all[scope].parent;
  }
  return kAnyScope;
}

// Whether what is given to the name at `given` may be what it holds at `read`. What a class body
// binds is looked up in the module before it is bound.
bool Analysis::may_be_same(std::uint32_t read, std::uint32_t given) {
  const std::uint32_t one = variable(read);
  const std::uint32_t other = variable(given);
  if (one == other || one == kAnyScope || other == kAnyScope) return true;
  return other == 0 && (*scopes_)[one].kind == ScopeKind::kClass;
}

// Whether a mention of the name that the walk has passed bound it, so that it is worth a look at
// scopes. By the bits of hashes: now and then it was another name.
void Analysis::see_bound(std::uint32_t name) { bound_names_.set(tokens_[name].link % kBoundBits); }

void Analysis::see_mention(std::uint32_t i) {
  const std::uint32_t last = before(i);
  const bool binds = is_name(last, kFor) || is_name(last, kAs) || is_name(last, kLambda) ||
                     is_op(i + 1, '=') || is_op(i + 1, kOpWalrus) || is_op(i + 1, kOpAugmented);
  if (binds) see_bound(i);
}

// In a comprehension the names are used before they are seen to be bound.
void Analysis::see_loops() {
  constexpr std::uint32_t kFarthest = 8;
  for (const Comprehension& found : scan_.loops) {
    for (std::uint32_t k = found.loop + 1; k < found.loop + kFarthest && !is_name(k, kIn); ++k) {
      if (tokens_[k].kind == TokenKind::kName) see_bound(k);
      if (tokens_[k].kind == TokenKind::kEnd) return;
    }
  }
}

// The name of a parameter of the function whose header the walk is in; no default, no annotation.
bool Analysis::is_parameter(std::uint32_t i) {
  if (parameters_ == 0 || !is_open(parameters_, '(') || i >= tokens_[parameters_].link)
    return false;
  for (; parameters_read_ < i; ++steps_) {
    const bool open = tokens_[parameters_read_].kind == TokenKind::kOpen;
    parameters_read_ = open ? tokens_[parameters_read_].link + 1 : parameters_read_ + 1;
  }
  if (parameters_read_ != i) return false;
  const std::uint32_t last = i - 1;
  const bool star = is_op(last, '*') || is_op(last, kOpOther);
  const std::uint32_t start = star ? last - 1 : last;
  return start == parameters_ || is_op(start, ',');
}

// Whether the name is a function's own variable, never a builtin; and with `plain` nothing that an
// import has brought.
bool Analysis::own_variable(std::uint32_t name, bool plain) {
  if (!bound_names_.test(tokens_[name].link % kBoundBits)) return false;
  const std::uint32_t scope = variable(name);
  if (scope == kAnyScope || scope == 0) return false;
  if ((*scopes_)[scope].kind == ScopeKind::kClass) return false;
  if (!plain) return true;
  for (const Placed& place : places(name)) {
    if (place.scope == scope) return (place.roles & bit(NameRole::kImport)) == 0;
  }
  return false;
}

// Whether the name stands for something of the module's own wherever it is used from here on: an
// unconditional statement further up has bound it and nothing unbinds it.
bool Analysis::surely_bound(std::uint32_t name) {
  if (!bound_names_.test(tokens_[name].link % kBoundBits) || variable(name) != 0) return false;
  bool bound = false;
  for (std::uint32_t at = 0; (at = next_occurrence(at, tokens_[name].link, text(name))) != 0;) {
    const NameRole role = scopes_->role(at - 1);
    if (role == NameRole::kDelete) return false;
    if (bound || at - 1 >= name || scopes_->scope_of(at - 1) != 0) continue;
    bound = (role == NameRole::kBind || role == NameRole::kImport) && unconditional(at - 1, name);
  }
  if (bound) relied_.emplace_back(text(name), name);
  return bound;
}

// `def name`, `name = ...` or an import at the left edge, which has ended before `use`.
bool Analysis::unconditional(std::uint32_t name, std::uint32_t use) {
  constexpr std::uint32_t kFarthest = 64;
  std::uint32_t first = name;
  bool suite = false;
  for (std::uint32_t n = 0; first > 0 && tokens_[first - 1].kind != TokenKind::kNewline; ++n) {
    if (n == kFarthest) return false;
    suite = suite || is_op(--first, ':');
  }
  const std::uint32_t offset = tokens_[first].offset;
  if (offset > 0 && source_.bytes[offset - 1] != '\n') return false;
  const bool starts = first == name || (is_op(name - 1, ';') && !suite);
  const bool assigned = starts && is_op(name + 1, '=');
  const bool function =
      is_name(before(name), kDef) && (first + 1 == name || is_name(first, kAsync));
  const bool imported = is_name(first, kImport) || is_name(first, kFrom);
  if (!assigned && !function && !imported) return false;
  for (std::uint32_t k = name; k < use; ++k, ++steps_, ++searched_) {
    if (tokens_[k].kind == TokenKind::kNewline || (assigned && is_op(k, ';'))) return true;
  }
  return false;
}

}  // namespace langsbx::languages::python
