// Names that stand for what other names stand for: `s = os`, `a = b = open`.
#include "languages/python/analysis.h"

namespace langsbx::languages::python {
namespace {

constexpr int kAliasRounds = 4;

}  // namespace

// The last token of `name(.name)*` that starts at i.
std::uint32_t Analysis::chain_end(std::uint32_t i) const {
  while (is_op(i + 1, '.') && tokens_[i + 2].kind == TokenKind::kName) i += 2;
  return i;
}

// Whether tokens [first, last] are the whole right side of `target = ...` (an annotation or a
// chain of targets may stand before).
bool Analysis::alias_target(std::uint32_t first, std::uint32_t last, std::uint32_t& target) const {
  if (first < 2 || !is_op(first - 1, '=') || tokens_[first - 2].kind != TokenKind::kName) {
    return false;
  }
  if (tokens_[last + 1].kind != TokenKind::kNewline && !is_op(last + 1, ';')) return false;
  target = first - 2;
  // `a = b = os`: every target is a plain name, or nobody follows what the others stand for.
  std::uint32_t name = target;
  for (; name >= 2 && is_op(name - 1, '='); name -= 2, ++steps_) {
    if (tokens_[name - 2].kind != TokenKind::kName) return false;
  }
  if (name == 0 || !is_op(name - 1, ':')) return statement_start(name);
  // Behind a header it is a statement; behind a target's colon an annotation.
  if (name > 1 && statement_start(name - 2) && plain_name(name - 2)) {
    target = name - 2;
    return name == first - 2;
  }
  return name == first - 2 && behind_header(name);
}

bool Analysis::plain_name(std::uint32_t i) const {
  return tokens_[i].kind == TokenKind::kName && (name_info(tokens_[i].name).uses & kKeyword) == 0;
}

// Whether the line begins with a keyword, as the header of a statement does.
bool Analysis::behind_header(std::uint32_t i) const {
  constexpr std::uint32_t kFarthest = 256;
  for (std::uint32_t n = 0; n < kFarthest && i > 0; ++n, ++steps_) {
    if (tokens_[i - 1].kind == TokenKind::kNewline) break;
    --i;
  }
  const bool keyword = tokens_[i].kind == TokenKind::kName && !plain_name(i);
  return (i == 0 || tokens_[i - 1].kind == TokenKind::kNewline) && (keyword || is_name(i, kCase));
}

void Analysis::bind_targets(std::uint32_t last, std::string_view module, std::string_view member) {
  bind(text(last), module, member);
  for (; last >= 2 && is_op(last - 1, '='); last -= 2) bind(text(last - 2), module, member);
}

// `s = os`, `T = timeit.timeit`, `o = open`: the target stands for the same. Repeated, because one
// alias can be made from another that is bound further down.
void Analysis::bind_aliases() {
  for (int round = 0; round < kAliasRounds && !too_many_; ++round) {
    const std::size_t known = bindings_.size();
    for (const std::uint32_t equals : scan_.assignments) {
      if (too_many_) return;
      const std::uint32_t i = equals + 1;
      if (i < 2 || tokens_[i].kind != TokenKind::kName) continue;
      const std::uint32_t last = chain_end(i);
      std::uint32_t target = 0;
      if (!alias_target(i, last, target)) continue;
      if (is_name(i, kOpenName) && last == i) bind_targets(target, "io", "open");
      for (std::uint32_t b = bound_to(tokens_[i].link); b != 0; ++steps_) {
        const Binding binding = bindings_[b - 1];
        b = binding.next;
        if (binding.hash != tokens_[i].link || binding.name != text(i)) continue;
        if (!binding.member.empty()) {
          if (last == i) bind_targets(target, binding.module, binding.member);
          continue;
        }
        std::string_view module = binding.module;
        std::uint32_t at = i;
        while (at < last && is_module(std::string(module) + "." + std::string(text(at + 2)))) {
          module = intern(std::string(module) + "." + std::string(text(at + 2)));
          at += 2;
        }
        if (at == last) {
          bind_targets(target, module, {});
        } else if (at + 2 == last) {
          const auto use = find_member(module, text(last));
          if (use && use->use != MemberUse::kPlain && use->use != MemberUse::kSafe) {
            bind_targets(target, module, text(last));
          }
        }
      }
    }
    if (bindings_.size() == known) return;
  }
}

}  // namespace langsbx::languages::python
