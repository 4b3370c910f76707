// How Python is started.
#include "languages/launch.h"

#include <algorithm>
#include <array>

namespace langsbx::languages::python {
namespace {

using Args = std::vector<std::string>;

bool contains(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

// -X by name. Others name places that code is read from (pycache_prefix, presite) or are not known.
bool harmless_python_setting(std::string_view value) {
  constexpr std::array<std::string_view, 15> kKnown{"faulthandler",
                                                    "dev",
                                                    "utf8",
                                                    "importtime",
                                                    "tracemalloc",
                                                    "showrefcount",
                                                    "showalloccount",
                                                    "no_debug_ranges",
                                                    "int_max_str_digits",
                                                    "warn_default_encoding",
                                                    "frozen_modules",
                                                    "gil",
                                                    "cpu_count",
                                                    "thread_inherit_context",
                                                    "context_aware_warnings"};
  const auto name = value.substr(0, value.find('='));
  return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

// action:message:category:module:line. A category with a dot is imported to be found.
bool harmless_python_warning(std::string_view value) {
  for (int field = 0; field < 2; ++field) {
    const auto colon = value.find(':');
    if (colon == std::string_view::npos) return true;
    value.remove_prefix(colon + 1);
  }
  return value.substr(0, value.find(':')).find('.') == std::string_view::npos;
}

SourceArgument source_argument(std::string_view /*program*/, const Args& args) {
  // Not -E and -I: they ignore the variable that keeps compiled files out (see SourceGate).
  constexpr std::string_view kFlags = "bBdOPqRsStuv";
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg.size() < 2 || arg[0] != '-') return file_argument(arg);
    if (arg == "--version" || arg == "--help") return text_argument("");
    if (arg.starts_with("--")) return unknown_option(arg);
    for (std::size_t at = 1; at < arg.size(); ++at) {
      const char letter = arg[at];
      const bool last = at + 1 == arg.size();
      if (contains(kFlags, letter)) continue;
      if (letter == 'h' || letter == 'V' || letter == '?') return text_argument("");
      if (letter == 'c') {
        if (!last) return text_argument(arg.substr(at + 1));
        return i + 1 < args.size() ? text_argument(args[i + 1]) : missing_value("-c");
      }
      if (letter == 'W' || letter == 'X') {
        if (last && i + 1 >= args.size()) return missing_value(std::string("-") + letter);
        const std::string value = last ? args[++i] : arg.substr(at + 1);
        const bool harmless =
            letter == 'X' ? harmless_python_setting(value) : harmless_python_warning(value);
        if (!harmless) return unknown_option(std::string("-") + letter + " " + value);
        break;
      }
      if (letter == 'm') return problem_argument("-m runs a module that is not named as a file");
      return unknown_option(std::string("-") + letter);
    }
  }
  return interactive_argument();
}

std::vector<std::string> command(const Start& start) {
  std::vector<std::string> args = {start.program, "-I", "-B"};
  if (start.without_site) args.emplace_back("-S");
  args.push_back(start.source);
  return args;
}

constexpr std::string_view kHostPaths[] = {"/etc/matplotlibrc"};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/python3",
                                      .package = "python3",
                                      .extension = ".py",
                                      .host_paths = kHostPaths,
                                      .command = command}};
constexpr GivenVariable kEnvironment[] = {
    // Compiled files that claim to need no check.
    {"PYTHONPYCACHEPREFIX", "/dev/null"},
    // ~/.local/lib/python*/site-packages with its .pth files and usercustomize.
    {"PYTHONNOUSERSITE", "1"},
};
// What libraries import is then not looked for beside the program.
constexpr GivenVariable kAlone[] = {{"PYTHONSAFEPATH", "1"}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = source_argument,
                        .environment = kEnvironment,
                        .alone = kAlone,
                        .seccomp = "python",
                        .has_site = true};

}  // namespace langsbx::languages::python
