// One pass over the tokens of a C or C++ source.
#include "languages/c/judge.h"

#include <algorithm>
#include <array>

#include "languages/c/rules.h"
#include "languages/environment.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"
#include "languages/scanner/name_map.h"
#include "languages/work_area.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::c {
namespace {

using scanner::report;
using scanner::Scan;
using scanner::Token;
using scanner::TokenKind;

constexpr auto kSpecialList =
    std::to_array<scanner::NameEntry<char>>({{"asm", 'a'},
                                             {"__asm", 'a'},
                                             {"__asm__", 'a'},
                                             {"_asm", 'a'},
                                             {"__attribute__", 't'},
                                             {"__attribute", 't'},
                                             {"_Pragma", 'p'},
                                             {"__pragma", 'p'},
                                             {"__has_include", 'h'},
                                             {"__has_include_next", 'h'},
                                             {"__has_embed", 'h'},
                                             {"main", 'm'},
                                             {"_start", 'e'},
                                             {"__libc_start_main", 'e'},
                                             {"_init", 'e'},
                                             {"_fini", 'e'},
                                             {"__init_array_start", 'e'},
                                             {"__preinit_array_start", 'e'},
                                             {"_dl_start", 'e'},
                                             {"__executable_start", 'e'},
                                             {"__ehdr_start", 'e'},
                                             {"__etext", 'e'},
                                             {"goto", 'g'},
                                             {"union", 'u'},
                                             {"constructor", 'c'},
                                             {"destructor", 'c'},
                                             {"naked", 'c'},
                                             {"ifunc", 'l'},
                                             {"alias", 'l'},
                                             {"weakref", 'l'},
                                             {"section", 'l'},
                                             {"symver", 'l'},
                                             {"reinterpret_cast", 'r'},
                                             {"bit_cast", 'r'},
                                             {"typedef", 'y'},
                                             {"using", 'y'},
                                             {"import", 'i'}});
constexpr scanner::NameMap<kSpecialList> kSpecial;

bool is_member(const Scan& scan, std::size_t at) {
  const Token& before = scan.at(at - 1);
  return before.is('.') || before.is(scanner::kArrow);
}

// A system call's opcode among bytes that are no text: syscall, int 0x80, sysenter, svc #0.
bool is_machine_code(std::string_view text) {
  const auto is_binary = [](char c) {
    return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c < 0;
  };
  if (std::count_if(text.begin(), text.end(), is_binary) < 3) return false;
  for (const std::string_view opcode : {"\x0f\x05", "\xcd\x80", "\x0f\x34"}) {
    if (text.find(opcode) != std::string_view::npos) return true;
  }
  return text.find(std::string_view("\x01\x00\x00\xd4", 4)) != std::string_view::npos;
}

// A name after which another name is no declaration.
bool is_operator_word(std::string_view name) {
  static constexpr auto kWords =
      text_list("return", "else", "case", "goto", "sizeof", "do", "new", "delete", "throw", "and",
                "or", "not", "co_return", "co_yield", "co_await", "using", "typeof", "alignof",
                "extern", "if", "while", "define", "in");
  return kWords.contains(name);
}

// Both branches of an #if may open what is closed once: directives begin anew.
void report_nesting(const Scan& scan, const Policy& policy, Findings& findings) {
  const auto most = static_cast<std::ptrdiff_t>(policy.max_nesting);
  std::ptrdiff_t depth = 0;
  for (const Token& token : scan.tokens) {
    depth += token.has(scanner::kOpens) ? 1 : 0;
    depth -= token.has(scanner::kCloses) ? 1 : 0;
    depth = token.kind == TokenKind::kDirective || depth < 0 ? 0 : depth;
    if (depth <= most) [[likely]] {
      continue;
    }
    return report(findings, "c-syntax"_rule, token, scanner::to_string(scanner::Fault::kTooDeep));
  }
}

}  // namespace

void judge_source(const Source& source, const Policy& policy, Findings& findings,
                  const scanner::Dialect& dialect) {
  scanner::WordFilter words = function_words();
  words.add(kSpecial.words());
  scanner::Scan scan = scanner::scan(source.bytes, dialect, policy.max_nesting, words);
  drop_unread(scan);
  scanner::report_common(scan, "c-syntax"_rule, policy, findings);
  scanner::report_blocked_names(scan, "c-blocked-function"_rule, policy, findings);
  report_nesting(scan, policy, findings);
  Judge(scan, dialect, policy, findings, source.path).run();
}

void Judge::run() {
  marked();
  if (!function_types_.empty()) casts_to_names();
  if (!pointers_.empty()) puns();
}

