// Findings for people and for tools: text like a compiler's, JSON, SARIF 2.1.0.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "languages/finding.h"
#include "languages/language.h"

namespace langsbx::languages {

// Gives the bytes of a judged file, for the line under a finding; empty when it is not at hand.
using SourceLookup = std::function<std::string_view(std::string_view file)>;

// "main.py:3:1: error: starts a program: os.system [python-process]", the line, and a caret under
// the place, and "help: ..." with the first finding of a rule that says what to do instead. Control
// characters and bidirectional controls are escaped: the text of a hostile file must not steer a
// terminal.
[[nodiscard]] std::string to_text(const Report& report, const SourceLookup& lookup = {});

// {language, profile, safe, violations: [{rule, type, file, line, column, code, reason, severity,
// capability, hint}], warnings: [...]}. Only a rule that says what to do instead has a hint. Bytes
// that are no UTF-8 are replaced. Columns count bytes from 1, here and in the text.
[[nodiscard]] std::string to_json(const Report& report);

// One run for all reports. `version` is the tool's. Columns are code points there, so they are only
// written for files that `lookup` has.
[[nodiscard]] std::string to_sarif(std::span<const Report> reports, std::string_view version,
                                   const SourceLookup& lookup = {});

// Every rule that a finding can name, each once: the shared ones, the languages' and those about
// object files.
[[nodiscard]] std::vector<const Rule*> all_rules();

// The rule of that id; nullptr when there is none.
[[nodiscard]] const Rule* find_rule(std::string_view id);

// What to do instead, by the finding's rule; may be empty.
[[nodiscard]] std::string_view hint_of(const Finding& finding);

// What of `text` is safe to print: control characters become \xNN, bidirectional controls \u{...}.
[[nodiscard]] std::string printable(std::string_view text);
// The same line by line, a line feed behind each.
[[nodiscard]] std::string printable_lines(std::string_view text);

}  // namespace langsbx::languages
