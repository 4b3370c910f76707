// Words: literal runs, quoting, and where expansions stand in them.
#include <algorithm>
#include <cstring>
#include <functional>

#include "languages/bash/ansi_escapes.h"
#include "languages/bash/characters.h"
#include "languages/bash/parser.h"
#include "languages/byte_blocks.h"

namespace langsbx::languages::bash {
namespace {

// Up to what means something between double quotes, or to the end.
const char* double_run(const char* at) {
  for (;;) {
    const Block block(at);
    const std::size_t run = first_of(block.equal('"', '$', '\\') | block.equal('`', '\0'));
    if (run != kBlock) return at + run;
    at += kBlock;
  }
}

bool leads_pattern(char c) { return c == '?' || c == '*' || c == '+' || c == '@' || c == '!'; }

}  // namespace

Word* Parser::parse_word(WordMode mode) {
  if (++words_ > limits_.words) {
    fail_limit("too many words");
    return nullptr;
  }
  if (!roomy()) return nullptr;
  const char* begin = cursor_.p;
  const char* p = begin;
  std::uint8_t flags = 0;
  for (;;) {
    p += run_of(Block(p).word());
    const std::uint8_t kind = class_of(*p);
    if ((kind & (kBreak | kQuoting | kGlobbing)) == 0) {
      ++p;
      continue;
    }
    if ((kind & kGlobbing) != 0) {
      flags = static_cast<std::uint8_t>(flags | (*p == '{' ? kWordBrace : kWordGlob));
      ++p;
      continue;
    }
    if ((kind & kQuoting) != 0) return parse_word_parts(begin, p, flags, mode);
    const bool pattern = *p == '(' && p != begin && leads_pattern(p[-1]);
    const bool process = (*p == '<' || *p == '>') && p[1] == '(';
    if (pattern || process || mode == WordMode::kRegex) {
      return parse_word_parts(begin, p, flags, mode);
    }
    break;
  }
  Word* word = script_.arena.make<Word>();
  word->text = {begin, static_cast<std::size_t>(p - begin)};
  word->offset = offset_of(begin);
  word->flags = flags;
  cursor_.p = p;
  return word;
}

// What has been read up to its end.
Word* Parser::plain_word(std::string_view text) {
  if (++words_ > limits_.words) fail_limit("too many words");
  roomy();
  Word* word = script_.arena.make<Word>();
  word->text = text;
  word->offset = offset_of(text.data());
  return word;
}

// The general case: from `begin` to `from` it is literal.
Word* Parser::parse_word_parts(const char* begin, const char* from, std::uint8_t flags,
                               WordMode mode) {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  PartList list;
  if (from != begin) list.add(literal(begin, from));
  cursor_.p = from;
  int parens = 0;
  while (!failed() && word_part(list, flags, parens, mode)) {
  }
  if (failed()) return nullptr;
  Word* word = script_.arena.make<Word>();
  word->text = {begin, static_cast<std::size_t>(cursor_.p - begin)};
  word->offset = offset_of(begin);
  word->flags = flags;
  word->parts = list.first;
  return word;
}

// One part; false at the end of the word. `parens`: how many ( of patterns are open.
bool Parser::word_part(PartList& list, std::uint8_t& flags, int& parens, WordMode mode) {
  const char* begin = cursor_.p;
  const char* p = begin;
  for (;;) {
    p += run_of(Block(p).word());
    const char c = *p;
    const std::uint8_t kind = class_of(c);
    if ((kind & kQuoting) != 0) break;
    if ((kind & kGlobbing) != 0) {
      flags = static_cast<std::uint8_t>(flags | (c == '{' ? kWordBrace : kWordGlob));
    } else if ((kind & kBreak) != 0) {
      if (c == '\0') break;
      const bool process = (c == '<' || c == '>') && p[1] == '(';
      if (process) break;
      if (c == '(' &&
          (parens > 0 || mode == WordMode::kRegex || (p != cursor_.base && leads_pattern(p[-1])))) {
        ++parens;
        flags = static_cast<std::uint8_t>(flags | kWordGlob);
      } else if (c == ')' && parens > 0) {
        --parens;
      } else if (parens == 0 && !(mode == WordMode::kRegex && c == '|')) {
        break;
      }
    }
    ++p;
  }
  cursor_.p = p;
  if (p != begin) list.add(literal(begin, p));
  const char c = *p;
  if (c == '\0' && parens > 0) {
    fail("a pattern's '(' without ')'");
    return false;
  }
  if ((class_of(c) & kBreak) != 0) {
    const bool process = (c == '<' || c == '>') && p[1] == '(';
    if (!process) return false;
    list.add(process_substitution());
    flags = static_cast<std::uint8_t>(flags | kWordDynamic);
    return true;
  }
  return special_part(list, flags, c);
}

bool Parser::special_part(PartList& list, std::uint8_t& flags, char c) {
  if (!roomy()) return false;
  Part* part = nullptr;
  std::uint8_t flag = kWordQuoted;
  switch (c) {
    case '\\':
      if (cursor_.p[1] == '\n') {
        cursor_.p += 2;
        flag = kWordSpliced;
        part = literal(cursor_.p, cursor_.p);
      } else if (cursor_.p[1] == '\0') {
        part = literal(cursor_.p, cursor_.p + 1);
        ++cursor_.p;
      } else {
        part = literal(cursor_.p + 1, cursor_.p + 2, PartKind::kEscaped);
        note_quoted(part->text);
        cursor_.p += 2;
      }
      break;
    case '\'':
      part = single_quoted();
      break;
    case '"':
      part = double_quoted();
      if (part != nullptr && part->inner != nullptr) flag = kWordQuoted | kWordDynamic;
      break;
    case '`':
      part = backquotes(false);
      flag = kWordDynamic;
      break;
    default:
      part = dollar(false);
      flag = part != nullptr && (part->kind == PartKind::kLiteral) ? 0 : kWordDynamic;
      if (part != nullptr &&
          (part->kind == PartKind::kAnsiQuoted || part->kind == PartKind::kDoubleQuoted)) {
        flag = part->inner == nullptr ? kWordQuoted : kWordQuoted | kWordDynamic;
      }
      break;
  }
  if (part == nullptr) return false;
  flags = static_cast<std::uint8_t>(flags | flag);
  list.add(part);
  return true;
}

// A dollar that could begin a substitution, whole or cut in two, or a backquote; behind a bracket
// it could begin a subscript.
void Parser::note_quoted(std::string_view text) {
  constexpr std::ptrdiff_t kNear = 32;
  bool bracket = false;
  for (std::size_t at = find_any(text, '$', '`', '['); at != std::string_view::npos;
       at = find_any(text, '$', '`', '[', at + 1)) {
    if (text[at] == '[') {
      bracket = bracket || text.size() == 1 || (at > 0 && is_name(text[at - 1]));
      continue;
    }
    if (text[at] != '`' && at + 1 != text.size() && text[at + 1] != '(' && text[at + 1] != '{') {
      continue;
    }
    script_.quoted_code = true;
    if (text.size() == 1) {  // escaped by itself: the bracket stands before it
      const bool here =
          !std::less<>()(text.data(), cursor_.base) && std::less<>()(text.data(), cursor_.end);
      const std::ptrdiff_t near = here ? std::min(kNear, text.data() - cursor_.base) : 0;
      const std::string_view before(text.data() - near, static_cast<std::size_t>(near));
      bracket = !here || before.find('[') != std::string_view::npos;
    }
    script_.quoted_bracket = script_.quoted_bracket || bracket;
    if (script_.quoted_bracket) return;
  }
}

Part* Parser::single_quoted() {
  const char* begin = cursor_.p + 1;
  const void* close = std::memchr(begin, '\'', static_cast<std::size_t>(cursor_.end - begin));
  if (close == nullptr) {
    fail("a single quote without its end");
    return nullptr;
  }
  const char* end = static_cast<const char*>(close);
  cursor_.p = end + 1;
  if (!script_.quoted_code || !script_.quoted_bracket)
    note_quoted({begin, static_cast<std::size_t>(end - begin)});
  return literal(begin, end, PartKind::kSingleQuoted);
}

// $'...'
Part* Parser::ansi_quoted() {
  const char* begin = cursor_.p + 2;
  const char* p = begin;
  while (*p != '\'' && *p != '\0') p += (p[0] == '\\' && p[1] != '\0') ? 2 : 1;
  if (*p == '\0') {
    fail("$' without its end");
    return nullptr;
  }
  const std::string_view raw(begin, static_cast<std::size_t>(p - begin));
  cursor_.p = p + 1;
  Part* part = literal(begin, p, PartKind::kAnsiQuoted);
  if (raw.find('\\') != std::string_view::npos) {
    char* out = script_.arena.text(ansi_room(raw));
    part->text = {out, decode_ansi(raw, out)};
    note_quoted(part->text);
  }
  return part;
}

Part* Parser::double_quoted() {
  const char* begin = cursor_.p + 1;
  const char* p = double_run(begin);
  Part* part = literal(begin, p, PartKind::kDoubleQuoted);
  if (*p == '"') {
    cursor_.p = p + 1;
    return part;
  }
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  cursor_.p = begin;
  PartList list;
  quoted_run(list, '"');
  if (failed()) return nullptr;
  part->text = {begin, static_cast<std::size_t>(cursor_.p - begin)};
  part->inner = list.first != nullptr ? list.first : literal(begin, begin);
  ++cursor_.p;
  return part;
}

// Text with double-quote rules up to `terminator` (not consumed): '"', or NUL for here-documents.
void Parser::quoted_run(PartList& list, char terminator) {
  for (;;) {
    const char* begin = cursor_.p;
    const char* p = begin;
    for (p = double_run(p); *p == '"' && terminator == '\0'; p = double_run(p + 1)) {
    }
    if (p != begin) list.add(literal(begin, p, PartKind::kSingleQuoted));
    cursor_.p = p;
    const char c = *p;
    if (c == terminator) return;
    if (c == '\0') return fail("a double quote without its end");
    Part* part = nullptr;
    if (c == '\\') {
      const char next = p[1];
      const bool escapes =
          next == '$' || next == '`' || next == '\\' || (next == '"' && terminator == '"');
      if (next == '\n') {
        cursor_.p = p + 2;
        continue;
      }
      part = escapes ? literal(p + 1, p + 2, PartKind::kEscaped)
                     : literal(p, p + 1, PartKind::kSingleQuoted);
      note_quoted(part->text);
      cursor_.p = p + (escapes ? 2 : 1);
    } else if (c == '`') {
      part = backquotes(true);
    } else {
      part = dollar(true);
    }
    if (failed() || part == nullptr) return;
    list.add(part);
  }
}

}  // namespace langsbx::languages::bash
