// The inside of scopes.h, shared by its two files: scope_expressions.cc and scopes.cc (statements).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "languages/python/names.h"
#include "languages/python/scopes.h"

namespace langsbx::languages::python {

class ScopeReader {
 public:
  ScopeReader(std::string_view bytes, const Scan& scan, Scopes& out);
  void run(std::uint32_t begin, std::uint32_t end);

 private:
  // The body of a function or class, by its lines' indentation.
  struct Block {
    std::uint32_t scope;
    std::uint32_t column;  // of its header; it ends where a line begins no further right
    bool here;             // it stands on its header's line
  };

  enum class FrameKind : std::uint8_t {
    kBracket,
    kComprehension,
    kParameters,  // the brackets behind `def name`
    kLambdaParameters,
    kLambdaBody,
  };
  struct Frame {
    FrameKind kind;
    bool expects = false;         // a parameter's name comes next
    bool first_iterable = false;  // of a comprehension: evaluated outside of it
    std::uint32_t outer;          // the scope around it
    std::uint32_t scope;          // its own
    std::uint32_t in = 0;         // the `in` of a comprehension's first `for`
  };

  // scopes.cc
  void find_comprehensions(std::uint32_t begin, std::uint32_t end);
  [[nodiscard]] std::uint32_t column_of(std::uint32_t i);
  std::uint32_t line(std::uint32_t i);
  std::uint32_t statement(std::uint32_t i);
  std::uint32_t plain_statement(std::uint32_t i);
  std::uint32_t definition(std::uint32_t i);
  std::uint32_t import_names(std::uint32_t i);
  std::uint32_t header(std::uint32_t i);
  [[nodiscard]] std::uint32_t loop_in(std::uint32_t i) const;
  void targets(std::uint32_t begin, std::uint32_t end, NameRole role);
  void type_parameters(std::uint32_t open);

  // scope_expressions.cc: up to the end of the statement, or the colon of its header
  std::uint32_t expression(std::uint32_t i, bool to_colon);
  void name(std::uint32_t i);
  void keyword(std::uint32_t i);
  void as_target(std::uint32_t i);
  void declare(std::uint32_t i);
  void loop(std::uint32_t i);
  void open(std::uint32_t i);
  void close();
  void end_lambdas();
  [[nodiscard]] bool in_comprehension() const;
  std::uint32_t make_scope(ScopeKind kind, std::uint32_t token);

  void mark(std::uint32_t i, std::uint32_t scope, NameRole role) {
    out_.place_[i - out_.begin_] = scope << 3U | static_cast<std::uint32_t>(role);
  }
  [[nodiscard]] bool is_op(std::uint32_t i, std::uint8_t op) const {
    return tokens_[i].kind == TokenKind::kOperator && tokens_[i].op == op;
  }
  [[nodiscard]] bool is_open(std::uint32_t i, char bracket) const {
    return tokens_[i].kind == TokenKind::kOpen &&
           tokens_[i].op == static_cast<std::uint8_t>(bracket);
  }
  [[nodiscard]] bool is_name(std::uint32_t i, std::uint16_t known) const {
    return tokens_[i].kind == TokenKind::kName && tokens_[i].name == known;
  }
  [[nodiscard]] bool is_keyword(std::uint32_t i) const {
    return tokens_[i].name != 0 && (name_info(tokens_[i].name).uses & kKeyword) != 0;
  }
  // A name that stands for a value, not a keyword.
  [[nodiscard]] bool is_variable(std::uint32_t i) const {
    return tokens_[i].kind == TokenKind::kName && !is_keyword(i);
  }
  [[nodiscard]] bool ends_statement(std::uint32_t i) const {
    const TokenKind kind = tokens_[i].kind;
    return kind == TokenKind::kNewline || kind == TokenKind::kEnd || is_op(i, ';');
  }
  // Behind a value an opening bracket is a call or an index.
  [[nodiscard]] bool is_trailer(std::uint32_t i) const {
    return is_op(i, '.') || is_open(i, '(') || is_open(i, '[');
  }
  void not_understood() { out_.understood_ = false; }

  std::string_view bytes_;
  const Tokens& tokens_;
  const std::vector<Comprehension>& loops_;
  Scopes& out_;
  std::vector<Block> blocks_;
  std::vector<Frame> frames_;
  std::vector<Comprehension> comprehensions_;  // in the order of their brackets
  std::size_t next_comprehension_ = 0;         // the first that the reading has not come to
  std::uint32_t scope_ = 0;
  std::uint32_t column_ = 0;      // of the line
  std::uint32_t parameters_ = 0;  // the bracket of the parameters to come, and their scope
  std::uint32_t function_ = 0;
  NameRole as_role_ = NameRole::kBind;
};

}  // namespace langsbx::languages::python
