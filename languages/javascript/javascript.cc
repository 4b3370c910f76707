// The two languages, and the way from bytes to findings.
#include "languages/javascript/javascript.h"

#include <array>

#include "languages/javascript/judge.h"
#include "languages/javascript/profiles.h"
#include "languages/javascript/references.h"
#include "languages/javascript/rules.h"
#include "languages/patterns.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/scanner.h"
#include "languages/work_area.h"

namespace langsbx::languages::javascript {

// launch.cc
extern const Launch kLaunch;
extern const Launch kTypeLaunch;
namespace {

using scanner::Fault;
using scanner::Scan;

const Rule& rule_of(Fault fault) {
  switch (fault) {
    case Fault::kTooDeep:
    case Fault::kTooLarge:
      return "javascript-too-deep"_rule;
    case Fault::kBareCarriageReturn:
    case Fault::kEscapedIdentifier:
    case Fault::kForeignSpace:
    case Fault::kInvalidUtf8:
    case Fault::kHtmlComment:
    case Fault::kUnicodeEscape:
      return "javascript-encoding"_rule;
    default:
      return "javascript-not-understood"_rule;
  }
}

void report_faults(const Scan& scan, Findings& findings) {
  if (scan.errors == 0) return;
  for (const Token& token : scan.tokens) {
    if (token.kind != TokenKind::kError) continue;
    const auto fault = static_cast<Fault>(token.symbol);
    findings.add(rule_of(fault), token.offset, token.length, scanner::to_string(fault));
    if (findings.full()) return;
  }
}

// The value of path="..." in a triple-slash reference, or what follows sourceMappingURL=.
std::string_view named_path(std::string_view comment) {
  constexpr std::string_view kMap = "sourceMappingURL=";
  const std::size_t map = comment.find(kMap);
  if (map != std::string_view::npos && comment.size() > 3) {
    const std::string_view rest = comment.substr(map + kMap.size());
    return rest.starts_with("data:") ? std::string_view()
                                     : rest.substr(0, rest.find_first_of(" *"));
  }
  if (!comment.starts_with("///")) return {};
  const std::size_t start = comment.find("path=");
  if (start == std::string_view::npos || start + 6 >= comment.size()) return {};
  const std::string_view rest = comment.substr(start + 6);
  return rest.substr(0, rest.find_first_of("\"'"));
}

void judge_comments(const Scan& scan, bool typescript, const Policy& policy, Findings& findings) {
  const bool patterns = !policy.patterns.empty();
  for (const Token& comment : scan.comments) {
    const std::string_view text = scan.text(comment);
    const bool directive = text.size() > 4 && (text[2] == '/' || text[2] == '#' || text[2] == '@');
    if (directive) {
      const std::string_view path = named_path(text);
      const bool outside =
          !path.empty() && (place_of_path(path, policy, false) == PathPlace::kOutside ||
                            path.find(':') != std::string_view::npos);
      // Like an import, a source file above is read and judged with the program; Node reads none.
      const bool source = path.starts_with("../") && path.ends_with(".ts") && text[2] == '/';
      if (source) {
        findings.reference({{std::string(path)}, comment.offset, typescript});
      } else if (outside) {
        findings.add("javascript-reference-path"_rule, comment.offset, comment.length, path);
      }
    }
    if (patterns) match_patterns(policy, Pattern::Where::kComment, text, comment.offset, findings);
  }
}

void judge_patterns(const Scan& scan, const Policy& policy, Findings& findings) {
  for (const Token& token : scan.tokens) {
    if (token.is_literal_text()) {
      match_patterns(policy, Pattern::Where::kString, scan.text(token), token.offset, findings);
    } else if (token.kind == TokenKind::kIdentifier) {
      match_patterns(policy, Pattern::Where::kCode, scan.text(token), token.offset, findings);
    }
  }
}

void judge_with(const scanner::Dialect& dialect, const Source& source, const Policy& policy,
                Findings& findings) {
  const Scan scan = scanner::scan(source.bytes, dialect, policy.max_nesting, kMeaningfulWords);
  report_faults(scan, findings);
  const bool typescript = &dialect == &scanner::kTypeScript;
  judge_comments(scan, typescript, policy, findings);
  scanner::report_blocked_names(scan, "javascript-profile-name"_rule, policy, findings);
  const Code code(scan, typescript);
  Judge(code, policy, findings).run();
  if (!policy.patterns.empty()) judge_patterns(scan, policy, findings);
}

void judge_javascript(const Source& source, const Policy& policy, Findings& findings) {
  judge_with(scanner::kJavaScript, source, policy, findings);
}

void judge_typescript(const Source& source, const Policy& policy, Findings& findings) {
  judge_with(scanner::kTypeScript, source, policy, findings);
}

constexpr Name kAliases[] = {"js", "node", "nodejs", "ecmascript"};
constexpr Name kExtensions[] = {".js", ".mjs", ".cjs"};
constexpr Name kInterpreters[] = {"node", "nodejs"};
constexpr Name kTypeAliases[] = {"ts"};
constexpr Name kTypeExtensions[] = {".ts", ".mts", ".cts"};
constexpr Name kTypeInterpreters[] = {"ts-node", "tsx", "deno", "bun"};
// Node and the compilers skip a byte-order mark at the start; the scanner knows.
constexpr PreflightOptions kPreflight{true, false, false, true};

}  // namespace

const Language kLanguage = {.name = "javascript",
                            .title = "JavaScript",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = kPreflight,
                            .judge = judge_javascript,
                            .launch = &kLaunch,
                            .follow_reference = follow_reference,
                            .references = References::kRealFile};
const Language kTypeScript = {.name = "typescript",
                              .title = "TypeScript",
                              .aliases = kTypeAliases,
                              .extensions = kTypeExtensions,
                              .interpreters = kTypeInterpreters,
                              .rules = kRules,
                              .builtin_profiles = kProfiles,
                              .preflight = kPreflight,
                              .judge = judge_typescript,
                              .launch = &kTypeLaunch,
                              .follow_reference = follow_type_reference,
                              .references = References::kRealFile};

}  // namespace langsbx::languages::javascript
