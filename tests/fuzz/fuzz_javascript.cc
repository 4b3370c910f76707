// Fuzzes the judge of javascript: any bytes, no crash, and findings that stand inside the source.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "languages/judge.h"

namespace langsbx::languages::javascript {
extern const Language kLanguage;
extern const Language kTypeScript;
}  // namespace langsbx::languages::javascript

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace langsbx::languages;  // NOLINT: a file of one function
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const Policy policy;
  const Source source{"input", bytes};
  for (const Language* language : {&javascript::kLanguage, &javascript::kTypeScript}) {
    const Judgement judgement = judge(*language, source, policy);
    for (const Finding& finding : judgement.report.violations) {
      if (finding.line == 0 || finding.line > size + 1 || finding.rule.empty()) std::abort();
    }
  }
  return 0;
}
