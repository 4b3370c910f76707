// Any bytes: the judge ends, stays inside the text, and reports places that exist.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "languages/report.h"

using langsbx::languages::Policy;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const langsbx::languages::Language* const language =
      langsbx::languages::find_language("python");
  static const Policy policy = [] {
    auto profile = langsbx::languages::load_profile(*language, "default");
    if (!profile.ok()) std::abort();
    Policy made = langsbx::languages::make_policy(*profile);
    made.patterns.push_back({"a*b?c", langsbx::languages::Pattern::Where::kComment, "", {}});
    return made;
  }();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto judged = langsbx::languages::judge_closure(*language, {"f.py", bytes}, policy, {});
  for (const auto& finding : judged.report.violations) {
    if (finding.line == 0 || finding.column == 0) std::abort();
  }
  (void)langsbx::languages::to_text(judged.report, [&](std::string_view) { return bytes; });
  (void)langsbx::languages::to_json(judged.report);
  return 0;
}
