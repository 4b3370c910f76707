// How shells are started.
#include "languages/launch.h"

#include <algorithm>
#include <array>

namespace langsbx::languages::bash {
namespace {

using Args = std::vector<std::string>;

bool contains(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

bool harmless_shell_option(std::string_view arg) {
  constexpr std::array<std::string_view, 6> kKnown{"--norc",       "--noprofile", "--posix",
                                                   "--restricted", "--verbose",   "--noediting"};
  return std::find(kKnown.begin(), kKnown.end(), arg) != kKnown.end();
}

// What `-o` and `-O` may switch: nothing that gives words another meaning (keyword,
// expand_aliases).
bool harmless_shell_setting(std::string_view name) {
  constexpr std::array<std::string_view, 26> kKnown{
      "allexport",   "braceexpand", "errexit",         "errtrace", "functrace",        "hashall",
      "monitor",     "noclobber",   "noglob",          "nounset",  "physical",         "pipefail",
      "posix",       "privileged",  "verbose",         "xtrace",   "dotglob",          "extglob",
      "failglob",    "globstar",    "inherit_errexit", "lastpipe", "localvar_inherit", "nocaseglob",
      "nocasematch", "nullglob"};
  return std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
}

SourceArgument source_argument(std::string_view /*program*/, const Args& args) {
  // Not -k: with it arguments of commands become their environment.
  constexpr std::string_view kFlags = "abefhmnptuvxBCEHPT";
  bool command = false;
  std::size_t i = 1;
  for (; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "-" || arg == "--") {
      ++i;
      break;
    }
    if (arg.size() < 2 || (arg[0] != '-' && arg[0] != '+')) break;
    if (arg == "--version" || arg == "--help") return text_argument("");
    if (arg.starts_with("--")) {
      if (!harmless_shell_option(arg)) return unknown_option(arg);
      continue;
    }
    std::size_t values = 0;  // one for each letter that takes one
    for (const char letter : std::string_view(arg).substr(1)) {
      if (letter == 'c' && arg[0] == '-') {
        command = true;
      } else if (letter == 'o' || letter == 'O') {
        ++values;
      } else if (!contains(kFlags, letter)) {
        return unknown_option(std::string(1, arg[0]) + letter);
      }
    }
    for (; values > 0; --values) {
      if (++i >= args.size()) return missing_value(arg);
      if (!harmless_shell_setting(args[i])) return unknown_option(arg + " " + args[i]);
    }
  }
  if (i >= args.size()) return command ? missing_value("-c") : interactive_argument();
  return command ? text_argument(args[i]) : file_argument(args[i]);
}

std::vector<std::string> command(const Start& start) {
  return {start.program, "--noprofile", "--norc", start.source};
}

constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/bash",
                                      .package = "bash",
                                      .extension = ".sh",
                                      // Where no process can be made it waits and tries again.
                                      .least_pids = 8,
                                      .command = command,
                                      .code_place = CodePlace::kFixed}};
// ~/.bashrc, which Bash reads where it takes itself for the child of sshd or rshd.
constexpr GivenVariable kEnvironment[] = {{"SHLVL", "1"}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = source_argument,
                        .environment = kEnvironment,
                        .seccomp = "bash"};

}  // namespace langsbx::languages::bash
