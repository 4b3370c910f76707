// From words to arguments: alternatives, braces and fields.
#include <string>

#include "languages/bash/values.h"
#include "languages/byte_blocks.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::size_t kMostBraces = 64;
constexpr std::size_t kMostBraceSteps = 64U << 10U;

// {a,b} once, leftmost and innermost last; quoting is no longer known, so too many alternatives
// are made rather than too few.
void expand_braces(std::string text, std::vector<std::string>& out, std::size_t& steps) {
  for (std::size_t open = text.find('{'); open != std::string::npos && out.size() < kMostBraces;
       open = text.find('{', open + 1)) {
    if (steps < text.size()) break;
    steps -= text.size();
    int depth = 0;
    std::vector<std::size_t> cuts{open};
    std::size_t close = open;
    for (std::size_t i = open; i < text.size(); ++i) {
      if (text[i] == '{') ++depth;
      if (text[i] == ',' && depth == 1) cuts.push_back(i);
      if (text[i] == '}' && --depth == 0) {
        close = i;
        break;
      }
    }
    if (close == open || cuts.size() < 2) continue;
    cuts.push_back(close);
    for (std::size_t i = 0; i + 1 < cuts.size() && out.size() < kMostBraces; ++i) {
      expand_braces(text.substr(0, open) + text.substr(cuts[i] + 1, cuts[i + 1] - cuts[i] - 1) +
                        text.substr(close + 1),
                    out, steps);
    }
    return;
  }
  if (out.size() < kMostBraces) out.push_back(std::move(text));
}

}  // namespace

void Values::expand(const Word& word, std::vector<Argument>& out) {
  if (word.plain() && (word.flags & kWordBrace) == 0 &&
      (word.text.empty() || word.text[0] != '~')) {
    out.push_back({word.text, word.offset, static_cast<std::uint32_t>(word.text.size()),
                   (word.flags & kWordGlob) != 0, false, false});
    return;
  }
  if ((word.flags & (kWordDynamic | kWordBrace)) == 0 && word.text[0] != '~') {
    push_constant(word, out);
    return;
  }
  for (const std::string_view text : resolve(word)) {
    if ((word.flags & kWordBrace) == 0 || text.find(',') == std::string_view::npos) {
      push_arguments(word, text, out);
      continue;
    }
    std::vector<std::string> expanded;
    std::size_t steps = kMostBraceSteps;
    expand_braces(std::string(text), expanded, steps);
    // What was left out may lead anywhere.
    if (expanded.size() >= kMostBraces || steps < text.size()) {
      expanded.push_back(std::string{'/', kUnknown});
    }
    for (const std::string& one : expanded) push_arguments(word, script_.arena.copy(one), out);
  }
}

// A word of quoted and plain text only.
void Values::push_constant(const Word& word, std::vector<Argument>& out) {
  Argument argument;
  argument.offset = word.offset;
  argument.length = static_cast<std::uint32_t>(word.text.size());
  argument.pattern = (word.flags & kWordGlob) != 0;
  argument.quoted = (word.flags & kWordQuoted) != 0;
  if (word.parts->next == nullptr && word.parts->inner == nullptr) {
    argument.text = word.parts->text;
  } else {
    std::size_t length = 0;
    char* text = script_.arena.text(word.text.size() * 2);
    const auto append = [&](std::string_view piece) {
      length += piece.copy(text + length, word.text.size() * 2 - length);
    };
    for (const Part* part = word.parts; part != nullptr; part = part->next) {
      if (part->inner == nullptr) append(part->text);
      for (const Part* inner = part->inner; inner != nullptr; inner = inner->next) {
        append(inner->text);
      }
    }
    argument.text = {text, length};
  }
  out.push_back(argument);
}

void Values::push_arguments(const Word& word, std::string_view text, std::vector<Argument>& out) {
  const bool quoted = (word.flags & kWordQuoted) != 0;
  const bool dynamic = (word.flags & kWordDynamic) != 0;
  const bool many = dynamic && (!quoted || word.text.find('@') != std::string_view::npos);
  for (std::size_t start = 0; start <= text.size();) {
    std::size_t end = find_any(text, kSplit, kSplit, kSplit, start);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view field = text.substr(start, end - start);
    if (!field.empty() || (quoted && text.empty())) {
      Argument argument;
      argument.text = field;
      argument.offset = word.offset;
      argument.length = static_cast<std::uint32_t>(word.text.size());
      argument.pattern = (word.flags & (kWordGlob | kWordBrace)) != 0;
      argument.quoted = quoted;
      argument.splits = many && (separator_ || has_marker(field));
      out.push_back(argument);
    }
    start = end + 1;
  }
}

}  // namespace langsbx::languages::bash
