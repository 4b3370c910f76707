// languages: what the guard understands, and which interpreters and compilers this host has.
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/langsbx/columns.h"
#include "cmd/langsbx/command.h"
#include "languages/launch.h"
#include "languages/registry.h"
#include "runtime/kernel/process.h"

namespace langsbx::cmd {
namespace {

using languages::Language;

constexpr std::chrono::milliseconds kPatience{3000};

std::string join(std::span<const languages::Name> words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += " ";
    text += word;
  }
  return text;
}

// The first line of what it says about its version; empty when it is not here.
std::string version_of(std::string_view program, std::string_view option) {
  langsbx::Command command;
  command.path = program;
  command.args = {std::string(program), std::string(option)};
  command.timeout = kPatience;
  const auto result = run_command(command);
  if (!result.ok() || result->status != 0) return {};
  const std::string& text = result->output.empty() ? result->errors : result->output;
  return text.substr(0, text.find('\n'));
}

std::string found_for(const Language& language) {
  std::vector<std::string_view> programs(language.interpreters.begin(),
                                         language.interpreters.end());
  const languages::Launch none;
  const languages::Launch& launch = language.launch == nullptr ? none : *language.launch;
  if (!launch.compiler.empty()) programs.insert(programs.begin(), launch.compiler);
  for (const auto program : programs) {
    std::string version = version_of(program, launch.version_option);
    if (!version.empty()) return version;
  }
  return "-";
}

Result<int> run(const Invocation& invocation) {
  OptionTable table;
  if (!TRY(parse(invocation, table))) return 0;
  std::vector<std::vector<std::string>> rows{
      {"LANGUAGE", "EXTENSIONS", "INTERPRETERS", "RULES", "FOUND HERE"}};
  for (const Language* language : languages::all_languages()) {
    rows.push_back({std::string(language->name), join(language->extensions),
                    join(language->interpreters), std::to_string(language->rules.size()),
                    found_for(*language)});
  }
  TRY(print(in_columns(rows)));
  return 0;
}

}  // namespace

extern const Command kLanguages{.name = "languages",
                                .arguments = "",
                                .summary = "list the languages the guard understands",
                                .run = run,
                                .failure_status = 2};

}  // namespace langsbx::cmd
