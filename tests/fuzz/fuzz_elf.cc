// libFuzzer: any bytes as an object file.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "languages/elf/judge.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const langsbx::languages::Policy policy;
  const langsbx::languages::Source source{"x.o", bytes};
  langsbx::languages::Findings findings(source, policy);
  langsbx::languages::elf::judge_object(bytes, policy, findings);
  return 0;
}
