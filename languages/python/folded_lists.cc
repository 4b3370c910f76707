// Lists of what is folded: arguments, displays, tables, comprehensions.
#include "languages/python/folded.h"

namespace langsbx::languages::python {

// map(chr, [47, 101])
MaybeFolded Folder::mapped(std::uint32_t open) {
  const std::uint32_t close = tokens_[open].link;
  if (tokens_[open + 1].kind != TokenKind::kName || !is_op(open + 2, ',')) return std::nullopt;
  const MaybeFolded over = fold(open + 3, close);
  const auto items = over ? fold_items(*over) : std::nullopt;
  if (!items) return std::nullopt;
  std::vector<Folded> values;
  for (const Folded& item : *items) {
    MaybeFolded value = fold_call(text(open + 1), {item});
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return Folded::of_list(std::move(values));
}

// The end of the item that begins here: a comma, or the end of all.
std::uint32_t Folder::item_end(std::uint32_t begin, std::uint32_t end) const {
  std::uint32_t i = begin;
  while (i < end && !is_op(i, ',')) {
    const bool opens =
        tokens_[i].kind == TokenKind::kOpen || tokens_[i].kind == TokenKind::kFString;
    i = opens && tokens_[i].link > i && tokens_[i].link < end ? tokens_[i].link + 1 : i + 1;
  }
  return i;
}

std::optional<std::vector<Folded>> Folder::list(std::uint32_t begin, std::uint32_t end) {
  std::vector<Folded> values;
  for (std::uint32_t i = begin; i < end && steps_ <= kMostSteps;) {
    const std::uint32_t close = item_end(i, end);
    steps_ += close - i + 1;
    for (std::uint32_t loop = i + 1; loop < close; ++loop) {
      if (tokens_[loop].kind == TokenKind::kOpen && tokens_[loop].link < close) {
        loop = tokens_[loop].link;
      } else if (is_word(loop, "for")) {
        const MaybeFolded made = comprehension(i, loop, close);
        if (!made) return std::nullopt;
        return std::vector<Folded>{*made};
      }
    }
    // encoding="ascii" and its kin change nothing of what is looked for.
    const bool keyword = tokens_[i].kind == TokenKind::kName && i + 1 < close && is_op(i + 1, '=');
    MaybeFolded value = keyword ? std::nullopt : fold(i, close);
    if (!value && !keyword) {
      if (values.empty() || steps_ > kMostSteps) return std::nullopt;
      Folded unknown;  // known as far as this
      unknown.whole = false;
      values.push_back(std::move(unknown));
      return values;
    }
    if (value) values.push_back(std::move(*value));
    i = close + 1;
  }
  if (steps_ > kMostSteps) return std::nullopt;
  return values;
}

// ( ... ), [ ... ]: a group, a tuple, a list, a comprehension
MaybeFolded Folder::display(std::uint32_t open) {
  const std::uint32_t close = tokens_[open].link;
  at_ = close + 1;
  if (is_open(open, '(') && item_end(open + 1, close) == close) {
    const std::uint32_t kept = at_;
    MaybeFolded value = fold(open + 1, close);
    at_ = kept;
    if (value) return value;
  }
  auto values = list(open + 1, close);
  if (!values) return std::nullopt;
  const bool made = values->size() == 1 && (*values)[0].kind == Folded::Kind::kList;
  if (made) return (*values)[0];
  return Folded::of_list(std::move(*values));
}

// {47: "x"}
MaybeFolded Folder::table(std::uint32_t open) {
  const std::uint32_t close = tokens_[open].link;
  Folded value;
  value.kind = Folded::Kind::kTable;
  for (std::uint32_t i = open + 1; i < close;) {
    const std::uint32_t end = item_end(i, close);
    std::uint32_t colon = i;
    while (colon < end && !is_op(colon, ':')) {
      const bool opens = tokens_[colon].kind == TokenKind::kOpen && tokens_[colon].link < end;
      colon = opens ? tokens_[colon].link + 1 : colon + 1;
    }
    if (colon >= end || ++steps_ > kMostSteps) return std::nullopt;
    MaybeFolded key = fold(i, colon);
    MaybeFolded held = fold(colon + 1, end);
    if (!key || !held) return std::nullopt;
    value.items.push_back(std::move(*key));
    value.items.push_back(std::move(*held));
    i = end + 1;
  }
  at_ = close + 1;
  return value;
}

// EXPRESSION for NAME in ITEMS
MaybeFolded Folder::comprehension(std::uint32_t begin, std::uint32_t loop, std::uint32_t end) {
  const bool plain =
      loop + 3 < end && tokens_[loop + 1].kind == TokenKind::kName && is_word(loop + 2, "in");
  const MaybeFolded over = plain ? fold(loop + 3, end) : std::nullopt;
  const auto items = over ? fold_items(*over) : std::nullopt;
  if (!items) return std::nullopt;
  std::vector<Folded> values;
  for (const Folded& item : *items) {
    loop_names_.emplace_back(text(loop + 1), item);
    MaybeFolded value = fold(begin, loop);
    loop_names_.pop_back();
    if (!value) return std::nullopt;
    values.push_back(std::move(*value));
  }
  return Folded::of_list(std::move(values));
}

}  // namespace langsbx::languages::python
