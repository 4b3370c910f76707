// Any bytes: the judge ends, stays inside the text, and reports places that exist.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"

using langsbx::languages::Language;
using langsbx::languages::Policy;

namespace {

Policy policy_of(const Language& language, std::string_view name) {
  auto profile = langsbx::languages::load_profile(language, name);
  if (!profile.ok()) std::abort();
  return langsbx::languages::make_policy(*profile);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Language* const language = langsbx::languages::find_language("bash");
  static const Policy strict = policy_of(*language, "default");
  static const Policy loose = policy_of(*language, "build-tool");
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto judged = langsbx::languages::judge(*language, {"f.sh", bytes}, strict);
  for (const auto& finding : judged.report.violations) {
    if (finding.line == 0 || finding.column == 0) std::abort();
  }
  const auto again = langsbx::languages::judge(*language, {"f.sh", bytes}, loose);
  // What the looser profile refuses, the default one refuses too.
  if (!again.report.safe() && judged.report.safe()) std::abort();
  return 0;
}
