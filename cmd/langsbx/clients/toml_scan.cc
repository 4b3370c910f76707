// A scanner of TOML 1.0 statements.
#include "cmd/langsbx/clients/toml_scan.h"

#include <algorithm>
#include <set>

namespace langsbx::clients {
namespace {

constexpr std::string_view kBareKey =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
constexpr std::string_view kBareValue =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+.:";
constexpr std::string_view kBlank = " \t";
constexpr std::size_t kDeepest = 64;

// A basic string's everyday escapes; others are not understood.
constexpr std::string_view kLetters = "\"\\tnr";
constexpr std::string_view kMeant = "\"\\\t\n\r";

bool append_escape(char letter, std::string& out) {
  const auto index = kLetters.find(letter);
  if (index == std::string_view::npos) return false;
  out += kMeant[index];
  return true;
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Result<std::vector<TomlStatement>> run() {
    std::vector<TomlStatement> statements;
    TomlPath table;
    if (text_.starts_with("\xef\xbb\xbf"))
      return make_error(ErrorKind::kInvalidInput,
                        "begins with a byte order mark; save it without one");
    while (true) {
      skip_between();
      if (at_ == text_.size()) return statements;
      TomlStatement statement = TRY(next() == '[' ? header() : assignment(table));
      if (statement.kind != TomlStatement::Kind::kValue) table = statement.path;
      if (repeats(statement))
        return at_line(statement.begin, "\"" + statement.path.back() + "\" stands there twice");
      statements.push_back(std::move(statement));
    }
  }

  // One string; nothing when none stands here.
  std::optional<std::string> string() {
    const char quote = next();
    if (quote != '"' && quote != '\'') return std::nullopt;
    const std::string three(3, quote);
    const bool long_form = text_.substr(at_, 3) == three;
    at_ += long_form ? 3 : 1;
    if (long_form) skip_first_line_end();
    std::string out;
    while (at_ < text_.size()) {
      if (long_form ? text_.substr(at_, 3) == three : next() == quote) {
        at_ += long_form ? 3 : 1;
        // Up to two quotes may stand before the closing three.
        for (int more = 0; long_form && more < 2 && next() == quote; ++more) {
          out += quote;
          ++at_;
        }
        return out;
      }
      if (next() == '\n' && !long_form) return std::nullopt;
      if (next() == '\\' && quote == '"') {
        ++at_;
        if (at_ == text_.size() || !append_escape(next(), out)) plain_ = false;
      } else {
        plain_ = plain_ && may_stand_in_string(next(), long_form);
        out += next();
      }
      ++at_;
    }
    return std::nullopt;
  }

  std::optional<std::vector<std::string>> strings() {
    std::vector<std::string> found;
    if (next() != '[') {
      auto one = string();
      if (!one || !plain_ || at_ != text_.size()) return std::nullopt;
      found.push_back(std::move(*one));
      return found;
    }
    ++at_;
    for (skip_between(); next() != ']'; skip_between()) {
      auto one = string();
      if (!one || !plain_) return std::nullopt;
      found.push_back(std::move(*one));
      skip_between();
      if (next() == ',')
        ++at_;
      else if (next() != ']')
        return std::nullopt;
    }
    return found;
  }

 private:
  static bool may_stand_in_string(char letter, bool long_form) {
    constexpr char kDelete = 0x7f;
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '\t' || (long_form && (letter == '\n' || letter == '\r'))) return true;
    return byte >= ' ' && letter != kDelete;
  }
  // The one behind the opening quotes is none of the string's.
  void skip_first_line_end() {
    if (text_.substr(at_, 2) == "\r\n") ++at_;
    if (next() == '\n') ++at_;
  }
  [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  Error at_line(std::size_t at, const std::string& problem) const {
    const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size()));
    return make_error(
        ErrorKind::kInvalidInput,
        "line " + std::to_string(1 + std::count(text_.begin(), end, '\n')) + ": " + problem);
  }
  Error not_understood() const { return at_line(at_, "not understood"); }

  // A key or a table may stand there once; each element of an array of tables begins anew.
  bool repeats(const TomlStatement& statement) {
    if (statement.kind != TomlStatement::Kind::kArrayOfTables)
      return !seen_.insert(statement.path).second;
    std::erase_if(seen_, [&](const TomlPath& path) { return begins_with(path, statement.path); });
    return false;
  }

