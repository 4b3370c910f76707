// rules: what the guard looks for, why, and what to do instead.
#include <string>
#include <vector>

#include "cmd/langsbx/columns.h"
#include "cmd/langsbx/command.h"
#include "languages/report.h"

namespace langsbx::cmd {
namespace {

using languages::Rule;

// "reads '{}'" -> "reads '...'"
std::string message_of(const Rule& rule) {
  std::string text(rule.message);
  const auto place = text.find("{}");
  return place == std::string::npos ? text : text.replace(place, 2, "...");
}

std::string explain(const Rule& rule) {
  std::string text = std::string(rule.id) + ": " + message_of(rule) + "\n\n";
  text += "  type        " + std::string(to_string(rule.type)) + "\n";
  text += "  severity    " + std::string(to_string(rule.severity)) + "\n";
  text += "  capability  " + std::string(to_string(rule.capability)) + "\n";
  if (!rule.why.empty()) text += "\nWhy: " + std::string(rule.why) + "\n";
  if (!rule.instead.empty()) text += "\nInstead: " + std::string(rule.instead) + "\n";
  return text;
}

std::string list() {
  std::vector<std::vector<std::string>> rows{{"RULE", "CAPABILITY", "WHAT"}};
  for (const Rule* rule : languages::all_rules()) {
    rows.push_back(
        {std::string(rule->id), std::string(to_string(rule->capability)), message_of(*rule)});
  }
  return in_columns(rows);
}

Result<int> run(const Invocation& invocation) {
  OptionTable table;
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  if (positionals->empty()) {
    TRY(print(list()));
    return 0;
  }
  const Rule* const rule = languages::find_rule(positionals->front());
  if (rule == nullptr) {
    return make_error(ErrorKind::kNotFound, "no rule is called \"" + positionals->front() + "\"");
  }
  TRY(print(explain(*rule)));
  return 0;
}

}  // namespace

extern const Command kRules{.name = "rules",
                            .arguments = "[rule-id]",
                            .summary = "list what the guard looks for, or explain one rule",
                            .most = 1,
                            .run = run,
                            .failure_status = 2};

}  // namespace langsbx::cmd
