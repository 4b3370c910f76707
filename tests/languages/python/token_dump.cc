// Prints the tokens of a file, one a line, as "kind offset length"; f-strings as one string, as
// CPython's tokenize did before 3.12.
#include <cstdio>
#include <fstream>
#include <sstream>

#include "languages/python/tokens.h"

namespace {

using langsbx::languages::python::Scan;
using langsbx::languages::python::Token;
using langsbx::languages::python::TokenKind;

const char* kind_of(const Token& token) {
  switch (token.kind) {
    case TokenKind::kName:
      return "name";
    case TokenKind::kNumber:
      return "number";
    case TokenKind::kString:
    case TokenKind::kFString:
      return "string";
    case TokenKind::kNewline:
      return "newline";
    default:
      return "op";
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) {
    std::ifstream file(argv[n], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    const std::string bytes = text.str();
    const Scan scan = langsbx::languages::python::scan(bytes, 200);
    std::printf("file %s\n", argv[n]);
    if (scan.error != nullptr) {
      std::printf("error %zu %s\n", scan.error_offset, scan.error);
      continue;
    }
    for (std::size_t i = 0; i < scan.tokens.size(); ++i) {
      const Token& token = scan.tokens[i];
      if (token.kind == TokenKind::kEnd || token.kind == TokenKind::kNewline) continue;
      unsigned length = token.length;
      if (token.kind == TokenKind::kFString) {
        i = token.link;
        length = scan.tokens[i].offset + scan.tokens[i].length - token.offset;
      }
      std::printf("%s %u %u\n", kind_of(token), token.offset, length);
    }
  }
  return 0;
}
