// How each language is compiled and started: programs of the host, flags, and what they need.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/execute/request.h"
#include "runtime/execute/tool_version.h"

namespace langsbx::execute {

// Where things are in a container.
inline constexpr std::string_view kSourceFolder = "/source";
inline constexpr std::string_view kWorkFolder = "/work";

// Where the program finds things: those in a container, private folders of the host in the light
// tier.
struct Places {
  std::string source{kSourceFolder};
  std::string work{kWorkFolder};
};

struct Toolchain {
  std::string_view language;
  std::string_view program;  // interpreter or compiler, absolute on the host and inside
  std::string_view package;  // of Debian, for the message when it is missing
  bool compiled = false;
  std::string_view extension;  // of the file inside when the given name has no fitting one
  // Runtimes that start helper threads or reserve a heap can't do with less.
  std::uint64_t least_pids = 1;
  std::uint64_t least_memory = 0;
  std::vector<std::string_view> host_paths;  // read-only, beside /usr
  std::string_view starts = {};              // what is executed instead: tsc is a script of Node
  Version least_version = {};
  [[nodiscard]] bool is_node() const {
    return program.ends_with("/node") || starts.ends_with("/node");
  }
};

// Those of one language stand in the order of preference.
std::span<const Toolchain> toolchains();
// The preferred one, by the name of a languages::Language; kUnsupported when nothing can run it.
Result<const Toolchain*> find_toolchain(std::string_view language);

// "main.py": the file's own name when it is harmless and fits, else main + the extension.
std::string inside_name(const Toolchain& toolchain, std::string_view file);

// argv of the program, the caller's arguments behind it.
struct RunCommand {
  const Toolchain* toolchain = nullptr;
  std::string source;
  Places places;
  Limits limits;
  std::optional<Version> version;  // of the interpreter, where its flags depend on it
  std::string program;             // where the interpreter is
  bool without_site = false;       // of Python, see python_site.h
};
std::vector<std::string> run_command(const RunCommand& command,
                                     const std::vector<std::string>& args);
// Variables that the interpreter wants.
std::vector<std::string> run_environment(const Toolchain& toolchain, const Places& places);
// argv of what compiles `source` into kProgramFile of the work directory.
inline constexpr std::string_view kObjectFile = "object";
inline constexpr std::string_view kProgramFile = "program";
std::vector<std::string> compile_command(const Toolchain& toolchain, const std::string& program,
                                         const std::string& source);
struct Compiled {
  std::string object;  // before linking (C and C++; else empty)
  std::string program;
};
// As one text, for the cache.
std::string join_compiled(const Compiled& compiled);
Result<Compiled> split_compiled(std::string_view text);
// What the compiler may use: it runs code of the host, not the program's.
Limits compile_limits();

}  // namespace langsbx::execute
