// Simple commands: assignments, arrays, words and redirections.
#include "languages/bash/characters.h"
#include "languages/bash/parser.h"

namespace langsbx::languages::bash {

// Words up to the operator behind the command. `first` has been read already, or is null while
// assignments and redirections may still come.
void Parser::parse_simple(std::size_t index, Word* first) {
  Word* words = first;
  Word** word_tail = first != nullptr ? &first->next : &words;
  Redirect* redirects = script_.commands[index].redirects;
  Redirect** redirect_tail = redirects != nullptr ? &redirects->next : &redirects;
  Assignment* assignments = script_.commands[index].assignments;
  Assignment** assignment_tail = assignments != nullptr ? &assignments->next : &assignments;
  for (;;) {
    skip_blanks();
    const char c = *cursor_.p;
    if (c == '<' || c == '>' || c == '&' || c == '{' || is_digit(c)) {
      if (Redirect* redirect = try_redirect(); redirect != nullptr) {
        *redirect_tail = redirect;
        redirect_tail = &redirect->next;
        continue;
      }
    }
    if (failed()) return;
    if (is_break(c) && !((c == '<' || c == '>') && cursor_.p[1] == '(')) break;
    if (words == nullptr) {
      if (Assignment* assignment = try_assignment(); assignment != nullptr) {
        *assignment_tail = assignment;
        assignment_tail = &assignment->next;
        continue;
      }
      if (failed()) return;
    }
    Word* word = parse_word();
    if (failed()) return;
    if (*cursor_.p == '(' && cursor_.p[-1] == '=') array_argument(*word);
    *word_tail = word;
    word_tail = &word->next;
  }
  if (*cursor_.p == '(') return fail("unexpected '('");
  closed_ = false;
  Command& command = script_.commands[index];
  command.words = words;
  command.redirects = redirects;
  command.assignments = assignments;
  if (words != nullptr) {
    for (Assignment* a = assignments; a != nullptr; a = a->next) a->prefix = true;
  }
}

// name=  name+=  name[subscript]=  at a command's head; null when the text is none of them, and
// then nothing is consumed.
Assignment* Parser::try_assignment() {
  const char* begin = cursor_.p;
  if (!is_name_start(*begin)) return nullptr;
  const char* p = name_end(begin + 1);
  const std::string_view name(begin, static_cast<std::size_t>(p - begin));
  if (*p != '=' && *p != '[' && !(p[0] == '+' && p[1] == '=')) return nullptr;
  const Cursor start = cursor_;
  const Marks marks = mark();
  std::string_view subscript_text;
  Part* subscript_parts = nullptr;
  if (*p == '[') {
    cursor_.p = p + 1;
    subscript_parts = subscript(subscript_text);
    if (failed()) return nullptr;
    p = cursor_.p;
    if (*p != '=' && !(p[0] == '+' && p[1] == '=')) {
      // `name[...]` is a word; its text is read again.
      rewind(marks);
      cursor_ = start;
      spend(static_cast<std::size_t>(p - begin));
      return nullptr;
    }
  }
  Assignment* assignment = script_.arena.make<Assignment>();
  assignment->name = name;
  assignment->offset = offset_of(begin);
  assignment->subscript = subscript_parts;
  assignment->subscript_text = subscript_text;
  assignment->append = *p == '+';
  assignment->depth = block_;
  p += assignment->append ? 2 : 1;
  cursor_.p = p;
  if (*p == '(') {
    assignment->array = true;
    assignment->elements = parse_array();
  } else if (!is_break(*p) || ((*p == '<' || *p == '>') && p[1] == '(')) {
    assignment->value = parse_word();
  }
  if (failed()) return nullptr;
  script_.assignments.push_back(assignment);
  return assignment;
}

// ( element ... ) behind `=`.
Word* Parser::parse_array() {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  ++cursor_.p;
  Word* first = nullptr;
  Word** tail = &first;
  for (;;) {
    skip_newlines();
    if (*cursor_.p == ')') break;
    Word* element = array_element();
    if (failed()) return nullptr;
    *tail = element;
    tail = &element->next;
  }
  ++cursor_.p;
  return first;
}

// A word, or [subscript]=word, whose subscript counts as arithmetic.
Word* Parser::array_element() {
  if (*cursor_.p == '[') {
    const Cursor start = cursor_;
    const Marks marks = mark();
    ++cursor_.p;
    std::string_view text;
    const std::uint32_t at = offset();
    Part* parts = subscript(text);
    if (failed()) return nullptr;
    const bool append = cursor_.p[0] == '+' && cursor_.p[1] == '=';
    if (append || *cursor_.p == '=') {
      cursor_.p += append ? 2 : 1;
      script_.arithmetic.push_back({text, parts, at});
      if (!is_break(*cursor_.p)) return parse_word();
      Word* empty = script_.arena.make<Word>();
      empty->offset = offset();
      empty->text = {cursor_.p, 0};
      return empty;
    }
    rewind(marks);
    if (!spend(static_cast<std::size_t>(cursor_.p - start.p))) return nullptr;
    cursor_ = start;
  }
  if (is_break(*cursor_.p) && !((*cursor_.p == '<' || *cursor_.p == '>') && cursor_.p[1] == '(')) {
    fail("unexpected text in an array");
    return nullptr;
  }
  return parse_word();
}

// declare name=( ... )
void Parser::array_argument(Word& word) {
  const char* begin = word.text.data();
  word.elements = parse_array();
  if (failed()) return;
  word.array = true;
  word.text = {begin, static_cast<std::size_t>(cursor_.p - begin)};
}

}  // namespace langsbx::languages::bash
