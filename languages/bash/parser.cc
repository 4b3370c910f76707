// The parser's ground: entry points, errors, nesting, blanks, comments and newlines.
#include "languages/bash/parser.h"

#include <cstring>

#include "languages/bash/characters.h"

namespace langsbx::languages::bash {
namespace {

// Where the cursor stands after an error: every loop sees the end of the text.
constexpr char kNothing[kBlock] = "";

}  // namespace

std::optional<SyntaxError> Parser::parse(std::string_view bytes, std::uint32_t origin) {
  error_.reset();
  reread_left_ = limits_.reread + 4 * bytes.size();
  enter_text(script_.arena.copy(bytes), origin);
  const End end = parse_list();
  if (!failed() && end != End::kEof) fail("unexpected token");
  return error_;
}

std::optional<SyntaxError> Parser::parse_expansions(std::string_view bytes, std::uint32_t origin) {
  error_.reset();
  reread_left_ = limits_.reread + 4 * bytes.size();
  enter_text(script_.arena.copy(bytes), origin);
  PartList list;
  quoted_run(list, '\0');
  return error_;
}

void Parser::enter_text(std::string_view text, std::uint32_t origin) {
  cursor_ = {text.data(), text.data(), text.data() + text.size(), origin};
}

void Parser::fail_at(std::string_view message, std::uint32_t offset) {
  if (!error_) error_ = SyntaxError{message, offset, false};
  cursor_.p = kNothing;
  cursor_.end = kNothing;
}

void Parser::fail_limit(std::string_view message) {
  if (!error_) error_ = SyntaxError{message, offset(), true};
  cursor_.p = kNothing;
  cursor_.end = kNothing;
}

bool Parser::spend(std::size_t bytes) {
  if (bytes > reread_left_) {
    fail_limit("too much text is read more than once");
    return false;
  }
  reread_left_ -= bytes;
  reread_ += bytes;
  return true;
}

Parser::Marks Parser::mark() const {
  return {script_.commands.size(),   script_.assignments.size(), script_.functions.size(),
          script_.arithmetic.size(), script_.parameters.size(),  script_.environment.size()};
}

void Parser::rewind(const Marks& marks) {
  script_.commands.resize(marks.commands);
  script_.assignments.resize(marks.assignments);
  script_.functions.resize(marks.functions);
  script_.arithmetic.resize(marks.arithmetic);
  script_.parameters.resize(marks.parameters);
  script_.environment.resize(marks.environment);
}

// At '#' where a word could start.
void Parser::skip_comment() {
  const void* newline =
      std::memchr(cursor_.p, '\n', static_cast<std::size_t>(cursor_.end - cursor_.p));
  cursor_.p = newline != nullptr ? static_cast<const char*>(newline) : cursor_.end;
}

void Parser::skip_newlines() {
  for (;;) {
    const char* p = cursor_.p;
    if (*p == '\n' && pending_.empty() && outer_pending_ == 0) ++p;
    std::size_t run = run_of(Block(p).equal(' ', '\t'));
    for (; run == kBlock; run = run_of(Block(p).equal(' ', '\t'))) p += kBlock;
    cursor_.p = p + run;
    skip_blanks();
    if (*cursor_.p != '\n') return;
    take_newline();
  }
}

void Parser::take_newline() {
  ++cursor_.p;
  if (outer_pending_ != 0) {
    // Shells differ on which of the two lines the body of the outer document follows.
    fail("a new line inside a substitution while a here-document outside it is still to come");
    return;
  }
  if (!pending_.empty()) read_here_documents();
}

}  // namespace langsbx::languages::bash
