// How each language is compiled and started: programs of the host, flags, and what they need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

// Where things are inside the sandbox.
inline constexpr std::string_view kSourceFolder = "/source";
inline constexpr std::string_view kWorkFolder = "/work";

struct Toolchain {
  std::string_view language;
  std::string_view program;  // interpreter or compiler, absolute on the host and inside
  std::string_view package;  // of Debian, for the message when it is missing
  bool compiled = false;
  std::string_view extension;  // of the file inside when the given name has no fitting one
  // Runtimes that start helper threads or reserve a heap can't do with less.
  std::uint64_t least_pids = 1;
  std::uint64_t least_memory = 0;
  std::vector<std::string_view> host_folders;  // read-only, beside /usr
};

// By the name of a languages::Language; kUnsupported when nothing can run it.
Result<const Toolchain*> find_toolchain(std::string_view language);
// kNotFound with the package to install when the program isn't there.
Result<void> check_installed(const Toolchain& toolchain);

// "main.py": the file's own name when it is harmless and fits, else main + the extension.
std::string inside_name(const Toolchain& toolchain, std::string_view file);

// argv of the program, the caller's arguments behind it.
std::vector<std::string> run_command(const Toolchain& toolchain, const std::string& source,
                                     const Limits& limits, const std::vector<std::string>& args);
// A shell command that compiles `source` and writes the result to its stdout.
std::vector<std::string> compile_command(const Toolchain& toolchain, const std::string& source);
// What that command wrote: the object before linking (C and C++; else empty), then the program.
struct Compiled {
  std::string object;
  std::string program;
};
Result<Compiled> split_compiled(std::string_view output);
// What the compiler may use: it runs code of the host, not the program's.
Limits compile_limits();

}  // namespace langsbx::execute
