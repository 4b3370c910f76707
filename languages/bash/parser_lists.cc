// Lists, pipelines and the choice of the command that starts at a word.
#include <array>
#include <utility>

#include "languages/bash/characters.h"
#include "languages/bash/names.h"
#include "languages/bash/parser.h"

namespace langsbx::languages::bash {

std::size_t Parser::open_command(CommandKind kind, std::uint32_t offset, Connector before) {
  if (script_.commands.size() >= limits_.commands) fail_limit("too many commands");
  // Made where it stays: one that is copied waits for what was just written.
  Command& command = script_.commands.emplace_back();
  command.kind = kind;
  command.offset = offset;
  command.before = before;
  command.function = function_;
  command.depth = block_;
  command.loop = loop_;
  command.apart = apart_ > 0;
  return script_.commands.size() - 1;
}

// The reserved words, in a table whose slots are found by multiplying.
struct Parser::Keywords {
  struct Entry {
    std::uint64_t text = 0;
    Keyword keyword = Keyword::kNone;
  };
  static constexpr std::size_t slot(std::uint64_t text) {
    return text * 0x9E3779B97F4A7C15U >> 57U;
  }

  constexpr Keywords() {
    using enum Keyword;
    constexpr std::pair<std::string_view, Keyword> kWords[] = {
        {"if", kIf},        {"then", kThen}, {"elif", kElif},         {"else", kElse},
        {"fi", kFi},        {"do", kDo},     {"done", kDone},         {"while", kWhile},
        {"until", kUntil},  {"for", kFor},   {"select", kSelect},     {"case", kCase},
        {"esac", kEsac},    {"in", kIn},     {"function", kFunction}, {"{", kOpenBrace},
        {"}", kCloseBrace}, {"!", kNot},     {"time", kTime},         {"coproc", kCoproc},
        {"[[", kCondition}};
    for (const auto& [word, keyword] : kWords) {
      std::size_t at = slot(pack_name(word));
      while (entries[at].text != 0) at = (at + 1) % entries.size();
      entries[at] = {pack_name(word), keyword};
    }
  }

  [[nodiscard]] constexpr Keyword find(std::uint64_t text) const {
    std::size_t at = slot(text);
    while (entries[at].text != 0 && entries[at].text != text) at = (at + 1) % entries.size();
    return entries[at].keyword;
  }

