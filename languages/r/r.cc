// R as the registry knows it.
#include "languages/r/judge.h"
#include "languages/r/profiles.h"
#include "languages/r/rules.h"

namespace langsbx::languages::r {
namespace {

constexpr Name kAliases[] = {"rlang", "rscript"};
constexpr Name kExtensions[] = {".R", ".r"};
constexpr Name kInterpreters[] = {"Rscript", "R"};

}  // namespace

extern const Launch kLaunch;  // launch.cc
extern const Language kLanguage;
const Language kLanguage = {.name = "r",
                            .title = "R",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge_source,
                            .launch = &kLaunch,
                            .references = References::kEverywhere};

}  // namespace langsbx::languages::r
