// Python's tokens as the judge needs them: flat, with brackets matched and f-strings opened up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

namespace langsbx::languages::python {

enum class TokenKind : std::uint8_t {
  kName,    // identifiers and keywords
  kString,  // a whole literal, prefix and quotes included
  kNumber,
  kFString,  // the opening prefix and quotes of an f-string or t-string; `link` is its end
  kFText,    // literal text inside one
  kFEnd,     // the closing quotes; `link` is its kFString
  kOpen,     // ( [ { and the { of a replacement field; `link` is the partner
  kClose,
  kOperator,  // `op` says which
  kNewline,   // ends a logical line
  kEnd,
};

// Operators of more than one character are named by a letter.
enum Op : std::uint8_t {
  kOpWalrus = 'W',
  kOpArrow = 'A',
  kOpAugmented = 'U',  // += and its kin
  kOpCompare = 'C',    // == != <= >=
  kOpOther = 'O',      // ** // << >> ...
};

// What stands in `op` of a name.
enum NameMark : std::uint8_t {
  kMarkDisguise = 1,    // not ASCII throughout
  kMarkUnderscore = 2,  // begins with '_'
};

// What stands in `op` of a string, when it may hold what is looked for in strings.
enum StringMark : std::uint8_t {
  kMarkBackslash = 1,
  kMarkDunder = 2,  // "__"
  kMarkPrompt = 4,  // ">>>"
};

struct Token {
  std::uint32_t offset;
  std::uint32_t length;
  TokenKind kind;
  std::uint8_t op;     // the character, or an Op; for brackets the bracket; names, strings: marks
  std::uint16_t name;  // index into the table of known names (names.h), 0 for any other
  std::uint32_t link;  // brackets and f-strings: the partner; names: the hash
};

// A list that grows without clearing the room it takes.
class Tokens {
 public:
  Tokens() = default;
  explicit Tokens(std::size_t room) { grow(room); }

  Token& push(const Token& token) {
    if (next_ == limit_) grow(2 * size() + 64);
    *next_ = token;
    return *next_++;
  }
  [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(next_ - data_.get()); }
  [[nodiscard]] bool empty() const { return next_ == data_.get(); }
  [[nodiscard]] Token& operator[](std::size_t i) { return data_[i]; }
  [[nodiscard]] const Token& operator[](std::size_t i) const { return data_[i]; }
  [[nodiscard]] const Token& back() const { return next_[-1]; }
  [[nodiscard]] Token* begin() { return data_.get(); }
  [[nodiscard]] Token* end() { return next_; }
  [[nodiscard]] const Token* begin() const { return data_.get(); }
  [[nodiscard]] const Token* end() const { return next_; }

 private:
  static_assert(std::is_trivial_v<Token>);
  void grow(std::size_t room);

  std::unique_ptr<Token[]> data_;
  Token* next_ = nullptr;
  Token* limit_ = nullptr;
};

// A bracket with a `for` directly in it, and its first `for`.
struct Comprehension {
  std::uint32_t open;
  std::uint32_t loop;
};

struct Scan {
  Tokens tokens;                           // ends with kNewline, kEnd
  std::vector<std::uint32_t> imports;      // where `import` and `from` start a statement
  std::vector<std::uint32_t> assignments;  // `=` outside brackets
  std::vector<Comprehension> loops;        // every `for` in brackets
  const char* error = nullptr;             // what was not understood
  std::size_t error_offset = 0;
  bool too_deep = false;
};

// Tokenizes everything or says why not. One pass: no byte is looked at more than a bounded number
// of times. Memory is the source, padded, and 16 bytes a token. Expects what preflight lets through
// (UTF-8, no NUL, no bare CR).
[[nodiscard]] Scan scan(std::string_view bytes, std::size_t max_nesting);

}  // namespace langsbx::languages::python