void Judge::marked() {
  std::size_t next = 0;
  for (const std::uint32_t mark : scan_.marks) {
    if (mark < next) continue;
    if (findings_.full()) return;
    std::size_t i = mark;
    const Token& token = scan_.tokens[i];
    switch (token.kind) {
      case TokenKind::kIdentifier:
        identifier(i);
        break;
      case TokenKind::kDirective:
        directive(i);
        break;
      case TokenKind::kString:
      case TokenKind::kRawString:
        called_literal(i);
        string(i);
        next = i + 1;
        break;
      case TokenKind::kNumber:
        called_literal(i);
        break;
      case TokenKind::kPunctuation:
        if (token.symbol == scanner::kPaste) paste(i);
        if (token.symbol == '(') function_pointer(i);
        if (token.symbol == '[' && scan_.at(i + 1).is('[')) standard_attribute(i + 2);
        break;
      default:
        break;
    }
  }
}

void Judge::identifier(std::size_t at) {
  const std::string_view name = scan_.text(at);
  if (const Function* found = find_function(name)) return function(at, name, *found);
  const char* special = kSpecial.find(name);
  if (special == nullptr) return;
  switch (*special) {
    case 'a':
      return report(findings_, "c-inline-assembly"_rule, scan_.at(at), name);
    case 't':
      return attribute(at);
    case 'p':
      return pragma_operator(at);
    case 'h':
      return probe(at);
    case 'm':
      return entry_point(at);
    case 'g':  // goto *labels[i] is ordinary, goto *(void*)x goes anywhere
      if (scan_.at(at + 1).is('*') && scan_.at(at + 2).is('(')) {
        report(findings_, "c-inline-assembly"_rule, scan_.at(at), "a jump to data");
      }
      return;
    case 'c':
    case 'l':
      return attribute_argument(at, *special == 'l');
    case 'u':
      return learn_union(at);
    case 'r':
      return function_cast(at);
    case 'y':
      return type_name(at);
    case 'i':
      // C++20: import <x>; takes in a header as well.
      if (dialect_.cpp && scan_.at(at).has(scanner::kNewlineBefore) &&
          (scan_.at(at + 1).is('<') || scan_.at(at + 1).kind == TokenKind::kString ||
           scan_.at(at + 1).kind == TokenKind::kIdentifier)) {
        report(findings_, "c-disguised-include"_rule, scan_.at(at), "import");
      }
      return;
    default:
      return report(findings_, "c-entry-point"_rule, scan_.at(at), name);
  }
}

void Judge::string(std::size_t& at) {
  const std::size_t first = at;
  const Token& token = scan_.at(first);
  if (token.has(scanner::kInDirective) && scan_.is_name(first - 1, "include")) return;
  std::size_t next = first + 1;
  const bool joined = scan_.at(next).is_literal_text();
  if (!joined && !token.has(scanner::kEscaped)) {
    const std::string_view text = scan_.text(token);
    const std::size_t quote = text.find('"');
    const bool path = scanner::may_be_system_path(text.substr(quote + 1));
    if (!path && token.kind == TokenKind::kString) return;
  }
  const auto text = scanner::joined_text(scan_, first, dialect_, next);
  if (text && is_machine_code(*text)) {
    report(findings_, "c-inline-assembly"_rule, token, "machine code in a string");
  }
  if (text && scanner::names_system_path(*text, policy_)) {
    report(findings_, "c-path-outside"_rule, token, *text);
  }
  at = next - 1;
}

void Judge::function(std::size_t at, std::string_view name, const Function& found) {
  if (is_member(scan_, at)) {
    if (name == "open" && scan_.at(at + 1).is('(')) paths(at + 1, found, found.capability);
    return;
  }
  if (policy_.functions_allowed.contains(name)) return;
  const Token& next = scan_.at(at + 1);
  const Token& before = scan_.at(at - 1);
  if (next.is(scanner::kScope)) return;  // a namespace
  if (!next.is('(') && (is_pointer_name(at) || is_variable(at))) return;
  if (found.word) {
    // Of those words std has only these two for files: std::bind and the like are others.
    const bool of_std = scan_.is_name(at - 2, "std") && (name == "remove" || name == "rename");
    const bool qualified =
        before.is(scanner::kScope) && scan_.at(at - 2).kind == TokenKind::kIdentifier && !of_std;
    if (qualified || is_own(name, next.is('('))) return;
    // std::remove of <algorithm> takes two iterators and a value.
    if (name == "remove" && dialect_.cpp && next.is('(')) {
      std::size_t commas = 0;
      const std::size_t end = scanner::after_bracket(scan_, at + 1, 256);
      for (std::size_t i = at + 1; i < end; ++i) commas += scan_.at(i).is(',') ? 1U : 0U;
      if (commas >= 2) return;
    }
  }
  Capability need = found.capability;
  if ((name == "getenv" || name == "secure_getenv") && next.is('(')) {
    std::size_t end = 0;
    const auto variable = scanner::joined_text(scan_, at + 2, dialect_, end);
    if (variable && scan_.at(end).is(')')) {
      if (!names_secret(*variable)) return;
      need = Capability::kSecrets;
    }
  }
  if (next.is('(') && found.paths > 0 && need == Capability::kFilesRead) {
    // The mode, or the flags, among the arguments.
    const std::size_t end = scanner::after_bracket(scan_, at + 1, 64);
    for (std::size_t i = at + 2; i < end; ++i) {
      const std::string_view text = scan_.text(i);
      const bool mode = scan_.at(i).is_literal_text() && scan_.at(i - 1).is(',') &&
                        text.find_first_of("wa+") != std::string_view::npos;
      if (mode || text == "O_WRONLY" || text == "O_RDWR" || text == "O_CREAT") {
        need = Capability::kFilesWrite;
      }
    }
  }
  report(findings_, "c-blocked-function"_rule, need, scan_.at(at), name);
  if (found.paths == 0) return;
  if (next.is('(')) {
    paths(at + 1, found, need);
  } else {
    constructor_paths(at, need);
  }
}

