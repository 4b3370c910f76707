// Imports, compiler directives in comments, and functions made elsewhere.
#include "languages/go/judge.h"
#include "languages/go/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"

namespace langsbx::languages::go {
namespace {

using scanner::report;
using scanner::Token;
using scanner::TokenKind;

// An entry is a whole path, or a tree: "github.com/x/y/*" or "github.com/x/y.*".
bool listed(const NameSet& names, std::string_view path) {
  if (names.empty()) return false;
  if (names.contains(path)) return true;
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
       end = path.rfind('/', end - 1)) {
    const std::string tree(path.substr(0, end));
    if (names.contains(tree + "/*") || names.contains(tree + ".*")) return true;
  }
  return false;
}

template <typename... Texts>
bool starts_with_any(std::string_view text, const Texts&... starts) {
  return (text.starts_with(starts) || ...);
}

}  // namespace

void Judge::comments() {
  for (const Token& comment : scan_.comments) {
    const std::string_view text = scan_.text(comment);
    if (text.starts_with("/*line ")) {
      report(findings_, "go-line-directive"_rule, comment, text);
    }
    if (!text.starts_with("//")) continue;
    if (text.starts_with("//line ")) report(findings_, "go-line-directive"_rule, comment, text);
    if (starts_with_any(text, "//export ", "//go:cgo_"))
      report(findings_, "go-cgo"_rule, comment, text);
    if (!text.starts_with("//go:")) continue;
    if (text.starts_with("//go:embed")) {
      report(findings_, "go-embed"_rule, comment, text);
    } else if (text.starts_with("//go:generate")) {
      report(findings_, "go-generate"_rule, comment, text);
    } else if (!starts_with_any(text, "//go:build ", "//go:noinline", "//go:nosplit", "//go:norace",
                                "//go:fix", "//go:debug")) {
      report(findings_, "go-linkname"_rule, comment, text);
    }
  }
}

// Reads the import declarations; returns the token after them.
std::size_t Judge::imports() {
  std::size_t at = 0;
  if (scan_.is_name(at, "package")) {
    at += 2;
  } else {
    imply_packages();
  }
  while (at < scan_.size()) {
    if (scan_.at(at).is(';')) {
      ++at;
    } else if (scan_.is_name(at, "import")) {
      ++at;
      if (!scan_.at(at).is('(')) {
        import(at);
        continue;
      }
      ++at;
      while (at < scan_.size() && !scan_.at(at).is(')')) {
        if (scan_.at(at).is(';')) {
          ++at;
        } else {
          import(at);
        }
      }
      ++at;
    } else {
      break;
    }
  }
  return at;
}

// A piece of a file, without package and imports: what it names is what it would import.
void Judge::imply_packages() {
  implied_ = true;
  each_package([&](std::string_view path, std::string_view name) {
    if (has_members(path)) package_words_.add(name);
    packages_.emplace(std::string(name), path);
  });
}

// The name at `at` of such a piece.
void Judge::implied_package(std::size_t at) {
  if (!scan_.at(at + 1).is('.') || scan_.at(at - 1).is('.')) return;
  const std::string_view name = scan_.text(at);
  if (is_variable(name)) return;
  const auto found = packages_.find(name);
  package(found != packages_.end() ? std::string_view(found->second) : name, at);
}

// Whether the name stands anywhere but before a dot: then it is a variable.
bool Judge::is_variable(std::string_view name) {
  if (!variables_) {
    variables_.emplace();
    for (std::size_t i = 0; i < scan_.size(); ++i) {
      const bool named = scan_.tokens[i].kind == TokenKind::kIdentifier &&
                         !scan_.at(i + 1).is('.') && !scan_.at(i - 1).is('.');
      if (named) variables_->insert(scan_.text(i));
    }
  }
  return variables_->contains(name);
}

