// Names put together with ##: only one that the pieces at hand can make counts.
#include <algorithm>

#include "languages/c/judge.h"
#include "languages/c/rules.h"
#include "languages/scanner/judging.h"

namespace langsbx::languages::c {
namespace {

using scanner::TokenKind;

constexpr std::size_t kLongestName = 64;

// A header's macros are called with words that stand in other files.
bool is_header(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot != std::string_view::npos && dot + 1 < path.size() && path[dot + 1] == 'h';
}

}  // namespace

// Remembers the parameters, for ## in the body.
void Judge::definition(std::size_t name) {
  std::size_t at = name + 1;
  if (!scan_.at(at).is('(') || scan_.at(at).has(scanner::kSpaceBefore)) return;
  for (++at; at < scan_.size() && !scan_.at(at).is(')'); ++at) {
    if (scan_.at(at).kind == TokenKind::kIdentifier) parameters_.push_back(scan_.text(at));
  }
}

void Judge::paste(std::size_t at) {
  const auto is_parameter = [&](std::size_t index) {
    const std::string_view name = scan_.text(index);
    return name == "__VA_ARGS__" ||
           std::find(parameters_.begin(), parameters_.end(), name) != parameters_.end();
  };
  const Token& left = scan_.at(at - 1);
  const Token& right = scan_.at(at + 1);
  if (left.is(',') && is_parameter(at + 1)) return;  // , ## __VA_ARGS__
  if (left.kind == TokenKind::kNumber || right.kind == TokenKind::kNumber) return;
  const std::string shown = std::string(scan_.text(left)) + "##" + std::string(scan_.text(right));
  bool possible = true;
  if (!is_parameter(at - 1)) {
    possible = left.kind != TokenKind::kIdentifier || begins_function(scan_.text(left));
  } else if (!is_parameter(at + 1)) {
    possible = right.kind != TokenKind::kIdentifier || ends_function(scan_.text(right));
  }
  if (possible && (is_header(file_) || pieces_make_function())) {
    scanner::report(findings_, "c-pasted-name"_rule, scan_.at(at), shown);
  }
}

// Whether some function that matters is a row of words and numbers of this file.
bool Judge::pieces_make_function() {
  if (pieces_make_) return *pieces_make_;
  std::unordered_set<std::string_view> pieces;
  for (const Token& token : scan_.tokens) {
    const bool piece = token.kind == TokenKind::kIdentifier || token.kind == TokenKind::kNumber;
    if (piece && token.length < kLongestName) pieces.insert(scan_.text(token));
  }
  bool made = false;
  each_dangerous([&](std::string_view name) {
    // reached[i]: the first i characters are a row of pieces.
    bool reached[kLongestName + 1] = {true};
    for (std::size_t begin = 0; begin < name.size() && !made; ++begin) {
      if (!reached[begin]) continue;
      for (std::size_t end = begin + 1; end <= name.size(); ++end) {
        const bool whole = begin == 0 && end == name.size();
        if (!whole && pieces.contains(name.substr(begin, end - begin))) reached[end] = true;
      }
    }
    made = made || reached[name.size()];
  });
  pieces_make_ = made;
  return made;
}

}  // namespace langsbx::languages::c
