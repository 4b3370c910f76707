// SARIF 2.1.0, for code scanning services and editors.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "languages/report.h"

namespace langsbx::languages {
namespace {

using Json = nlohmann::ordered_json;

Json rule_object(std::string_view id) {
  Json object{{"id", std::string(id)}};
  const Rule* rule = find_rule(id);
  if (rule == nullptr) return object;
  std::string summary(rule->message);  // "includes {}": what it was is said where it was found
  if (const auto place = summary.find("{}"); place != std::string::npos) {
    summary.replace(place, 2, "...");
  }
  object["shortDescription"] = {{"text", std::move(summary)}};
  object["fullDescription"] = {{"text", std::string(rule->why)}};
  if (!rule->instead.empty()) object["help"] = {{"text", std::string(rule->instead)}};
  object["properties"] = {{"capability", std::string(to_string(rule->capability))},
                          {"type", std::string(to_string(rule->type))}};
  return object;
}

// A relative reference as RFC 3986 wants it: what is not plain is percent-encoded.
std::string uri_of(std::string_view path) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '/' || c == '.' || c == '-' || c == '_' || c == '~';
    if (plain) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    }
  }
  return out;
}

std::size_t count_characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class Writer {
 public:
  explicit Writer(const SourceLookup& lookup) : lookup_(lookup) {}

  void add(const Finding& finding) {
    const auto [at, fresh] = indices_.try_emplace(finding.rule, rules_.size());
    if (fresh) rules_.push_back(rule_object(finding.rule));
    const std::uint32_t line = finding.line == 0 ? 1 : finding.line;
    Json region{{"startLine", line}};
    // Columns are counted in code points, for which the line has to be at hand.
    const std::string_view bytes = lookup_ ? lookup_(finding.file) : std::string_view();
    if (!bytes.empty() && finding.column > 0) {
      const std::size_t column = 1 + characters_before(finding, bytes);
      region["startColumn"] = column;
      // What was shortened ends somewhere else.
      if (!finding.code.empty() && !finding.code.ends_with("...")) {
        region["endColumn"] = column + count_characters(finding.code);
      }
    }
    if (!finding.code.empty()) region["snippet"] = {{"text", finding.code}};
    const Json location{
        {"physicalLocation",
         {{"artifactLocation", {{"uri", uri_of(finding.file)}}}, {"region", std::move(region)}}}};
    results_.push_back({{"ruleId", std::string(finding.rule)},
                        {"ruleIndex", at->second},
                        {"level", std::string(to_string(finding.severity))},
                        {"message", {{"text", finding.reason}}},
                        {"locations", Json::array({location})}});
    if (const auto hint = hint_of(finding); !hint.empty()) {
      results_.back()["properties"] = {{"hint", std::string(hint)}};
    }
  }

  std::string finish(std::string_view version) {
    Json driver{
        {"name", "langsbx"}, {"version", std::string(version)}, {"rules", std::move(rules_)}};
    Json run{{"tool", {{"driver", std::move(driver)}}},
             {"columnKind", "unicodeCodePoints"},
             {"results", std::move(results_)}};
    const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({std::move(run)})}};
    return log.dump(2, ' ', false, Json::error_handler_t::replace);
  }

 private:
  // Findings come sorted: lines are counted on from the finding before.
  std::size_t characters_before(const Finding& finding, std::string_view bytes) {
    if (bytes.data() != counted_.data() || finding.line < line_) {
      counted_ = bytes;
      line_ = 1;
      line_start_ = 0;
    }
    while (line_ < finding.line) {
      const std::size_t end = bytes.find('\n', line_start_);
      if (end == std::string_view::npos) return 0;
      line_start_ = end + 1;
      ++line_;
    }
    return count_characters(bytes.substr(line_start_, finding.column - 1));
  }

  const SourceLookup& lookup_;
  std::string_view counted_;
  std::uint32_t line_ = 1;
  std::size_t line_start_ = 0;
  std::map<std::string_view, std::size_t> indices_;
  Json rules_ = Json::array();
  Json results_ = Json::array();
};

}  // namespace

std::string to_sarif(std::span<const Report> reports, std::string_view version,
                     const SourceLookup& lookup) {
  Writer writer(lookup);
  for (const Report& report : reports) {
    for (const Finding& finding : report.violations) writer.add(finding);
    for (const Finding& finding : report.warnings) writer.add(finding);
  }
  return writer.finish(version);
}

}  // namespace langsbx::languages
