// C++ as the registry knows it.

#include "languages/c/judge.h"
#include "languages/c/rules.h"
#include "languages/cpp/profiles.h"

namespace langsbx::languages::c {
extern const Launch kCppLaunch;  // launch.cc
}  // namespace langsbx::languages::c

namespace langsbx::languages::cpp {
namespace {

constexpr Name kAliases[] = {"c++", "cxx"};
constexpr Name kExtensions[] = {".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx"};
constexpr Name kInterpreters[] = {"cling"};

void judge(const Source& source, const Policy& policy, Findings& findings) {
  c::judge_source(source, policy, findings, scanner::kCpp);
}

}  // namespace

extern const Language kLanguage;
const Language kLanguage = {.name = "cpp",
                            .title = "C++",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = c::kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge,
                            .launch = &c::kCppLaunch,
                            .judges_objects = true};

}  // namespace langsbx::languages::cpp