// `ifstream f("x")`, `ifstream f{"x"}`.
void Judge::constructor_paths(std::size_t at, Capability need) {
  if (scan_.at(at + 1).kind != TokenKind::kIdentifier) return;
  if (scan_.at(at + 2).is('(') || scan_.at(at + 2).is('{')) {
    paths(at + 2, {need, false, 1}, need);
  }
}

void Judge::paths(std::size_t open, const Function& found, Capability need) {
  std::size_t at = open + 1;
  for (std::size_t i = 0; i < found.paths; ++i) {
    std::size_t next = at;
    // openat(AT_FDCWD, "x"): the path is the first literal of its argument list.
    if (!scan_.at(at).is_literal_text() && scan_.at(at + 1).is(',')) at += 2;
    const auto text = scanner::joined_text(scan_, at, dialect_, next);
    if (text &&
        place_of_path(*text, policy_, need != Capability::kFilesRead) == PathPlace::kOutside) {
      report(findings_, "c-path-outside"_rule, scan_.at(at), *text);
    }
    if (!scan_.at(next).is(',')) return;
    at = next + 1;
  }
}

bool Judge::is_own(std::string_view name, bool call) {
  if (!own_known_) find_own_names();
  return own_functions_.contains(name) || (!call && own_variables_.contains(name));
}

void Judge::find_own_names() {
  own_known_ = true;
  for (const std::uint32_t i : scan_.marks) {
    if (scan_.tokens[i].kind != TokenKind::kIdentifier) continue;
    const std::string_view name = scan_.text(i);
    const Function* found = find_function(name);
    if (found != nullptr && found->word) find_own_name(i, name);
  }
}

// `int fork = 1, bind, accept;`: a comma, and a plain type at the statement's begin.
bool Judge::is_further_declarator(std::size_t at) const {
  static constexpr auto kTypes =
      text_list("int", "long", "char", "short", "unsigned", "signed", "bool", "double", "float",
                "auto", "size_t", "string", "const", "static", "struct", "ll");
  if (!scan_.at(at - 1).is(',')) return false;
  std::size_t i = at - 1;
  for (std::size_t steps = 0; steps < 64 && i > 0; ++steps, --i) {
    const Token& token = scan_.at(i - 1);
    if (token.is(';') || token.is('{') || token.is('}') || token.is('(') || token.is(')')) break;
  }
  if (scan_.at(i).kind != TokenKind::kIdentifier || scan_.at(i - 1).is(')')) return false;
  const std::string_view first = scan_.text(i);
  if (first == "std" && scan_.at(i + 1).is(scanner::kScope)) return true;
  return kTypes.contains(first);
}

void Judge::find_own_name(std::size_t at, std::string_view name) {
  const Token& before = scan_.at(at - 1);
  const Token& next = scan_.at(at + 1);
  const Token& earlier = scan_.at(at - 2);
  const bool after_type =
      before.kind == TokenKind::kIdentifier
          ? !is_operator_word(scan_.text(before))
          : (before.is('*') || before.is('&') || before.is('>')) &&
                (earlier.kind == TokenKind::kIdentifier || earlier.is('*') || earlier.is('>')) &&
                !is_operator_word(scan_.text(earlier));
  const bool after_class = before.is(scanner::kScope) && dialect_.cpp &&
                           earlier.kind == TokenKind::kIdentifier && scan_.text(earlier) != "std";
  if (next.is('(') && (after_type || after_class)) {
    const std::size_t end = scanner::after_bracket(scan_, at + 1, 256);
    std::size_t body = end;
    while (scan_.is_name(body, "const") || scan_.is_name(body, "noexcept") ||
           scan_.is_name(body, "override") || scan_.is_name(body, "final")) {
      ++body;
    }
    if (end != 0 && scan_.at(body).is('{')) own_functions_.insert(name);
  } else if ((after_type || is_further_declarator(at)) &&
             (next.is(';') || next.is('=') || next.is(',') || next.is(')') || next.is('[') ||
              next.is('{') || next.is(':'))) {
    own_variables_.insert(name);
  }
}

}  // namespace langsbx::languages::c
