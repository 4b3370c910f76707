// Text and JSON of a report.
#include "languages/report.h"

#include <nlohmann/json.hpp>

#include "languages/generic.h"
#include "languages/preflight.h"
#include "languages/registry.h"
#include "languages/source.h"
#include "languages/unicode.h"

namespace langsbx::languages {
namespace {

constexpr std::size_t kMaxLine = 160;
constexpr std::size_t kLead = 60;  // bytes of the line shown before the finding when it is long
constexpr char kHex[] = "0123456789abcdef";

using Json = nlohmann::ordered_json;

void append_escaped_byte(std::string& out, unsigned char byte) {
  out += "\\x";
  out += kHex[byte >> 4U];
  out += kHex[byte & 0xFU];
}

std::size_t offset_of_line(std::string_view bytes, std::uint32_t line) {
  std::size_t offset = 0;
  for (std::uint32_t n = 1; n < line; ++n) {
    const std::size_t end = bytes.find('\n', offset);
    if (end == std::string_view::npos) return bytes.size();
    offset = end + 1;
  }
  return offset;
}

// The columns a printable text takes; close enough for a caret (wide characters count one).
std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++columns;
  }
  return columns;
}

void append_excerpt(std::string& out, const Finding& finding, std::string_view bytes) {
  std::string_view line = line_at(bytes, offset_of_line(bytes, finding.line));
  std::size_t column = std::min<std::size_t>(finding.column - 1, line.size());
  if (line.size() > kMaxLine) {
    std::size_t start = column > kLead ? column - kLead : 0;
    while (start < column && (static_cast<unsigned char>(line[start]) & 0xC0U) == 0x80U) {
      ++start;
    }
    line = line.substr(start, kMaxLine);
    column -= start;
  }
  const std::string before = printable(line.substr(0, column));
  const std::string code =
      printable(line.substr(column, std::min(finding.code.size(), line.size() - column)));
  const std::string number = std::to_string(finding.line);
  out += " " + number + " | " + printable(line) + "\n";
  out += std::string(number.size() + 2, ' ') + "| " + std::string(width(before), ' ') + "^";
  if (width(code) > 1) out += std::string(width(code) - 1, '~');
  out += "\n";
}

void append_finding(std::string& out, const Finding& finding, const SourceLookup& lookup) {
  out += printable(finding.file) + ":" + std::to_string(finding.line) + ":" +
         std::to_string(finding.column) + ": " + std::string(to_string(finding.severity)) + ": " +
         printable(finding.reason) + " [" + std::string(finding.rule) + "]\n";
  if (!lookup || finding.line == 0) return;
  const std::string_view bytes = lookup(finding.file);
  if (!bytes.empty()) append_excerpt(out, finding, bytes);
}

Json to_object(const Finding& finding) {
  return Json{{"rule", std::string(finding.rule)},
              {"type", std::string(to_string(finding.type))},
              {"file", finding.file},
              {"line", finding.line},
              {"column", finding.column},
              {"code", finding.code},
              {"reason", finding.reason},
              {"severity", std::string(to_string(finding.severity))},
              {"capability", std::string(to_string(finding.capability))}};
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte == '\t') {
      out += ' ';
      ++i;
    } else if (byte < 0x20 || byte == 0x7F) {
      append_escaped_byte(out, byte);
      ++i;
    } else if (byte < 0x80) {
      out += static_cast<char>(byte);
      ++i;
    } else {
      const CodePoint point = decode_utf8(text, i);
      const bool control = point.value >= 0x80 && point.value < 0xA0;
      if (point.length == 0) {
        append_escaped_byte(out, byte);
        ++i;
        continue;
      }
      const bool invisible = point.value == 0xFEFF || point.value == 0x061C ||
                             (point.value >= 0x200B && point.value <= 0x200F) ||
                             point.value == 0x2028 || point.value == 0x2029;
      if (control || invisible || is_bidi_control(point.value)) {
        for (std::size_t n = 0; n < point.length; ++n) {
          append_escaped_byte(out, static_cast<unsigned char>(text[i + n]));
        }
      } else {
        out += text.substr(i, point.length);
      }
      i += point.length;
    }
  }
  return out;
}

std::string to_text(const Report& report, const SourceLookup& lookup) {
  std::string out;
  for (const Finding& finding : report.violations) append_finding(out, finding, lookup);
  for (const Finding& finding : report.warnings) append_finding(out, finding, lookup);
  return out;
}

std::string to_json(const Report& report) {
  Json violations = Json::array();
  for (const Finding& finding : report.violations) violations.push_back(to_object(finding));
  Json warnings = Json::array();
  for (const Finding& finding : report.warnings) warnings.push_back(to_object(finding));
  const Json object{{"language", report.language},
                    {"profile", report.profile},
                    {"safe", report.safe()},
                    {"violations", std::move(violations)},
                    {"warnings", std::move(warnings)}};
  return object.dump(2, ' ', false, Json::error_handler_t::replace);
}

const Rule* find_rule(std::string_view id) {
  for (const Rule* rule : shared_rules()) {
    if (rule->id == id) return rule;
  }
  for (const Rule* rule : generic_language().rules) {
    if (rule->id == id) return rule;
  }
  for (const Language* language : all_languages()) {
    for (const Rule* rule : language->rules) {
      if (rule->id == id) return rule;
    }
  }
  return nullptr;
}

}  // namespace langsbx::languages
