// Prints "offset name" for every identifier of each file named: the differential test's left side.
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

#include "languages/scanner/scanner.h"

int main(int argc, char** argv) {
  namespace scanner = langsbx::languages::scanner;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const std::string bytes = text.str();
    const scanner::Dialect& dialect = scanner::kJava;
    const scanner::Scan scan = scanner::scan(bytes, dialect, 1000);
    std::printf("file %s errors %u\n", argv[i], scan.errors);
    for (const scanner::Token& token : scan.tokens) {
      if (token.kind != scanner::TokenKind::kIdentifier) continue;
      std::printf("%u %.*s\n", token.offset, static_cast<int>(token.length),
                  bytes.data() + token.offset);
    }
  }
  return 0;
}
