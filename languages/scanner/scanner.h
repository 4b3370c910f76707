// One table-driven scanner for C, C++, Java, Go, Rust, JavaScript and TypeScript.
#pragma once

#include <cstddef>
#include <string_view>

#include "languages/scanner/dialect.h"
#include "languages/scanner/token.h"

namespace langsbx::languages::scanner {

// Cuts `bytes` into tokens in linear time. Never fails and skips nothing: what it can't read the
// way the language's own compiler would becomes a kError token, after which it goes on.
// Brackets and template literals may nest `max_nesting` deep. `words` are the names that get a
// mark.
[[nodiscard]] Scan scan(std::string_view bytes, const Dialect& dialect,
                        std::size_t max_nesting = 200, const WordFilter& words = kNoWords);

}  // namespace langsbx::languages::scanner
