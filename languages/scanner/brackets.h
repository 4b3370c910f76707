// Which bracket closes which, and which bracket a token stands in: asked of few tokens, so nothing
// is kept for the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "languages/scanner/token.h"

namespace langsbx::languages::scanner {

inline bool opens_bracket(const Token& token) { return token.has(kOpens); }
inline bool closes_bracket(const Token& token) { return token.has(kCloses); }

// ( ) [ ] { } and the pieces of template literals: `a${ opens what }b` closes.
class Brackets {
 public:
  explicit Brackets(const Scan& scan) : scan_(scan) {}

  // The other bracket; kNoToken for other tokens and for a bracket without a partner. Of the piece
  // of a template that closes one hole and opens the next: what closes that one.
  [[nodiscard]] std::uint32_t partner(std::uint32_t token) const {
    if (token >= scan_.size() || !scan_.tokens[token].has(kOpens | kCloses)) return kNoToken;
    std::uint32_t at = last_opened(token);
    if (at == kNoToken) return kNoToken;
    if (bracket(at).open == token) return bracket(at).close;
    // What closes here was open when the last one opened: it is that one or around it.
    while (at != kNoToken && bracket(at).close != token) at = bracket(at).outer;
    return at == kNoToken ? kNoToken : bracket(at).open;
  }

  // The innermost bracket open around the token; of a bracket, around it and its partner.
  [[nodiscard]] std::uint32_t enclosing(std::uint32_t token) const {
    std::uint32_t at = token == 0 ? kNoToken : last_opened(token - 1);
    while (at != kNoToken && bracket(at).close <= token) at = bracket(at).outer;
    return at == kNoToken ? kNoToken : bracket(at).open;
  }

 private:
  [[nodiscard]] const Bracket& bracket(std::uint32_t at) const { return scan_.brackets[at]; }

  // The last bracket opened at this token or before it. Questions come near one another.
  [[nodiscard]] std::uint32_t last_opened(std::uint32_t token) const {
    const auto& all = scan_.brackets;
    if (all.empty() || all.front().open > token) return kNoToken;
    if (all[near_].open > token || token - all[near_].open > kNear) {
      const auto after =
          std::upper_bound(all.begin(), all.end(), token,
                           [](std::uint32_t index, const Bracket& b) { return index < b.open; });
      near_ = static_cast<std::uint32_t>(after - all.begin()) - 1;
      return near_;
    }
    while (near_ + 1 < all.size() && all[near_ + 1].open <= token) ++near_;
    return near_;
  }

  static constexpr std::uint32_t kNear = 64;
  const Scan& scan_;
  mutable std::uint32_t near_ = 0;
};

}  // namespace langsbx::languages::scanner
