// The collector: filters by the policy, caps, sorts, and turns offsets into lines.
#include <algorithm>
#include <cstring>
#include <tuple>
#include <utility>

#include "languages/byte_blocks.h"
#include "languages/language.h"
#include "languages/policy.h"
#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

constexpr std::size_t kMaxCode = 80;
constexpr std::size_t kMaxDetail = 120;
constexpr std::size_t kMaxReferences = 1000;

constexpr std::size_t kProfileRoom = 80;  // for what take() puts behind a message

// Appends at most `limit` bytes, cut at a character boundary and marked.
void append_shortened(std::string& out, std::string_view text, std::size_t limit) {
  if (text.size() <= limit) {
    out += text;
    return;
  }
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  out += text.substr(0, end);
  out += "...";
}

std::string fill_in(std::string_view summary, std::string_view detail) {
  std::string text;
  text.reserve(summary.size() + std::min(detail.size(), kMaxDetail) + kProfileRoom);
  const std::size_t hole = std::min(summary.find("{}"), summary.size());
  text += summary.substr(0, hole);
  if (hole == summary.size()) return text;
  append_shortened(text, detail, kMaxDetail);
  text += summary.substr(hole + 2);
  return text;
}

}  // namespace

Findings::Findings(const Source& source, const Policy& policy) : source_(source), policy_(policy) {}

void Findings::add(const Rule& rule, std::size_t offset, std::size_t length,
                   std::string_view detail) {
  add(rule, rule.capability, offset, length, detail);
}

void Findings::add(const Rule& rule, Capability capability, std::size_t offset, std::size_t length,
                   std::string_view detail) {
  if (policy_.allows(capability)) return;
  add_message(rule, rule.severity, capability, offset, length, fill_in(rule.summary, detail));
}

void Findings::add_message(const Rule& rule, Severity severity, Capability capability,
                           std::size_t offset, std::size_t length, std::string message) {
  auto& kept = severity == Severity::kError ? violations_ : warnings_;
  if (kept.size() >= policy_.max_findings) return;
  offset = std::min(offset, source_.bytes.size());
  length = std::min(length, source_.bytes.size() - offset);
  kept.push_back({&rule, severity, capability, offset, length, std::move(message)});
}

void Findings::reference(LocalReference reference) {
  if (references_.size() < kMaxReferences) {
    references_.push_back(std::move(reference));
  } else {  // a file not followed would run without having been judged
    add_message(shared::kTooManyReferences, Severity::kError, Capability::kNone, 0, 0,
                fill_in(shared::kTooManyReferences.summary, std::to_string(kMaxReferences)));
  }
}

bool Findings::full() const { return violations_.size() >= policy_.max_findings; }

std::vector<Finding> Findings::take_violations() { return take(std::move(violations_)); }

std::vector<Finding> Findings::take_warnings() { return take(std::move(warnings_)); }

std::vector<Finding> Findings::take(std::vector<Pending> pending) const {
  const auto key = [](const Pending* item) {
    return std::tuple(item->rule->id, item->capability, std::string_view(item->message),
                      item->length, item->rule->type);
  };
  std::vector<Pending*> sorted(pending.size());
  std::transform(pending.begin(), pending.end(), sorted.begin(),
                 [](Pending& item) { return &item; });
  std::sort(sorted.begin(), sorted.end(), [&](const Pending* a, const Pending* b) {
    return a->offset != b->offset ? a->offset < b->offset : key(a) < key(b);
  });
  sorted.erase(std::unique(sorted.begin(), sorted.end(),
                           [&](const Pending* a, const Pending* b) {
                             return a->offset == b->offset && key(a) == key(b);
                           }),
               sorted.end());

  std::vector<Finding> findings;
  findings.reserve(sorted.size());
  std::size_t counted = 0;  // positions are counted on from the finding before
  std::size_t line_start = 0;
  std::uint32_t line = 1;
  for (Pending* next : sorted) {
    Pending& item = *next;
    const std::string_view between = source_.bytes.substr(counted, item.offset - counted);
    if (const void* last = ::memrchr(between.data(), '\n', between.size()); last != nullptr) {
      line_start =
          static_cast<std::size_t>(static_cast<const char*>(last) - source_.bytes.data()) + 1;
      line += static_cast<std::uint32_t>(count_of(between, '\n'));
    }
    counted = item.offset;
    std::string_view code = source_.bytes.substr(item.offset, item.length);
    code = code.substr(0, code.find('\n'));
    if (item.capability != Capability::kNone) {
      item.message.append(" (profile '").append(policy_.profile).append("' does not allow ");
      item.message.append(to_string(item.capability)).append(")");
    }
    Finding& finding = findings.emplace_back();
    finding.rule = item.rule->id;
    finding.type = item.rule->type;
    finding.severity = item.severity;
    finding.capability = item.capability;
    finding.file = source_.path;
    finding.line = line;
    finding.column = static_cast<std::uint32_t>(item.offset - line_start) + 1;
    append_shortened(finding.code, code, kMaxCode);
    finding.reason = std::move(item.message);
  }
  return findings;
}

}  // namespace langsbx::languages
