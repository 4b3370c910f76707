// C++ as the registry knows it.
#include <array>

#include "languages/c/judge.h"
#include "languages/c/rules/rules.h"
#include "languages/cpp/profiles.h"

namespace langsbx::languages::cpp {
namespace {

constexpr auto kAliases = std::to_array<std::string_view>({"c++", "cxx"});
constexpr auto kExtensions =
    std::to_array<std::string_view>({".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx"});
constexpr auto kInterpreters = std::to_array<std::string_view>({"cling"});

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
                            .rules = c::all_rules(),
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge};

}  // namespace langsbx::languages::cpp
