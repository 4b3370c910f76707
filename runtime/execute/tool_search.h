// Which of a language's toolchains is there, and where its program is.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/execute/tool_version.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {

struct Tool {
  const Toolchain* toolchain = nullptr;
  std::string program;             // interpreter or compiler, as the sandbox sees it
  std::optional<Version> version;  // of Node, where it can be asked
};

// What the choice needs to know; a test has its own.
struct ToolFacts {
  std::function<bool(std::string_view path)> has;  // an executable of that absolute path
  std::function<std::optional<Version>(const std::string& program)> version;
  // Where programs are beside their usual place, in order.
  std::vector<std::string> folders;
};
// The first toolchain of the language that is complete; `several`: for programs of several files.
std::optional<Tool> choose_tool(std::string_view language, const ToolFacts& facts,
                                bool several = false);

// On the host, or below `rootfs`. kNotFound names the package to install.
Result<Tool> find_tool(std::string_view language, const std::string& rootfs,
                       const std::string& state_root, bool several = false);

}  // namespace langsbx::execute
