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
constexpr unsigned kIndexBits = 24;
constexpr std::uint64_t kIndex = (1U << kIndexBits) - 1;

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

constexpr std::string_view kHole = "{}";

// What a rule says around its detail, to a profile that does not allow a capability.
struct Saying {
  const Rule* rule = nullptr;
  Capability capability = Capability::kNone;
  std::string_view head;
  std::string tail;
};

Saying saying_of(const Rule& rule, Capability capability, std::string_view profile) {
  const std::string_view message = rule.message;
  const std::size_t hole = message.find(kHole);
  Saying saying{&rule, capability, message.substr(0, hole), {}};
  if (hole != std::string_view::npos) saying.tail = message.substr(hole + kHole.size());
  if (capability != Capability::kNone) {
    saying.tail.append(" (profile '").append(profile).append("' does not allow ");
    saying.tail.append(to_string(capability)).append(")");
  }
  return saying;
}

// How many lines begin in a text, and where the last of them does; npos when none does.
struct LineStarts {
  std::uint32_t count = 0;
  std::size_t last = std::string_view::npos;
};

LineStarts line_starts(std::string_view text) {
  const void* last = ::memrchr(text.data(), '\n', text.size());
  if (last == nullptr) return {};
  const auto at = static_cast<std::size_t>(static_cast<const char*>(last) - text.data());
  return {static_cast<std::uint32_t>(count_of(text.substr(0, at), '\n')) + 1, at + 1};
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
  // What the message has no room for tells nothing apart.
  if (rule.message.find(kHole) == std::string_view::npos) detail = {};
  keep(rule, rule.severity, capability, offset, length, detail, kMaxDetail);
}

void Findings::add_message(const Rule& rule, Severity severity, Capability capability,
                           std::size_t offset, std::size_t length, std::string_view message) {
  if (Pending* kept = keep(rule, severity, capability, offset, length, message, message.size())) {
    kept->whole = true;
  }
}

// Texts lie one behind the other: what will be said is put together when it is taken.
Findings::Pending* Findings::keep(const Rule& rule, Severity severity, Capability capability,
                                  std::size_t offset, std::size_t length, std::string_view text,
                                  std::size_t limit) {
  auto& kept = severity == Severity::kError ? violations_ : warnings_;
  if (kept.size() >= std::min<std::size_t>(policy_.max_findings, kIndex)) return nullptr;
  offset = std::min(offset, source_.bytes.size());
  length = std::min(length, source_.bytes.size() - offset);
  const std::size_t at = texts_.size();
  append_shortened(texts_, text, limit);
  return &kept.emplace_back(
      Pending{&rule, offset, length, at, texts_.size() - at, severity, capability, false});
}

void Findings::reference(LocalReference reference) {
  if (references_.size() < kMaxReferences) {
    references_.push_back(std::move(reference));
  } else {  // a file not followed would run without having been judged
    keep("source-too-many-references"_rule, Severity::kError, Capability::kNone, 0, 0,
         std::to_string(kMaxReferences), kMaxDetail);
  }
}

bool Findings::full() const { return violations_.size() >= policy_.max_findings; }

std::vector<Finding> Findings::take_violations() { return take(violations_); }

std::vector<Finding> Findings::take_warnings() { return take(warnings_); }

std::string_view Findings::text_of(const Pending& item) const {
  return std::string_view(texts_).substr(item.text, item.text_length);
}

bool Findings::before(const Pending& a, const Pending& b) const {
  const auto key = [this](const Pending& item) {
    return std::tuple(item.rule->id, item.capability, item.whole, text_of(item), item.length,
                      item.rule->type);
  };
  return key(a) < key(b);
}

// Offsets with the index below: numbers are sorted faster than findings. Those of one place come by
// rule and text.
std::vector<std::uint64_t> Findings::in_order(const std::vector<Pending>& pending) const {
  std::vector<std::uint64_t> keys(pending.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = pending[i].offset << kIndexBits | i;
  if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
  for (auto first = keys.begin(); first != keys.end();) {
    auto last = first + 1;
    while (last != keys.end() && *last >> kIndexBits == *first >> kIndexBits) ++last;
    if (last - first > 1) {
      std::sort(first, last, [&](std::uint64_t a, std::uint64_t b) {
        return before(pending[a & kIndex], pending[b & kIndex]);
      });
    }
    first = last;
  }
  return keys;
}

std::vector<Finding> Findings::take(std::vector<Pending>& pending) const {
  std::vector<Finding> findings;
  findings.reserve(pending.size());
  Saying saying;
  std::size_t counted = 0;  // positions are counted on from the finding before
  std::size_t line_start = 0;
  std::uint32_t line = 1;
  const Pending* last_taken = nullptr;
  for (const std::uint64_t key : in_order(pending)) {
    const Pending& item = pending[key & kIndex];
    if (last_taken != nullptr && last_taken->offset == item.offset && !before(*last_taken, item)) {
      continue;
    }
    last_taken = &item;
    const LineStarts starts = line_starts(source_.bytes.substr(counted, item.offset - counted));
    if (starts.count != 0) line_start = counted + starts.last;
    line += starts.count;
    counted = item.offset;
    std::string_view code = source_.bytes.substr(item.offset, item.length);
    code = code.substr(0, code.find('\n'));
    Finding& finding = findings.emplace_back();
    finding.rule = item.rule->id;
    finding.type = item.rule->type;
    finding.severity = item.severity;
    finding.capability = item.capability;
    finding.file = source_.path;
    finding.line = line;
    finding.column = static_cast<std::uint32_t>(item.offset - line_start) + 1;
    append_shortened(finding.code, code, kMaxCode);
    if (item.rule != saying.rule || item.capability != saying.capability) {
      saying = saying_of(*item.rule, item.capability, policy_.profile);
    }
    const std::string_view text = text_of(item);
    if (item.whole) {
      finding.reason = text;
    } else {
      finding.reason.reserve(saying.head.size() + text.size() + saying.tail.size());
      finding.reason.append(saying.head).append(text).append(saying.tail);
    }
  }
  pending.clear();
  return findings;
}

}  // namespace langsbx::languages
