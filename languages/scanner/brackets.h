// Which bracket closes which, and which bracket a token stands in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "languages/scanner/token.h"

namespace langsbx::languages::scanner {

inline constexpr std::uint32_t kNoToken = 0xffffffffU;

// ( ) [ ] { } and the pieces of template literals: `a${ opens what }b` closes. A bracket without a
// partner (the scan then holds an error) has kNoToken.
struct Brackets {
  std::vector<std::uint32_t> partner;    // of a bracket; kNoToken for other tokens
  std::vector<std::uint32_t> enclosing;  // the innermost open bracket around the token

  explicit Brackets(const Scan& scan);
};

inline bool opens_bracket(const Token& token) { return token.has(kOpens); }
inline bool closes_bracket(const Token& token) { return token.has(kCloses); }

inline Brackets::Brackets(const Scan& scan)
    : partner(scan.size(), kNoToken), enclosing(scan.size(), kNoToken) {
  std::vector<std::uint32_t> open;
  std::uint32_t innermost = kNoToken;
  const auto count = static_cast<std::uint32_t>(scan.size());
  const Token* const tokens = scan.tokens.begin();
  std::uint32_t* const around = enclosing.data();
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!tokens[i].has(kOpens | kCloses)) {
      around[i] = innermost;
      continue;
    }
    if (closes_bracket(tokens[i]) && !open.empty()) {
      partner[open.back()] = i;
      // A middle piece of a template closes one hole and opens the next: the partner of a closing
      // token is found first, that of an opening one is written over when its own end comes.
      partner[i] = open.back();
      open.pop_back();
      innermost = open.empty() ? kNoToken : open.back();
    }
    around[i] = innermost;
    if (opens_bracket(tokens[i])) {
      open.push_back(i);
      innermost = i;
    }
  }
}

}  // namespace langsbx::languages::scanner
