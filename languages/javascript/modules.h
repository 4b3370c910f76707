// What each module of Node.js reaches for, member by member.
#pragma once

#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages::javascript {

struct Module {
  std::string_view name;  // without "node:"
  // What the module as a whole reaches for; for a mixed module, what a member that is not in the
  // tables reaches for.
  Capability capability = Capability::kNone;
  bool mixed = false;  // members differ: judged one by one
};

// Nothing for a module that is not part of Node.js.
[[nodiscard]] const Module* find_module(std::string_view specifier);

struct Member {
  Capability capability = Capability::kNone;
  int paths = 0;        // how many of the first arguments are paths
  bool writes = false;  // what is done to the paths
};

[[nodiscard]] Member find_member(const Module& module, std::string_view name);
// `process.NAME`; kIntrospection for a member that is not known.
[[nodiscard]] Member find_process_member(std::string_view name);
// Variables that ordinary programs ask for: NODE_ENV and the like.
[[nodiscard]] bool is_risky_process_member(std::string_view name);
// fs.promises, path.posix and the like: the object is the same module under another name.
[[nodiscard]] bool is_same_module(std::string_view member);

}  // namespace langsbx::languages::javascript
