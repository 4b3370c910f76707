// [[ ... ]]: its operators and operands, with patterns and regular expressions as single words.
#include "languages/bash/characters.h"
#include "languages/bash/parser.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

bool closes_condition(const char* p) { return p[0] == ']' && p[1] == ']' && is_break(p[2]); }

bool is_binary_operator(std::string_view text) {
  static constexpr auto kOperators = text_list("=", "==", "!=", "=~", "-eq", "-ne", "-lt", "-le",
                                               "-gt", "-ge", "-nt", "-ot", "-ef");
  for (const std::string_view op : kOperators) {
    if (op == text) return true;
  }
  return false;
}

}  // namespace

// Operands and operators go into the command's words in order.
void Parser::parse_condition(std::size_t index) {
  Word* first = nullptr;
  Word** outer = condition_tail_;
  condition_tail_ = &first;
  condition_or();
  skip_condition_blanks();
  condition_tail_ = outer;
  if (failed()) return;
  if (!closes_condition(cursor_.p)) return fail("'[[' without ']]'");
  cursor_.p += 2;
  script_.commands[index].words = first;
}

void Parser::skip_condition_blanks() { skip_newlines(); }

void Parser::keep_condition_word(Word* word) {
  *condition_tail_ = word;
  condition_tail_ = &word->next;
}

void Parser::condition_or() {
  for (;;) {
    condition_and();
    skip_condition_blanks();
    if (*cursor_.p != '|' || next_after(cursor_.p) != '|') return;
    cursor_.p = spliced(cursor_.p + 1) + 1;
  }
}

void Parser::condition_and() {
  for (;;) {
    condition_term();
    skip_condition_blanks();
    if (*cursor_.p != '&' || next_after(cursor_.p) != '&') return;
    cursor_.p = spliced(cursor_.p + 1) + 1;
  }
}

void Parser::condition_term() {
  const Nest nest(*this);
  if (!nest.ok()) return;
  skip_condition_blanks();
  while (cursor_.p[0] == '!' && is_break(cursor_.p[1])) {
    ++cursor_.p;
    skip_condition_blanks();
  }
  if (*cursor_.p != '(') return condition_test();
  ++cursor_.p;
  condition_or();
  skip_condition_blanks();
  if (failed()) return;
  if (*cursor_.p != ')') return fail("'(' without ')' in '[['");
  ++cursor_.p;
}

void Parser::condition_test() {
  if (closes_condition(cursor_.p)) return fail("an operand is missing in '[['");
  const char* begin = cursor_.p;
  if (!condition_operand(false)) return;
  const std::string_view left(begin, static_cast<std::size_t>(cursor_.p - begin));
  skip_blanks();
  const char* p = cursor_.p;
  const bool unary = left.size() == 2 && left[0] == '-' && is_name_start(left[1]);
  if (*p == '<' || *p == '>') {
    ++cursor_.p;
    skip_blanks();
    condition_operand(false);
    return;
  }
  if (closes_condition(p) || is_break(*p)) {
    if (unary && *p == '(') condition_operand(false);
    return;
  }
  const char* q = p;
  while (!is_break(*q) && q - p < 4) ++q;
  const std::string_view op(p, static_cast<std::size_t>(q - p));
  if (is_break(*q) && is_binary_operator(op)) {
    // `-f = x` reads as a comparison, as the shell does when an operator follows.
    Word* word = parse_word();
    if (failed()) return;
    keep_condition_word(word);
    skip_blanks();
    condition_operand(op == "=~");
    return;
  }
  if (!unary) return fail("unexpected operand in '[['");
  condition_operand(false);
}

bool Parser::condition_operand(bool regex) {
  const char c = *cursor_.p;
  const bool process = (c == '<' || c == '>') && cursor_.p[1] == '(';
  if (is_break(c) && !process && !(regex && (c == '(' || c == '|'))) {
    fail("an operand is missing in '[['");
    return false;
  }
  Word* word = parse_word(regex ? WordMode::kRegex : WordMode::kNormal);
  if (failed()) return false;
  keep_condition_word(word);
  return true;
}

}  // namespace langsbx::languages::bash
