// Matching of hosts, classes of addresses.
#include "runtime/egress/allow_list.h"

#include <arpa/inet.h>

#include <algorithm>

#include "runtime/base/text.h"

namespace langsbx::egress {
namespace {

struct Network {
  std::string_view prefix;
  unsigned bits;
};

// IANA's special-purpose registries: everything that is not globally reachable, and multicast.
constexpr std::array kNotPublic4 = {
    Network{"0.0.0.0", 8},      Network{"10.0.0.0", 8},     Network{"100.64.0.0", 10},
    Network{"127.0.0.0", 8},    Network{"169.254.0.0", 16}, Network{"172.16.0.0", 12},
    Network{"192.0.0.0", 24},   Network{"192.0.2.0", 24},   Network{"192.88.99.0", 24},
    Network{"192.168.0.0", 16}, Network{"198.18.0.0", 15},  Network{"198.51.100.0", 24},
    Network{"203.0.113.0", 24}, Network{"224.0.0.0", 4},    Network{"240.0.0.0", 4}};
// Only 2000::/3 is the Internet's, without what is documentation or carries an IPv4 address.
constexpr Network kPublic6{"2000::", 3};
constexpr std::array kNotPublic6 = {Network{"2001::", 23}, Network{"2001:db8::", 32},
                                    Network{"2002::", 16}, Network{"3fff::", 20}};

bool is_in(const Address& address, const Network& network) {
  const auto prefix = *parse_address(network.prefix);
  const unsigned whole = network.bits / 8;
  if (!std::equal(address.bytes.begin(), address.bytes.begin() + whole, prefix.bytes.begin())) {
    return false;
  }
  const unsigned rest = network.bits % 8;
  if (rest == 0) return true;
  const unsigned mask = 0xFFU << (8 - rest);
  return (address.bytes[whole] & mask) == (prefix.bytes[whole] & mask);
}

bool is_name(std::string_view text) {
  constexpr std::size_t kLongest = 253;
  if (text.empty() || text.size() > kLongest || text.front() == '.' || text.front() == '-') {
    return false;
  }
  if (text.find("..") != std::string_view::npos) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_';
  });
}

Address loopback4() { return *parse_address("127.0.0.1"); }
Address loopback6() { return *parse_address("::1"); }

}  // namespace

std::optional<Address> parse_address(std::string_view text) {
  const std::string copy(text);
  if (copy.size() != text.size() || copy.find('\0') != std::string::npos) return {};
  Address address;
  if (::inet_pton(AF_INET, copy.c_str(), address.bytes.data()) == 1) return address;
  address.v6 = true;
  if (::inet_pton(AF_INET6, copy.c_str(), address.bytes.data()) == 1) return address;
  return {};
}

std::string to_string(const Address& address) {
  char text[INET6_ADDRSTRLEN] = {};
  ::inet_ntop(address.v6 ? AF_INET6 : AF_INET, address.bytes.data(), text, sizeof text);
  return text;
}

bool is_public(const Address& address) {
  const auto holds = [&](const Network& network) { return is_in(address, network); };
  if (!address.v6) return std::none_of(kNotPublic4.begin(), kNotPublic4.end(), holds);
  return holds(kPublic6) && std::none_of(kNotPublic6.begin(), kNotPublic6.end(), holds);
}

std::string normal_host(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    const auto address = parse_address(host.substr(1, host.size() - 2));
    return address && address->v6 ? to_string(*address) : std::string();
  }
  if (!host.empty() && host.back() == '.') host.remove_suffix(1);
  std::string normal(host);
  for (char& c : normal) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return is_name(normal) ? normal : std::string();
}

bool AllowList::Entry::has_port(std::uint16_t wanted) const {
  constexpr std::uint16_t kHttp = 80;
  constexpr std::uint16_t kHttps = 443;
  return port ? *port == wanted : wanted == kHttp || wanted == kHttps;
}

Result<AllowList::Entry> AllowList::parse_entry(std::string_view text) {
  const auto fault = [&](const char* why) {
    return make_error(ErrorKind::kInvalidInput, "\"" + std::string(text) + "\": " + why);
  };
  Entry entry;
  std::string_view host = text;
  const auto colon = text.rfind(':');
  if (colon != std::string_view::npos && text.find(']', colon) == std::string_view::npos) {
    const auto port = to_number<std::uint16_t>(text.substr(colon + 1));
    if (!port || *port == 0) {
      return fault("what follows the last colon is no port (version 6 addresses: [::1])");
    }
    entry.port = *port;
    host = text.substr(0, colon);
  }
  if (host == "*") return entry;
  const bool below = host.starts_with("*.");
  const auto normal = normal_host(below ? host.substr(2) : host);
  if (normal.empty()) return fault("neither a host's name, nor *.NAME, nor an address");
  entry.host = below ? "." + normal : normal;
  entry.address = parse_address(entry.host);
  return entry;
}

Result<AllowList> AllowList::parse(const std::vector<std::string>& entries) {
  AllowList list;
  for (const auto& entry : entries) list.entries_.push_back(TRY(parse_entry(entry)));
  return list;
}

bool AllowList::allows_host(std::string_view host, std::uint16_t port) const {
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (!entry.has_port(port)) return false;
    if (entry.host.empty()) return !host.empty();
    if (entry.host.front() == '.') {
      return host.size() > entry.host.size() && host.ends_with(entry.host);
    }
    return host == entry.host;
  });
}

bool AllowList::allows_address(const Address& address, std::uint16_t port) const {
  if (is_public(address)) return true;
  return std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    if (!entry.has_port(port)) return false;
    if (entry.host == "localhost") return address == loopback4() || address == loopback6();
    return entry.address == address;
  });
}

}  // namespace langsbx::egress
