// Preprocessor lines: what they take in, what they rename, what they put together.
#include <algorithm>

#include "languages/c/judge.h"
#include "languages/c/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"
#include "languages/work_area.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::c {
namespace {

using scanner::report;
using scanner::TokenKind;

constexpr auto kSourceExtensions =
    text_list(".h", ".hh", ".hpp", ".hxx", ".h++", ".c", ".cc", ".cpp", ".cxx", ".c++", ".ipp",
              ".tpp", ".inl", ".txx", ".def", ".tcc");
// By first word, or first two.
constexpr std::string_view kHarmlessPragmas[] = {"once",
                                                 "omp",
                                                 "STDC",
                                                 "pack",
                                                 "message",
                                                 "warning",
                                                 "region",
                                                 "endregion",
                                                 "mark",
                                                 "unroll",
                                                 "GCC diagnostic",
                                                 "GCC optimize",
                                                 "GCC optimization_level",
                                                 "GCC target",
                                                 "GCC push_options",
                                                 "GCC pop_options",
                                                 "GCC reset_options",
                                                 "GCC poison",
                                                 "GCC system_header",
                                                 "GCC ivdep",
                                                 "GCC unroll",
                                                 "GCC visibility",
                                                 "GCC error",
                                                 "GCC warning",
                                                 "clang diagnostic",
                                                 "clang loop",
                                                 "clang optimize",
                                                 "clang fp",
                                                 "clang attribute",
                                                 "ide",
                                                 "nounroll",
                                                 "ivdep",
                                                 "simd",
                                                 "push_macro",
                                                 "pop_macro",
                                                 "scalar_storage_order",
                                                 "acc",
                                                 "vector",
                                                 "inline_depth",
                                                 "float_control",
                                                 "fp_contract",
                                                 "intrinsic",
                                                 "optimize",
                                                 "inline_recursion",
                                                 "strict_gs_check",
                                                 "parallel"};

// An entry is a header, or a folder of them: "boost/*".
bool is_listed(const NameSet& names, std::string_view header) {
  if (names.empty()) return false;
  if (names.contains(header)) return true;
  for (std::size_t cut = header.rfind('/'); cut != std::string_view::npos && cut > 0;
       cut = header.rfind('/', cut - 1)) {
    if (names.contains(std::string(header.substr(0, cut)) + "/*")) return true;
  }
  return false;
}

bool has_source_extension(std::string_view path) {
  return std::ranges::any_of(kSourceExtensions,
                             [&](std::string_view extension) { return path.ends_with(extension); });
}

}  // namespace

std::size_t Judge::line_end(std::size_t at) const {
  std::size_t end = at + 1;
  while (end < scan_.size() && scan_.tokens[end].has(scanner::kInDirective) &&
         scan_.tokens[end].kind != TokenKind::kDirective) {
    ++end;
  }
  return end;
}

void Judge::directive(std::size_t hash) {
  const std::size_t name_at = hash + 1;
  if (!scan_.at(name_at).has(scanner::kInDirective)) return;  // a lone #
  const std::string_view name = scan_.text(name_at);
  parameters_.clear();
  condition(name_at);
  if (name == "include") {
    include(name_at, hash);
  } else if (name == "include_next" || name == "import" || name == "embed" ||
             name == "include_alias") {
    report(findings_, "c-disguised-include"_rule, scan_.at(name_at), "#" + std::string(name));
  } else if (name == "pragma") {
    pragma(name_at + 1, line_end(hash));
  } else if (name == "define") {
    definition(name_at + 1);
  } else if (name == "assert" || name == "unassert" || name == "ident" || name == "sccs") {
    report(findings_, "c-pragma"_rule, scan_.at(name_at), name);
  } else if (name == "line" || scan_.at(name_at).kind == TokenKind::kNumber) {
    report(findings_, "c-disguised-include"_rule, scan_.at(name_at),
           "a line marker falsifies where the code stands");
  }
}

// Keeps for each open group whether only who compiles can have it read: by a name that neither this
// file defines nor a compiler.
void Judge::condition(std::size_t at) {
  const std::string_view word = scan_.text(at);
  if (word == "endif") {
    if (!on_demand_.empty()) on_demand_.pop_back();
  } else if (word == "else" || word.starts_with("elif")) {
    if (!on_demand_.empty()) on_demand_.back() = false;
  } else if (word == "ifndef") {
    on_demand_.push_back(false);
  } else if (word == "if" || word == "ifdef") {
    std::size_t name = at + 1;
    if (word == "if" && scan_.is_name(name, "defined")) name += scan_.at(at + 2).is('(') ? 2 : 1;
    const std::string_view text = scan_.text(name);
    const std::size_t end = scan_.at(name + 1).is(')') ? name + 2 : name + 1;
    const bool alone =
        !scan_.at(end).has(scanner::kInDirective) || scan_.at(end).kind == TokenKind::kDirective;
    on_demand_.push_back(alone && scan_.at(name).kind == TokenKind::kIdentifier && text[0] != '_' &&
                         text != "linux" && text != "unix" && !is_macro(text));
  }
}

