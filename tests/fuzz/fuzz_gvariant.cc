// Any bytes as the value of a unit's property: refused, or one JSON value of the property's type.
// The first byte chooses the type.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "runtime/cgroup/systemd/unit.h"

namespace {

using Json = nlohmann::json;

bool fits(const Json& value, std::string_view signature) {
  if (signature == "s") return value.is_string();
  if (signature == "b") return value.is_boolean();
  if (signature == "d") return value.is_number();
  if (signature == "as") {
    for (const Json& item : value) {
      if (!item.is_string()) return false;
    }
    return value.is_array();
  }
  return value.is_number_integer() && (signature == "i" || signature == "x" || value >= 0);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::string_view kSignatures[] = {"s", "b", "d", "i", "u", "x", "t", "as"};
  if (size == 0) return 0;
  const auto signature = kSignatures[data[0] % std::size(kSignatures)];
  std::string text(reinterpret_cast<const char*>(data + 1), size - 1);
  // config.json's texts are UTF-8 when they come here.
  for (char& letter : text) {
    if (static_cast<unsigned char>(letter) > 0x7f) letter = '?';
  }
  const auto json = langsbx::cgroup::systemd::parse_gvariant(text, signature);
  if (!json.ok()) return 0;
  const Json value = Json::parse(*json, nullptr, false);
  if (value.is_discarded() || !fits(value, signature)) std::abort();
  return 0;
}
