// Go as the registry knows it.

#include "languages/go/judge.h"
#include "languages/go/profiles.h"
#include "languages/go/rules.h"

namespace langsbx::languages::go {
namespace {

constexpr Name kAliases[] = {"golang"};
constexpr Name kExtensions[] = {".go"};
constexpr Name kInterpreters[] = {"go"};

}  // namespace

extern const Launch kLaunch;  // launch.cc
extern const Language kLanguage;
const Language kLanguage = {.name = "go",
                            .title = "Go",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge_source,
                            .launch = &kLaunch,
                            .follow_reference = follow_reference};

}  // namespace langsbx::languages::go
