// Reads an expression as Python would and puts together what its literals yield.
#include "languages/python/folded.h"

#include <charconv>

namespace langsbx::languages::python {
namespace {

std::optional<std::int64_t> number_of(std::string_view text) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') base = 16;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'o') base = 8;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'b') base = 2;
  if (base != 10) text.remove_prefix(2);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Texts of the library that hold a separator, and those of the separator itself.
MaybeFolded library_text(std::string_view module, std::string_view member) {
  static constexpr std::string_view kMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  static const std::string kAlphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (module == "string") {
    if (member == "punctuation") return Folded::of_text(std::string(kMarks));
    if (member == "ascii_letters") return Folded::of_text(kAlphabet);
    if (member == "digits") return Folded::of_text("0123456789");
    if (member == "printable") {
      return Folded::of_text("0123456789" + kAlphabet + std::string(kMarks) + " \t\n\r\v\f");
    }
    return std::nullopt;
  }
  if (module != "os" && module != "path" && module != "posixpath") return std::nullopt;
  if (member == "sep") return Folded::of_text("/");
  if (member == "curdir") return Folded::of_text(".");
  if (member == "pardir") return Folded::of_text("..");
  return std::nullopt;
}

MaybeFolded times(const Folded& left, const Folded& right) {
  const Folded& value = left.is_number() ? right : left;
  const Folded& count = left.is_number() ? left : right;
  if (!count.is_number() || !value.is_text() || !value.whole) return std::nullopt;
  const auto often = static_cast<std::size_t>(std::max<std::int64_t>(count.number, 0));
  if (often > Folder::kMostText || value.text.size() * often > Folder::kMostText) {
    return std::nullopt;
  }
  std::string text;
  for (std::size_t n = 0; n < often; ++n) text += value.text;
  return Folded::of_text(std::move(text));
}

// "%s/%s" % (a, b)
MaybeFolded filled(const Folded& left, const Folded& right) {
  if (!left.is_text() || !left.whole) return std::nullopt;
  const std::vector<Folded> values =
      right.kind == Folded::Kind::kList ? right.items : std::vector<Folded>{right};
  std::string text;
  std::size_t used = 0;
  for (std::size_t i = 0; i < left.text.size(); ++i) {
    const char c = left.text[i];
    if (c != '%' || i + 1 == left.text.size()) {
      text += c;
      continue;
    }
    const char kind = left.text[++i];
    if (kind == '%') {
      text += '%';
      continue;
    }
    if (used == values.size()) return std::nullopt;
    const Folded& value = values[used++];
    if (!value.whole) return std::nullopt;
    if (kind == 'c' && value.is_number()) {
      const MaybeFolded letter = fold_call("chr", {value});
      if (!letter) return std::nullopt;
      text += letter->text;
    } else if (kind == 's' || kind == 'd' || kind == 'c') {
      text += value.is_number() ? std::to_string(value.number) : value.text;
    } else {
      return std::nullopt;
    }
  }
  return Folded::of_text(std::move(text));
}

MaybeFolded added(Folded left, const Folded& right) {
  if (left.is_number() && right.is_number()) return Folded::of_number(left.number + right.number);
  if (left.kind != right.kind || left.is_number()) return std::nullopt;
  if (!left.whole) return left;
  if (left.text.size() + right.text.size() > Folder::kMostText) return std::nullopt;
  left.text += right.text;
  left.whole = right.whole;
  left.items.insert(left.items.end(), right.items.begin(), right.items.end());
  return left;
}

}  // namespace

MaybeFolded Folder::fold(std::uint32_t begin, std::uint32_t end) {
  if (++depth_ > kMostDepth) {
    --depth_;
    return std::nullopt;
  }
  const std::uint32_t back = std::exchange(at_, begin);
  MaybeFolded value = begin < end ? sum(end) : std::nullopt;
  if (value && at_ != end) value.reset();
  at_ = back;
  --depth_;
  if (steps_ > kMostSteps || (value && value->text.size() > kMostText)) return std::nullopt;
  return value;
}

MaybeFolded Folder::sum(std::uint32_t end) {
  MaybeFolded left = product(end);
  while (left && at_ < end && (is_op(at_, '+') || is_op(at_, '-'))) {
    const bool minus = is_op(at_++, '-');
    const std::uint32_t start = at_;
    MaybeFolded right = product(end);
    if (minus && right && right->is_number()) right->number = -right->number;
    if (minus && right && !right->is_number()) return std::nullopt;
    if (!right && left->is_text() && !left->text.empty()) {
      left->whole = false;  // known so far
      at_ = end;
      return left;
    }
    if (!right || at_ <= start) return std::nullopt;
    left = counted(added(std::move(*left), *right));
  }
  return left;
}

MaybeFolded Folder::product(std::uint32_t end) {
  MaybeFolded left = unary(end);
  while (left && at_ < end && (is_op(at_, '*') || is_op(at_, '%') || is_op(at_, '/'))) {
    const char op = static_cast<char>(tokens_[at_++].op);
    const MaybeFolded right = unary(end);
    if (op == '/' && left->is_text() && !right) {
      left->whole = false;
      at_ = end;
      return left;
    }
    if (!right) return std::nullopt;
    if (op == '*') left = counted(times(*left, *right));
    if (op == '%') left = counted(filled(*left, *right));
    if (op == '/') left = counted(fold_call("join", {*left, *right}));
  }
  return left;
}

MaybeFolded Folder::unary(std::uint32_t end) {
  if (++steps_ > kMostSteps || at_ >= end) return std::nullopt;
  if (!is_op(at_, '-')) return postfix(end);
  ++at_;
  MaybeFolded value = postfix(end);
  if (!value || !value->is_number()) return std::nullopt;
  value->number = -value->number;
  return value;
}

// What a value costs: its length counts as steps.
MaybeFolded Folder::counted(MaybeFolded value) {
  if (value) steps_ += value->text.size() / 16 + value->items.size();
  return steps_ > kMostSteps ? std::nullopt : std::move(value);
}

MaybeFolded Folder::postfix(std::uint32_t end) {
  MaybeFolded value = counted(atom(end));
  while (value && at_ < end) {
    if (is_open(at_, '[')) {
      value = counted(subscript(*value));
    } else if (is_op(at_, '.')) {
      value = counted(member(std::move(*value), end));
    } else {
      break;
    }
  }
  return value;
}

// value[i], value[a:b:c]
MaybeFolded Folder::subscript(const Folded& value) {
  const std::uint32_t close = tokens_[at_].link;
  std::optional<std::int64_t> parts[3];
  std::size_t part = 0;
  std::uint32_t begin = at_ + 1;
  for (std::uint32_t i = begin; i <= close; ++i, ++steps_) {
    if (tokens_[i].kind == TokenKind::kOpen && tokens_[i].link < close) i = tokens_[i].link;
    if (i != close && !is_op(i, ':')) continue;
    if (i > begin) {
      const MaybeFolded number = fold(begin, i);
      if (!number || !number->is_number() || part > 2) return std::nullopt;
      parts[part] = number->number;
    }
    if (i != close) ++part;
    begin = i + 1;
  }
  at_ = close + 1;
  if (!value.whole || part > 2) return std::nullopt;
  if (part > 0) return fold_slice(value, parts);
  return parts[0] ? fold_index(value, *parts[0]) : std::nullopt;
}

// .method(arguments)
MaybeFolded Folder::member(Folded value, std::uint32_t end) {
  if (at_ + 2 >= end || !is_open(at_ + 2, '(')) return std::nullopt;
  const std::string_view method = text(at_ + 1);
  const std::uint32_t close = tokens_[at_ + 2].link;
  const auto arguments = list(at_ + 3, close);
  at_ = close + 1;
  if (!arguments || !value.whole) return std::nullopt;
  return fold_method(value, method, *arguments);
}

MaybeFolded Folder::atom(std::uint32_t end) {
  const Token& token = tokens_[at_];
  if (token.kind == TokenKind::kString) {
    std::string value;
    for (; at_ < end && tokens_[at_].kind == TokenKind::kString; ++at_, ++steps_) {
      value += reader_.literal(at_);
      if (value.size() > kMostText) return std::nullopt;
    }
    return Folded::of_text(std::move(value));
  }
  if (token.kind == TokenKind::kNumber) {
    const auto number = number_of(text(at_++));
    return number ? MaybeFolded(Folded::of_number(*number)) : std::nullopt;
  }
  if (token.kind == TokenKind::kFString) return formatted(at_);
  if (token.kind == TokenKind::kOpen && token.link < end) {
    return is_open(at_, '{') ? table(at_) : display(at_);
  }
  return token.kind == TokenKind::kName ? name(end) : std::nullopt;
}

// A name, a dotted name, a call of one.
MaybeFolded Folder::name(std::uint32_t end) {
  const std::uint32_t first = at_;
  for (auto it = loop_names_.rbegin(); it != loop_names_.rend(); ++it) {
    if (it->first != text(first)) continue;
    ++at_;
    return it->second;
  }
  std::uint32_t last = first;
  while (last + 2 < end && is_op(last + 1, '.') && tokens_[last + 2].kind == TokenKind::kName) {
    if (const MaybeFolded known = library_text(text(last), text(last + 2))) {
      at_ = last + 3;
      return known;
    }
    last += 2;
    ++steps_;
  }
  if (last + 1 < end && is_open(last + 1, '(') && tokens_[last + 1].link < end) {
    const std::uint32_t open = last + 1;
    const std::uint32_t close = tokens_[open].link;
    const bool map = first == last && text(first) == "map";
    const auto arguments = map ? std::nullopt : list(open + 1, close);
    if (map || arguments) {
      at_ = close + 1;
      MaybeFolded value = map ? mapped(open) : fold_call(text(last), *arguments);
      if (value) return value;
    }
  }
  // A name's own text, whose method is called perhaps.
  at_ = first + 1;
  const std::vector<std::string> values = reader_.name(first);
  choices_ = std::max(choices_, values.size());
  if (values.empty()) return std::nullopt;
  return Folded::of_text(values[choice_ % values.size()]);
}

// f"{a}/{b}"
MaybeFolded Folder::formatted(std::uint32_t open) {
  const std::uint32_t close = tokens_[open].link;
  Folded value;
  at_ = close + 1;
  for (std::uint32_t i = open + 1; i < close; ++i) {
    if (++steps_ > kMostSteps) return std::nullopt;
    if (tokens_[i].kind == TokenKind::kFText) {
      value.text += text(i);
      continue;
    }
    const bool field = tokens_[i].kind == TokenKind::kOpen && tokens_[i].link < close;
    const MaybeFolded inner = field ? fold(i + 1, tokens_[i].link) : std::nullopt;
    if (!inner || inner->kind == Folded::Kind::kList || !inner->whole) {
      value.whole = false;
      break;
    }
    value.text += inner->is_number() ? std::to_string(inner->number) : inner->text;
    i = tokens_[i].link;
  }
  if (!value.whole && value.text.empty()) return std::nullopt;
  return value;
}

}  // namespace langsbx::languages::python
