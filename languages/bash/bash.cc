// Bash as a language of the guard.

#include "languages/bash/judge.h"
#include "languages/bash/profiles.h"
#include "languages/bash/rules.h"

namespace langsbx::languages::bash {
namespace {

constexpr Name kAliases[] = {"sh", "shell", "dash"};
constexpr Name kExtensions[] = {".sh", ".bash"};
constexpr Name kInterpreters[] = {"bash", "sh", "dash", "ash"};

void judge_script(const Source& source, const Policy& policy, Findings& findings) {
  Judge(source, policy, findings).run();
}

}  // namespace

extern const Launch kLaunch;  // launch.cc
extern const Language kLanguage;
const Language kLanguage = {
    .name = "bash",
    .title = "Bash",
    .aliases = kAliases,
    .extensions = kExtensions,
    .interpreters = kInterpreters,
    .rules = kRules,
    .builtin_profiles = kProfiles,
    // A carriage return is an ordinary character to the shell and to this parser.
    .preflight = {.bare_carriage_return = true},
    .judge = judge_script,
    .launch = &kLaunch,
    .commands = true,
    .references = References::kEverywhere,
};

}  // namespace langsbx::languages::bash
