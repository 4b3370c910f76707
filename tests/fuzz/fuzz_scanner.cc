// libFuzzer: any bytes through the scanner in all dialects; tokens stay in order and inside.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "languages/scanner/literal_text.h"
#include "languages/scanner/scanner.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace langsbx::languages::scanner;  // NOLINT: one function, one library
  const Dialect* dialects[] = {&kC, &kCpp, &kJava, &kGo, &kRust, &kJavaScript, &kTypeScript, &kR};
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const Dialect* dialect : dialects) {
    const Scan result = scan(bytes, *dialect);
    std::size_t last = 0;
    for (const Token& token : result.tokens) {
      if (token.offset > size || token.length > size - token.offset) std::abort();
      if (token.kind != TokenKind::kError && token.offset < last) std::abort();
      if (token.kind != TokenKind::kError) last = token.offset + token.length;
      (void)literal_text(result, token, *dialect);
    }
  }
  return 0;
}