  void skip(std::string_view letters) {
    at_ = std::min(text_.find_first_not_of(letters, at_), text_.size());
  }
  void skip_comment() {
    if (next() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  // Blanks, line ends and comments.
  void skip_between() {
    for (std::size_t before = text_.size() + 1; before != at_;) {
      before = at_;
      skip(" \t\r\n");
      skip_comment();
    }
  }

  [[nodiscard]] std::size_t line_begin() const {
    const auto before = at_ == 0 ? std::string_view::npos : text_.rfind('\n', at_ - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }

  Result<void> end_line(TomlStatement& statement) {
    skip(kBlank);
    skip_comment();
    if (text_.substr(at_, 2) == "\r\n") ++at_;
    if (at_ < text_.size() && next() != '\n') return not_understood();
    if (at_ < text_.size()) ++at_;
    statement.end = at_;
    return {};
  }

  Result<void> key(TomlPath& path) {
    while (true) {
      skip(kBlank);
      std::string part;
      if (next() == '"' || next() == '\'') {
        auto quoted = string();
        if (!quoted || !plain_) return not_understood();
        part = std::move(*quoted);
      } else {
        const std::size_t begin = at_;
        skip(kBareKey);
        if (at_ == begin) return not_understood();
        part = text_.substr(begin, at_ - begin);
      }
      path.push_back(std::move(part));
      skip(kBlank);
      if (next() != '.') return {};
      ++at_;
    }
  }

  Result<TomlStatement> header() {
    TomlStatement statement;
    statement.begin = line_begin();
    const bool array = text_.substr(at_, 2) == "[[";
    statement.kind = array ? TomlStatement::Kind::kArrayOfTables : TomlStatement::Kind::kTable;
    at_ += array ? 2 : 1;
    TRY(key(statement.path));
    const std::string_view close = array ? "]]" : "]";
    if (text_.substr(at_, close.size()) != close) return not_understood();
    at_ += close.size();
    TRY(end_line(statement));
    return statement;
  }

  Result<TomlStatement> assignment(const TomlPath& table) {
    TomlStatement statement;
    statement.begin = line_begin();
    statement.path = table;
    TRY(key(statement.path));
    if (next() != '=') return not_understood();
    ++at_;
    skip(kBlank);
    const std::size_t begin = at_;
    TRY(value(0));
    statement.value = text_.substr(begin, at_ - begin);
    TRY(end_line(statement));
    return statement;
  }

  Result<void> value(std::size_t depth) {
    if (depth > kDeepest) return not_understood();
    if (next() == '"' || next() == '\'') {
      const bool whole = string().has_value();
      plain_ = true;  // an escape matters only where the string is asked for
      if (!whole) return not_understood();
      return {};
    }
    if (next() == '[') return array(depth);
    if (next() == '{') return inline_table(depth);
    const std::size_t begin = at_;
    skip(kBareValue);
    if (at_ == begin) return not_understood();
    // "1979-05-27 07:32:00"
    if (text_.substr(at_, 1) == " " && text_.substr(at_).find(':') == 3 &&
        text_.substr(begin, at_ - begin).find('-') == 4) {
      ++at_;
      skip(kBareValue);
    }
    return {};
  }

  Result<void> array(std::size_t depth) {
    ++at_;
    for (skip_between(); next() != ']'; skip_between()) {
      TRY(value(depth + 1));
      skip_between();
      if (next() == ',')
        ++at_;
      else if (next() != ']')
        return not_understood();
    }
    ++at_;
    return {};
  }

  Result<void> inline_table(std::size_t depth) {
    ++at_;
    skip(kBlank);
    while (next() != '}') {
      TomlPath ignored;
      TRY(key(ignored));
      if (next() != '=') return not_understood();
      ++at_;
      skip(kBlank);
      TRY(value(depth + 1));
      skip(kBlank);
      if (next() == ',')
        ++at_;
      else if (next() != '}')
        return not_understood();
      skip(kBlank);
    }
    ++at_;
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::set<TomlPath> seen_;
  bool plain_ = true;  // the last string was decoded completely
};

}  // namespace

Result<std::vector<TomlStatement>> scan_toml(std::string_view text) { return Scanner(text).run(); }

std::optional<std::vector<std::string>> toml_strings(std::string_view value) {
  return Scanner(value).strings();
}

std::string toml_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    const auto index = kMeant.find(letter);
    if (index != std::string_view::npos) {
      (out += '\\') += kLetters[index];
    } else {
      out += letter;
    }
  }
  return out + '"';
}

std::string toml_array(std::span<const std::string> strings) {
  std::string out = "[";
  for (const std::string& one : strings) out += (out.size() > 1 ? ", " : "") + toml_quoted(one);
  return out + "]";
}

const TomlStatement* find_toml(std::span<const TomlStatement> statements, const TomlPath& path) {
  const auto found =
      std::find_if(statements.begin(), statements.end(), [&](const TomlStatement& statement) {
        return statement.kind == TomlStatement::Kind::kValue && statement.path == path;
      });
  return found == statements.end() ? nullptr : &*found;
}

bool begins_with(const TomlPath& path, const TomlPath& beginning) {
  return path.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), path.begin());
}

}  // namespace langsbx::clients