  std::array<Entry, 128> entries{};
};

constexpr Parser::Keywords Parser::kKeywords;

Parser::Keyword Parser::keyword_of(const Word& word) {
  std::string_view text = word.text;
  char joined[16];
  if (!word.plain()) {
    // A reserved word may be split by line continuations, but not quoted in any way.
    if (word.flags != kWordSpliced) return Keyword::kNone;
    std::size_t length = 0;
    for (const Part* part = word.parts; part != nullptr; part = part->next) {
      if (length + part->text.size() > sizeof joined) return Keyword::kNone;
      length += part->text.copy(joined + length, part->text.size());
    }
    text = {joined, length};
  }
  return text.size() > 8 ? Keyword::kNone : kKeywords.find(pack_name(text));
}

Parser::End Parser::end_of(Keyword keyword) {
  switch (keyword) {
    case Keyword::kThen:
      return End::kThen;
    case Keyword::kElif:
      return End::kElif;
    case Keyword::kElse:
      return End::kElse;
    case Keyword::kFi:
      return End::kFi;
    case Keyword::kDo:
      return End::kDo;
    case Keyword::kDone:
      return End::kDone;
    case Keyword::kEsac:
      return End::kEsac;
    case Keyword::kCloseBrace:
      return End::kBrace;
    default:
      return End::kNone;
  }
}

// Commands up to a token that ends the list. A closing reserved word is consumed, a parenthesis
// and the `;;` of a case are not.
Parser::End Parser::parse_list() {
  Connector before = Connector::kSequence;
  for (;;) {
    skip_newlines();
    const char c = *cursor_.p;
    if (c == '\0') return End::kEof;
    if (c == ')') return End::kParen;
    if (c == ';') {
      const char next = next_after(cursor_.p);
      if (next == ';' || next == '&') return End::kCaseBreak;
      fail("a command is missing before ';'");
      return End::kEof;
    }
    bool more = false;
    End end = parse_pipeline(before, more);
    if (end != End::kNone) return end;
    while (more) {
      skip_newlines();
      end = parse_pipeline(before, more);
      if (end != End::kNone) {
        fail("a command is missing behind an operator");
        return End::kEof;
      }
    }
  }
}

// Behind a command. `more`: the operator must be followed by another one.
Connector Parser::take_connector(bool& more) {
  more = false;
  skip_blanks();
  const char* p = cursor_.p;
  const char next = *p == '\0' ? '\0' : next_after(p);
  const auto take_two = [&] { cursor_.p = spliced(p + 1) + 1; };
  switch (*p) {
    case '\n':
    case '\0':
    case ')':
      return Connector::kSequence;
    case ';':
      if (next != ';' && next != '&') ++cursor_.p;
      return Connector::kSequence;
    case '&':
      if (next == '&') {
        take_two();
        more = true;
        return Connector::kAnd;
      }
      ++cursor_.p;
      return Connector::kBackground;
    case '|':
      more = true;
      if (next == '|') {
        take_two();
        return Connector::kOr;
      }
      if (next == '&') {
        take_two();
      } else {
        ++cursor_.p;
      }
      return Connector::kPipe;
    default:
      // `(list) }`, `if (list) then`: behind a compound command a reserved word needs no separator.
      if (!closed_ || !at_closing_word()) fail("unexpected text behind a command");
      return Connector::kSequence;
  }
}

// Whether a reserved word that ends a list stands here.
bool Parser::at_closing_word() const {
  const char* end = cursor_.p;
  while (!is_break(*end) && end - cursor_.p < 8) ++end;
  const std::string_view word(cursor_.p, static_cast<std::size_t>(end - cursor_.p));
  return is_break(*end) && end_of(kKeywords.find(pack_name(word))) != End::kNone;
}

// One command with the `!` and `time` before it, and the operator behind it: that before the next.
Parser::End Parser::parse_pipeline(Connector& before, bool& more) {
  const std::size_t index = script_.commands.size();
  const End end = parse_command(before);
  if (end != End::kNone) return end;
  before = take_connector(more);
  if (index < script_.commands.size()) script_.commands[index].after = before;
  return End::kNone;
}

// At a token that can't start a command: fine behind `!` and `time`, an error otherwise.
Parser::End Parser::no_command(bool prefixed, Connector before) {
  if (prefixed) {
    open_command(CommandKind::kSimple, offset(), before);
    closed_ = false;
    return End::kNone;
  }
  fail("a command is missing");
  return End::kEof;
}

Parser::End Parser::parse_command(Connector before) {
  const Nest nest(*this);
  if (!nest.ok()) return End::kEof;
  bool prefixed = false;
  for (;;) {
    skip_blanks();
    const std::uint32_t start = offset();
    const char c = *cursor_.p;
    if (c == '(') {
      const bool arithmetic = next_after(cursor_.p) == '(';
      const std::size_t index = open_command(
          arithmetic ? CommandKind::kArithmetic : CommandKind::kSubshell, start, before);
      if (arithmetic) {
        parse_arithmetic_command(index);
      } else {
        parse_subshell(index);
      }
      return End::kNone;
    }
    if (is_break(c) && c != '<' && c != '>' && !(c == '&' && next_after(cursor_.p) == '>')) {
      return no_command(prefixed, before);
    }
    if (c == '!' && cursor_.p[1] == '(') {
      // Without extglob the negation of a subshell; judged as that. As a pattern it would have to
      // match a file's name to run anything.
      ++cursor_.p;
      prefixed = true;
      continue;
    }
    std::string_view name;
    const Keyword keyword = plain_head(name);
    if (keyword == Keyword::kNot || keyword == Keyword::kTime) {
      if (keyword == Keyword::kTime) skip_time_options();
      prefixed = true;
      continue;
    }
    if (end_of(keyword) != End::kNone) return end_of(keyword);
    const std::size_t index = open_command(CommandKind::kSimple, start, before);
    if (keyword != Keyword::kNone) return compound(keyword, index);
    if (name.empty()) return unusual_command(index);
    Word* word = plain_word(name);
    if (name == "[") word->flags = kWordGlob;
    parse_named(word, index);
    return End::kNone;
  }
}

// A head of plain characters or one reserved word, up to what ends it: consumed. Else `name` is
// empty.
Parser::Keyword Parser::plain_head(std::string_view& name) {
  const char* begin = cursor_.p;
  const Block block(begin);
  const std::size_t run = run_of(block.word());
  const char* p = begin + run;
  bool plain = run != 0 && !is_digit(*begin);
  if (run == 0) {
    while (*p == '{' || *p == '}' || *p == '!' || *p == '[') ++p;
    plain = p - begin == 1 && *begin == '[';
    if (p == begin || p - begin > 2) return Keyword::kNone;
  }
  // An assignment, or long.
  if (run == kBlock || first_of(block.equal('=')) < run) return Keyword::kNone;
  // Behind it, what can end no word or goes on with it.
  if (!is_break(*p) || *p == '<' || *p == '>' || (*p == '(' && p[-1] == '!')) return Keyword::kNone;
  const std::string_view text(begin, static_cast<std::size_t>(p - begin));
  const Keyword keyword = text.size() > 8 ? Keyword::kNone : kKeywords.find(pack_name(text));
  if (keyword == Keyword::kNone && !plain) return keyword;
  name = text;
  cursor_.p = p;
  return keyword;
}

// Assignments and redirections in front, or a head that is quoted or expanded.
Parser::End Parser::unusual_command(std::size_t index) {
  Redirect* redirect = try_redirect();
  Assignment* assignment = redirect == nullptr ? try_assignment() : nullptr;
  if (redirect != nullptr || assignment != nullptr) {
    script_.commands[index].redirects = redirect;
    script_.commands[index].assignments = assignment;
    parse_simple(index, nullptr);
    return End::kNone;
  }
  if (failed()) return End::kEof;
  Word* word = parse_word();
  if (failed()) return End::kEof;
  // One that line continuations split.
  const Keyword keyword = keyword_of(*word);
  if (keyword == Keyword::kNot || keyword == Keyword::kTime) {
    const Connector before = script_.commands[index].before;
    script_.commands.pop_back();
    if (keyword == Keyword::kTime) skip_time_options();
    return parse_command(before);
  }
  if (keyword != Keyword::kNone) return compound(keyword, index);
  parse_named(word, index);
  return End::kNone;
}

// Behind the first word: a function's parentheses or the rest of a simple command.
void Parser::parse_named(Word* word, std::size_t index) {
  skip_blanks();
  if (*cursor_.p == '(') {
    parse_function_parentheses(*word, index);
  } else {
    parse_simple(index, word);
  }
}

void Parser::skip_time_options() {
  for (const std::string_view option : {std::string_view("-p"), std::string_view("--")}) {
    skip_blanks();
    const char* p = cursor_.p;
    if (p[0] == option[0] && p[1] == option[1] && is_break(p[2])) cursor_.p += 2;
  }
}

// A reserved word at a command's place: either it opens a compound command or it ends the list.
Parser::End Parser::compound(Keyword keyword, std::size_t index) {
  const End end = end_of(keyword);
  if (end != End::kNone) {
    script_.commands.pop_back();
    return end;
  }
  Command& command = script_.commands[index];
  switch (keyword) {
    case Keyword::kIf:
      command.kind = CommandKind::kIf;
      parse_if();
      break;
    case Keyword::kWhile:
    case Keyword::kUntil:
      command.kind = keyword == Keyword::kWhile ? CommandKind::kWhile : CommandKind::kUntil;
      parse_while();
      break;
    case Keyword::kFor:
    case Keyword::kSelect:
      command.kind = keyword == Keyword::kFor ? CommandKind::kFor : CommandKind::kSelect;
      parse_for(index);
      break;
    case Keyword::kCase:
      command.kind = CommandKind::kCase;
      parse_case(index);
      break;
    case Keyword::kOpenBrace:
      command.kind = CommandKind::kGroup;
      parse_group();
      break;
    case Keyword::kCondition:
      command.kind = CommandKind::kCondition;
      parse_condition(index);
      break;
    case Keyword::kFunction:
      parse_function(index);
      return End::kNone;
    case Keyword::kCoproc:
      command.kind = CommandKind::kCoproc;
      parse_coproc(index);
      return End::kNone;
    default:
      fail("unexpected reserved word");
      return End::kEof;
  }
  parse_redirects_after(index);
  return End::kNone;
}

}  // namespace langsbx::languages::bash
