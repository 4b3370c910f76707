// A scan as text, for comparison: one word a token.
#pragma once

#include <string>

#include "languages/scanner/scanner.h"

namespace langsbx::languages::scanner {

inline std::string shown(std::string_view source, const Dialect& dialect) {
  static constexpr std::string_view kKinds[] = {"END",  "id",    "num",  "str", "raw",
                                                "chr",  "block", "tmpl", "re",  "life",
                                                "head", "dir",   "",     "com", "ERR"};
  const Scan result = scan(source, dialect);
  std::string out;
  for (const Token& token : result.tokens) {
    if (!out.empty()) out += ' ';
    const auto kind = kKinds[static_cast<std::size_t>(token.kind)];
    out += kind;
    if (!kind.empty()) out += ':';
    out += result.text(token);
  }
  return out;
}

inline std::string first_fault(std::string_view source, const Dialect& dialect) {
  const Scan result = scan(source, dialect);
  for (const Token& token : result.tokens) {
    if (token.kind == TokenKind::kError) {
      return std::string(to_string(static_cast<Fault>(token.symbol)));
    }
  }
  return {};
}

}  // namespace langsbx::languages::scanner
