// Words that secrets are called by.
#include "languages/environment.h"

#include <algorithm>
#include <string>

namespace langsbx::languages {

bool names_secret(std::string_view variable) {
  std::string upper(variable);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  constexpr std::string_view kWords[] = {"KEY",  "TOKEN",        "SECRET",    "PASS",    "PWD_",
                                         "CRED", "AUTH",         "COOKIE",    "SESSION", "PRIVATE",
                                         "DSN",  "DATABASE_URL", "CONNECTION"};
  // Who wrote it, what is typed on and where it is shown.
  for (const std::string_view harmless : {"AUTHOR_", "KEYBOARD", "KEYMAP", "KEYWORD", "XDG_SESSION",
                                          "DESKTOP_SESSION", "KDE_FULL_SESSION"}) {
    for (std::size_t at; (at = upper.find(harmless)) != std::string::npos;) {
      upper.replace(at, harmless.size(), 1, '_');
    }
  }
  if (upper.ends_with("AUTHOR")) upper.resize(upper.size() - 6);
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

bool decides_what_is_loaded(std::string_view variable) {
  constexpr std::string_view kNames[] = {
      "PATH",    "CLASSPATH",         "BASH_ENV",        "ENV",
      "IFS",     "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS",   "GCONV_PATH",
      "LOCPATH", "GLIBC_TUNABLES",    "JDK_JAVA_OPTIONS"};
  constexpr std::string_view kStarts[] = {"LD_",          "DYLD_",     "PYTHON", "_PYTHON",
                                          "NODE_OPTIONS", "NODE_PATH", "PERL5",  "RUBY"};
  return std::find(std::begin(kNames), std::end(kNames), variable) != std::end(kNames) ||
         std::any_of(std::begin(kStarts), std::end(kStarts),
                     [&](std::string_view start) { return variable.starts_with(start); });
}

}  // namespace langsbx::languages
