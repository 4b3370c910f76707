// Scopes, statement by statement: blocks by indentation, and what binds names.
#include "languages/python/scopes.h"

#include <algorithm>

#include "languages/python/scope_reader.h"

namespace langsbx::languages::python {

Scopes::Scopes(std::string_view bytes, const Scan& scan, std::uint32_t begin, std::uint32_t end)
    : begin_(begin), place_(std::make_unique<std::uint32_t[]>(end - begin)) {
  scopes_.emplace_back();
  ScopeReader(bytes, scan, *this).run(begin, end);
}

ScopeReader::ScopeReader(std::string_view bytes, const Scan& scan, Scopes& out)
    : bytes_(bytes), tokens_(scan.tokens), loops_(scan.loops), out_(out) {}

void ScopeReader::run(std::uint32_t begin, std::uint32_t end) {
  find_comprehensions(begin, end);
  blocks_.push_back({0, 0, false});
  for (std::uint32_t i = begin; i < end && out_.understood_;) {
    if (tokens_[i].kind == TokenKind::kEnd) return;
    i = tokens_[i].kind == TokenKind::kNewline ? i + 1 : line(i);
  }
}

// Of the loops in one bracket the first counts.
void ScopeReader::find_comprehensions(std::uint32_t begin, std::uint32_t end) {
  const auto before = [](const Comprehension& a, std::uint32_t b) { return a.loop < b; };
  comprehensions_.assign(std::lower_bound(loops_.begin(), loops_.end(), begin, before),
                         std::lower_bound(loops_.begin(), loops_.end(), end, before));
  std::sort(comprehensions_.begin(), comprehensions_.end(), [](const auto& a, const auto& b) {
    return a.open != b.open ? a.open < b.open : a.loop < b.loop;
  });
  comprehensions_.erase(std::unique(comprehensions_.begin(), comprehensions_.end(),
                                    [](const auto& a, const auto& b) { return a.open == b.open; }),
                        comprehensions_.end());
}

// Blanks before the first token of a line. Tabs and blanks count alike: where that would make a
// difference, the interpreter refuses the file.
std::uint32_t ScopeReader::column_of(std::uint32_t i) {
  const std::size_t end = tokens_[i].offset;
  const std::size_t begin = i == 0 ? 0 : tokens_[i - 1].offset + tokens_[i - 1].length;
  std::size_t blank = end;
  while (blank > begin && (bytes_[blank - 1] == ' ' || bytes_[blank - 1] == '\t')) --blank;
  // Nearly always nothing but the line's end stands before them.
  if (blank == begin + 1 && bytes_[begin] == '\n') return static_cast<std::uint32_t>(end - blank);
  const std::string_view between = bytes_.substr(begin, end - begin);
  // Behind a spliced line versions differ in what the indentation is.
  for (std::size_t at = between.find('\\'); at != between.npos; at = between.find('\\', at + 1)) {
    const char next = at + 1 < between.size() ? between[at + 1] : '\n';
    if (next == '\n' || next == '\r') return not_understood(), 0;
  }
  return static_cast<std::uint32_t>(end - blank);
}

// Gives the token behind the line's last statement.
std::uint32_t ScopeReader::line(std::uint32_t i) {
  column_ = column_of(i);
  while (blocks_.size() > 1 && (blocks_.back().here || blocks_.back().column >= column_)) {
    blocks_.pop_back();
  }
  scope_ = blocks_.back().scope;
  while (out_.understood_) {
    i = statement(i);
    while (is_op(i, ';')) ++i;
    if (ends_statement(i)) return i;
  }
  return i;
}

// Gives where the next statement of the line begins, or the token that ends this one.
std::uint32_t ScopeReader::statement(std::uint32_t i) {
  if (tokens_[i].kind != TokenKind::kName) return plain_statement(i);
  if (is_name(i, kAsync)) ++i;
  switch (tokens_[i].kind == TokenKind::kName ? tokens_[i].name : std::uint16_t{0}) {
    case kDef:
    case kClass:
      return definition(i);
    case kImport:
    case kFrom:
      return import_names(i);
    case kFor: {
      const std::uint32_t in = loop_in(i + 1);
      targets(i + 1, in, NameRole::kBind);
      return header(i + 1);
    }
    case kIf:
    case kElif:
    case kElse:
    case kWhile:
    case kWith:
    case kTry:
    case kFinally:
      return header(i + 1);
    case kExcept: {
      as_role_ = NameRole::kDelete;
      const std::uint32_t behind = header(i + 1);
      as_role_ = NameRole::kBind;
      return behind;
    }
    case kDel: {
      std::uint32_t end = i + 1;
      while (!ends_statement(end)) {
        end = tokens_[end].kind == TokenKind::kOpen ? tokens_[end].link + 1 : end + 1;
      }
      targets(i + 1, end, NameRole::kDelete);
      return expression(i + 1, false);
    }
    default:
      return is_keyword(i) ? expression(i, false) : plain_statement(i);
  }
}

std::uint32_t ScopeReader::header(std::uint32_t i) {
  const std::uint32_t colon = expression(i, true);
  if (!is_op(colon, ':')) {
    not_understood();
    return colon;
  }
  return colon + 1;
}

// Assignments of every form: what stands before each `=`, and `name:`, `name +=`.
std::uint32_t ScopeReader::plain_statement(std::uint32_t i) {
  if (is_variable(i) && (is_op(i + 1, ':') || is_op(i + 1, kOpAugmented))) {
    mark(i, scope_, NameRole::kBind);
  }
  std::uint32_t begin = i;
  for (std::uint32_t k = i; !ends_statement(k) && !is_name(k, kLambda);) {
    if (is_op(k, '=')) {
      targets(begin, k, NameRole::kBind);
      begin = k + 1;
    }
    k = tokens_[k].kind == TokenKind::kOpen ? tokens_[k].link + 1 : k + 1;
  }
  return expression(i, false);
}

// Marks the names that are given a value in [begin, end), the target of an assignment or loop.
void ScopeReader::targets(std::uint32_t begin, std::uint32_t end, NameRole role) {
  for (std::uint32_t k = begin; k < end; ++k) {
    const Token& last = tokens_[k == begin ? k : k - 1];
    if (tokens_[k].kind == TokenKind::kOpen) {
      const bool value =
          k > begin && (is_variable(k - 1) || last.kind == TokenKind::kClose ||
                        last.kind == TokenKind::kString || last.kind == TokenKind::kFEnd);
      const bool display = !value && !is_open(k, '{') && !is_trailer(tokens_[k].link + 1);
      if (!display) k = tokens_[k].link;
      continue;
    }
    if (is_op(k, ':')) return;
    if (!is_variable(k)) continue;
    const bool starts =
        k == begin || last.kind == TokenKind::kOpen || is_op(k - 1, ',') || is_op(k - 1, '*');
    const bool ends = k + 1 == end || is_op(k + 1, ',') || is_op(k + 1, ':') ||
                      tokens_[k + 1].kind == TokenKind::kClose;
    if (starts && ends) mark(k, scope_, role);
  }
}

// The `in` of a loop whose targets begin at i.
std::uint32_t ScopeReader::loop_in(std::uint32_t i) const {
  while (!is_name(i, kIn) && !ends_statement(i) && tokens_[i].kind != TokenKind::kClose) {
    i = tokens_[i].kind == TokenKind::kOpen ? tokens_[i].link + 1 : i + 1;
  }
  return i;
}

std::uint32_t ScopeReader::definition(std::uint32_t i) {
  const bool function = is_name(i, kDef);
  if (!is_variable(i + 1)) {
    not_understood();
    return i;
  }
  mark(i + 1, scope_, NameRole::kBind);
  std::uint32_t open = i + 2;
  if (is_open(open, '[')) {
    type_parameters(open);
    open = tokens_[open].link + 1;
  }
  const std::uint32_t own = make_scope(function ? ScopeKind::kFunction : ScopeKind::kClass, i + 1);
  if (function) {
    if (!is_open(open, '(')) not_understood();
    parameters_ = open;
    function_ = own;
  }
  const std::uint32_t colon = expression(i + 2, true);
  if (!is_op(colon, ':')) not_understood();
  blocks_.push_back({own, column_, tokens_[colon + 1].kind != TokenKind::kNewline});
  scope_ = own;
  return colon + 1;
}

void ScopeReader::type_parameters(std::uint32_t open) {
  for (std::uint32_t k = open + 1; k < tokens_[open].link; ++k) {
    if (is_variable(k)) {
      out_.hazy_.insert(bytes_.substr(tokens_[k].offset, tokens_[k].length));
    }
  }
}

// `import a.b as c, d`, `from .a import (b as c, d)`.
std::uint32_t ScopeReader::import_names(std::uint32_t i) {
  bool names = is_name(i, kImport);  // what follows binds; before `from`'s `import` nothing does
  const bool from = !names;
  for (++i; !ends_statement(i); ++i) {
    if (is_name(i, kImport)) names = true;
    if (!is_variable(i)) continue;
    if (is_name(i - 1, kAs)) {
      mark(i, scope_, NameRole::kImport);
      continue;
    }
    std::uint32_t last = i;
    while (!from && is_op(last + 1, '.') && is_variable(last + 2)) last += 2;
    const bool renamed = is_name(last + 1, kAs);
    mark(i, scope_,
         names && !renamed && !is_op(i - 1, '.') ? NameRole::kImport : NameRole::kMember);
    for (; i < last; i += 2) mark(i + 2, scope_, NameRole::kMember);
  }
  return i;
}

}  // namespace langsbx::languages::python
