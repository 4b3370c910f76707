// scanner_dump LANGUAGE FILE...: every identifier with its offset, for comparing with a compiler's
// own scanner (integration/suites/guard_differential.py).
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

#include "languages/scanner/scanner.h"

namespace {

namespace scanner = langsbx::languages::scanner;

const scanner::Dialect* dialect_of(std::string_view language) {
  if (language == "c") return &scanner::kC;
  if (language == "cpp") return &scanner::kCpp;
  if (language == "go") return &scanner::kGo;
  if (language == "rust") return &scanner::kRust;
  if (language == "java") return &scanner::kJava;
  if (language == "javascript") return &scanner::kJavaScript;
  if (language == "typescript") return &scanner::kTypeScript;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const scanner::Dialect* dialect = argc < 2 ? nullptr : dialect_of(argv[1]);
  if (dialect == nullptr) return 2;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const std::string bytes = text.str();
    const scanner::Scan scan = scanner::scan(bytes, *dialect, 1000);
    std::printf("file %s errors %u\n", argv[i], scan.errors);
    for (const scanner::Token& token : scan.tokens) {
      if (token.kind != scanner::TokenKind::kIdentifier) continue;
      std::printf("%u %.*s\n", token.offset, static_cast<int>(token.length),
                  bytes.data() + token.offset);
    }
  }
  return 0;
}
