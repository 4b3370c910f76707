// A scanned source with cheap questions about tokens; every rule reads through it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "languages/scanner/brackets.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::javascript {

using scanner::Symbol;
using scanner::Token;
using scanner::TokenKind;
using Index = std::uint32_t;
inline constexpr Index kNoIndex = scanner::kNoToken;

class Code {
 public:
  Code(const scanner::Scan& scan, bool typescript)
      : scan_(scan), brackets_(scan), typescript_(typescript) {}

  [[nodiscard]] Index size() const { return static_cast<Index>(scan_.size()); }
  [[nodiscard]] const Token& at(Index index) const { return scan_.at(index); }
  [[nodiscard]] std::string_view text(Index index) const { return scan_.text(index); }
  [[nodiscard]] bool is(Index index, char symbol) const { return at(index).is(symbol); }
  [[nodiscard]] bool is(Index index, Symbol symbol) const { return at(index).is(symbol); }
  [[nodiscard]] bool is(Index index, std::string_view name) const {
    return scan_.is_name(index, name);
  }
  [[nodiscard]] bool is_identifier(Index index) const {
    return at(index).kind == TokenKind::kIdentifier;
  }
  [[nodiscard]] bool is_string(Index index) const {
    return at(index).kind == TokenKind::kString || is_whole_template(index);
  }
  // `abc` without holes.
  [[nodiscard]] bool is_whole_template(Index index) const {
    return at(index).kind == TokenKind::kTemplate && text(index).front() == '`' &&
           !scanner::opens_bracket(at(index));
  }
  [[nodiscard]] bool is_template(Index index) const {
    return at(index).kind == TokenKind::kTemplate;
  }
  // The token after `.`, `?.` or `#`: a property, not a variable.
  [[nodiscard]] bool is_member(Index index) const {
    return index > 0 &&
           (is(index - 1, '.') || is(index - 1, scanner::kOptionalChain) || is(index - 1, '#'));
  }
  [[nodiscard]] bool newline_before(Index index) const {
    return at(index).has(scanner::kNewlineBefore);
  }
  [[nodiscard]] Index partner(Index index) const { return brackets_.partner(index); }
  [[nodiscard]] Index enclosing(Index index) const {
    return index < size() ? brackets_.enclosing(index) : kNoIndex;
  }
  // The token after the bracket that `index` opens; size() when there is none.
  [[nodiscard]] Index after(Index index) const {
    const Index other = partner(index);
    return other == kNoIndex ? size() : other + 1;
  }
  [[nodiscard]] bool typescript() const { return typescript_; }
  [[nodiscard]] const scanner::Scan& scan() const { return scan_; }

 private:
  const scanner::Scan& scan_;
  scanner::Brackets brackets_;
  bool typescript_;
};

}  // namespace langsbx::languages::javascript
