// Words for verdicts. Everything that a program's author has chosen is made printable.
#include "cmd/langsbx/verdict_text.h"

#include "languages/report.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;
using languages::printable;

std::string mode_word(const std::string& mode) {
  if (mode == "observe") return "observing";
  return mode == "enforce" ? "enforcing" : mode;
}

// Of guard.jsonl below "report", of the log of verdicts as "findings".
const Json* violations_of(const Json& verdict) {
  const auto findings = verdict.find("findings");
  if (findings != verdict.end() && findings->is_array()) return &*findings;
  const auto report = verdict.find("report");
  if (report == verdict.end() || !report->is_object()) return nullptr;
  const auto violations = report->find("violations");
  return violations != report->end() && violations->is_array() ? &*violations : nullptr;
}

std::size_t count_of(const Json& verdict) {
  for (const char* const name : {"count", "findings"}) {
    const auto count = verdict.find(name);
    if (count != verdict.end() && count->is_number_unsigned()) return *count;
  }
  const Json* const violations = violations_of(verdict);
  return violations == nullptr ? 0 : violations->size();
}

std::string number(const Json& object, const char* name) {
  const auto place = object.find(name);
  return place != object.end() && place->is_number_unsigned() ? place->dump() : "0";
}

std::string what_of(const Json& verdict) {
  const std::string kind = text_member(verdict, "verdict");
  const std::string source = printable(text_member(verdict, "source"));
  const std::string problem = printable(text_member(verdict, "problem"));
  if (kind == "clean") return "nothing found in " + source;
  if (kind == "findings") {
    const auto count = count_of(verdict);
    return std::to_string(count) + (count == 1 ? " finding in " : " findings in ") + source;
  }
  if (kind == "unjudged") return source + " cannot be judged: " + problem;
  if (kind == "confined") return source + " is no interpreter; it runs in the program's layer";
  if (kind == "let through") return source + " is no interpreter; it runs in the container's layer";
  if (kind == "ended") return "ended the container: " + problem;
  return printable(kind);
}

}  // namespace

std::string text_member(const Json& object, const char* name) {
  const auto place = object.find(name);
  return place != object.end() && place->is_string() ? place->get<std::string>() : std::string();
}

std::string verdict_sentence(const Json& verdict) {
  std::string whose;
  for (const char* const name : {"language", "profile"}) {
    const std::string text = text_member(verdict, name);
    if (text.empty() || text == "none") continue;
    whose += (whose.empty() ? "" : ", ") + std::string(*name == 'p' ? "profile " : "") + text;
  }
  if (!whose.empty()) whose = " (" + printable(whose) + ")";
  return printable(mode_word(text_member(verdict, "mode"))) + whose + ": " + what_of(verdict);
}

std::string findings_text(const Json& verdict) {
  const Json* const violations = violations_of(verdict);
  if (violations == nullptr) return {};
  std::string text;
  for (const Json& one : *violations) {
    if (!one.is_object()) continue;
    text += "  " + printable(text_member(one, "file")) + ":" + number(one, "line") + ":" +
            number(one, "column") + ": " + printable(text_member(one, "severity")) + ": " +
            printable(text_member(one, "reason")) + " [" + printable(text_member(one, "rule")) +
            "]\n";
  }
  const auto count = count_of(verdict);
  if (count > violations->size()) {
    text += "  and " + std::to_string(count - violations->size()) + " more\n";
  }
  return text;
}

}  // namespace langsbx::cmd
