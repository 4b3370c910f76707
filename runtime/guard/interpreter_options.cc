// One function an interpreter: options that are known to change nothing are passed over, all others
// are a problem.
#include "runtime/guard/interpreter_options.h"

#include <algorithm>
#include <array>
#include <optional>

namespace langsbx::guard {
namespace {

using Args = std::vector<std::string>;

SourceArgument file(const std::string& path) {
  SourceArgument source;
  if (path == "-" || path.empty()) {
    source.problem = "its source is standard input";
  } else {
    source.path = path;
  }
  return source;
}

SourceArgument text(const std::string& code) { return {{}, code, {}}; }
SourceArgument problem(const std::string& why) { return {{}, {}, why}; }
SourceArgument interactive() { return problem("without a file its source is standard input"); }
SourceArgument unknown(const std::string& option) {
  return problem("option " + option + " is not one the guard looks through");
}
SourceArgument missing(const std::string& option) {
  return problem("option " + option + " has no value");
}

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

SourceArgument python(const Args& args) {
  // Not -E and -I: they ignore the variable that keeps compiled files out (see SourceGate).
  constexpr std::string_view kFlags = "bBdOPqRsStuv";
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg.size() < 2 || arg[0] != '-') return file(arg);
    if (arg == "--version" || arg == "--help") return text("");
    if (arg.starts_with("--")) return unknown(arg);
    for (std::size_t at = 1; at < arg.size(); ++at) {
      const char letter = arg[at];
      const bool last = at + 1 == arg.size();
      if (contains(kFlags, letter)) continue;
      if (letter == 'h' || letter == 'V' || letter == '?') return text("");
      if (letter == 'c') {
        if (!last) return text(arg.substr(at + 1));
        return i + 1 < args.size() ? text(args[i + 1]) : missing("-c");
      }
      if (letter == 'W' || letter == 'X') {
        if (last && i + 1 >= args.size()) return missing(std::string("-") + letter);
        const std::string value = last ? args[++i] : arg.substr(at + 1);
        const bool harmless =
            letter == 'X' ? harmless_python_setting(value) : harmless_python_warning(value);
        if (!harmless) return unknown(std::string("-") + letter + " " + value);
        break;
      }
      if (letter == 'm') return problem("-m runs a module that is not named as a file");
      return unknown(std::string("-") + letter);
    }
  }
  return interactive();
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

SourceArgument shell(const Args& args) {
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
    if (arg == "--version" || arg == "--help") return text("");
    if (arg.starts_with("--")) {
      if (!harmless_shell_option(arg)) return unknown(arg);
      continue;
    }
    std::size_t values = 0;  // one for each letter that takes one
    for (const char letter : std::string_view(arg).substr(1)) {
      if (letter == 'c' && arg[0] == '-') {
        command = true;
      } else if (letter == 'o' || letter == 'O') {
        ++values;
      } else if (!contains(kFlags, letter)) {
        return unknown(std::string(1, arg[0]) + letter);
      }
    }
    for (; values > 0; --values) {
      if (++i >= args.size()) return missing(arg);
      if (!harmless_shell_setting(args[i])) return unknown(arg + " " + args[i]);
    }
  }
  if (i >= args.size()) return command ? missing("-c") : interactive();
  return command ? text(args[i]) : file(args[i]);
}

bool is_node_code(std::string_view option) {
  constexpr std::array<std::string_view, 5> kKnown{"-e", "--eval", "-p", "--print", "-pe"};
  return std::find(kKnown.begin(), kKnown.end(), option) != kKnown.end();
}

// Options behind the code are Node's as well, up to the first word that is none.
SourceArgument node(const Args& args) {
  constexpr std::array<std::string_view, 6> kFlags{"--no-warnings",    "--enable-source-maps",
                                                   "--trace-warnings", "--no-deprecation",
                                                   "--trace-uncaught", "--throw-deprecation"};
  constexpr std::array<std::string_view, 3> kPrefixes{
      "--max-old-space-size=", "--stack-size=", "--unhandled-rejections="};
  std::optional<std::string> code;
  const auto end = [&](std::size_t at) {
    if (code) return text(*code);
    return at < args.size() ? file(args[at]) : interactive();
  };
  std::size_t i = 1;
  for (; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "--") return end(i + 1);
    if (arg.size() < 2 || arg[0] != '-') break;
    if (arg == "--version" || arg == "-v" || arg == "--help" || arg == "-h") return text("");
    if (is_node_code(arg)) {
      if (code) return problem("more than one option gives code");
      if (++i >= args.size()) return missing(arg);
      // An option again: -p goes without a value, and the code is somewhere else.
      if (args[i].starts_with('-')) return missing(arg);
      code = args[i];
      continue;
    }
    const bool known =
        std::find(kFlags.begin(), kFlags.end(), arg) != kFlags.end() ||
        std::any_of(kPrefixes.begin(), kPrefixes.end(),
                    [&](std::string_view prefix) { return arg.starts_with(prefix); });
    if (!known) return unknown(arg);
  }
  return end(i);
}

// ts-node FILE, tsx FILE, deno run FILE, bun [run] FILE: no options but deno's permissions.
SourceArgument typescript(std::string_view program, const Args& args) {
  std::size_t i = 1;
  const bool deno = program == "deno";
  if (i < args.size() && args[i] == "run" && (deno || program == "bun")) {
    ++i;
  } else if (deno) {
    return problem("only `deno run` is looked through");
  }
  while (deno && i < args.size() &&
         (args[i].starts_with("--allow-") || args[i].starts_with("--deny-") ||
          args[i] == "--no-prompt")) {
    ++i;
  }
  if (i >= args.size()) return interactive();
  if (args[i][0] == '-' && args[i] != "-") return unknown(args[i]);
  return file(args[i]);
}

SourceArgument java(const Args& args) {
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string& arg = args[i];
    // The launcher reads options from such a file, whatever its name ends in.
    if (arg.starts_with('@')) return unknown(arg);
    if (arg.ends_with(".java")) return file(arg);
    if (arg == "--version" || arg == "-version" || arg == "--help") return text("");
    if (arg == "--source") {
      ++i;
      continue;
    }
    const bool sizes =
        arg.starts_with("-Xmx") || arg.starts_with("-Xms") || arg.starts_with("-Xss");
    if (sizes || arg == "--enable-preview") continue;
    if (arg.starts_with("-")) return unknown(arg);
    return problem("it runs compiled classes, which are no source");
  }
  return problem("it names no source file");
}

SourceArgument go(const Args& args) {
  if (args.size() >= 2 && args[1] == "version") return text("");
  if (args.size() >= 3 && args[1] == "run" && args[2].ends_with(".go")) {
    // More files would belong to the same program.
    if (args.size() == 3 || !args[3].ends_with(".go")) return file(args[2]);
  }
  return problem("only `go run FILE.go` is looked through");
}

}  // namespace

SourceArgument source_argument(std::string_view language, std::string_view program,
                               const std::vector<std::string>& args) {
  if (language == "python") return python(args);
  if (language == "bash") return shell(args);
  if (language == "javascript") return node(args);
  if (language == "typescript") return typescript(program, args);
  if (language == "java" && program == "java") return java(args);
  if (language == "go") return go(args);
  return problem("its command line is not known to the guard");
}

}  // namespace langsbx::guard
