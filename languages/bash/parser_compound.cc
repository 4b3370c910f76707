// Compound commands: if, loops, case, groups, functions, coproc.
#include "languages/bash/characters.h"
#include "languages/bash/parser.h"

namespace langsbx::languages::bash {

// A list with at least one command.
Parser::End Parser::parse_some(std::string_view message) {
  const std::size_t before = script_.commands.size();
  ++block_;
  const End end = parse_list();
  --block_;
  if (!failed() && script_.commands.size() == before) fail(message);
  return end;
}

bool Parser::parse_block(End wanted, std::string_view message) {
  const End end = parse_some(message);
  if (!failed() && end != wanted) fail(message);
  return !failed();
}

void Parser::parse_if() {
  if (!parse_block(End::kThen, "'if' needs commands and 'then'")) return;
  for (;;) {
    const End end = parse_some("'then' needs commands");
    if (failed() || end == End::kFi) return;
    if (end == End::kElse) {
      parse_block(End::kFi, "'else' needs commands and 'fi'");
      return;
    }
    if (end != End::kElif) return fail("'if' without 'fi'");
    if (!parse_block(End::kThen, "'elif' needs commands and 'then'")) return;
  }
}

void Parser::parse_while() {
  const bool outer = loop_;
  loop_ = true;
  if (parse_block(End::kDo, "a loop needs commands and 'do'")) {
    parse_block(End::kDone, "'do' needs commands and 'done'");
  }
  loop_ = outer;
}

// Behind `for` or `select`: everything up to the body. True when it was the arithmetic form.
bool Parser::for_header(std::size_t index) {
  skip_blanks();
  if (*cursor_.p == '(' && next_after(cursor_.p) == '(' &&
      script_.commands[index].kind == CommandKind::kFor) {
    script_.commands[index].kind = CommandKind::kForArithmetic;
    if (!try_arithmetic_command(index)) fail("'for ((' without '))'");
    skip_blanks();
    if (*cursor_.p == ';') ++cursor_.p;
    return true;
  }
  Word* name = parse_word();
  if (failed()) return false;
  if (!name->plain()) {
    fail("the loop variable must be a plain name");
    return false;
  }
  script_.commands[index].name = name->text;
  skip_newlines();
  const char* p = cursor_.p;
  if (*p == ';') {
    ++cursor_.p;
    return false;
  }
  if (p[0] != 'i' || p[1] != 'n' || !is_break(p[2])) return false;
  cursor_.p += 2;
  Word* first = nullptr;
  Word** tail = &first;
  for (skip_blanks(); !is_break(*cursor_.p) || *cursor_.p == '<' || *cursor_.p == '>';
       skip_blanks()) {
    *tail = parse_word();
    if (failed()) return false;
    tail = &(*tail)->next;
  }
  script_.commands[index].words = first;
  if (*cursor_.p == ';') {
    ++cursor_.p;
  } else if (*cursor_.p != '\n') {
    fail("unexpected text in the list of a loop");
  }
  return false;
}

void Parser::parse_for(std::size_t index) {
  for_header(index);
  skip_newlines();
  if (failed()) return;
  const bool outer = loop_;
  loop_ = true;
  Word* word = parse_word();
  const Keyword keyword = failed() ? Keyword::kNone : keyword_of(*word);
  if (keyword == Keyword::kDo) {
    parse_block(End::kDone, "'do' needs commands and 'done'");
  } else if (keyword == Keyword::kOpenBrace) {
    parse_block(End::kBrace, "'{' needs commands and '}'");
  } else {
    fail("a loop needs 'do'");
  }
  loop_ = outer;
}

void Parser::parse_case(std::size_t index) {
  skip_blanks();
  Word* subject = parse_word();
  if (failed()) return;
  script_.commands[index].words = subject;
  Word** tail = &subject->next;
  skip_newlines();
  const char* p = cursor_.p;
  if (p[0] != 'i' || p[1] != 'n' || !is_break(p[2])) return fail("'case' without 'in'");
  cursor_.p += 2;
  ++block_;
  while (!failed() && parse_case_item(tail)) {
  }
  --block_;
}

// One `patterns) commands ;;`. False behind `esac`.
bool Parser::parse_case_item(Word**& tail) {
  skip_newlines();
  const bool parenthesis = *cursor_.p == '(';
  if (parenthesis) ++cursor_.p;
  for (bool first = true;; first = false) {
    skip_blanks();
    if (is_break(*cursor_.p) && *cursor_.p != '<' && *cursor_.p != '>') {
      fail("a pattern is missing in 'case'");
      return false;
    }
    Word* pattern = parse_word();
    if (failed()) return false;
    if (first && !parenthesis && keyword_of(*pattern) == Keyword::kEsac) return false;
    *tail = pattern;
    tail = &pattern->next;
    skip_blanks();
    if (*cursor_.p == ')') break;
    if (*cursor_.p != '|') {
      fail("')' is missing behind a pattern of 'case'");
      return false;
    }
    ++cursor_.p;
  }
  ++cursor_.p;
  const End end = parse_list();
  if (failed() || end == End::kEsac) return false;
  if (end != End::kCaseBreak) {
    fail("'case' without 'esac'");
    return false;
  }
  // ;; or ;& or ;;&
  cursor_.p = spliced(cursor_.p + 1);
  const bool two = *cursor_.p == ';';
  ++cursor_.p;
  if (two && *cursor_.p == '&') ++cursor_.p;
  return true;
}

void Parser::parse_group() { parse_block(End::kBrace, "'{' needs commands and '}'"); }

void Parser::parse_subshell(std::size_t index) {
  ++cursor_.p;
  ++apart_;
  const bool whole = parse_block(End::kParen, "'(' needs commands and ')'");
  --apart_;
  if (!whole) return;
  ++cursor_.p;
  parse_redirects_after(index);
}

// (( expression )), or two subshells when it does not close with `))`.
void Parser::parse_arithmetic_command(std::size_t index) {
  const Cursor start = cursor_;
  if (try_arithmetic_command(index)) {
    parse_redirects_after(index);
    return;
  }
  if (failed()) return;
  if (!spend(static_cast<std::size_t>(cursor_.p - start.p))) return;
  cursor_ = start;
  script_.commands[index].kind = CommandKind::kSubshell;
  parse_subshell(index);
}

// False, with nothing failed and nothing kept, when it is no arithmetic; the cursor stands where
// that was seen.
bool Parser::try_arithmetic_command(std::size_t index) {
  const Marks marks = mark();
  cursor_.p = spliced(cursor_.p + 1) + 1;
  const std::uint32_t inside = offset();
  PartList list;
  std::string_view text;
  if (!arithmetic_body(list, ')', text)) {
    if (!failed()) rewind(marks);
    return false;
  }
  script_.arithmetic.push_back({text, list.first, inside});
  script_.commands[index].name = text;
  return true;
}

void Parser::parse_function(std::size_t index) {
  skip_blanks();
  if (is_break(*cursor_.p)) return fail("'function' needs a name");
  Word* name = parse_word();
  if (failed()) return;
  skip_blanks();
  if (*cursor_.p == '(') return parse_function_parentheses(*name, index);
  if (!name->plain()) return fail("a function's name must be plain text");
  parse_function_body(name->text, index);
}

void Parser::parse_function_parentheses(const Word& name, std::size_t index) {
  ++cursor_.p;
  skip_blanks();
  if (*cursor_.p != ')') return fail("unexpected '('");
  ++cursor_.p;
  if (!name.plain()) return fail("a function's name must be plain text");
  parse_function_body(name.text, index);
}

void Parser::parse_function_body(std::string_view name, std::size_t index) {
  script_.commands[index].kind = CommandKind::kFunction;
  script_.commands[index].name = name;
  const Connector before = script_.commands[index].before;
  Function function;
  function.name = name;
  function.offset = script_.commands[index].offset;
  function.certain = block_ == 0 && before == Connector::kSequence;
  const std::size_t slot = script_.functions.size();
  script_.functions.push_back(function);
  skip_newlines();
  const char c = *cursor_.p;
  if (c != '(' && (is_break(c) || failed())) return fail("a function needs a compound command");

  const std::int32_t outer_function = function_;
  const bool outer_loop = loop_;
  function_ = static_cast<std::int32_t>(slot);
  loop_ = false;
  ++block_;
  const std::size_t first = script_.commands.size();
  script_.functions[slot].first_command = static_cast<std::uint32_t>(first);
  const End end = parse_command(Connector::kSequence);
  --block_;
  loop_ = outer_loop;
  function_ = outer_function;
  if (failed()) return;
  if (end != End::kNone || first >= script_.commands.size() ||
      script_.commands[first].kind == CommandKind::kSimple ||
      script_.commands[first].kind == CommandKind::kFunction ||
      script_.commands[first].kind == CommandKind::kCoproc) {
    return fail("a function's body must be a compound command");
  }
  skip_blanks();
  const char* p = cursor_.p;
  Function& made = script_.functions[slot];
  made.last_command = static_cast<std::uint32_t>(script_.commands.size());
  made.end_offset = offset();
  // In a pipe or in the background it is defined in another process.
  if (*p == '|' || (*p == '&' && next_after(p) != '&')) made.certain = false;
}

// coproc compound, coproc NAME compound, coproc simple command.
void Parser::parse_coproc(std::size_t index) {
  skip_blanks();
  const char* p = cursor_.p;
  if (is_name_start(*p)) {
    const char* q = p;
    while (is_name(*q)) ++q;
    const char* behind = q;
    while (is_blank(*behind)) ++behind;
    const bool opens =
        *behind == '(' || (behind[0] == '{' && is_break(behind[1])) || starts_compound(behind);
    if (behind != q && opens && !starts_compound(p)) {
      script_.commands[index].name = {p, static_cast<std::size_t>(q - p)};
      cursor_.p = behind;
    }
  }
  ++block_;
  const End end = parse_command(Connector::kSequence);
  --block_;
  if (!failed() && end != End::kNone) fail("'coproc' needs a command");
}

// A reserved word that opens a compound command stands at `at`.
bool Parser::starts_compound(const char* at) {
  std::size_t length = 0;
  while (length < 8 && !is_break(at[length])) ++length;
  Word word;
  word.text = {at, length};
  const Keyword keyword = is_break(at[length]) ? keyword_of(word) : Keyword::kNone;
  return keyword == Keyword::kIf || keyword == Keyword::kWhile || keyword == Keyword::kUntil ||
         keyword == Keyword::kFor || keyword == Keyword::kSelect || keyword == Keyword::kCase ||
         keyword == Keyword::kOpenBrace || keyword == Keyword::kCondition;
}

void Parser::parse_redirects_after(std::size_t index) {
  Redirect* first = nullptr;
  Redirect** tail = &first;
  for (;;) {
    skip_blanks();
    Redirect* redirect = try_redirect();
    if (redirect == nullptr) break;
    *tail = redirect;
    tail = &redirect->next;
  }
  if (!failed()) script_.commands[index].redirects = first;
  closed_ = first == nullptr;
}

}  // namespace langsbx::languages::bash
