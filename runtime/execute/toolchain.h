// A program's command line and environment: its language says how it is compiled and started.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/launch.h"
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

using languages::Toolchain;

// The preferred one, by the name of a languages::Language; kUnsupported when nothing can run it.
Result<const Toolchain*> find_toolchain(std::string_view language);

// "main.py": the file's own name when it is harmless and fits, else main + the extension.
std::string inside_name(const Toolchain& toolchain, std::string_view file);

// argv of the program, the caller's arguments behind it.
struct RunCommand {
  const Toolchain* toolchain = nullptr;
  std::string source;
  std::string entry;  // its name in the source's folder, where the program is several files
  Places places;
  Limits limits;
  std::optional<Version> version;  // of the interpreter, where its flags depend on it
  std::string program;             // where the interpreter is
  bool without_site = false;       // see python_site.h
};
std::vector<std::string> run_command(const RunCommand& command,
                                     const std::vector<std::string>& args);
// Variables that the interpreter wants.
std::vector<std::string> run_environment(const RunCommand& command);
inline constexpr std::string_view kObjectFile = "object";
inline constexpr std::string_view kProgramFile = languages::kMadeProgram;
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
