// From argv to the source that will run: "#!" lines, wrappers (env, nice, tini, busybox) and the
// interpreter's own options are looked through. What is not understood is a problem, never a guess.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/language.h"

namespace langsbx::guard {

// What has to be asked of the container; tests give their own.
struct Surroundings {
  // The first bytes of a program; nothing when it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> start_of;
  // A name without a slash, looked up in PATH; empty when it is not there.
  std::function<std::string(const std::string& name)> find;
};

struct Interpreted {
  const languages::Language* language = nullptr;
  std::string path;  // of the source, as the interpreter opens it; empty: `text` is the source
  std::string text;
  bool by_sh = false;  // the interpreter is sh, dash or ash, which read less than Bash
  // Everything that is executed one after the other: script and interpreter, wrapper and program.
  std::vector<std::string> programs;
  bool is_program = false;  // the last of them is no interpreter that the guard knows
  std::string problem;  // why the source cannot be judged; the rest is then only as far as known
};

[[nodiscard]] Interpreted interpret(std::string executable, std::vector<std::string> args,
                                    const Surroundings& surroundings);

// By names alone, for the parent, which has no container to look into: the language of the
// interpreter or script in args, nullptr when the names do not tell.
[[nodiscard]] const languages::Language* language_by_name(const std::vector<std::string>& args);

// The source's path the same way; args[0] itself when it is no interpreter, empty for `-c`.
[[nodiscard]] std::string source_by_name(const std::vector<std::string>& args);

}  // namespace langsbx::guard
