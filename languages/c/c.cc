// The C language as the registry knows it.

#include "languages/c/judge.h"
#include "languages/c/profiles.h"
#include "languages/c/rules.h"

namespace langsbx::languages::c {
namespace {

constexpr Name kAliases[] = {"c11", "c17"};
constexpr Name kExtensions[] = {".c", ".h"};
constexpr Name kInterpreters[] = {"tcc"};

void judge(const Source& source, const Policy& policy, Findings& findings) {
  judge_source(source, policy, findings, scanner::kC);
}

}  // namespace

bool has_no_constructors(const Policy& policy) { return policy.language == "c"; }

extern const Launch kLaunch;  // launch.cc
extern const Language kLanguage;
const Language kLanguage = {.name = "c",
                            .title = "C",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge,
                            .launch = &kLaunch,
                            .judges_objects = true};

}  // namespace langsbx::languages::c
