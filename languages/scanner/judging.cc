// Shared parts of the judges of the scanned languages.
#include "languages/scanner/judging.h"

#include "languages/patterns.h"
#include "languages/preflight.h"
#include "languages/scanner/literal_text.h"
#include "languages/work_area.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::scanner {
namespace {

constexpr auto kSystemDirectories =
    text_list("bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "media", "mnt", "opt",
              "proc", "root", "run", "sbin", "srv", "sys", "tmp", "usr", "var");

// "../../../etc/passwd": what is meant is plain wherever it begins. A program's own folder may be
// called lib or bin.
bool climbs_to_the_system(std::string_view text) {
  if (!text.starts_with("../")) return false;
  while (text.starts_with("../")) text.remove_prefix(3);
  return text.starts_with("etc/") || text.starts_with("proc/") || text.starts_with("root/");
}

void report_patterns(const Scan& scan, const Policy& policy, Findings& findings) {
  for (const Token& comment : scan.comments) {
    match_patterns(policy, Pattern::Where::kComment, scan.text(comment), comment.offset, findings);
  }
  std::size_t code_start = 0;
  for (const Token& token : scan.tokens) {
    if (!token.is_literal_text()) continue;
    match_patterns(policy, Pattern::Where::kString, scan.text(token), token.offset, findings);
    if (token.offset > code_start) {
      match_patterns(policy, Pattern::Where::kCode,
                     scan.bytes.substr(code_start, token.offset - code_start), code_start,
                     findings);
    }
    code_start = token.offset + token.length;
  }
  if (code_start < scan.bytes.size()) {
    match_patterns(policy, Pattern::Where::kCode, scan.bytes.substr(code_start), code_start,
                   findings);
  }
}

}  // namespace

void report(Findings& findings, const Rule& rule, const Token& token, std::string_view detail) {
  findings.add(rule, token.offset, token.length, detail);
}

void report(Findings& findings, const Rule& rule, Capability capability, const Token& token,
            std::string_view detail) {
  findings.add(rule, capability, token.offset, token.length, detail);
}

void report_common(const Scan& scan, const Rule& syntax, const Policy& policy, Findings& findings) {
  if (scan.errors > 0) {
    for (const Token& token : scan.tokens) {
      if (token.kind != TokenKind::kError) continue;
      report(findings, syntax, token, to_string(static_cast<Fault>(token.symbol)));
      if (findings.full()) break;
    }
  }
  if (scan.non_ascii) {
    for (const Token& token : scan.tokens) {
      if (token.kind == TokenKind::kIdentifier && token.has(kNonAscii)) {
        check_identifier(scan.text(token), token.offset, findings);
      }
    }
  }
  if (!policy.patterns.empty()) report_patterns(scan, policy, findings);
}

void report_blocked_names(const Scan& scan, const Rule& rule, const Policy& policy,
                          Findings& findings) {
  if (policy.functions_blocked.empty() && policy.attributes_blocked.empty()) return;
  for (std::size_t i = 0; i < scan.size(); ++i) {
    const Token& token = scan.tokens[i];
    if (token.kind != TokenKind::kIdentifier) continue;
    const std::string_view name = plain_name(scan.text(token));
    const Token& before = scan.at(i - 1);
    const bool member =
        before.is('.') || before.is(kArrow) || before.is(kScope) || before.is(kOptionalChain);
    bool blocked = policy.functions_blocked.contains(name) ||
                   (member && policy.attributes_blocked.contains(name));
    if (!blocked && member && scan.at(i - 2).kind == TokenKind::kIdentifier) {
      std::string dotted(plain_name(scan.text(i - 2)));
      dotted += before.is(kScope) ? "::" : ".";
      dotted += name;
      blocked = policy.functions_blocked.contains(dotted);
    }
    if (blocked) report(findings, rule, Capability::kNone, token, name);
  }
}

bool names_system_path(std::string_view text, const Policy& policy) {
  if (text.size() < 4) return false;
  if (text[0] == '.') return climbs_to_the_system(text);
  if (text[0] != '/') return false;
  const std::size_t start = text.find_first_not_of('/');
  if (start == std::string_view::npos) return false;
  const std::string_view first = text.substr(start, text.find('/', start) - start);
  for (const std::string_view directory : kSystemDirectories) {
    if (first == directory) {
      return place_of_path(text.substr(start - 1), policy, false) == PathPlace::kOutside;
    }
  }
  return false;
}

std::optional<std::string> joined_text(const Scan& scan, std::size_t index, const Dialect& dialect,
                                       std::size_t& next) {
  std::string joined;
  bool any = false;
  while (scan.at(index).is_literal_text()) {
    const auto part = literal_text(scan, scan.at(index), dialect);
    if (part) joined += *part;
    any = any || part.has_value();
    ++index;
    if (!dialect.preprocessor) break;
  }
  next = index;
  if (!any) return std::nullopt;
  return joined;
}

std::size_t after_bracket(const Scan& scan, std::size_t open, std::size_t limit) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < scan.size() && i < open + limit; ++i) {
    const Token& token = scan.tokens[i];
    if (token.kind != TokenKind::kPunctuation) continue;
    if (token.symbol == '(' || token.symbol == '[' || token.symbol == '{') ++depth;
    if (token.symbol == ')' || token.symbol == ']' || token.symbol == '}') {
      if (--depth == 0) return i + 1;
    }
  }
  return 0;
}

}  // namespace langsbx::languages::scanner
