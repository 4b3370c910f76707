// awk: system(), pipes, getline, output to files, extensions.
#include "languages/bash/characters.h"
#include "languages/bash/program_text.h"

namespace langsbx::languages::bash {
namespace {

class AwkScan {
 public:
  explicit AwkScan(std::string_view text) : text_(text) {}

  std::vector<ProgramEffect> run() {
    while (at_ < text_.size()) step();
    return std::move(effects_);
  }

 private:
  using Kind = ProgramEffect::Kind;

  [[nodiscard]] char peek(std::size_t ahead) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void add(Kind kind, std::string_view piece) {
    // One that is left out is not known to be harmless.
    if (effects_.size() == kMostEffects) effects_.push_back({Kind::kUnclear, piece});
    if (effects_.size() < kMostEffects) effects_.push_back({kind, piece});
  }

  void step() {
    const char c = text_[at_];
    if (c == '"') {
      const std::string_view value = string();
      if (value.starts_with("/inet")) add(Kind::kConnects, value);
      operand_ = true;
    } else if (c == '#') {
      while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    } else if (c == '/' && !operand_) {
      regex();
      operand_ = true;
    } else if (is_name_start(c)) {
      word();
    } else if (c == '|') {
      if (peek(1) == '|') {
        at_ += 2;
      } else {
        // A pipe to or from a command, or a coprocess.
        add(Kind::kSpawns, text_.substr(at_, 20));
        ++at_;
      }
      operand_ = false;
    } else if (c == '@' && (is_name_start(peek(1)) || peek(1) == ' ')) {
      // @load, @include, and calls through a variable: @f().
      add(Kind::kUnclear, text_.substr(at_, 20));
      ++at_;
    } else if (c == '>' && printing_ && depth_ == print_depth_) {
      redirect();
    } else {
      punctuation(c);
    }
  }

  void punctuation(char c) {
    if (c == '(' || c == '[') ++depth_;
    if (c == ')' || c == ']') --depth_;
    if (c == ';' || c == '\n' || c == '}' || c == '{') printing_ = false;
    operand_ = c == ')' || c == ']' || c == '$' || is_digit(c) || (operand_ && is_blank(c));
    ++at_;
  }

  void word() {
    const std::size_t start = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    operand_ = true;
    if (name == "system") {
      add(Kind::kSpawns, text_.substr(start, 30));
    } else if (name == "print" || name == "printf") {
      printing_ = true;
      print_depth_ = depth_;
      operand_ = false;
    } else if (name == "getline") {
      skip_blanks();
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      skip_blanks();
      if (peek(0) == '<') {
        ++at_;
        skip_blanks();
        add(peek(0) == '"' ? Kind::kReads : Kind::kUnclear,
            peek(0) == '"' ? string() : text_.substr(start, 20));
      }
    } else if (name == "ENVIRON") {
      environment(start);
    } else if (name == "SYMTAB") {
      add(Kind::kEnvironment, name);  // holds ENVIRON, too
    } else if (name == "return" || name == "in") {
      operand_ = false;
    }
  }

  // ENVIRON["NAME"] is one variable, everything else may be any.
  void environment(std::size_t start) {
    skip_blanks();
    const std::size_t open = at_;
    if (peek(0) == '[' && peek(1) == '"') {
      ++at_;
      const std::string_view variable = string();
      skip_blanks();
      if (peek(0) == ']') {
        ++at_;
        return add(Kind::kVariable, variable);
      }
      at_ = open;
    }
    add(Kind::kEnvironment, text_.substr(start, 30));
  }

  void redirect() {
    at_ += peek(1) == '>' ? 2 : 1;
    skip_blanks();
    if (peek(0) == '"') {
      const std::string_view path = string();
      add(Kind::kWrites, path);
      skip_blanks();
      if (peek(0) != ';' && peek(0) != '}' && peek(0) != '\n' && peek(0) != '\0') {
        add(Kind::kWritesSomewhere, path);
      }
    } else {
      add(Kind::kWritesSomewhere, text_.substr(at_, 20));
    }
    printing_ = false;
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  std::string_view string() {
    const std::size_t start = ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    if (at_ > text_.size()) at_ = text_.size();
    const std::string_view value = text_.substr(start, at_ - start);
    ++at_;
    return value;
  }

  void regex() {
    bool bracket = false;
    for (++at_; at_ < text_.size(); ++at_) {
      const char c = text_[at_];
      if (c == '\\') {
        ++at_;
      } else if (c == '\n') {
        return;
      } else if (c == '[') {
        bracket = true;
      } else if (c == ']') {
        bracket = false;
      } else if (c == '/' && !bracket) {
        ++at_;
        return;
      }
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool operand_ = false;  // a '/' would be a division
  bool printing_ = false;
  int depth_ = 0;
  int print_depth_ = 0;
  std::vector<ProgramEffect> effects_;
};

}  // namespace

std::vector<ProgramEffect> awk_effects(std::string_view program) { return AwkScan(program).run(); }

}  // namespace langsbx::languages::bash
