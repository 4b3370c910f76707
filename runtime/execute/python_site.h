// Python's module `site` is a fifth of what the interpreter takes to start. It brings the folders
// of installed packages, and exit, quit, help, copyright, credits and license.
#pragma once

#include <string>
#include <string_view>

namespace langsbx::execute {

// False when the program reaches for nothing of that: it names none of the six, imports from the
// standard library alone, and has no way to import by a name that is not written down.
[[nodiscard]] bool needs_site(std::string_view source);

// Whether `site` would find nothing but packages: no code that runs at every start (*.pth,
// sitecustomize) beside what distributions ship. `program` is the interpreter, below `root`.
[[nodiscard]] bool site_is_ordinary(const std::string& root, const std::string& program);

}  // namespace langsbx::execute
