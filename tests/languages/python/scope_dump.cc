// Prints whose variable each name of a file is, one a line, as "name OFFSET SCOPE": the scope by
// the offset of what makes it, "module", or "any" when that is not clear; and as "binds" the names
// that give a value. For the differential test against CPython's symtable (differential_scopes.py).
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "languages/policy.h"
#include "languages/python/analysis.h"

namespace langsbx::languages::python {

class ScopeDump {
 public:
  static void print(const std::string& bytes) {
    const Source source{"dump", bytes};
    const Policy policy;
    Findings findings(source, policy);
    Analysis analysis(source, policy, findings);
    analysis.scan_ = scan(bytes, 200);
    analysis.collect();
    const Scopes& scopes = analysis.scopes();
    std::puts(analysis.scan_.error == nullptr && scopes.understood() ? "understood" : "not");
    for (std::uint32_t i = 0; i < analysis.tokens_.size(); ++i) {
      const Token& token = analysis.tokens_[i];
      if (token.kind != TokenKind::kName) continue;
      if (token.name != 0 && (name_info(token.name).uses & kKeyword) != 0) continue;
      analysis.searched_ = 0;  // here every name is asked for
      const std::uint32_t scope = analysis.variable(i);
      const char* what = Analysis::binds(scopes.role(i)) ? "binds" : "name";
      if (scope == Analysis::kAnyScope) {
        std::printf("%s %u any\n", what, token.offset);
      } else if (scope == 0) {
        std::printf("%s %u module\n", what, token.offset);
      } else {
        std::printf("%s %u %u\n", what, token.offset, analysis.tokens_[scopes[scope].token].offset);
      }
    }
  }
};

}  // namespace langsbx::languages::python

int main(int argc, char** argv) {
  for (int n = 1; n < argc; ++n) {
    std::ifstream file(argv[n], std::ios::binary);
    std::stringstream text;
    text << file.rdbuf();
    std::printf("file %s\n", argv[n]);
    langsbx::languages::python::ScopeDump::print(text.str());
  }
  return 0;
}
