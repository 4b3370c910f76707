// Whose variable a name is, by the file's scopes; in doubt, everybody's.
#include <algorithm>

#include "languages/python/analysis.h"

namespace langsbx::languages::python {
namespace {

constexpr int kDeepest = 256;  // scopes around a name
constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

constexpr std::uint8_t bit(NameRole role) {
  return static_cast<std::uint8_t>(1U << static_cast<unsigned>(role));
}

constexpr std::uint8_t kBinds =
    bit(NameRole::kBind) | bit(NameRole::kImport) | bit(NameRole::kDelete);

}  // namespace

const Scopes& Analysis::scopes() {
  if (whole_ == nullptr) {
    steps_ += 2 * tokens_.size();
    const auto end = static_cast<std::uint32_t>(tokens_.size());
    whole_ = std::make_unique<Region>(Region{0, end, Scopes(source_.bytes, scan_, 0, end), {}, {}});
  }
  return whole_->scopes;
}

void Analysis::place(const Scopes& all, std::uint32_t name, std::vector<Placed>& list) const {
  std::uint8_t role = bit(all.role(name));
  if (all.role(name) == NameRole::kBind && given_module(name)) role |= bit(NameRole::kImport);
  const std::uint32_t scope = all.scope_of(name);
  if (!list.empty() && list.back().scope == scope) {
    list.back().roles |= role;
  } else {
    list.push_back({scope, role});
  }
}

// One entry for each scope, by their numbers.
void Analysis::sort_places(std::vector<Placed>& list) {
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
}

// What the name does in each scope in which it stands.
const std::vector<Analysis::Placed>& Analysis::places(std::uint32_t name) {
  if (asked_places_ != nullptr && asked_places_->first == text(name)) return asked_places_->second;
  const auto [found, fresh] = whole_->places.try_emplace(text(name));
  asked_places_ = &*found;
  std::vector<Placed>& list = found->second;
  if (!fresh) return list;
  index_names();
  for (std::uint32_t at = 0; (at = next_occurrence(at, tokens_[name].link, text(name))) != 0;) {
    place(whole_->scopes, at - 1, list);
  }
  sort_places(list);
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

bool Analysis::unclear(std::uint32_t name) const {
  return depth_ > 0 || scan_.error != nullptr || (tokens_[name].op & kMarkDisguise) != 0 ||
         mangled(text(name)) || searched_ > most_searched();
}

// The scope whose variable the name at this token is; kAnyScope when that is not clear.
std::uint32_t Analysis::variable(std::uint32_t name) {
  if (unclear(name)) return kAnyScope;
  const Scopes& all = scopes();
  if (!all.understood() || all.hazy(text(name))) return kAnyScope;
  return owner(all, places(name), name);
}

std::uint32_t Analysis::owner(const Scopes& all, const std::vector<Placed>& list,
                              std::uint32_t name) const {
  if (all.role(name) == NameRole::kMember) return kAnyScope;
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

// The statement of the module that the token stands in; what is bound in its functions is decided
// in it alone.
const Analysis::Region& Analysis::region(std::uint32_t i) {
  if (region_ != nullptr && region_->begin <= i && i < region_->end) return *region_;
  const auto [begin, end] = statement_of_module(i);
  steps_ += end - begin;
  region_ = std::make_unique<Region>(
      Region{begin, end, Scopes(source_.bytes, scan_, begin, end), {}, {}});
  return *region_;
}

// Whether what is given to the name at `given` may be what it holds at `read`. What a class body
// binds is looked up in the module before it is bound.
bool Analysis::may_be_same(std::uint32_t read, std::uint32_t given) {
  const std::uint32_t one = variable(read);
  const std::uint32_t other = variable(given);
  if (one == other || one == kAnyScope || other == kAnyScope) return true;
  return other == 0 && whole_->scopes[one].kind == ScopeKind::kClass;
}

// Keeps the last mention that bound a name, by the bits of hashes: now and then it is another's.
void Analysis::see_bound(std::uint32_t name) {
  std::uint32_t& last = bound_at_[tokens_[name].link % kBoundBits];
  last = std::max(last, name + 1);
}

bool Analysis::at_left_edge(std::uint32_t i) const {
  const std::uint32_t offset = tokens_[i].offset;
  return offset == 0 || source_.bytes[offset - 1] == '\n';
}

// Whether a mention that bound the name stands in the same statement of the module, so that scopes
// are worth a look. One further down may.
bool Analysis::bound_nearby(std::uint32_t name) {
  const std::uint32_t bound = bound_at_[tokens_[name].link % kBoundBits];
  return bound != 0 && bound > statement_of_module(name).first;
}

// The line at the left edge that the token stands in or under, and the next such line.
std::pair<std::uint32_t, std::uint32_t> Analysis::statement_of_module(std::uint32_t i) {
  auto& [begin, end] = statement_;
  if (begin <= i && i < end) return statement_;
  const auto starts = [&](std::uint32_t k) {
    return k == 0 || (tokens_[k - 1].kind == TokenKind::kNewline && at_left_edge(k));
  };
  const std::uint32_t passed = end <= i ? end : 0;  // the end of the one before is such a line
  for (begin = i; begin != passed && !starts(begin);) --begin;
  for (end = i + 1; end < tokens_.size() && !starts(end);) ++end;
  steps_ += end - begin;
  return statement_;
}

void Analysis::see_mention(std::uint32_t i) {
  const std::uint32_t last = before(i);
  const bool binds = is_name(last, kFor) || is_name(last, kAs) || is_name(last, kLambda) ||
                     is_op(i + 1, '=') || is_op(i + 1, kOpWalrus) || is_op(i + 1, kOpAugmented);
  if (!binds) return;
  see_bound(i);
  if (at_left_edge(i) || is_op(last, ';')) bound_at_edge_.set(tokens_[i].link % kBoundBits);
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
  if (!bound_nearby(name) || unclear(name)) return false;
  const Region& part = region(name);
  const Scopes& all = part.scopes;
  if (!all.understood() || all.hazy(text(name))) return false;
  const auto [found, fresh] = region_->places.try_emplace(text(name));
  std::vector<Placed>& list = found->second;
  if (fresh) {
    for (std::uint32_t k = part.begin; k < part.end; ++k, ++steps_, ++searched_) {
      const bool same =
          tokens_[k].kind == TokenKind::kName && tokens_[k].link == tokens_[name].link;
      if (same && text(k) == text(name)) place(all, k, list);
    }
    sort_places(list);
  }
  const std::uint32_t scope = owner(all, list, name);
  if (scope == kAnyScope || scope == 0 || all[scope].kind == ScopeKind::kClass) return false;
  const auto own = std::find_if(list.begin(), list.end(),
                                [scope](const Placed& place) { return place.scope == scope; });
  return !plain || (own->roles & bit(NameRole::kImport)) == 0;
}

// Whether the name stands for something of the module's own wherever it is used from here on: an
// unconditional statement further up has bound it and nothing unbinds it.
bool Analysis::surely_bound(std::uint32_t name) {
  if (!bound_at_edge_.test(tokens_[name].link % kBoundBits) || variable(name) != 0) return false;
  const auto [found, fresh] = whole_->bound_from.try_emplace(text(name), kNowhere);
  if (fresh) found->second = bound_from(name);
  if (name <= found->second) return false;
  relied_.emplace_back(text(name), name);
  return true;
}

// The end of the first statement that surely binds it; kNowhere when none does.
std::uint32_t Analysis::bound_from(std::uint32_t name) {
  std::uint32_t first = kNowhere;
  for (std::uint32_t at = 0; (at = next_occurrence(at, tokens_[name].link, text(name))) != 0;) {
    const NameRole role = whole_->scopes.role(at - 1);
    if (role == NameRole::kDelete) return kNowhere;
    const bool binds = role == NameRole::kBind || role == NameRole::kImport;
    if (first == kNowhere && binds && whole_->scopes.scope_of(at - 1) == 0)
      first = bound_behind(at - 1);
  }
  return first;
}

// The end of `def name`, `name = ...` or an import at the left edge; kNowhere for all others.
std::uint32_t Analysis::bound_behind(std::uint32_t name) {
  constexpr std::uint32_t kFarthest = 64;
  std::uint32_t first = name;
  bool suite = false;
  for (std::uint32_t n = 0; first > 0 && tokens_[first - 1].kind != TokenKind::kNewline; ++n) {
    if (n == kFarthest) return kNowhere;
    suite = suite || is_op(--first, ':');
  }
  if (!at_left_edge(first)) return kNowhere;
  const bool starts = first == name || (is_op(name - 1, ';') && !suite);
  const bool assigned = starts && is_op(name + 1, '=');
  const bool function =
      is_name(before(name), kDef) && (first + 1 == name || is_name(first, kAsync));
  const bool imported = is_name(first, kImport) || is_name(first, kFrom);
  if (!assigned && !function && !imported) return kNowhere;
  std::uint32_t end = name;
  while (tokens_[end].kind != TokenKind::kNewline && !(assigned && is_op(end, ';'))) ++end;
  searched_ += end - first;
  return end;
}

}  // namespace langsbx::languages::python
