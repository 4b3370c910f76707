// Which byte-level disagreements between a reader and the interpreter a language can suffer from.
#pragma once

namespace langsbx::languages {

// NUL, invalid UTF-8, ELF, zip and bytecode content, bidirectional controls and the size limit are
// checked for every language; these depend on it.
struct PreflightOptions {
  bool bare_carriage_return = true;  // refuse CR without LF: it ends a line for some readers only
  bool coding_cookie = false;        // Python: refuse "coding:" other than utf-8 and ascii
  bool byte_order_mark = true;       // refuse a byte-order mark
  bool line_separators = false;      // refuse U+2028/U+2029 (JavaScript: they end a line)
};

}  // namespace langsbx::languages
