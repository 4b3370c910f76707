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
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

}  // namespace langsbx::languages
