// Names of environment variables: one that is asked for by a literal name is harmless unless the
// name speaks of a secret.
#pragma once

#include <string_view>

namespace langsbx::languages {

// "AWS_SECRET_ACCESS_KEY", "npm_token"; not "HOME".
[[nodiscard]] bool names_secret(std::string_view variable);
// Whether a variable of that name decides what is run or loaded next: PATH, LD_PRELOAD,
// NODE_OPTIONS, PYTHONPATH.
[[nodiscard]] bool decides_what_is_loaded(std::string_view variable);

}  // namespace langsbx::languages
