// Python as a language: its names, its profiles, and the door to its judge.
#include <algorithm>
#include <array>

#include "languages/language.h"
#include "languages/python/analysis.h"
#include "languages/python/modules.h"
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

// Modules that the standard library tries to import and that are there on few systems, if anywhere:
// `copy` takes org.python.core, `platform` takes java and vms_lib. Nothing of the library is in the
// way of what stands beside the program.
constexpr std::array<std::string_view, 10> kSeldomThere{
    "_winreg", "apport_python_hook", "java",    "org",         "sitecustomize",
    "tzdata",  "usercustomize",      "vms_lib", "win32evtlog", "win32evtlogutil"};

// "name/" asks for a folder without an __init__: it counts only where no library has that name.
bool is_library_module(std::string_view name) {
  const bool folder = name.ends_with('/');
  if (folder) name.remove_suffix(1);
  const bool seldom_there = std::ranges::find(kSeldomThere, name) != kSeldomThere.end();
  return seldom_there || (!folder && find_module(name) != nullptr);
}

}  // namespace

extern const Launch kLaunch;  // launch.cc
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
    .launch = &kLaunch,
    .references = References::kBelowEntry,
    .is_library_module = is_library_module,
};

}  // namespace langsbx::languages::python
