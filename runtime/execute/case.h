// What is decided about a request before its first process, and whether its program may run.
#pragma once

#include <string>
#include <string_view>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/profile.h"
#include "runtime/execute/request.h"
#include "runtime/execute/tool_search.h"
#include "runtime/execute/toolchain.h"

namespace langsbx::execute {

struct Case {
  const languages::Language* language = nullptr;
  const Toolchain* toolchain = nullptr;  // for limits, which are the same for all of a language
  Tool tool;                             // what is used
  languages::Profile profile;
  languages::Policy policy;
  Network network = Network::kNone;
};

Result<Case> open_case(const Request& request);
// Whether the profile wants `stage` enforced; `otherwise` when it does not say.
bool enforces(const Case& made, std::string_view stage, bool otherwise);
std::string seccomp_name(const Case& made);

// The guard's word on the source, which is asked for while the sandbox is being made: nothing of
// the program starts before.
class Clearance {
 public:
  Clearance(const Request& request, const Case& made, Record& record)
      : request_(request), made_(made), record_(record) {}
  // Judges, the first time; the findings are the record's.
  bool given();
  // The same, for the program itself, which starts then.
  bool start();

 private:
  const Request& request_;
  const Case& made_;
  Record& record_;
  bool judged_ = false;
  bool started_ = false;
};

}  // namespace langsbx::execute
