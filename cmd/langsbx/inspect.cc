// inspect: the confinement that is really in force for a container, and what the guard said.
#include <cerrno>
#include <nlohmann/json.hpp>

#include "cmd/langsbx/find.h"
#include "cmd/langsbx/live.h"
#include "cmd/langsbx/verbs.h"
#include "cmd/langsbx/verdict_text.h"
#include "languages/report.h"
#include "runtime/confine/report.h"
#include "runtime/guard/gate.h"
#include "runtime/kernel/file.h"
#include "runtime/launch/explaining.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;

// One object a line: a verdict a judged program, a refusal that was explained.
Result<Json> lines_of(const state::Container& container, const char* file) {
  Json verdicts = Json::array();
  const auto text = read_plain_file_at(container.fd(), file);
  if (!text.ok() && text.error().errno_value == ENOENT) return verdicts;
  if (!text.ok()) return text.error();
  std::string_view rest = *text;
  while (!rest.empty()) {
    const auto end = rest.find('\n');
    auto verdict = Json::parse(rest.substr(0, end), nullptr, false);
    if (verdict.is_object()) verdicts.push_back(std::move(verdict));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return verdicts;
}

std::string as_text(const Json& verdicts) {
  std::string text;
  for (const Json& verdict : verdicts) {
    text += "guard: " + verdict_sentence(verdict) + "\n" + findings_text(verdict);
  }
  return text;
}

std::string refusals_text(const Json& refusals) {
  std::string text;
  for (const Json& line : refusals) {
    const auto denial = explain::denial_from_json(line.dump());
    if (denial.ok())
      text += "refused: " + languages::printable(explain::denial_text(*denial)) + "\n";
  }
  return text;
}

Result<int> run(const Invocation& invocation) {
  std::string format = "text";
  OptionTable table;
  table.text("format,f", &format, "FORMAT", "text (default) or json");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  if (format != "text" && format != "json") {
    return make_error(ErrorKind::kInvalidInput, "invalid format option: " + format);
  }
  const auto found = TRY(find_container(invocation.global, positionals->at(0)));
  const auto container = TRY(state::Store(found.root).open(found.id));
  const auto record = TRY(container.read_record());
  const auto report = TRY(confine::report_from_json(record.confinement));
  const auto verdicts = TRY(lines_of(container, guard::kVerdictFile));
  const auto refusals = TRY(lines_of(container, runtime::kExplainFile));
  const Json live = live_facts(record);
  if (format == "text") {
    TRY(print(languages::printable_lines(confine::report_text(report)) + as_text(verdicts) +
              live_text(live) + refusals_text(refusals)));
    return 0;
  }
  auto document = Json::parse(confine::report_json(report), nullptr, false);
  document["guard"] = verdicts;
  document.update(live);
  if (!refusals.empty()) document["refused"] = refusals;
  TRY(print(document.dump(2) + "\n"));
  return 0;
}

}  // namespace

extern const Command kInspect{.name = "inspect",
                              .arguments = "<container-id>",
                              .summary = "show the policy that is in force for a container",
                              .fewest = 1,
                              .most = 1,
                              .run = run};

}  // namespace langsbx::cmd
