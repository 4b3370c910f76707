// Rust as the registry knows it.

#include "languages/rust/judge.h"
#include "languages/rust/profiles.h"
#include "languages/rust/rules.h"

namespace langsbx::languages::rust {
namespace {

constexpr Name kAliases[] = {"rs"};
constexpr Name kExtensions[] = {".rs"};
constexpr Name kInterpreters[] = {"rust-script"};

}  // namespace

extern const Launch kLaunch;  // launch.cc
extern const Language kLanguage;
const Language kLanguage = {.name = "rust",
                            .title = "Rust",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = kRules,
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge_source,
                            .launch = &kLaunch,
                            .follow_reference = follow_reference};

}  // namespace langsbx::languages::rust
