// Hosts file and answers of name servers.
#include "runtime/egress/resolver.h"

#include <arpa/nameser.h>
#include <netinet/in.h>
#include <resolv.h>

#include <algorithm>

#include "runtime/base/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::egress {
namespace {

std::uint16_t number_at(const unsigned char* place) {
  return static_cast<std::uint16_t>(place[0] << 8U | place[1]);
}

// The next word of a line of the hosts file.
void ask(res_state state, const std::string& host, int type, std::vector<Address>& found) {
  unsigned char answer[8192];
  const int size = ::res_nquery(state, host.c_str(), ns_c_in, type, answer, sizeof answer);
  if (size <= 0) return;
  const auto length = std::min<std::size_t>(static_cast<std::size_t>(size), sizeof answer);
  for (const auto& address : addresses_in_answer({answer, length})) found.push_back(address);
}

}  // namespace

std::vector<Address> addresses_in_hosts(std::string_view text, std::string_view host) {
  std::vector<Address> found;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    line = trim(line.substr(0, line.find('#')));
    const auto address = parse_address(take_word(line));
    if (!address) continue;
    for (auto name = take_word(line); !name.empty(); name = take_word(line)) {
      if (normal_host(name) != host) continue;
      found.push_back(*address);
      break;
    }
  }
  return found;
}

std::vector<Address> addresses_in_answer(std::span<const unsigned char> message) {
  constexpr std::size_t kFixed = 10;  // type, class, time to live, length
  constexpr std::size_t kMost = 16;
  std::vector<Address> found;
  if (message.size() < NS_HFIXEDSZ) return found;
  const unsigned char* const end = message.data() + message.size();
  const unsigned char* at = message.data() + NS_HFIXEDSZ;
  const auto left = [&] { return static_cast<std::size_t>(end - at); };
  for (unsigned count = number_at(message.data() + 4); count > 0; --count) {
    const int name = ::dn_skipname(at, end);
    if (name < 0 || left() < static_cast<std::size_t>(name) + NS_QFIXEDSZ) return {};
    at += name + NS_QFIXEDSZ;
  }
  for (unsigned count = number_at(message.data() + 6); count > 0; --count) {
    const int name = ::dn_skipname(at, end);
    if (name < 0 || left() < static_cast<std::size_t>(name) + kFixed) return {};
    at += name;
    const auto type = number_at(at);
    const auto size = number_at(at + kFixed - 2);
    at += kFixed;
    if (left() < size) return {};
    const bool v6 = type == ns_t_aaaa;
    if ((v6 && size == 16) || (type == ns_t_a && size == 4)) {
      Address address;
      address.v6 = v6;
      std::copy(at, at + size, address.bytes.begin());
      if (found.size() < kMost) found.push_back(address);
    }
    at += size;
  }
  return found;
}

Result<std::vector<Address>> resolve(const std::string& host) {
  if (const auto address = parse_address(host)) return std::vector<Address>{*address};
  const auto hosts = read_file("/etc/hosts");
  std::vector<Address> found;
  if (hosts.ok()) found = addresses_in_hosts(*hosts, host);
  if (!found.empty()) return found;
  if (host == "localhost") return std::vector<Address>{*parse_address("127.0.0.1")};
  struct __res_state state {};
  if (::res_ninit(&state) != 0) return make_error(ErrorKind::kSystem, "/etc/resolv.conf");
  state.retrans = 3;  // seconds
  state.retry = 2;
  ask(&state, host, ns_t_a, found);
  ask(&state, host, ns_t_aaaa, found);
  ::res_nclose(&state);
  if (found.empty()) return make_error(ErrorKind::kNotFound, host + ": no address is known");
  return found;
}

}  // namespace langsbx::egress
