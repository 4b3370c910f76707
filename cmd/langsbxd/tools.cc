#include "cmd/langsbxd/tools.h"

#include <array>
#include <charconv>

#include "languages/registry.h"
#include "runtime/execute/tool_search.h"
#include "runtime/kernel/process.h"

namespace langsbx::serve {
namespace {

constexpr std::chrono::milliseconds kPatience{5000};

std::string version_of(const execute::Tool& tool, const languages::Language& language) {
  Command command;
  command.path = tool.program;
  command.args = {tool.program, std::string(language.launch->version_option)};
  command.timeout = kPatience;
  const auto answer = run_command(command);
  if (!answer.ok() || answer->status != 0) return {};
  // Rscript says it on stderr.
  return version_in(answer->output.empty() ? answer->errors : answer->output);
}

using Numbers = std::array<int, 3>;

// The numbers that are there, and how many; an "x" or "*" ends them.
std::size_t numbers_of(std::string_view text, Numbers& numbers) {
  numbers = {};
  std::size_t count = 0;
  while (count < numbers.size() && !text.empty()) {
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), numbers[count]);
    if (error != std::errc()) break;
    ++count;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return count;
}

}  // namespace

std::string version_in(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_digit(text[i])) continue;
    std::size_t end = i;
    bool dotted = false;
    while (end < text.size() && (is_digit(text[end]) || text[end] == '.')) {
      dotted |= text[end] == '.';
      ++end;
    }
    while (text[end - 1] == '.') --end;
    if (dotted) return std::string(text.substr(i, end - i));
    i = end;
  }
  return {};
}

std::vector<LanguageHere> languages_here(const std::string& state_root) {
  std::vector<LanguageHere> here;
  for (const auto* language : languages::all_languages()) {
    const auto tool = execute::find_tool(language->name, "", state_root);
    if (!tool.ok()) continue;
    auto version = version_of(*tool, *language);
    here.push_back({std::string(language->name), version.empty() ? "0.0.0" : std::move(version)});
  }
  return here;
}

bool selects(std::string_view selector, std::string_view version) {
  Numbers have{}, want{};
  numbers_of(version, have);
  const bool at_least = selector.starts_with(">=");
  const bool caret = selector.starts_with('^'), tilde = selector.starts_with('~');
  const auto begin = selector.find_first_not_of("^~>=v ");
  if (begin == std::string_view::npos) return selector.empty();
  selector.remove_prefix(begin);
  if (selector == "*" || selector == "x") return true;
  const auto count = numbers_of(selector, want);
  if (count == 0) return false;
  if (at_least) return have >= want;
  if (caret) return have[0] == want[0] && have >= want;
  if (tilde) return have[0] == want[0] && (count < 2 || have[1] == want[1]) && have >= want;
  for (std::size_t i = 0; i < count; ++i) {
    if (have[i] != want[i]) return false;
  }
  return true;
}

}  // namespace langsbx::serve
