// Words that secrets are called by.
#include "languages/environment.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "runtime/base/text_list.h"

namespace langsbx::languages {

namespace {

constexpr auto kWords =
    text_list("KEY", "TOKEN", "SECRET", "PASS", "PWD_", "CRED", "AUTH", "COOKIE", "SESSION",
              "PRIVATE", "DSN", "DATABASE_URL", "CONNECTION");

constexpr unsigned kLetters = 26;

// Of each letter that words begin with: those that come second.
constexpr auto kSecond = [] {
  std::array<std::uint32_t, kLetters> letters{};
  for (const std::string_view word : kWords) {
    letters[static_cast<std::size_t>(word[0] - 'A')] |= 1U << (word[1] - 'A');
  }
  return letters;
}();

// The place in the alphabet, of letters of either case.
constexpr unsigned letter(char c) {
  return (static_cast<unsigned char>(c) & 0xDFU) - static_cast<unsigned>('A');
}

bool begins_with(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c) != word[i]) return false;
  }
  return true;
}

bool holds_word(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    const unsigned first = letter(text[at]);
    const unsigned second = letter(text[at + 1]);
    if (first >= kLetters || second >= kLetters || (kSecond[first] >> second & 1U) == 0) continue;
    const std::string_view rest = text.substr(at);
    if (std::ranges::any_of(kWords,
                            [&](std::string_view word) { return begins_with(rest, word); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

bool names_secret(std::string_view variable) {
  if (!holds_word(variable)) return false;  // those that are harmless hold one, too
  std::string upper(variable);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  // Who wrote it, what is typed on and where it is shown.
  for (const std::string_view harmless : {"AUTHOR_", "KEYBOARD", "KEYMAP", "KEYWORD", "XDG_SESSION",
                                          "DESKTOP_SESSION", "KDE_FULL_SESSION"}) {
    for (std::size_t at; (at = upper.find(harmless)) != std::string::npos;) {
      upper.replace(at, harmless.size(), 1, '_');
    }
  }
  if (upper.ends_with("AUTHOR")) upper.resize(upper.size() - 6);
  return holds_word(upper);
}

bool decides_what_is_loaded(std::string_view variable) {
  static constexpr auto kNames =
      text_list("PATH", "CLASSPATH", "BASH_ENV", "ENV", "IFS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",
                "GCONV_PATH", "LOCPATH", "GLIBC_TUNABLES", "JDK_JAVA_OPTIONS");
  static constexpr auto kStarts =
      text_list("LD_", "DYLD_", "PYTHON", "_PYTHON", "NODE_OPTIONS", "NODE_PATH", "PERL5", "RUBY");
  return kNames.contains(variable) || std::ranges::any_of(kStarts, [&](std::string_view start) {
           return variable.starts_with(start);
         });
}

}  // namespace langsbx::languages
