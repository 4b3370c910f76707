// Each language says which variables it is given.
#include "runtime/guard/launch_environment.h"

#include <algorithm>
#include <span>

#include "languages/launch.h"

namespace langsbx::guard {
namespace {

using languages::GivenVariable;
using languages::Language;

void give(std::span<const GivenVariable> variables, std::vector<std::string>& environment) {
  for (const GivenVariable& variable : variables) {
    const std::string start = std::string(variable.name) + "=";
    std::erase_if(environment, [&](const std::string& entry) { return entry.starts_with(start); });
    environment.push_back(start + std::string(variable.value));
  }
}

bool holds(std::span<const GivenVariable> variables, std::string_view name) {
  return std::ranges::any_of(variables,
                             [&](const GivenVariable& variable) { return variable.name == name; });
}

}  // namespace

void give_variables(const Language& language, std::vector<std::string>& environment) {
  if (language.launch != nullptr) give(language.launch->environment, environment);
}

void give_variables_alone(const Language& language, std::vector<std::string>& environment) {
  if (language.launch != nullptr) give(language.launch->alone, environment);
}

bool is_given(const Language& language, std::string_view name) {
  return language.launch != nullptr &&
         (holds(language.launch->environment, name) || holds(language.launch->alone, name));
}

}  // namespace langsbx::guard
