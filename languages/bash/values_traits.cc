// What words and variables can hold at most: cheaper than putting their texts together.
#include <array>

#include "languages/bash/characters.h"
#include "languages/bash/values.h"
#include "languages/environment.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::uint8_t kDot = 64;

constexpr std::array<std::uint8_t, 256> make_traits() {
  std::array<std::uint8_t, 256> table{};
  table[static_cast<unsigned char>('/')] = kMayPath;
  table[static_cast<unsigned char>(kHome)] = kMayPath;
  table[static_cast<unsigned char>('$')] = kMayCode;
  table[static_cast<unsigned char>('`')] = kMayCode;
  table[static_cast<unsigned char>('.')] = kDot;
  for (const char c : {' ', '\t', '\n'}) table[static_cast<unsigned char>(c)] = kMayBlank;
  table[static_cast<unsigned char>(kSplit)] = kMayFields;
  table[static_cast<unsigned char>('-')] = kMayDash;
  return table;
}

constexpr auto kTraits = make_traits();

}  // namespace

std::uint8_t Values::text_traits(std::string_view text) {
  unsigned found = 0;
  for (const char c : text) found |= kTraits[static_cast<unsigned char>(c)];
  if ((found & kDot) == 0) return static_cast<std::uint8_t>(found);
  if (text.find("..") != std::string_view::npos) found |= kMayPath;
  if (text.front() == '.' || text.back() == '.') found |= kEdgeDot;
  return static_cast<std::uint8_t>(found & ~unsigned{kDot});
}

std::uint8_t Values::variable_traits(std::string_view name) {
  const Variable* found = computed(name);
  return found == nullptr ? std::uint8_t{0} : found->traits;
}

std::uint8_t Values::traits(const Word& word) {
  ++steps_;
  const unsigned tilde = !word.text.empty() && word.text[0] == '~' ? kMayPath : 0;
  const unsigned found = word.plain() ? text_traits(word.text) : parts_traits(word.parts);
  return static_cast<std::uint8_t>(tilde | found);
}

std::uint8_t Values::part_traits(const Part& part) {
  ++steps_;
  switch (part.kind) {
    case PartKind::kParameter:
      return parameter_traits(part);
    case PartKind::kCommand:
      return text_traits(substitution_value(part.text));
    case PartKind::kProcess:
      return kMayPath;
    case PartKind::kArithmetic:
      return 0;
    default:
      return part.inner != nullptr ? parts_traits(part.inner) : text_traits(part.text);
  }
}

std::uint8_t Values::parts_traits(const Part* parts) {
  unsigned found = 0;
  for (const Part* part = parts; part != nullptr; part = part->next) {
    const unsigned one = part_traits(*part);
    // Two dots that come together.
    if ((one & found & kEdgeDot) != 0) found |= kMayPath;
    found |= one;
  }
  return static_cast<std::uint8_t>(found);
}

// Whether the word may become several.
bool Values::may_split(const Word& word) {
  for (const Part* part = word.parts; part != nullptr; part = part->next) {
    const bool expands = part->kind == PartKind::kParameter || part->kind == PartKind::kCommand;
    const unsigned found = part_traits(*part);
    if ((found & (expands ? kMayBlank | kMayFields : kMayFields)) != 0) return true;
  }
  return false;
}

std::uint8_t Values::parameter_traits(const Part& part) {
  unsigned found = 0;
  const Parameter* parameter = part.parameter;
  const ParameterOp op = parameter == nullptr ? ParameterOp::kNone : parameter->op;
  if (cuts_slash(part)) return kMayPath;
  if ((parameter != nullptr && parameter->indirect) || op == ParameterOp::kLength ||
      op == ParameterOp::kOther || op == ParameterOp::kTransform) {
    return 0;  // unknown, or where the script is
  }
  if (op != ParameterOp::kAlternate) {
    found = text_traits(special_value(part.text)) | variable_traits(part.text);
  }
  if (op == ParameterOp::kDefault || op == ParameterOp::kAssign || op == ParameterOp::kAlternate) {
    found |= parts_traits(parameter->operand);
  }
  return static_cast<std::uint8_t>(found);
}

// A name that the script writes before is its own, in a function wherever it does.
bool Values::foreign_secret(const EnvironmentUse& use) {
  Variable& variable = slot(use.name);
  if (!variable.asked) {
    variable.asked = true;
    variable.secret = names_secret(use.name);
  }
  if (!variable.secret || variable.given) return false;
  const auto before = [&use](std::uint32_t from, const Word* value) {
    // What stands in the value itself is read before it is written.
    const std::size_t end = from + (value == nullptr ? 0 : value->text.size());
    if (value != nullptr && use.offset >= from && use.offset < end) return false;
    return use.in_function || from < use.offset;
  };
  for (const auto* at = variable.assignments.first; at != nullptr; at = at->next) {
    ++steps_;
    const Assignment& assignment = *at->item;
    const Word* value = assignment.value;
    const std::uint32_t from = value == nullptr ? assignment.offset : value->offset;
    const bool gives = value != nullptr || assignment.array;
    if (gives && !assignment.prefix && before(from, value)) return false;
  }
  for (const auto* at = variable.words.first; at != nullptr; at = at->next) {
    ++steps_;
    if (before(at->item->offset, at->item)) return false;
  }
  return true;
}

}  // namespace langsbx::languages::bash
