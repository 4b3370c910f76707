// Profiles of the administrator and the user: <directory>/<language>/<name>.yaml or
// <directory>/<name>.yaml, looked for before the shipped ones.
#pragma once

#include <string>
#include <vector>

#include "languages/profile.h"

namespace langsbx::guard {

inline constexpr const char* kProfileDirectory = "/etc/langsbx/profiles";

// The first directory that has the file wins. A name that is no plain file name is in none.
[[nodiscard]] languages::ProfileFinder find_in(std::vector<std::string> directories);

// Whether a language's profile of that name is shipped or in one of the directories.
[[nodiscard]] bool has_profile(const languages::Language& language, std::string_view name,
                               const languages::ProfileFinder& finder);

}  // namespace langsbx::guard
