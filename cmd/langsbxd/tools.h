// The languages that this host can run, with the versions of their interpreters and compilers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace langsbx::serve {

struct LanguageHere {
  std::string name;     // of the guard's registry
  std::string version;  // "3.11.2"
};

// Asks each program for its version: to be called once, at the start.
std::vector<LanguageHere> languages_here(const std::string& state_root);

// Whether "3.x", "3.10.0", "*", "^3.2", "~3.2", ">=3" names this version.
bool selects(std::string_view selector, std::string_view version);

// "go version go1.19.8 linux/amd64" -> "1.19.8"
std::string version_in(std::string_view text);

}  // namespace langsbx::serve
