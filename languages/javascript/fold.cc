// Constant folding over tokens: a small recursive descent with a budget.
#include "languages/javascript/fold.h"

#include <charconv>
#include <utility>

#include "languages/javascript/text_methods.h"

namespace langsbx::languages::javascript {
namespace {

constexpr int kMostSteps = 200;
constexpr int kDeepest = 24;

Value exact(std::string text) {
  Value value;
  value.kind = Value::Kind::kText;
  value.text = std::move(text);
  return value;
}

Value unknown(bool from_literals) {
  Value value;
  value.from_literals = from_literals;
  return value;
}

// require('path').join( from `at`.
bool joins_required_path(const Code& code, Index at) {
  return code.is(at + 1, '(') && code.text(at + 2).find("path") != std::string_view::npos &&
         code.is(at + 4, '.') && code.is(at + 6, '(') &&
         (code.is(at + 5, std::string_view("join")) ||
          code.is(at + 5, std::string_view("resolve")));
}

// Text `left` followed by text `right`, either of which may be known in part.
Value concat(Value left, const Value& right) {
  const bool literals = left.from_literals && right.from_literals;
  if (left.exact() && right.exact()) {
    left.text += right.text;
    left.from_literals = literals;
    return left;
  }
  Value value;
  value.kind = Value::Kind::kPartial;
  value.from_literals = literals;
  if (left.kind == Value::Kind::kText || left.kind == Value::Kind::kPartial) value.text = left.text;
  if (right.kind == Value::Kind::kText) {
    value.tail = (left.kind == Value::Kind::kPartial ? left.tail : "") + right.text;
  } else if (right.kind == Value::Kind::kPartial) {
    value.tail = right.tail;
    if (left.exact()) value.text += right.text;
  }
  return value;
}

}  // namespace

std::vector<Value> Folder::possible(Index begin) {
  if (code_.is_identifier(begin)) {
    const auto found = variables_.find(code_.text(begin));
    const Token& next = code_.at(begin + 1);
    if (found != variables_.end() && found->second.size() > 1 &&
        (next.is(']') || next.is(')') || next.is(',') || next.is(';'))) {
      std::vector<Value> values;
      Value together = exact({});  // text that is added bit by bit: k = 'a'; k += 'b';
      for (const Index initial : found->second) {
        values.push_back(fold(initial));
        together = concat(std::move(together), values.back());
        if (values.size() == 16) break;
      }
      values.push_back(std::move(together));
      position_ = begin + 1;
      return values;
    }
  }
  return {fold(begin)};
}

Value Folder::fold(Index begin) {
  position_ = begin;
  depth_ = 0;
  if (exhausted()) return unknown(false);
  budget_ = kMostSteps;
  Value value = sum();
  total_ -= kMostSteps - budget_ + 1;
  return value;
}

bool Folder::ends_here() const {
  const Token& token = code_.at(position_);
  if (token.kind == TokenKind::kEnd) return true;
  if (token.kind == TokenKind::kTemplate) return code_.text(position_).front() == '}';
  if (token.kind == TokenKind::kIdentifier) return token.has(scanner::kNewlineBefore);
  return token.is(',') || token.is(';') || token.is(')') || token.is(']') || token.is('}');
}

void Folder::skip_rest() {
  while (!ends_here() && budget_-- > 0) {
    const Index next = code_.partner(position_);
    position_ = next != kNoIndex && next > position_ ? next + 1 : position_ + 1;
  }
}

Value Folder::sum() {
  if (++depth_ > kDeepest || budget_ <= 0) {
    --depth_;
    return unknown(false);
  }
  Value value = primary();
  while (code_.is(position_, '+') && budget_-- > 0) {
    ++position_;
    value = concat(std::move(value), primary());
  }
  --depth_;
  if (ends_here()) return value;
  if (code_.is(position_, std::string_view("as")) ||
      code_.is(position_, std::string_view("satisfies"))) {  // TypeScript: no value of its own
    skip_rest();
    return value;
  }
  skip_rest();
  return unknown(false);
}

Value Folder::primary() {
  --budget_;
  const Token& token = code_.at(position_);
  Value value = unknown(false);
  if (token.kind == TokenKind::kString) {
    value = exact(decode_literal(code_.text(position_++)));
  } else if (token.kind == TokenKind::kTemplate) {
    value = template_text();
  } else if (token.kind == TokenKind::kNumber) {
    value = exact(std::string(code_.text(position_++)));
  } else if (token.is('<') && code_.typescript() && code_.is(position_ + 2, '>')) {
    position_ += 3;  // <string>"text"
    return primary();
  } else if (token.is('(')) {
    const Index close = code_.after(position_++);
    value = sum();
    if (position_ + 1 != close) value = unknown(false);
    position_ = close;
  } else if (token.is('[')) {
    value = array();
  } else if (token.kind == TokenKind::kIdentifier) {
    value = name();
  } else if (!ends_here()) {
    ++position_;
  }
  return postfix(std::move(value));
}

Value Folder::template_text() {
  std::string text = decode_literal(code_.text(position_));
  const bool whole = code_.is_whole_template(position_);
  if (!whole && !text.empty()) text.pop_back();  // "${" counts as two: quotes took one
  Value value = exact(std::move(text));
  if (whole) {
    ++position_;
    return value;
  }
  while (budget_-- > 0) {
    const Index close = code_.partner(position_);
    if (close == kNoIndex) return unknown(false);
    ++position_;
    value = concat(std::move(value), sum());
    position_ = close;
    const bool last = !scanner::opens_bracket(code_.at(close));
    std::string piece = decode_literal(code_.text(close));
    if (!last && !piece.empty()) piece.pop_back();
    value = concat(std::move(value), exact(std::move(piece)));
    if (last) {
      ++position_;
      return value;
    }
  }
  return unknown(false);
}

Value Folder::array() {
  const Index close = code_.after(position_++);
  Value list;
  list.kind = Value::Kind::kList;
  while (position_ + 1 < close && budget_ > 0) {
    const Value item = sum();
    list.from_literals &= item.from_literals;
    if (!item.exact()) list.kind = Value::Kind::kUnknown;
    list.items.push_back(item.text);
    if (!code_.is(position_, ',')) break;
    ++position_;
  }
  if (position_ + 1 != close) list = unknown(false);
  position_ = close;
  return list;
}

std::vector<Value> Folder::arguments() {  // at the opening parenthesis
  const Index close = code_.after(position_++);
  std::vector<Value> values;
  while (position_ + 1 < close && budget_ > 0) {
    values.push_back(sum());
    if (!code_.is(position_, ',')) break;
    ++position_;
  }
  if (position_ + 1 != close) values.push_back(unknown(false));
  position_ = close;
  return values;
}

Value Folder::postfix(Value value) {
  while (budget_-- > 0) {
    if (code_.is(position_, '.') || code_.is(position_, scanner::kOptionalChain)) {
      const std::string_view member = code_.text(position_ + 1);
      position_ += 2;
      if (!code_.is(position_, '(')) {
        value = unknown(false);
        continue;
      }
      const std::vector<Value> parameters = arguments();
      value = apply_method(value, member, parameters);
    } else if (code_.is(position_, '(') || code_.is(position_, '[')) {
      position_ = code_.after(position_);
      value = unknown(false);
    } else if (code_.is(position_, '!') && code_.typescript()) {
      ++position_;
    } else {
      return value;
    }
  }
  return unknown(false);
}

Value Folder::name() {
  const std::string_view text = code_.text(position_);
  if (text == "__dirname") return ++position_, exact(".");
  if (text == "new" || text == "await" || text == "typeof") {
    const bool url = text == "new" && code_.is(position_ + 1, std::string_view("URL"));
    if (!url) return ++position_, primary();
    position_ += 2;
    if (!code_.is(position_, '(')) return unknown(false);
    const std::vector<Value> parameters = arguments();
    return parameters.empty() ? unknown(false) : parameters[0];
  }
  if (code_.is(position_ + 1, '(') || code_.is(position_ + 1, '.')) {
    return call_of_name(text);
  }
  const auto found = variables_.find(text);
  ++position_;
  if (found == variables_.end() || found->second.size() != 1 || depth_ > kDeepest) {
    return unknown(false);
  }
  return text_at(found->second.front());
}

// What stands elsewhere in the source.
Value Folder::text_at(Index index) {
  const Index back = std::exchange(position_, index);
  Value value = sum();
  position_ = back;
  return value;
}

// object.member, Enum.MEMBER, where the source gives that member one text.
Value Folder::member_text(std::string_view member) {
  if (!members_) {
    members_.emplace();
    for (const Index i : code_.scan().marks) {
      if (code_.at(i).kind != TokenKind::kString || i < 2) continue;
      const bool given = code_.is(i - 1, ':') || code_.is(i - 1, '=');
      if (!given || !code_.is_identifier(i - 2)) continue;
      const auto [found, fresh] = members_->emplace(code_.text(i - 2), i);
      if (!fresh) found->second = kNoIndex;
    }
  }
  position_ += 3;
  const auto found = members_->find(member);
  if (found == members_->end() || found->second == kNoIndex) return unknown(false);
  return text_at(found->second);
}

Value Folder::call_of_name(std::string_view name) {
  if (name == "require" && joins_required_path(code_, position_)) {
    position_ += 6;
    return join_paths();
  }
  if (code_.is(position_ + 1, '.')) {
    const std::string_view member = code_.text(position_ + 2);
    const bool codes = name == "String" && (member == "fromCharCode" || member == "fromCodePoint");
    const bool buffer = name == "Buffer" && member == "from";
    const bool path = member == "join" || member == "resolve" || member == "normalize";
    const bool directory =
        (name == "process" && member == "cwd") ||
        (name == "import" && code_.is(position_ + 4, std::string_view("dirname")));
    if (directory) return position_ += name == "process" ? 5 : 5, exact(".");
    if (!(codes || buffer || (path && name == "path")) || !code_.is(position_ + 3, '(')) {
      if (name == "path" && member == "sep") return position_ += 3, exact("/");
      const bool member_only = !code_.is(position_ + 3, '(') && !code_.is(position_ + 3, '.');
      if (member_only) return member_text(member);
      ++position_;
      const auto found = variables_.find(name);
      if (found == variables_.end() || found->second.size() != 1) return unknown(false);
      return text_at(found->second.front());
    }
    position_ += 3;
    if (path) return join_paths();
    const std::vector<Value> parameters = arguments();
    std::string out;
    for (const Value& parameter : parameters) {
      if (!parameter.exact()) return unknown(parameter.from_literals);
      if (buffer) break;
      std::uint32_t point = 0;
      const std::string& digits = parameter.text;
      const bool hex = digits.starts_with("0x");
      std::from_chars(digits.data() + (hex ? 2 : 0), digits.data() + digits.size(), point,
                      hex ? 16 : 10);
      out.push_back(static_cast<char>(point & 0x7FU));
    }
    if (!buffer) return exact(std::move(out));
    if (parameters.empty()) return unknown(true);
    const std::string_view encoding =
        parameters.size() > 1 ? std::string_view(parameters[1].text) : std::string_view();
    if (encoding.starts_with("base64")) return exact(decode_base64(parameters[0].text));
    return exact(encoding == "hex" ? decode_hex(parameters[0].text) : parameters[0].text);
  }
  ++position_;
  const std::vector<Value> parameters = arguments();
  if (parameters.empty() || !parameters[0].exact()) return unknown(false);
  if (name == "atob") return exact(decode_base64(parameters[0].text));
  if (name == "String") return parameters[0];
  if (name == "unescape" || name == "decodeURIComponent" || name == "decodeURI") {
    return exact(decode_percent(parameters[0].text));
  }
  if (name == "join" || name == "resolve") {
    std::vector<std::string> parts;
    for (const Value& parameter : parameters) parts.push_back(parameter.text);
    return parameters.back().exact() ? exact(join_path(parts, name == "resolve")) : unknown(false);
  }
  return unknown(false);
}

Value Folder::join_paths() {
  const std::vector<Value> parameters = arguments();
  std::vector<std::string> parts;
  for (const Value& parameter : parameters) {
    if (!parameter.exact()) {  // what is known before the gap still says where the path starts
      Value value;
      value.kind = Value::Kind::kPartial;
      value.text = join_path(parts, true) + (parts.empty() ? "" : "/");
      value.from_literals = false;
      return value;
    }
    parts.push_back(parameter.text);
  }
  return exact(join_path(parts, true));
}

}  // namespace langsbx::languages::javascript
