// sed: the e command and flag, and the r, R, w and W commands with their files.
#include "languages/bash/characters.h"
#include "languages/bash/program_text.h"

namespace langsbx::languages::bash {
namespace {

class SedScan {
 public:
  explicit SedScan(std::string_view text) : text_(text) {}

  std::vector<ProgramEffect> run() {
    while (at_ < text_.size() && !stopped_) command();
    return std::move(effects_);
  }

 private:
  using Kind = ProgramEffect::Kind;

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void add(Kind kind, std::string_view piece) {
    // One that is left out is not known to be harmless.
    if (effects_.size() == kMostEffects) effects_.push_back({Kind::kUnclear, piece});
    if (effects_.size() < kMostEffects) effects_.push_back({kind, piece});
  }
  void skip(std::string_view characters) {
    while (at_ < text_.size() && characters.find(text_[at_]) != std::string_view::npos) ++at_;
  }
  std::string_view rest_of_line() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    return text_.substr(start, at_ - start);
  }
  void unclear() {
    add(Kind::kUnclear, text_.substr(std::min(at_, text_.size())));
    stopped_ = true;
  }

  void delimited(char delimiter) {
    bool bracket = false;
    for (; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (c == '[' && !bracket) {
        bracket = true;
        if (at_ + 1 < text_.size() && text_[at_ + 1] == ']') ++at_;
      } else if (c == ']') {
        bracket = false;
      } else if (c == delimiter) {
        // GNU sed ends the expression here even inside brackets when nothing closes them.
        if (bracket && text_.find(']', at_) != std::string_view::npos && c == '/') continue;
        ++at_;
        return;
      }
    }
    stopped_ = true;
    add(Kind::kUnclear, text_);
  }

  void address() {
    for (int i = 0; i < 2; ++i) {
      const char c = peek();
      if (is_digit(c) || c == '$' || c == '+' || c == '~') {
        skip("0123456789$+~");
      } else if (static_cast<unsigned char>(c) >= 0xFA) {
        ++at_;
      } else if (c == '/') {
        ++at_;
        delimited('/');
        skip("IM");
      } else if (c == '\\' && at_ + 1 < text_.size()) {
        const char delimiter = text_[at_ + 1];
        at_ += 2;
        delimited(delimiter);
        skip("IM");
      }
      skip(" \t");
      if (peek() != ',') break;
      ++at_;
      skip(" \t");
    }
    skip(" \t!");
  }

  void command() {
    skip(" \t\n;");
    if (at_ >= text_.size()) return;
    address();
    if (stopped_) return;
    const char c = peek();
    ++at_;
    constexpr std::string_view kAlone("\0{}=dDgGhHnNpPxzF", 17);
    if (kAlone.find(c) != std::string_view::npos) return;
    switch (c) {
      case 'l':
      case 'L':
      case 'q':
      case 'Q':
        skip(" \t0123456789");
        return;
      case '#':
        rest_of_line();
        return;
      case 'b':
      case 't':
      case 'T':
      case ':':
        while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != ';' && text_[at_] != '}')
          ++at_;
        return;
      case 'a':
      case 'i':
      case 'c':
        for (std::string_view line = rest_of_line(); line.ends_with('\\') && at_ < text_.size();) {
          ++at_;
          line = rest_of_line();
        }
        return;
      case 'r':
      case 'R':
        skip(" \t");
        add(Kind::kReads, rest_of_line());
        return;
      case 'w':
      case 'W':
        skip(" \t");
        add(Kind::kWrites, rest_of_line());
        return;
      case 'e':
        add(Kind::kSpawns, text_.substr(at_ - 1, 30));
        rest_of_line();
        return;
      case 's':
      case 'y':
        substitute(c);
        return;
      default:
        --at_;
        unclear();
    }
  }

  void substitute(char command) {
    const std::size_t start = at_ - 1;
    const char delimiter = peek();
    ++at_;
    delimited(delimiter);
    if (!stopped_) replacement(delimiter);
    if (stopped_ || command == 'y') return;
    for (;;) {
      const char flag = peek();
      if (flag == 'e') add(Kind::kSpawns, text_.substr(start, 40));
      if (flag == 'w') {
        ++at_;
        skip(" \t");
        add(Kind::kWrites, rest_of_line());
        return;
      }
      if (static_cast<unsigned char>(flag) >= 0xFA) return unclear();
      if (!is_name(flag)) return;
      ++at_;
    }
  }

  // The second half: brackets mean nothing in it.
  void replacement(char delimiter) {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == delimiter) {
        ++at_;
        return;
      }
    }
    stopped_ = true;
    add(Kind::kUnclear, text_);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool stopped_ = false;
  std::vector<ProgramEffect> effects_;
};

}  // namespace

std::vector<ProgramEffect> sed_effects(std::string_view program) { return SedScan(program).run(); }

}  // namespace langsbx::languages::bash
