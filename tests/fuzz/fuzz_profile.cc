// Any bytes as a profile: read or refused with a place, never a crash.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "languages/profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view yaml(reinterpret_cast<const char*>(data), size);
  auto profile = langsbx::languages::read_profile(yaml, "p.yaml");
  if (profile.ok()) {
    (void)langsbx::languages::make_policy(*profile);
  } else if (!profile.error().message.starts_with("p.yaml:")) {
    std::abort();
  }
  return 0;
}
