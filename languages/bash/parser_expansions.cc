// Parameter expansion in all its forms.
#include <cstring>

#include "languages/bash/characters.h"
#include "languages/bash/parser.h"

namespace langsbx::languages::bash {
namespace {

bool is_special(char c) {
  return c == '@' || c == '*' || c == '#' || c == '?' || c == '-' || c == '$' || c == '!';
}

}  // namespace

// At '$'. In double quotes `quoted`.
Part* Parser::dollar(bool quoted) {
  if (!roomy()) return nullptr;
  const char* begin = cursor_.p;
  const char* p = spliced(begin + 1);
  const char c = *p;
  if (is_name_start(c) || is_digit(c) || is_special(c)) {
    cursor_.p = p;
    return simple_parameter();
  }
  if (c == '{') {
    cursor_.p = p + 1;
    return brace_parameter(quoted);
  }
  if (c == '(') {
    cursor_.p = p;
    return next_after(p) == '(' ? arithmetic_expansion() : command_substitution();
  }
  if (!quoted && (c == '[' || c == '\'' || c == '"') && script_.bash_quote > offset()) {
    script_.bash_quote = offset();
  }
  if (c == '[') {
    cursor_.p = p + 1;
    const std::uint32_t inside = offset();
    PartList list;
    Part* part = script_.arena.make<Part>();
    part->kind = PartKind::kArithmetic;
    if (!arithmetic_body(list, ']', part->text)) {
      if (!failed()) fail("'$[' without ']'");
      return nullptr;
    }
    part->inner = list.first;
    script_.arithmetic.push_back({part->text, list.first, inside});
    return part;
  }
  if (!quoted && c == '\'' && p == begin + 1) return ansi_quoted();
  if (!quoted && c == '"' && p == begin + 1) {
    ++cursor_.p;
    return double_quoted();
  }
  cursor_.p = begin + 1;
  return literal(begin, begin + 1);
}

void Parser::note_environment(std::string_view name) {
  if (name.size() < 3 || name[0] < 'A' || name[0] > 'Z' || (name[1] >= 'a' && name[1] <= 'z')) {
    return;
  }
  script_.environment.push_back({name, offset_of(name.data()), function_ != kNoFunction});
}

// $x $1 $@
Part* Parser::simple_parameter() {
  const char* begin = cursor_.p;
  const char* p = begin + 1;
  if (is_name_start(*begin)) {
    p = name_end(p);
    if (p[0] == '\\' && p[1] == '\n' && is_name(*spliced(p))) {
      fail("a variable's name is split over two lines");
      return nullptr;
    }
  }
  cursor_.p = p;
  note_environment({begin, static_cast<std::size_t>(p - begin)});
  return literal(begin, p, PartKind::kParameter);
}

// Behind "${".
Part* Parser::brace_parameter(bool quoted) {
  const char* begin = cursor_.p;
  const char* p = begin;
  // The common ${name}: nothing to keep but the name.
  if (is_name_start(*p)) {
    p = name_end(p);
    if (*p == '}') {
      cursor_.p = p + 1;
      note_environment({begin, static_cast<std::size_t>(p - begin)});
      return literal(begin, p, PartKind::kParameter);
    }
  }
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  Part* part = script_.arena.make<Part>();
  Parameter* parameter = script_.arena.make<Parameter>();
  part->kind = PartKind::kParameter;
  part->parameter = parameter;
  if (*cursor_.p == '(') {
    // zsh's flags, in code that is meant for both: Bash stops here when it runs. What stands inside
    // is judged all the same.
    script_.parameters.push_back({part, offset_of(begin)});
    parameter->op = ParameterOp::kOther;
    parameter->detail = '(';
    parameter->operand = operand_parts(quoted, false, parameter->operand_text);
    if (failed()) return nullptr;
    ++cursor_.p;
    return part;
  }
  if (!parameter_name(part->text, *parameter)) return nullptr;
  // Of ${x+...} and ${#x} nothing is seen; ${!x} is judged by what it names.
  const bool seen = !parameter->indirect && parameter->op != ParameterOp::kLength;
  if (seen) note_environment(part->text);
  skip_splices();
  if (*cursor_.p == '[') {
    ++cursor_.p;
    const std::uint32_t at = offset();
    parameter->subscript = subscript(parameter->subscript_text);
    if (failed()) return nullptr;
    if (parameter->subscript_text != "@" && parameter->subscript_text != "*") {
      script_.arithmetic.push_back(
          {parameter->subscript_text, parameter->subscript, at, part->text});
    }
  }
  skip_splices();
  script_.parameters.push_back({part, offset_of(begin)});
  if (*cursor_.p != '}') {
    bool literal_quotes = false;
    if (!parameter_operator(*parameter, literal_quotes)) return nullptr;
    parameter->operand = operand_parts(quoted, literal_quotes && quoted, parameter->operand_text);
    if (failed()) return nullptr;
  }
  ++cursor_.p;
  return part;
}

bool Parser::parameter_name(std::string_view& name, Parameter& parameter) {
  const char* p = cursor_.p;
  if (*p == '#') {
    const char next = p[1];
    const bool more = is_name(next) || (is_special(next) && (p[2] == '}' || p[2] == '['));
    if (more) {
      parameter.op = ParameterOp::kLength;
      ++p;
    }
  } else if (*p == '!') {
    if (is_name(p[1]) || ((p[1] == '@' || p[1] == '*' || p[1] == '#') && p[2] != '}')) {
      parameter.indirect = true;
      ++p;
    }
  }
  const char* begin = p;
  if (is_name_start(*p)) {
    while (is_name(*p)) ++p;
  } else if (is_digit(*p)) {
    while (is_digit(*p)) ++p;
  } else if (is_special(*p)) {
    ++p;
  } else {
    fail("not understood behind '${'");
    return false;
  }
  name = {begin, static_cast<std::size_t>(p - begin)};
  cursor_.p = p;
  return true;
}

// `literal_quotes`: in double quotes a single quote in the operand may be plain text.
bool Parser::parameter_operator(Parameter& parameter, bool& literal_quotes) {
  const char* p = cursor_.p;
  const bool colon = p[0] == ':' && (p[1] == '-' || p[1] == '=' || p[1] == '?' || p[1] == '+');
  const char c = colon ? p[1] : p[0];
  literal_quotes = true;
  if (parameter.op == ParameterOp::kLength) {
    fail("not understood in '${#'");
    return false;
  }
  switch (c) {
    case '-':
      parameter.op = ParameterOp::kDefault;
      break;
    case '=':
      parameter.op = ParameterOp::kAssign;
      break;
    case '?':
      parameter.op = ParameterOp::kError;
      break;
    case '+':
      parameter.op = ParameterOp::kAlternate;
      break;
    case '@':
      if (parameter.indirect && p[1] == '}') {  // ${!prefix@}
        parameter.op = ParameterOp::kOther;
        break;
      }
      parameter.op = ParameterOp::kTransform;
      parameter.detail = p[1];
      break;
    case ':':
    case '*':
      parameter.op = ParameterOp::kOther;
      break;
    case '#':
    case '%':
    case '/':
    case '^':
    case ',':
    case '~':
      parameter.op = ParameterOp::kOther;
      literal_quotes = false;
      break;
    default:
      fail("not understood in '${'");
      return false;
  }
  parameter.detail = parameter.detail == 0 ? c : parameter.detail;
  cursor_.p = p + (colon ? 2 : 1);
  return true;
}

// The word behind the operator, up to the closing brace (not consumed).
Part* Parser::operand_parts(bool quoted, bool literal_quotes, std::string_view& text) {
  PartList list;
  const char* start = cursor_.p;
  while (!failed()) {
    const char* begin = cursor_.p;
    const char* p = begin;
    p += run_of(Block(p).word());
    while (*p != '}' && (class_of(*p) & kQuoting) == 0 && *p != '\0' &&
           !(!quoted && (*p == '<' || *p == '>') && p[1] == '(')) {
      ++p;
    }
    if (p != begin) list.add(literal(begin, p));
    cursor_.p = p;
    if (*p == '}') {
      text = {start, static_cast<std::size_t>(p - start)};
      return list.first;
    }
    Part* part = nullptr;
    switch (*p) {
      case '\0':
        fail("'${' without '}'");
        return nullptr;
      case '<':
      case '>':
        part = process_substitution();
        break;
      case '\\':
        if (p[1] == '\n' || p[1] == '\0') {
          cursor_.p = p + (p[1] == '\0' ? 1 : 2);
          continue;
        }
        part = literal(p + 1, p + 2, PartKind::kEscaped);
        cursor_.p = p + 2;
        break;
      case '\'':
      case '"':
        part = operand_quote(quoted, literal_quotes);
        break;
      case '`':
        part = backquotes(quoted);
        break;
      default:
        part = dollar(quoted);
        break;
    }
    if (part != nullptr) list.add(part);
  }
  return nullptr;
}

Part* Parser::operand_quote(bool quoted, bool literal_quotes) {
  if (!roomy()) return nullptr;
  if (*cursor_.p == '"') return double_quoted();
  Part* part = single_quoted();
  // Bash pairs the quotes, a POSIX shell takes them as text: where that differs nobody can say
  // what runs.
  if (part != nullptr && quoted && literal_quotes &&
      part->text.find_first_of("}$`\"\\") != std::string_view::npos) {
    fail("shells read these quotes inside \"${...}\" differently");
    return nullptr;
  }
  return part;
}

// Behind '[': parts up to the matching ']' (consumed).
Part* Parser::subscript(std::string_view& text) {
  const Nest nest(*this);
  if (!nest.ok()) return nullptr;
  PartList list;
  if (!arithmetic_body(list, ']', text)) {
    if (!failed()) fail("'[' without ']'");
    return nullptr;
  }
  return list.first;
}

}  // namespace langsbx::languages::bash
