// Go as the registry knows it.
#include <array>

#include "languages/go/judge.h"
#include "languages/go/profiles.h"
#include "languages/go/rules/rules.h"

namespace langsbx::languages::go {
namespace {

constexpr auto kAliases = std::to_array<std::string_view>({"golang"});
constexpr auto kExtensions = std::to_array<std::string_view>({".go"});
constexpr auto kInterpreters = std::to_array<std::string_view>({"go"});

}  // namespace

extern const Language kLanguage;
const Language kLanguage = {.name = "go",
                            .title = "Go",
                            .aliases = kAliases,
                            .extensions = kExtensions,
                            .interpreters = kInterpreters,
                            .rules = all_rules(),
                            .builtin_profiles = kProfiles,
                            .preflight = {.byte_order_mark = false},
                            .judge = judge_source};

}  // namespace langsbx::languages::go
