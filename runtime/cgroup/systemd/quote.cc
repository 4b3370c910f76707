// Writes property values as JSON.
#include "runtime/cgroup/systemd/quote.h"

#include <array>

namespace langsbx::cgroup::systemd {

std::string quote(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '"' || letter == '\\') {
      quoted.append({'\\', letter});
    } else if (byte < 0x20) {
      quoted.append("\\u00").append({kDigits[byte >> 4U], kDigits[byte & 15U]});
    } else {
      quoted.push_back(letter);
    }
  }
  quoted.push_back('"');
  return quoted;
}

UnitProperty text_property(std::string name, std::string_view value) {
  return {std::move(name), "s", quote(value)};
}

UnitProperty flag_property(std::string name, bool value) {
  return {std::move(name), "b", value ? "true" : "false"};
}

UnitProperty number_property(std::string name, std::uint64_t value) {
  return {std::move(name), "t", std::to_string(value)};
}

UnitProperty list_property(std::string name, const std::vector<std::string>& list) {
  std::string json = "[";
  for (const auto& entry : list) json.append(json.size() > 1 ? "," : "").append(quote(entry));
  return {std::move(name), "as", json + "]"};
}

UnitProperty mask_property(std::string name, const std::vector<std::uint16_t>& numbers) {
  std::vector<unsigned> bytes;
  for (const unsigned number : numbers) {
    if (bytes.size() <= number / 8) bytes.resize(number / 8 + 1);
    bytes[number / 8] |= 1U << (number % 8);
  }
  std::string json = "[";
  for (const auto byte : bytes)
    json.append(json.size() > 1 ? "," : "").append(std::to_string(byte));
  return {std::move(name), "ay", json + "]"};
}

}  // namespace langsbx::cgroup::systemd
