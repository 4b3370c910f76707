// Which file of a folder starts the program.
#pragma once

#include <string>
#include <vector>

#include "languages/language.h"
#include "runtime/base/result.h"
#include "runtime/execute/request.h"

namespace langsbx::execute {

// By what people expect, in this order: __main__.py, what package.json's "main" names, a file
// called main (or index, or as Cargo.toml and Maven have it), the only file of a known language,
// the only one with a main function. `language`: none but its files. An error names the
// candidates.
Result<std::string> find_entry(const std::vector<Input>& files, const languages::Language* language,
                               const std::string& folder);

}  // namespace langsbx::execute
