// The part of GVariant's text format that properties of units are written in.
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>

#include "runtime/cgroup/systemd/quote.h"
#include "runtime/cgroup/systemd/unit.h"
#include "runtime/cgroup/text.h"

namespace langsbx::cgroup::systemd {
namespace {

struct NumberType {
  std::string_view signature;
  std::string_view keyword;
  std::int64_t least;
  std::uint64_t most;
};

constexpr NumberType kNumbers[] = {
    {"i", "int32", std::numeric_limits<std::int32_t>::min(),
     std::numeric_limits<std::int32_t>::max()},
    {"u", "uint32", 0, std::numeric_limits<std::uint32_t>::max()},
    {"x", "int64", std::numeric_limits<std::int64_t>::min(),
     std::numeric_limits<std::int64_t>::max()},
    {"t", "uint64", 0, std::numeric_limits<std::uint64_t>::max()},
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), rest_(text) {}

  Result<std::string> value(std::string_view signature) {
    skip_spaces();
    auto json = signature == "as" ? list() : single(signature);
    skip_spaces();
    if (json.ok() && !rest_.empty()) return bad();
    return json;
  }

 private:
  Error bad() const {
    return make_error(ErrorKind::kInvalidInput,
                      "\"" + std::string(text_) + "\" is not a value of the property's type");
  }

  void skip_spaces() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
      rest_.remove_prefix(1);
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip_spaces();
    return true;
  }

  Result<std::string> single(std::string_view signature) {
    if (signature == "s") {
      take("@s ");
      const std::string text = TRY(string());
      return quote(text);
    }
    if (signature == "b") {
      take("boolean ");
      if (take("true")) return std::string("true");
      if (take("false")) return std::string("false");
      return bad();
    }
    if (signature == "d") return real();
    for (const auto& type : kNumbers) {
      if (type.signature == signature) return number(type);
    }
    return bad();
  }

  Result<std::string> number(const NumberType& type) {
    if (take(std::string(type.keyword) + " ") ||
        take("@" + std::string(signature_of(type)) + " ")) {
      skip_spaces();
    }
    const char* const end = rest_.data() + rest_.size();
    std::string json;
    const char* stopped = nullptr;
    if (rest_.starts_with('-')) {
      std::int64_t value = 0;
      const auto parsed = std::from_chars(rest_.data(), end, value);
      if (parsed.ec != std::errc() || value < type.least) return bad();
      json = std::to_string(value);
      stopped = parsed.ptr;
    } else {
      const bool hex = rest_.starts_with("0x");
      std::uint64_t value = 0;
      const auto parsed = std::from_chars(rest_.data() + (hex ? 2 : 0), end, value, hex ? 16 : 10);
      if (parsed.ec != std::errc() || value > type.most) return bad();
      json = std::to_string(value);
      stopped = parsed.ptr;
    }
    rest_.remove_prefix(static_cast<std::size_t>(stopped - rest_.data()));
    return json;
  }

  static std::string_view signature_of(const NumberType& type) { return type.signature; }

  Result<std::string> real() {
    take("double ");
    double value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) return bad();
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    // Not as it was written: JSON knows no ".5" and no "007".
    char json[32];
    return std::string(json, std::to_chars(std::begin(json), std::end(json), value).ptr);
  }

  Result<std::string> string() {
    if (rest_.empty() || (rest_.front() != '\'' && rest_.front() != '"')) return bad();
    const char quote_mark = rest_.front();
    rest_.remove_prefix(1);
    std::string value;
    while (!rest_.empty() && rest_.front() != quote_mark) {
      char letter = rest_.front();
      rest_.remove_prefix(1);
      if (letter == '\\') {
        if (rest_.empty()) return bad();
        letter = rest_.front();
        rest_.remove_prefix(1);
        if (letter == 'n') letter = '\n';
        if (letter == 't') letter = '\t';
      }
      if (letter == '\0') return bad();
      value.push_back(letter);
    }
    if (rest_.empty()) return bad();
    rest_.remove_prefix(1);
    skip_spaces();
    return value;
  }

  Result<std::string> list() {
    take("@as ");
    if (!take("[")) return bad();
    std::string json = "[";
    while (!take("]")) {
      if (json.size() > 1) {
        if (!take(",")) return bad();
        json.push_back(',');
      }
      json += quote(TRY(string()));
    }
    return json + "]";
  }

  std::string_view text_;
  std::string_view rest_;
};

}  // namespace

Result<std::string> parse_gvariant(std::string_view text, std::string_view signature) {
  return Reader(text).value(signature);
}

}  // namespace langsbx::cgroup::systemd
