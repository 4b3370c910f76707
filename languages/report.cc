// Text and JSON of a report.
#include "languages/report.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <nlohmann/json.hpp>

#include "languages/elf/rules.h"
#include "languages/registry.h"
#include "languages/shared_rules.h"
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

// The columns a printable text takes; close enough for a caret (wide characters count one).
std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++columns;
  }
  return columns;
}

// One character that is not plain ASCII; how many bytes of `text` it takes.
std::size_t append_odd(std::string& out, std::string_view text) {
  const auto byte = static_cast<unsigned char>(text[0]);
  if (byte == '\t') {
    out += ' ';
    return 1;
  }
  if (byte < 0x80) {
    append_escaped_byte(out, byte);
    return 1;
  }
  const CodePoint point = decode_utf8(text, 0);
  if (point.length == 0) {
    append_escaped_byte(out, byte);
    return 1;
  }
  const bool control = point.value >= 0x80 && point.value < 0xA0;
  const bool invisible = point.value == 0xFEFF || point.value == 0x061C ||
                         (point.value >= 0x200B && point.value <= 0x200F) ||
                         point.value == 0x2028 || point.value == 0x2029;
  if (!control && !invisible && !is_bidi_control(point.value)) {
    out += text.substr(0, point.length);
    return point.length;
  }
  for (const char c : text.substr(0, point.length)) {
    append_escaped_byte(out, static_cast<unsigned char>(c));
  }
  return point.length;
}

void append_printable(std::string& out, std::string_view text) {
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && text[plain] >= 0x20 && text[plain] < 0x7F) ++plain;
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_odd(out, text));
  }
}

void append_number(std::string& out, std::size_t number) {
  char digits[24];
  const auto result = std::to_chars(std::begin(digits), std::end(digits), number);
  out.append(digits, result.ptr);
}

// The text of one report. Findings come sorted: lines are counted on from the finding before.
class TextWriter {
 public:
  TextWriter(std::string& out, const SourceLookup& lookup) : out_(out), lookup_(lookup) {}

  void add(const Finding& finding) {
    append_printable(out_, finding.file);
    out_ += ':';
    append_number(out_, finding.line);
    out_ += ':';
    append_number(out_, finding.column);
    out_.append(": ").append(to_string(finding.severity)).append(": ");
    append_printable(out_, finding.reason);
    out_.append(" [").append(finding.rule).append("]\n");
    append_excerpt_of(finding);
    append_hint(finding);
  }

 private:
  void append_excerpt_of(const Finding& finding) {
    if (!lookup_ || finding.line == 0) return;
    if (!found_ || finding.file != file_) {
      file_ = finding.file;
      bytes_ = lookup_(file_);
      found_ = true;
      line_ = 1;
      start_ = 0;
    }
    if (!bytes_.empty()) append_excerpt(finding);
  }

  // Once a rule: the first of its findings says it for all.
  void append_hint(const Finding& finding) {
    if (std::ranges::find(hinted_, finding.rule) != hinted_.end()) return;
    hinted_.push_back(finding.rule);
    const std::string_view hint = hint_of(finding);
    if (!hint.empty()) out_.append("   help: ").append(hint) += '\n';
  }

  std::string_view line_of(const Finding& finding) {
    if (finding.line < line_) {
      line_ = 1;
      start_ = 0;
    }
    for (; line_ < finding.line; ++line_) {
      const std::size_t end = bytes_.find('\n', start_);
      if (end == std::string_view::npos) return line_at(bytes_, bytes_.size());
      start_ = end + 1;
    }
    return line_at(bytes_, start_);
  }

  void append_excerpt(const Finding& finding) {
    std::string_view line = line_of(finding);
    std::size_t column = std::min<std::size_t>(finding.column - 1, line.size());
    if (line.size() > kMaxLine) {
      std::size_t start = column > kLead ? column - kLead : 0;
      while (start < column && (static_cast<unsigned char>(line[start]) & 0xC0U) == 0x80U) {
        ++start;
      }
      line = line.substr(start, kMaxLine);
      column -= start;
    }
    out_ += ' ';
    const std::size_t number = out_.size();
    append_number(out_, finding.line);
    const std::size_t digits = out_.size() - number;
    out_ += " | ";
    append_printable(out_, line);
    out_ += '\n';
    out_.append(digits + 2, ' ').append("| ");
    out_.append(printed_width(line.substr(0, column)), ' ');
    const std::size_t length = std::min(finding.code.size(), line.size() - column);
    const std::size_t code = printed_width(line.substr(column, length));
    out_ += '^';
    if (code > 1) out_.append(code - 1, '~');
    out_ += '\n';
  }

  std::size_t printed_width(std::string_view text) {
    printed_.clear();
    append_printable(printed_, text);
    return width(printed_);
  }

  std::string& out_;
  const SourceLookup& lookup_;
  std::string_view file_;
  std::string_view bytes_;
  bool found_ = false;
  std::uint32_t line_ = 1;
  std::size_t start_ = 0;
  std::string printed_;                   // keeps its room
  std::vector<std::string_view> hinted_;  // the rules whose hints are written
};

Json to_object(const Finding& finding) {
  Json object{{"rule", std::string(finding.rule)},
              {"type", std::string(to_string(finding.type))},
              {"file", finding.file},
              {"line", finding.line},
              {"column", finding.column},
              {"code", finding.code},
              {"reason", finding.reason},
              {"severity", std::string(to_string(finding.severity))},
              {"capability", std::string(to_string(finding.capability))}};
  if (const auto hint = hint_of(finding); !hint.empty()) object["hint"] = std::string(hint);
  return object;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    append_printable(lines, text.substr(0, end));
    lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string to_text(const Report& report, const SourceLookup& lookup) {
  std::string out;
  for (const auto* findings : {&report.violations, &report.warnings}) {
    TextWriter writer(out, lookup);
    for (const Finding& finding : *findings) writer.add(finding);
  }
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

std::string_view hint_of(const Finding& finding) {
  const Rule* const rule = find_rule(finding.rule);
  return rule == nullptr ? std::string_view() : rule->instead;
}

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> rules;
  const auto add = [&](std::span<const Rule> more) {
    for (const Rule& rule : more) {
      if (std::find(rules.begin(), rules.end(), &rule) == rules.end()) rules.push_back(&rule);
    }
  };
  add(kSharedRules);
  for (const Language* language : all_languages()) add(language->rules);
  add(elf::kRules);
  return rules;
}

const Rule* find_rule(std::string_view id) {
  const auto in = [id](std::span<const Rule> rules) {
    const auto found = std::ranges::find(rules, id, &Rule::id);
    return found == rules.end() ? nullptr : &*found;
  };
  if (const Rule* const shared = in(kSharedRules)) return shared;
  for (const Language* language : all_languages()) {
    if (const Rule* const rule = in(language->rules)) return rule;
  }
  return in(elf::kRules);
}

}  // namespace langsbx::languages
