// What is decided about a request before its first process, and whether its program may run.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/profile.h"
#include "runtime/execute/request.h"
#include "runtime/execute/tool_search.h"
#include "runtime/execute/toolchain.h"
#include "runtime/guard/container_files.h"

namespace langsbx::execute {

struct Case {
  const languages::Language* language = nullptr;
  const Toolchain* toolchain = nullptr;  // for limits, which are the same for all of a language
  Tool tool;                             // what is used
  languages::Profile profile;
  languages::Policy policy;
  Network network = Network::kNone;
  std::optional<guard::ContainerFiles> folder;  // request.folder
};

Result<Case> open_case(const Request& request);
// Whether the profile wants `stage` enforced; `otherwise` when it does not say.
bool enforces(const Case& made, std::string_view stage, bool otherwise);
std::string seccomp_name(const Case& made);

}  // namespace langsbx::execute
