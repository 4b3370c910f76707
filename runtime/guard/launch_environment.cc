// One row a variable, with what it keeps out.
#include "runtime/guard/launch_environment.h"

#include <algorithm>
#include <array>

namespace langsbx::guard {
namespace {

constexpr auto kGiven = std::array{
    // Compiled files that claim to need no check.
    GivenVariable{"python", "PYTHONPYCACHEPREFIX", "/dev/null"},
    // ~/.local/lib/python*/site-packages with its .pth files and usercustomize.
    GivenVariable{"python", "PYTHONNOUSERSITE", "1"},
    // ~/.node_modules, ~/.node_libraries, ~/.bunfig.toml.
    GivenVariable{"javascript", "HOME", "/nonexistent"},
    GivenVariable{"typescript", "HOME", "/nonexistent"},
    // ~/.bashrc, which Bash reads where it takes itself for the child of sshd or rshd.
    GivenVariable{"bash", "SHLVL", "1"},
    // ~/.config/go/env, a go.work above the program, another toolchain.
    GivenVariable{"go", "GOENV", "off"},
    GivenVariable{"go", "GOWORK", "off"},
    GivenVariable{"go", "GOTOOLCHAIN", "local"},
};

void give(std::string_view name, std::string_view value, std::vector<std::string>& environment) {
  const std::string start = std::string(name) + "=";
  std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(start); });
  environment.push_back(start + std::string(value));
}

}  // namespace

void give_variables(std::string_view language, std::vector<std::string>& environment) {
  for (const GivenVariable& variable : kGiven) {
    if (variable.language == language) give(variable.name, variable.value, environment);
  }
}

void give_safe_path(std::vector<std::string>& environment) {
  give("PYTHONSAFEPATH", "1", environment);
}

bool is_given(std::string_view language, std::string_view name) {
  if (language == "python" && name == "PYTHONSAFEPATH") return true;
  return std::any_of(kGiven.begin(), kGiven.end(), [&](const GivenVariable& variable) {
    return variable.language == language && variable.name == name;
  });
}

}  // namespace langsbx::guard
