// Java as a language value, and the way from bytes to findings.
#include "languages/java/judge.h"
#include "languages/java/profiles.h"
#include "languages/java/rules.h"
#include "languages/patterns.h"
#include "languages/scanner/judging.h"

namespace langsbx::languages::java {

extern const Launch kLaunch;  // launch.cc
extern const Language kLanguage;

namespace {

using scanner::Fault;

const Rule& rule_of(Fault fault) {
  switch (fault) {
    case Fault::kTooDeep:
    case Fault::kTooLarge:
      return "java-too-deep"_rule;
    case Fault::kEscapedIdentifier:
    case Fault::kUnicodeEscape:
      return "java-unicode-escape"_rule;
    case Fault::kBareCarriageReturn:
    case Fault::kForeignSpace:
    case Fault::kInvalidUtf8:
      return "java-encoding"_rule;
    default:
      return "java-not-understood"_rule;
  }
}

void judge_patterns(const scanner::Scan& scan, const Policy& policy, Findings& findings) {
  for (const Token& token : scan.tokens) {
    const bool literal = token.is_literal_text();
    if (!literal && token.kind != TokenKind::kIdentifier) continue;
    match_patterns(policy, literal ? Pattern::Where::kString : Pattern::Where::kCode,
                   scan.text(token), token.offset, findings);
  }
  for (const Token& comment : scan.comments) {
    match_patterns(policy, Pattern::Where::kComment, scan.text(comment), comment.offset, findings);
  }
}

void judge_java(const Source& source, const Policy& policy, Findings& findings) {
  const scanner::Scan scan =
      scanner::scan(source.bytes, scanner::kJava, policy.max_nesting, kMarkedWords);
  for (const Token& token : scan.tokens) {
    if (scan.errors == 0 || findings.full()) break;
    if (token.kind != TokenKind::kError) continue;
    const auto fault = static_cast<Fault>(token.symbol);
    findings.add(rule_of(fault), token.offset, token.length, scanner::to_string(fault));
  }
  scanner::report_blocked_names(scan, "java-profile-name"_rule, policy, findings);
  Judge(source, scan, policy, findings).run();
  if (!policy.patterns.empty()) judge_patterns(scan, policy, findings);
}

constexpr Name kAliases[] = {"jdk", "openjdk"};
constexpr Name kExtensions[] = {".java", ".jav"};
constexpr Name kInterpreters[] = {"java", "jshell"};
constexpr PreflightOptions kPreflight{true, false, true, false};

}  // namespace

const Language kLanguage = {.name = "java",
                            .title = "Java",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = kPreflight,
                            .judge = judge_java,
                            .launch = &kLaunch,
                            .follow_reference = follow_reference};

}  // namespace langsbx::languages::java
