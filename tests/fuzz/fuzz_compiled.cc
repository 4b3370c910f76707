// libFuzzer: any bytes through the judges of C, C++, Go and Rust.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "languages/judge.h"
#include "languages/policy.h"
#include "languages/registry.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const langsbx::languages::Policy policy;
  for (const char* name : {"c", "cpp", "go", "rust", "r"}) {
    const auto* language = langsbx::languages::find_language(name);
    if (language != nullptr) (void)langsbx::languages::judge(*language, {"x", bytes}, policy);
  }
  return 0;
}