void Judge::include(std::size_t name, std::size_t hash) {
  std::size_t before = hash - 1;
  const Token& last = scan_.at(before);
  const bool inside = last.kind != TokenKind::kEnd && !last.has(scanner::kInDirective) &&
                      !last.is(';') && !last.is('}') && !last.is('{') && !last.is(')') &&
                      !last.is(':') && last.kind != TokenKind::kIdentifier &&
                      last.kind != TokenKind::kError;
  header(name + 1, inside);
}

void Judge::header(std::size_t at, bool inside_expression) {
  const Token& token = scan_.at(at);
  const auto text = token.has(scanner::kInDirective) ? scanner::literal_text(scan_, token, dialect_)
                                                     : std::nullopt;
  const bool quoted = token.kind == TokenKind::kString && scan_.text(token).front() == '"';
  if (!text || (token.kind != TokenKind::kHeaderName && !quoted)) {
    return report(findings_, "c-disguised-include"_rule, token, "the name comes from a macro");
  }
  if (is_listed(policy_.modules_blocked, *text)) {
    return report(findings_, "c-blocked-header"_rule, Capability::kNone, token, *text);
  }
  if (is_listed(policy_.modules_allowed, *text)) return;
  if (text->starts_with('/') || climbs(*text) || text->find('\\') != std::string::npos) {
    // "../x.h" stays inside the program when the folder above is part of it: judge what is there.
    const bool relative = quoted && !text->starts_with('/') && has_source_extension(*text) &&
                          text->find('\\') == std::string::npos;
    if (!relative) return report(findings_, "c-path-outside"_rule, token, *text);
  }
  const Capability* known = find_header(*text);
  if (known != nullptr) {
    if (policy_.modules_exclusive) {
      return report(findings_, "c-blocked-header"_rule, Capability::kNone, token, *text);
    }
    if (*known != Capability::kNone)
      report(findings_, "c-blocked-header"_rule, *known, token, *text);
    return;
  }
  if (!quoted) {
    return report(findings_, "c-blocked-header"_rule, Capability::kNativeCode, token, *text);
  }
  if (inside_expression || !has_source_extension(*text)) {
    return report(findings_, "c-disguised-include"_rule, token, *text);
  }
  // A file that is not there is not compiled in where nobody asks for it.
  const bool required = std::find(on_demand_.begin(), on_demand_.end(), true) == on_demand_.end();
  findings_.reference({{*text}, token.offset, required});
}

// __has_include and __has_embed tell whether a file exists.
void Judge::probe(std::size_t at) {
  const Token& what = scan_.at(at + 2);
  if (!scan_.at(at + 1).is('(')) return;
  if (what.kind == TokenKind::kHeaderName) {
    const auto text = scanner::literal_text(scan_, what, dialect_);
    if (text && !text->starts_with('/') && !climbs(*text)) return;
  }
  report(findings_, "c-disguised-include"_rule, scan_.at(at), scan_.text(what));
}

void Judge::pragma(std::size_t first, std::size_t end) {
  if (first >= end) return;
  std::string words(scan_.text(first));
  if (first + 1 < end) {
    words += ' ';
    words += scan_.text(first + 1);
  }
  check_pragma(words, scan_.at(first));
}

void Judge::check_pragma(std::string_view words, const Token& where) {
  const std::size_t start = words.find_first_not_of(" \t");
  words.remove_prefix(start == std::string_view::npos ? words.size() : start);
  for (const std::string_view harmless : kHarmlessPragmas) {
    if (words.starts_with(harmless) &&
        (words.size() == harmless.size() || words[harmless.size()] == ' ' ||
         words[harmless.size()] == '(')) {
      return;
    }
  }
  if (!words.empty()) report(findings_, "c-pragma"_rule, where, words);
}

void Judge::pragma_operator(std::size_t at) {
  const Token& token = scan_.at(at);
  std::size_t next = 0;
  const auto text =
      scan_.at(at + 1).is('(') ? scanner::joined_text(scan_, at + 2, dialect_, next) : std::nullopt;
  if (!text)
    return report(findings_, "c-pragma"_rule, token, "_Pragma of something not written out");
  check_pragma(*text, token);
}

}  // namespace langsbx::languages::c
