// What a literal says once its quotes and escapes are gone.
#pragma once

#include <optional>
#include <string>

#include "languages/scanner/dialect.h"
#include "languages/scanner/token.h"

namespace langsbx::languages::scanner {

// The characters of a string, raw string, text block, header name or template piece, decoded as the
// dialect's compiler does. Nothing for another token or an escape the language does not have.
[[nodiscard]] std::optional<std::string> literal_text(const Scan& scan, const Token& token,
                                                      const Dialect& dialect);

// A name without Rust's r#.
[[nodiscard]] std::string_view plain_name(std::string_view name);

}  // namespace langsbx::languages::scanner