// [name | . | _] "path"
void Judge::import(std::size_t& at) {
  std::string_view name;
  const bool dot = scan_.at(at).is('.');
  if (dot || scan_.at(at).kind == TokenKind::kIdentifier) name = scan_.text(at++);
  const Token& token = scan_.at(at);
  const auto path = scanner::literal_text(scan_, token, scanner::kGo);
  if (!path || token.kind == TokenKind::kChar) {
    report(findings_, "go-syntax"_rule, token, "an import without its path");
    ++at;
    return;
  }
  package(*path, at);
  if (dot && has_members(*path)) {
    report(findings_, "go-blocked-import"_rule, Capability::kIntrospection, token,
           *path + " with a dot, which hides what is used of it");
  }
  const bool asked = has_members(*path) || !policy_.functions_blocked.empty();
  if (asked && name != "_" && !dot) {
    const std::string_view used = name.empty() ? default_name(*path) : name;
    package_words_.add(used);
    packages_.emplace(std::string(used), *path);
  }
  reflects_ = reflects_ || *path == "reflect";
  ++at;
}

void Judge::package(std::string_view path, std::size_t at) {
  const Token& token = scan_.at(at);
  if (listed(policy_.modules_blocked, path)) {
    return report(findings_, "go-blocked-import"_rule, Capability::kNone, token, path);
  }
  if (path == "C") return report(findings_, "go-cgo"_rule, token, "import \"C\"");
  if (listed(policy_.modules_allowed, path)) return refer(path, token, false);
  if (policy_.modules_exclusive) {
    return report(findings_, "go-blocked-import"_rule, Capability::kNone, token, path);
  }
  if (const auto need = find_package(path)) {
    if (*need != Capability::kNone) report(findings_, "go-blocked-import"_rule, *need, token, path);
    return;
  }
  const std::string_view first = path.substr(0, path.find('/'));
  const bool has_domain = first.find('.') != std::string_view::npos && first[0] != '.';
  if (!has_domain) return report(findings_, "go-unknown-import"_rule, token, path);
  const bool plain = path.find("/.") == std::string_view::npos;
  if (plain &&
      starts_with_any(path, "golang.org/x/text/", "golang.org/x/exp/constraints",
                      "golang.org/x/exp/maps", "golang.org/x/exp/slices", "golang.org/x/exp/rand",
                      "golang.org/x/exp/slog", "github.com/emirpasic/gods/")) {
    return refer(path, token, false);
  }
  refer(path, token, true);
}

// A package of the program's own module is judged with it; of another, nobody knows what it does,
// unless it is a known one (not `required`), which nothing beside the program may stand in for.
void Judge::refer(std::string_view path, const Token& token, bool required) {
  LocalReference reference;
  reference.package = path;
  reference.offset = token.offset;
  reference.required = required;
  reference.missing = &"go-unknown-import"_rule;
  reference.detail = path;
  findings_.reference(std::move(reference));
}

// A function ends at the line's end when no body follows its signature.
void Judge::bodyless_functions(std::size_t from) {
  std::size_t function = 0;
  std::size_t block = 0;
  bool body = false;
  for (std::size_t i = from; i <= scan_.size(); ++i) {
    const Token& token = scan_.at(i);
    const bool starts_line = token.has(scanner::kNewlineBefore) || scan_.at(i - 1).is(';') ||
                             token.kind == TokenKind::kEnd;
    if (starts_line && function != 0 && i > function) {
      if (!body)
        report(findings_, "go-bodyless-function"_rule, scan_.at(function),
               scan_.text(function + 1));
      function = 0;
    }
    if (starts_line && i > 0 && scan_.is_name(i, "func")) {
      function = i;
      body = false;
    }
    if (!token.has(scanner::kOpens)) continue;
    if (token.symbol == '{') {
      body = !scan_.is_name(i - 1, "interface") && !scan_.is_name(i - 1, "struct");
    }
    while (block < scan_.blocks.size() && scan_.blocks[block].first < i) ++block;
    if (block < scan_.blocks.size() && scan_.blocks[block].first == i)
      i = scan_.blocks[block].second;
  }
}

}  // namespace langsbx::languages::go
