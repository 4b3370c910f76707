// The syntax of a script as the judge needs it: words with their quoting, and a flat list of every
// command wherever it stands (lists, functions, substitutions, here-documents).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "languages/bash/arena.h"

namespace langsbx::languages::bash {

enum class PartKind : std::uint8_t {
  kLiteral,
  kEscaped,       // \x: text is the one byte behind the backslash
  kSingleQuoted,  // text without the quotes
  kAnsiQuoted,    // $'..': text is decoded
  kDoubleQuoted,  // inner parts, or text when there are none
  kParameter,     // $x ${x...}
  kCommand,       // $(..) or `..`: its commands are in the flat list; text is the source inside
  kProcess,       // <(..) >(..)
  kArithmetic,    // $((..)) $[..]
};

enum class ParameterOp : std::uint8_t {
  kNone,
  kLength,     // ${#x}
  kDefault,    // :- - : value or operand
  kAssign,     // := =
  kError,      // :? ?
  kAlternate,  // :+ +
  kTransform,  // @P and the other @ operators; `detail` is the letter
  kOther,      // patterns, case, substrings: the value is computed
};

struct Part;

// A parameter with more to it than its name.
struct Parameter {
  ParameterOp op = ParameterOp::kNone;
  char detail = 0;
  bool indirect = false;      // ${!x}
  Part* subscript = nullptr;  // parts of the text between [ and ]
  std::string_view subscript_text;
  Part* operand = nullptr;
  std::string_view operand_text;
};

struct Part {
  Part* next = nullptr;
  std::string_view text;  // kParameter: the name
  Part* inner = nullptr;
  Parameter* parameter = nullptr;
  PartKind kind = PartKind::kLiteral;
};

enum WordFlag : std::uint8_t {
  kWordGlob = 1,     // an unquoted * ? [ or extended pattern
  kWordBrace = 2,    // an unquoted {
  kWordQuoted = 4,   // some quoting
  kWordDynamic = 8,  // some expansion
  kWordSpliced = 16  // a line continuation inside
};

struct Word {
  Word* next = nullptr;
  std::string_view text;     // as written
  Part* parts = nullptr;     // none: `text` is the value, save globs, braces and tilde
  Word* elements = nullptr;  // name=(elements)
  std::uint32_t offset = 0;
  std::uint8_t flags = 0;
  bool array = false;

  [[nodiscard]] bool plain() const { return parts == nullptr; }
};

struct Assignment {
  Assignment* next = nullptr;
  std::string_view name;
  std::string_view subscript_text;
  Part* subscript = nullptr;
  Word* value = nullptr;     // none: empty, or an array
  Word* elements = nullptr;  // first element of name=(...)
  std::uint32_t offset = 0;
  bool append = false;
  bool array = false;
  std::uint16_t depth = 0;  // compound commands and substitutions around it
  bool prefix = false;      // stands before a command: only that command sees it
};

enum class RedirectOp : std::uint8_t {
  kRead,       // <
  kWrite,      // > >| &> >&word
  kAppend,     // >> &>>
  kReadWrite,  // <>
  kDuplicate,  // <& >& with a descriptor or -
  kHereDocument,
  kHereString,
};

struct Redirect {
  Redirect* next = nullptr;
  Word* target = nullptr;  // here-document: null
  std::string_view body;   // here-document: as written
  Part* body_parts = nullptr;
  std::string_view variable;  // {name}>
  std::uint32_t offset = 0;
  RedirectOp op = RedirectOp::kRead;
  bool quoted_body = false;
};

enum class CommandKind : std::uint8_t {
  kSimple,
  kGroup,
  kSubshell,
  kIf,
  kWhile,
  kUntil,
  kFor,
  kForArithmetic,
  kSelect,
  kCase,
  kCondition,   // [[ ]]: words are the operands and operators
  kArithmetic,  // (( ))
  kFunction,
  kCoproc,
};

enum class Connector : std::uint8_t { kNone, kSequence, kBackground, kAnd, kOr, kPipe };

constexpr std::int32_t kNoFunction = -1;

struct Command {
  Word* words = nullptr;  // kFor, kSelect: the list; kCase: the subject and every pattern
  Assignment* assignments = nullptr;
  Redirect* redirects = nullptr;
  std::string_view name;  // kFunction, kFor, kSelect, kCoproc: the name
  std::uint32_t offset = 0;
  std::int32_t function = kNoFunction;  // index of the innermost function around it
  std::uint16_t depth = 0;              // compound commands and substitutions around it
  CommandKind kind = CommandKind::kSimple;
  Connector before = Connector::kNone;
  Connector after = Connector::kNone;
  bool loop = false;   // stands in a loop
  bool apart = false;  // stands in a subshell: its directory is its own
};

struct Function {
  std::string_view name;
  std::uint32_t offset = 0;
  std::uint32_t end_offset = 0;
  std::uint32_t first_command = 0;  // [first, last) in Script::commands
  std::uint32_t last_command = 0;
  bool certain = false;  // at top level and unconditional: after it the name is this function
};

struct ArithmeticText {
  std::string_view text;
  Part* parts = nullptr;
  std::uint32_t offset = 0;
  std::string_view array = {};  // whose subscript it is, where that is known
};

struct ParameterUse {
  const Part* part = nullptr;
  std::uint32_t offset = 0;
};

// $NAME or ${NAME...} with a name in capitals, as variables of the environment have.
struct EnvironmentUse {
  std::string_view name;
  std::uint32_t offset = 0;
  bool in_function = false;
};

struct Script {
  std::vector<Command> commands;
  std::vector<Assignment*> assignments;
  std::vector<Function> functions;
  std::vector<ArithmeticText> arithmetic;
  std::vector<ParameterUse> parameters;  // those with a Parameter
  std::vector<EnvironmentUse> environment;
  Arena arena;
  // Where $'..', $".." or $[..] stands first: sh reads these otherwise.
  std::uint32_t bash_quote = 0xFFFFFFFF;
  // Some quoted or escaped text holds what would be a substitution if it were evaluated again.
  bool quoted_code = false;
  // The same for what would be a subscript.
  bool quoted_bracket = false;
};

struct SyntaxError {
  std::string_view message;  // static text
  std::uint32_t offset = 0;
  bool limit = false;  // too deep or too much, not misunderstood
};

}  // namespace langsbx::languages::bash
