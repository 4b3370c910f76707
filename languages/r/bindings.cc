// Which names a file binds, and where: f <- function(x) ..., x = 1, for (i in ...), parameters.
#include <algorithm>

#include "languages/r/judge.h"
#include "languages/scanner/judging.h"

namespace langsbx::languages::r {

using scanner::Token;
using scanner::TokenKind;

namespace {

// Of a function without braces, in tokens: functions in functions are read in linear time.
constexpr std::size_t kLongestBody = 200;
// How many ranges of one name are looked at; a name beyond them counts as not bound.
constexpr std::ptrdiff_t kMostRanges = 64;

bool is_assignment(const scanner::Scan& scan, std::size_t at) {
  return scan.at(at).is(scanner::kReceive) || scan.at(at).is('=');
}

}  // namespace

std::size_t Judge::expression_end(std::size_t at) const {
  if (scan_.at(at).is('{')) return scanner::after_bracket(scan_, at, scan_.size());
  int depth = 0;
  const std::size_t end = std::min(scan_.size(), at + kLongestBody);
  for (std::size_t i = at; i < end; ++i) {
    const Token& token = scan_.at(i);
    if (depth == 0 && i > at && token.has(scanner::kNewlineBefore)) return i;
    if (token.has(scanner::kOpens)) ++depth;
    if (token.has(scanner::kCloses) && --depth < 0) return i;
    if (depth == 0 && (token.is(',') || token.is(';'))) return i;
  }
  return end;
}

// function(a, b = 1): what the parameters are called holds in the body and in the defaults.
void Judge::learn_parameters(std::size_t function) {
  const std::size_t open = function + 1;
  if (!scan_.at(open).is('(')) return;
  const std::size_t close = scanner::after_bracket(scan_, open, scan_.size());
  if (close == 0) return;
  const std::size_t end = std::max(expression_end(close), close);
  for (const Argument& argument : arguments_of(open)) {
    const bool plain = argument.name.empty();
    const std::string_view name = plain ? scan_.text(argument.first) : argument.name;
    bind(name, open, end, false);
  }
}

// The name at `target` is given what begins at `value`.
void Judge::learn_target(std::size_t target, std::size_t value, std::size_t last) {
  const bool function = scan_.is_name(value, "function") || scan_.at(value).is('\\');
  // x <- x: the function still.
  const bool same = scan_.text(value) == scan_.text(target) && !scan_.at(value + 1).is('(');
  if (!same) bind(name_of(target), target, last, function);
}

void Judge::learn_bindings() {
  for (std::size_t i = 0; i < scan_.size() && !shares_; ++i) {
    const Token& token = scan_.at(i);
    const bool name = token.kind == TokenKind::kIdentifier || token.is_literal_text();
    shares_ = name && scan_.at(i + 1).is('(') && name_of(i) == "source";
  }
  binds_any_ = shares_;
  std::vector<std::size_t> ends;  // of the functions around
  for (std::size_t i = 0; i < scan_.size(); ++i) {
    while (!ends.empty() && ends.back() <= i) ends.pop_back();
    const Token& token = scan_.at(i);
    const bool function = scan_.is_name(i, "function") || token.is('\\');
    if (function && scan_.at(i + 1).is('(')) {
      learn_parameters(i);
      const std::size_t close = scanner::after_bracket(scan_, i + 1, scan_.size());
      if (close != 0) ends.push_back(std::max(expression_end(close), close));
      continue;
    }
    const std::size_t last = ends.empty() ? scan_.size() : ends.back();
    const bool name = token.kind == TokenKind::kIdentifier || token.is_literal_text();
    if (!name || is_member(i)) continue;
    if (scan_.is_name(i - 2, "for") && scan_.is_name(i + 1, "in")) {
      bind(name_of(i), i, last, false);
    }
    if (is_assignment(scan_, i + 1) && !is_argument_name(i)) learn_target(i, i + 2, last);
    // x <<- 1 binds outside of the function; 1 -> x, 1 ->> x
    if (scan_.at(i + 1).is('<') && scan_.at(i + 2).is(scanner::kReceive)) {
      learn_target(i, i + 3, scan_.size());
    }
    const bool outer = scan_.at(i - 1).is('>') && scan_.at(i - 2).is(scanner::kArrow);
    if (scan_.at(i - 1).is(scanner::kArrow) || outer) {
      bind(name_of(i), i, scan_.size(), false);
    }
    if (token.kind == TokenKind::kIdentifier && name_of(i) == "assign") {
      const auto target = literal(i + 2);
      if (target && scan_.at(i + 1).is('(') && scan_.at(i + 3).is(',')) {
        bind(*target, i, scan_.size(), false);
      } else {
        binds_any_ = true;
      }
    }
  }
}

void Judge::bind(std::string_view name, std::size_t first, std::size_t last, bool function) {
  Bound& bound = bindings_[std::string(name)];
  bound.functions &= function;
  const bool held = !bound.ranges.empty() && bound.ranges.back().last >= last;
  if (!held) bound.ranges.push_back({first, last});
}

bool Judge::is_bound(std::string_view name, std::size_t at) const {
  const auto found = bindings_.find(name);
  if (found == bindings_.end()) return false;
  const std::vector<Range>& ranges = found->second.ranges;
  const auto behind = std::ranges::upper_bound(ranges, at, {}, &Range::first);
  const auto from = behind - std::min<std::ptrdiff_t>(behind - ranges.begin(), kMostRanges);
  return std::any_of(from, behind, [&](const Range& range) { return at < range.last; });
}

bool Judge::is_own_function(std::string_view name) const {
  if (binds_any_) return false;
  const auto found = bindings_.find(name);
  return found == bindings_.end() || found->second.functions;
}

}  // namespace langsbx::languages::r
