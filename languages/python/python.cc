// Python as a language: its names, its profiles, and the door to its judge.
#include "languages/language.h"
#include "languages/python/analysis.h"
#include "languages/python/profiles.h"
#include "languages/python/rules.h"

namespace langsbx::languages::python {
namespace {

constexpr Name kAliases[] = {"py", "python3", "cpython"};
constexpr Name kExtensions[] = {".py", ".pyw"};
constexpr Name kInterpreters[] = {"python", "python3", "pypy", "pypy3"};

void judge_python(const Source& source, const Policy& policy, Findings& findings) {
  Analysis(source, policy, findings).run();
}

}  // namespace

extern const Language kLanguage;
constinit const Language kLanguage = {
    .name = "python",
    .title = "Python",
    .aliases = kAliases,
    .extensions = kExtensions,
    .interpreters = kInterpreters,
    .rules = kRules,
    .builtin_profiles = kProfiles,
    .preflight = {.coding_cookie = true, .byte_order_mark = false},
    .judge = judge_python,
    .references = References::kBelowEntry,
};

}  // namespace langsbx::languages::python
