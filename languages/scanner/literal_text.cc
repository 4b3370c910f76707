// Escapes of eight languages, decoded exactly or not at all.
#include "languages/scanner/literal_text.h"

namespace langsbx::languages::scanner {
namespace {

void append_utf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | code >> 6U);
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | code >> 12U);
    out += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | code >> 18U);
    out += static_cast<char>(0x80U | (code >> 12U & 0x3FU));
    out += static_cast<char>(0x80U | (code >> 6U & 0x3FU));
    out += static_cast<char>(0x80U | (code & 0x3FU));
  }
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return 99;
}

// Reads up to `most` digits of `base` at `at`.
std::uint32_t digits(std::string_view text, std::size_t& at, int base, std::size_t most,
                     std::size_t& count) {
  std::uint32_t value = 0;
  count = 0;
  while (count < most && at < text.size() && digit_value(text[at]) < base) {
    value = (value & 0xFFFFFFU) * static_cast<std::uint32_t>(base) +
            static_cast<std::uint32_t>(digit_value(text[at]));
    ++at;
    ++count;
  }
  return value;
}

class Decoder {
 public:
  Decoder(std::string_view body, const Dialect& dialect) : body_(body), dialect_(dialect) {}

  std::optional<std::string> run() {
    std::string out;
    out.reserve(body_.size());
    while (at_ < body_.size()) {
      if (body_[at_] != '\\') {
        out += body_[at_++];
      } else if (!escape(out)) {
        return std::nullopt;
      }
    }
    return out;
  }

 private:
  bool escape(std::string& out) {
    if (skip_line_end()) return true;
    if (++at_ >= body_.size()) return false;
    const char c = body_[at_++];
    static constexpr std::string_view kLetters = "abfnrtv";
    static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v";
    const std::size_t simple = kLetters.find(c);
    if (simple != std::string_view::npos) {
      out += kMeanings[simple];
      return true;
    }
    switch (c) {
      case 'e':
        out += '\x1b';
        return dialect_.preprocessor;
      case 's':
        out += ' ';
        return dialect_.text_blocks;
      case 'x':
        return hexadecimal(out);
      case 'u':
        return unicode(out, 4);
      case 'U':
        return unicode(out, 8);
      default:
        break;
    }
    if (c >= '0' && c <= '7') {
      --at_;
      std::size_t count = 0;
      out += static_cast<char>(digits(body_, at_, 8, 3, count));
      return true;
    }
    const bool punctuation = c == '\\' || c == '\'' || c == '"' || c == '?' || c == '`' || c == '$';
    out += c;
    return punctuation || dialect_.templates;  // JavaScript: \q is q
  }

  // A splice in C, a continuation in JavaScript; Rust also drops the blanks that follow.
  bool skip_line_end() {
    std::size_t next = at_ + 1;
    if (dialect_.preprocessor) {
      while (next < body_.size() && (body_[next] == ' ' || body_[next] == '\t')) ++next;
    }
    if (next < body_.size() && body_[next] == '\r') ++next;
    if (next >= body_.size() || body_[next] != '\n') return false;
    ++next;
    while (dialect_.lifetimes && next < body_.size() &&
           std::string_view(" \t\r\n").find(body_[next]) != std::string_view::npos) {
      ++next;
    }
    at_ = next;
    return true;
  }

  bool hexadecimal(std::string& out) {
    std::size_t count = 0;
    const std::uint32_t value = digits(body_, at_, 16, dialect_.preprocessor ? 64 : 2, count);
    if (dialect_.templates) {
      append_utf8(out, value);
    } else {
      out += static_cast<char>(value);
    }
    return count > 0;
  }

  bool unicode(std::string& out, std::size_t length) {
    std::size_t count = 0;
    std::uint32_t value = 0;
    if (at_ < body_.size() && body_[at_] == '{') {
      std::string plain;
      for (++at_; at_ < body_.size() && body_[at_] != '}'; ++at_) {
        if (body_[at_] != '_') plain += body_[at_];
      }
      if (at_ >= body_.size()) return false;
      ++at_;
      std::size_t from = 0;
      value = digits(plain, from, 16, 8, count);
      if (from != plain.size()) return false;
    } else {
      while (dialect_.text_blocks && at_ < body_.size() && body_[at_] == 'u') ++at_;
      value = digits(body_, at_, 16, length, count);
      if (count != length) return false;
    }
    if (value > 0x10FFFF) return false;
    append_utf8(out, value);
    return count > 0;
  }

  std::string_view body_;
  const Dialect& dialect_;
  std::size_t at_ = 0;
};

std::string without_carriage_returns(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != '\r') out += c;
  }
  return out;
}

}  // namespace

std::optional<std::string> literal_text(const Scan& scan, const Token& token,
                                        const Dialect& dialect) {
  const std::string_view text = scan.text(token);
  switch (token.kind) {
    case TokenKind::kHeaderName:
      return std::string(text.substr(1, text.size() - 2));
    case TokenKind::kRawString: {
      if (text.front() == '`') return without_carriage_returns(text.substr(1, text.size() - 2));
      if (dialect.backtick_names) {  // r"--(...)--"
        const std::size_t open = text.find_first_of("([{");
        return std::string(text.substr(open + 1, text.size() - 2 * open - 1));
      }
      const std::size_t first = text.find('"');
      const std::size_t last = text.rfind('"');
      if (last <= first) return std::nullopt;
      std::string_view body = text.substr(first + 1, last - first - 1);
      if (!dialect.cpp) return std::string(body);
      const std::size_t open = body.find('(');  // delimiter( ... )delimiter
      if (open == std::string_view::npos || body.size() < 2 * open + 2) return std::nullopt;
      return std::string(body.substr(open + 1, body.size() - 2 * open - 2));
    }
    case TokenKind::kTextBlock:
      return Decoder(text.substr(3, text.size() - 6), dialect).run();
    case TokenKind::kTemplate: {
      const std::size_t tail = text.ends_with("${") ? 2 : 1;
      if (text.size() < 1 + tail) return std::nullopt;
      return Decoder(text.substr(1, text.size() - 1 - tail), dialect).run();
    }
    case TokenKind::kString:
    case TokenKind::kChar: {
      const std::size_t first = text.find_first_of("\"'");
      const std::string_view body = text.substr(first + 1, text.size() - first - 2);
      if (!token.has(kEscaped)) return std::string(body);
      return Decoder(body, dialect).run();
    }
    default:
      return std::nullopt;
  }
}

std::string_view plain_name(std::string_view name) {
  return name.starts_with("r#") ? name.substr(2) : name;
}

}  // namespace langsbx::languages::scanner
