// What text an expression yields, as far as its tokens tell: 'con' + 'structor', `a${'b'}`,
// ['x', 'y'].join(''), 'cba'.split('').reverse().join(''), String.fromCharCode(101), atob('...').
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "languages/javascript/code.h"

namespace langsbx::languages::javascript {

struct Value {
  enum class Kind : std::uint8_t { kUnknown, kPartial, kText, kList };
  Kind kind = Kind::kUnknown;
  std::string text;                // kText: all of it; kPartial: how it starts
  std::string tail;                // kPartial: how it ends
  std::vector<std::string> items;  // kList
  bool from_literals = true;       // nothing but literals went in, known or not

  [[nodiscard]] bool exact() const { return kind == Kind::kText; }
};

// Where variables get text: every `name = <something that starts like text>` of the source.
using TextVariables = std::unordered_map<std::string_view, std::vector<Index>>;

class Folder {
 public:
  Folder(const Code& code, const TextVariables& variables) : code_(code), variables_(variables) {}

  // The expression from `begin` to the comma, bracket or semicolon that ends it. A variable that
  // is given several texts yields all of them: one value each.
  [[nodiscard]] std::vector<Value> possible(Index begin);
  // One value; kUnknown where there are several.
  [[nodiscard]] Value fold(Index begin);
  // The first token behind the expression last folded.
  [[nodiscard]] Index end() const { return position_; }
  // The source asked for more folding than any program needs: its values are not to be trusted.
  [[nodiscard]] bool exhausted() const { return total_ <= 0; }

 private:
  Value sum();
  Value primary();
  Value postfix(Value value);
  Value method(Value value, std::string_view name);
  Value name();
  Value call_of_name(std::string_view name);
  Value template_text();
  Value array();
  Value text_at(Index index);
  Value member_text(std::string_view member);
  Value join_paths();
  std::vector<Value> arguments();
  bool ends_here() const;
  void skip_rest();

  const Code& code_;
  const TextVariables& variables_;
  std::optional<std::unordered_map<std::string_view, Index>> members_;  // filled when asked
  Index position_ = 0;
  int depth_ = 0;
  int budget_ = 0;         // steps left for this expression
  int total_ = 3'000'000;  // steps left for the source: folding is linear whatever it holds
};

// The text of a string or template literal with its escapes resolved.
[[nodiscard]] std::string decode_literal(std::string_view literal);

}  // namespace langsbx::languages::javascript
