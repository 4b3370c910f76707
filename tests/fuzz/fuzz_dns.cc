// Any bytes as a name server's answer, and as the hosts file: a bounded number of addresses, and
// none whose bytes the answer does not hold.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "runtime/egress/resolver.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const unsigned char> message(data, size);
  const auto found = langsbx::egress::addresses_in_answer(message);
  if (found.size() > 16) std::abort();
  for (const auto& address : found) {
    const auto* const end = address.bytes.begin() + (address.v6 ? 16 : 4);
    if (std::search(message.begin(), message.end(), address.bytes.begin(), end) == message.end()) {
      std::abort();
    }
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(langsbx::egress::addresses_in_hosts(text, "box"));
  return 0;
}
