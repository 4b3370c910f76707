// Parts of a C source that the compiler skips.
#include "languages/c/judge.h"

namespace langsbx::languages::c {
namespace {

using scanner::Scan;
using scanner::Token;
using scanner::TokenKind;

class Unread {
 public:
  explicit Unread(const Scan& scan) : scan_(scan) {}

  // Whether the token at `at` is read; called for each in order.
  bool reads(std::size_t at) {
    const Token& token = scan_.tokens[at];
    if (token.kind == TokenKind::kDirective) {
      message_ = false;
      return directive(at);
    }
    if (message_ && token.has(scanner::kInDirective)) return false;
    message_ = false;
    return skipping_ == 0;
  }

 private:
  bool directive(std::size_t at) {
    const std::string_view name = scan_.text(at + 1);
    const bool opens = name == "if" || name == "ifdef" || name == "ifndef";
    if (skipping_ > 0) {
      if (opens) ++skipping_;
      if (name == "endif") --skipping_;
      if (skipping_ == 1 &&
          (name == "else" || name == "elif" || name == "elifdef" || name == "elifndef")) {
        skipping_ = 0;
        return true;
      }
      return false;
    }
    const Token& after = scan_.at(at + 3);
    if (name == "if" && scan_.text(at + 2) == "0" &&
        (!after.has(scanner::kInDirective) || after.kind == TokenKind::kDirective)) {
      skipping_ = 1;
      return false;
    }
    message_ = name == "error" || name == "warning";
    return true;
  }

  const Scan& scan_;
  std::size_t skipping_ = 0;
  bool message_ = false;
};

// Such a string can hold what looks like #endif, and compilers differ in whether it ends the group.
bool spans_lines(const Scan& scan, const Token& token) {
  return token.kind == TokenKind::kRawString &&
         scan.text(token).find('\n') != std::string_view::npos;
}

}  // namespace

void drop_unread(Scan& scan) {
  bool any = false;
  for (const std::uint32_t i : scan.marks) {
    if (scan.tokens[i].kind != TokenKind::kDirective) continue;
    const std::string_view name = scan.text(i + 1);
    any = any || name == "error" || name == "warning" || (name == "if" && scan.text(i + 2) == "0");
  }
  if (!any) return;
  Unread unread(scan);
  scanner::Tokens tokens;
  scanner::Rows<std::uint32_t> marks;
  std::size_t mark = 0;
  tokens.reserve(scan.size());
  for (std::size_t i = 0; i < scan.size(); ++i) {
    while (mark < scan.marks.size() && scan.marks[mark] < i) ++mark;
    Token token = scan.tokens[i];
    if (!unread.reads(i)) {
      if (token.kind == TokenKind::kError) {
        // An apostrophe in text nobody reads; other faults there still count.
        const auto fault = static_cast<scanner::Fault>(token.symbol);
        if (fault == scanner::Fault::kUnterminatedString || fault == scanner::Fault::kUnknownByte) {
          --scan.errors;
          continue;
        }
      } else if (spans_lines(scan, token)) {
        token.kind = TokenKind::kError;
        token.symbol = static_cast<scanner::Symbol>(scanner::Fault::kAmbiguousLiteral);
        ++scan.errors;
      } else {
        continue;
      }
    }
    if (mark < scan.marks.size() && scan.marks[mark] == i) {
      marks.push(static_cast<std::uint32_t>(tokens.size()));
    }
    tokens.push(token);
  }
  scan.tokens = std::move(tokens);
  scan.marks = std::move(marks);
}

}  // namespace langsbx::languages::c
