// Command, process and arithmetic substitution.
#include <utility>

#include "languages/bash/characters.h"
#include "languages/bash/parser.h"

namespace langsbx::languages::bash {

// A list in the same text, up to its ')' (consumed); here-documents of outside wait.
void Parser::parse_nested_list(std::string_view message) {
  std::vector<Pending> outer = std::exchange(pending_, {});
  outer_pending_ += outer.size();
  ++block_;
  ++apart_;
  ++parenthesised_;
  const End end = parse_list();
  --parenthesised_;
  --apart_;
  --block_;
  if (!failed() && end != End::kParen) fail(message);
  if (!failed() && !pending_.empty()) fail("a here-document inside a substitution has no body");
  outer_pending_ -= outer.size();
  pending_ = std::move(outer);
  if (!failed()) ++cursor_.p;
}

// At '(' behind '$'.
Part* Parser::command_substitution() {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  ++cursor_.p;
  const char* begin = cursor_.p;
  parse_nested_list("'$(' without ')'");
  if (failed()) return nullptr;
  return literal(begin, cursor_.p - 1, PartKind::kCommand);
}

// At '<' or '>' before '('.
Part* Parser::process_substitution() {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  cursor_.p += 2;
  const char* begin = cursor_.p;
  parse_nested_list("'<(' without ')'");
  if (failed()) return nullptr;
  return literal(begin, cursor_.p - 1, PartKind::kProcess);
}

// `...`: the text inside, with its backslashes taken out, is parsed on its own.
Part* Parser::backquotes(bool quoted) {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  const char* begin = cursor_.p + 1;
  const char* p = begin;
  while (*p != '`' && *p != '\0') p += (p[0] == '\\' && p[1] != '\0') ? 2 : 1;
  if (*p == '\0') {
    fail("a backquote without its end");
    return nullptr;
  }
  const std::size_t length = static_cast<std::size_t>(p - begin);
  if (!spend(length)) return nullptr;
  char* text = script_.arena.text(length);
  std::size_t size = 0;
  for (const char* q = begin; q < p; ++q) {
    const bool escape =
        q[0] == '\\' && (q[1] == '$' || q[1] == '`' || q[1] == '\\' || (quoted && q[1] == '"'));
    if (escape) ++q;
    text[size++] = *q;
  }
  text[size] = '\0';
  const std::uint32_t at = offset_of(begin);
  const Cursor behind{p + 1, cursor_.base, cursor_.end, cursor_.origin};
  std::vector<Pending> outer = std::exchange(pending_, {});
  const std::size_t outer_count = std::exchange(outer_pending_, 0);
  const std::size_t parenthesised = std::exchange(parenthesised_, 0);
  ++block_;
  ++apart_;
  enter_text({text, size}, at);
  const End end = parse_list();
  --apart_;
  --block_;
  parenthesised_ = parenthesised;
  if (!failed() && end != End::kEof) fail("unexpected token inside backquotes");
  pending_ = std::move(outer);
  outer_pending_ = outer_count;
  if (failed()) return nullptr;
  cursor_ = behind;
  return literal(text, text + size, PartKind::kCommand);
}

// At the first '(' of "$((".
Part* Parser::arithmetic_expansion() {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  const Cursor start = cursor_;
  const Marks marks = mark();
  cursor_.p = spliced(cursor_.p + 1) + 1;
  const std::uint32_t inside = offset();
  PartList list;
  Part* part = script_.arena.make<Part>();
  part->kind = PartKind::kArithmetic;
  if (arithmetic_body(list, ')', part->text)) {
    part->inner = list.first;
    script_.arithmetic.push_back({part->text, list.first, inside});
    return part;
  }
  if (failed()) return nullptr;
  // Not closed by "))": a command substitution that begins with a subshell.
  rewind(marks);
  if (!spend(static_cast<std::size_t>(cursor_.p - start.p))) return nullptr;
  cursor_ = start;
  return command_substitution();
}

// Expansions up to "))" or "]" (consumed). False without failing at a ')' that stands alone.
bool Parser::arithmetic_body(PartList& list, char close, std::string_view& text) {
  const char* start = cursor_.p;
  const char open = close == ')' ? '(' : '[';
  int depth = 0;
  while (!failed() && roomy()) {
    const char* begin = cursor_.p;
    const char* p = begin;
    while ((class_of(*p) & kQuoting) == 0 && *p != '\0' && *p != open && *p != close) ++p;
    if (p != begin) list.add(literal(begin, p));
    cursor_.p = p;
    const char c = *p;
    if (c == '\0') {
      fail("an arithmetic expression or subscript without its end");
      return false;
    }
    Part* part = nullptr;
    if (c == open || c == close) {
      if (c == close && depth == 0) {
        text = {start, static_cast<std::size_t>(p - start)};
        const char* last = close == ')' ? spliced(p + 1) : p;
        if (*last != close) return false;
        cursor_.p = last + 1;
        return true;
      }
      depth += c == open ? 1 : -1;
      part = literal(p, p + 1);
      ++cursor_.p;
    } else if (c == '\\') {
      cursor_.p = p + (p[1] == '\0' ? 1 : 2);
      continue;
    } else if (c == '\'') {
      part = single_quoted();
    } else if (c == '"') {
      part = double_quoted();
    } else {
      part = c == '`' ? backquotes(true) : dollar(true);
    }
    if (part != nullptr) list.add(part);
  }
  return false;
}

}  // namespace langsbx::languages::bash
