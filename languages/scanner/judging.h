// What every judge built on the scanner does the same way: scan errors, disguised names, a
// profile's own names and patterns, and paths in string literals.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/scanner/dialect.h"
#include "languages/scanner/token.h"

namespace langsbx::languages::scanner {

// Reports each kError token as `syntax`, disguised non-ASCII names, and the profile's patterns.
void report_common(const Scan& scan, const Rule& syntax, const Policy& policy, Findings& findings);

// Names in functions.blocked and attributes.blocked, wherever they are mentioned.
void report_blocked_names(const Scan& scan, const Rule& rule, const Policy& policy,
                          Findings& findings);

// Whether the text is a path into a system directory that the policy leaves out.
[[nodiscard]] bool names_system_path(std::string_view text, const Policy& policy);
// False: certainly not, told by how it begins.
[[nodiscard]] inline bool may_be_system_path(std::string_view text) {
  return !text.empty() && (text[0] == '/' || text[0] == '.');
}

// The text of the literal at `index` and of the string literals that follow it directly, joined
// (C, C++); `next` is the token after them.
[[nodiscard]] std::optional<std::string> joined_text(const Scan& scan, std::size_t index,
                                                     const Dialect& dialect, std::size_t& next);

// The index after the bracket that closes the one at `open`, at most `limit` tokens on; 0 if none.
[[nodiscard]] std::size_t after_bracket(const Scan& scan, std::size_t open,
                                        std::size_t limit = 4096);

// Adds a finding over one token.
void report(Findings& findings, const Rule& rule, const Token& token, std::string_view detail);
void report(Findings& findings, const Rule& rule, Capability capability, const Token& token,
            std::string_view detail);

}  // namespace langsbx::languages::scanner
