// Reads the kernel's table of interfaces.
#include "runtime/host/interface_stats.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "runtime/base/text_list.h"

namespace langsbx::runtime {
namespace {

using Json = nlohmann::ordered_json;

// The kernel's columns; those without a name are not reported.
constexpr auto kColumns =
    text_list("RxBytes", "RxPackets", "RxErrors", "RxDropped", "", "", "", "", "TxBytes",
              "TxPackets", "TxErrors", "TxDropped", "", "", "", "");

std::string_view take_word(std::string_view& text, std::string_view separators) {
  text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
  const auto word = text.substr(0, text.find_first_of(separators));
  text.remove_prefix(word.size());
  return word;
}

Json counters(const std::string& name, std::string_view columns) {
  Json json;
  json["Name"] = name;
  for (const std::string_view column : kColumns) {
    const auto word = take_word(columns, " ");
    std::uint64_t value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    if (!column.empty()) json[std::string(column)] = value;
  }
  return json;
}

}  // namespace

nlohmann::ordered_json interface_stats(const oci::Linux& linux_, std::string_view net_dev) {
  if (linux_.net_devices.empty()) return nullptr;
  std::set<std::string, std::less<>> wanted;
  for (const auto& [outside, device] : linux_.net_devices) {
    wanted.insert(device.name.empty() ? outside : device.name);
  }
  Json list = Json::array();
  while (!net_dev.empty()) {
    auto line = net_dev.substr(0, net_dev.find('\n'));
    net_dev.remove_prefix(std::min(line.size() + 1, net_dev.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    auto head = line.substr(0, colon);
    const std::string name(take_word(head, " "));
    if (wanted.contains(name)) list.push_back(counters(name, line.substr(colon + 1)));
  }
  return list;
}

}  // namespace langsbx::runtime
