// What an expression of literals yields: sums, slices, methods of text, chr, join, decode.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/python/tokens.h"

namespace langsbx::languages::python {

// A text, a number, or a list of these.
struct Folded {
  enum class Kind : std::uint8_t { kText, kNumber, kList, kTable };
  Kind kind = Kind::kText;
  bool whole = true;  // false: what follows the text is known at run time only
  std::int64_t number = 0;
  std::string text{};
  std::vector<Folded> items{};  // of a table: key, value, key, value

  static Folded of_text(std::string text) { return {.text = std::move(text)}; }
  static Folded of_number(std::int64_t number) { return {Kind::kNumber, true, number, {}, {}}; }
  static Folded of_list(std::vector<Folded> items) {
    return {Kind::kList, true, 0, {}, std::move(items)};
  }
  [[nodiscard]] bool is_text() const { return kind == Kind::kText; }
  [[nodiscard]] bool is_number() const { return kind == Kind::kNumber; }
};

using MaybeFolded = std::optional<Folded>;

// text.method(arguments); nothing where the method is unknown or does not apply.
MaybeFolded fold_method(const Folded& value, std::string_view method,
                        const std::vector<Folded>& arguments);
// chr(47), bytes([47]), base64.b64decode("Lw=="), os.path.join("a", "b"): by the last name.
MaybeFolded fold_call(std::string_view function, const std::vector<Folded>& arguments);
// value[index], value[first:last:step]
MaybeFolded fold_index(const Folded& value, std::int64_t index);
MaybeFolded fold_slice(const Folded& value, const std::optional<std::int64_t> (&parts)[3]);
// The items that a loop over the value sees.
std::optional<std::vector<Folded>> fold_items(const Folded& value);

class Folder {
 public:
  // What the file says of a string literal (by its token) and of a name.
  struct Reader {
    std::function<std::string(std::uint32_t)> literal;
    std::function<std::vector<std::string>(std::uint32_t)> name;
  };
  static constexpr std::size_t kMostText = 1U << 12U;

  Folder(const Tokens& tokens, std::string_view bytes, Reader reader, std::size_t choice)
      : tokens_(tokens), bytes_(bytes), reader_(std::move(reader)), choice_(choice) {}
  // What the tokens [begin, end) yield. A text may be the beginning only (`whole` is false).
  MaybeFolded fold(std::uint32_t begin, std::uint32_t end);
  // How many different values some name had: as many choices are worth a try.
  [[nodiscard]] std::size_t choices() const { return choices_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }

 private:
  static constexpr std::size_t kMostSteps = 4096;
  static constexpr int kMostDepth = 24;

  MaybeFolded counted(MaybeFolded value);
  MaybeFolded sum(std::uint32_t end);
  MaybeFolded product(std::uint32_t end);
  MaybeFolded unary(std::uint32_t end);
  MaybeFolded postfix(std::uint32_t end);
  MaybeFolded atom(std::uint32_t end);
  MaybeFolded name(std::uint32_t end);
  MaybeFolded member(Folded value, std::uint32_t end);
  MaybeFolded subscript(const Folded& value);
  MaybeFolded display(std::uint32_t open);
  MaybeFolded table(std::uint32_t open);
  MaybeFolded comprehension(std::uint32_t begin, std::uint32_t loop, std::uint32_t end);
  MaybeFolded formatted(std::uint32_t open);
  MaybeFolded mapped(std::uint32_t open);
  std::optional<std::vector<Folded>> list(std::uint32_t begin, std::uint32_t end);
  std::uint32_t item_end(std::uint32_t begin, std::uint32_t end) const;

  [[nodiscard]] std::string_view text(std::uint32_t i) const {
    return bytes_.substr(tokens_[i].offset, tokens_[i].length);
  }
  [[nodiscard]] bool is_op(std::uint32_t i, std::uint8_t op) const {
    return tokens_[i].kind == TokenKind::kOperator && tokens_[i].op == op;
  }
  [[nodiscard]] bool is_open(std::uint32_t i, char bracket) const {
    return tokens_[i].kind == TokenKind::kOpen &&
           tokens_[i].op == static_cast<std::uint8_t>(bracket);
  }
  [[nodiscard]] bool is_word(std::uint32_t i, std::string_view word) const {
    return tokens_[i].kind == TokenKind::kName && text(i) == word;
  }

  const Tokens& tokens_;
  std::string_view bytes_;
  Reader reader_;
  std::size_t choice_;
  std::size_t choices_ = 1;
  std::size_t steps_ = 0;
  int depth_ = 0;
  std::uint32_t at_ = 0;
  std::vector<std::pair<std::string_view, Folded>> loop_names_;
};

}  // namespace langsbx::languages::python
