#include "cmd/langsbxd/config.h"

#include <unistd.h>

#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <functional>
#include <map>

#include "languages/yaml.h"
#include "runtime/execute/limits.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

using languages::YamlNode;

struct Place {
  const std::string& file;
  std::string member;
  YamlNode node;
};

Error fault(const Place& at, const std::string& what) {
  return make_error(ErrorKind::kInvalidInput,
                    at.file + ":" + at.node.position() + ": " + at.member + ": " + what);
}

Result<std::string> text(const Place& at) {
  if (at.node.kind() != YamlNode::Kind::kScalar) return fault(at, "not a text");
  return std::string(at.node.scalar());
}

Result<std::uint64_t> number(const Place& at) {
  const auto digits = TRY(text(at));
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > 1U << 30U) {
    return fault(at, "not a whole number");
  }
  return value;
}

Result<std::uint64_t> size(const Place& at) {
  auto parsed = execute::parse_size(TRY(text(at)), at.member);
  if (!parsed.ok()) return fault(at, parsed.error().message);
  return parsed;
}

// "30s", "5m", "1h"
Result<std::chrono::seconds> time(const Place& at) {
  const auto value = TRY(text(at));
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
  const std::string unit(end, value.data() + value.size());
  const std::map<std::string, std::int64_t> units = {{"s", 1}, {"m", 60}, {"h", 3600}};
  const auto found = units.find(unit);
  if (error != std::errc() || found == units.end() || count < 1 || count > 1'000'000) {
    return fault(at, "\"" + value + "\" is not a time such as 30s, 5m or 1h");
  }
  return std::chrono::seconds(count * found->second);
}

Result<std::vector<std::string>> texts(const Place& at) {
  if (at.node.kind() != YamlNode::Kind::kSequence) return fault(at, "not a list");
  std::vector<std::string> list;
  for (const auto& item : at.node.items()) list.push_back(TRY(text({at.file, at.member, item})));
  return list;
}

using Reader = std::function<Result<void>(const Place& at)>;
using Members = std::map<std::string, Reader>;

template <typename Target, typename Read>
Reader into(Target& target, Read read) {
  return [&target, read](const Place& at) -> Result<void> {
    target = static_cast<Target>(TRY(read(at)));
    return {};
  };
}

Result<void> read_members(const Place& at, const Members& members) {
  if (at.node.kind() != YamlNode::Kind::kMapping) return fault(at, "not a mapping");
  for (const auto& [key, value] : at.node.pairs()) {
    const std::string name(key.scalar());
    const auto found = members.find(name);
    const Place member{at.file, at.member.empty() ? name : at.member + "." + name, value};
    if (found == members.end()) return fault({at.file, member.member, key}, "not known");
    TRY(found->second(member));
  }
  return {};
}

Result<void> read_limits(const Place& at, execute::LimitOptions& ceilings) {
  Members members;
  const auto& table = execute::limit_table();
  for (std::size_t i = 0; i < table.size(); ++i) {
    members[std::string(table[i].field)] = [&ceilings, &table, i](const Place& member) {
      return [&]() -> Result<void> {
        const auto value = TRY(text(member));
        const bool parts = table[i].unit == execute::Unit::kProcessors;
        auto parsed = parts ? execute::parse_cpus(value) : execute::parse_size(value, "");
        if (!parsed.ok()) return fault(member, "\"" + value + "\" is not a limit");
        ceilings[i] = *parsed;
        return {};
      }();
    };
  }
  return read_members(at, members);
}

Result<void> read_allowed(const Place& at, Allowed& allowed) {
  return read_members(
      at, {{"languages", into(allowed.languages, texts)},
           {"profiles", into(allowed.profiles, texts)},
           {"tiers", into(allowed.tiers, texts)},
           {"networks", into(allowed.networks, texts)},
           {"limits", [&](const Place& member) { return read_limits(member, allowed.ceilings); }}});
}

}  // namespace

Result<void> read_config(const std::string& path, Config& config) {
  const auto bytes = TRY(read_file(path, 1U << 20U));
  const auto document = TRY(languages::YamlDocument::parse(bytes, path));
  const Members queue = {{"waiting", into(config.waiting, number)},
                         {"waiting_of_key", into(config.waiting_of_key, number)}};
  const Members results = {{"most", into(config.results.most, number)},
                           {"bytes", into(config.results.bytes, size)},
                           {"age", into(config.results.age, time)}};
  const Members members = {
      {"listen", into(config.listen, texts)},
      {"state", into(config.state, text)},
      {"keys", into(config.keys, text)},
      {"audit", into(config.audit, text)},
      {"runtime", into(config.runtime, text)},
      {"workers", into(config.workers, number)},
      {"queue", [&](const Place& at) { return read_members(at, queue); }},
      {"results", [&](const Place& at) { return read_members(at, results); }},
      {"largest_body", into(config.largest_body, size)},
      {"connections", into(config.connections, number)},
      {"read_time", into(config.read_time, time)},
      {"stop_time", into(config.stop_time, time)},
      {"hosts", into(config.hosts, texts)},
      {"callback_hosts", into(config.callback_hosts, texts)},
      {"allowed", [&](const Place& at) { return read_allowed(at, config.allowed); }}};
  return read_members({path, "", document.root()}, members);
}

bool Address::loopback() const {
  if (unix_socket) return true;
  boost::system::error_code error;
  const auto address = boost::asio::ip::make_address(host, error);
  return !error && address.is_loopback();
}

Result<Address> parse_address(const std::string& text) {
  Address address;
  if (text.starts_with("unix:")) {
    address.unix_socket = true;
    address.path = text.substr(5);
    if (address.path.starts_with('/') && address.path.size() < 108) return address;
    return make_error(ErrorKind::kInvalidInput,
                      "listen: " + text + ": not an absolute path of less than 108 bytes");
  }
  const auto colon = text.rfind(':');
  const std::string digits = colon == std::string::npos ? "" : text.substr(colon + 1);
  address.host = text.substr(0, colon);
  if (address.host.starts_with('[') && address.host.ends_with(']')) {
    address.host = address.host.substr(1, address.host.size() - 2);
  }
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), address.port);
  boost::system::error_code wrong;
  boost::asio::ip::make_address(address.host, wrong);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size() || wrong) {
    return make_error(ErrorKind::kInvalidInput,
                      "listen: \"" + text + "\" is neither ADDRESS:PORT nor unix:/PATH");
  }
  return address;
}

Result<void> check_config(const Config& config) {
  for (const auto& text : config.listen) {
    const auto address = TRY(parse_address(text));
    if (!address.loopback() && config.keys.empty()) {
      return make_error(
          ErrorKind::kInvalidInput,
          "listen: " + text +
              ": other machines reach this address, so keys are "
              "needed: name their file with keys, make one with `langsbx serve key add`");
    }
  }
  if (config.state.empty() || config.state[0] != '/') {
    return make_error(ErrorKind::kInvalidInput,
                      "state: \"" + config.state + "\" is not an absolute path");
  }
  if (::access(config.runtime.c_str(), X_OK) != 0) {
    return system_error("runtime " + config.runtime);
  }
  return {};
}

}  // namespace langsbx::serve
