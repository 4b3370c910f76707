// Which hosts and addresses a sandboxed program may reach.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::egress {

struct Address {
  bool v6 = false;
  std::array<std::uint8_t, 16> bytes{};  // the first four of an IPv4 address
  bool operator==(const Address&) const = default;
};
// "192.0.2.1", "2001:db8::1" (without brackets); only the usual notation.
std::optional<Address> parse_address(std::string_view text);
std::string to_string(const Address& address);
// Of the Internet at large: not private, local, shared, reserved, multicast, nor one that holds
// such an address (mapped, 6to4, Teredo). A cloud's metadata service is link-local.
bool is_public(const Address& address);

// Lower case, without a final dot; empty when it is neither a host name nor an address.
std::string normal_host(std::string_view host);

// Entries: "example.org", "*.example.org" (what is below it), "*", an address ("[::1]" for version
// 6), "localhost"; each with ":PORT", or for the ports 80 and 443.
class AllowList {
 public:
  static Result<AllowList> parse(const std::vector<std::string>& entries);

  [[nodiscard]] bool empty() const { return entries_.empty(); }

  // `host` in the normal form.
  [[nodiscard]] bool allows_host(std::string_view host, std::uint16_t port) const;
  // What a host's name led to. One that is not public must be in the list itself: a name is its
  // owner's to point anywhere.
  [[nodiscard]] bool allows_address(const Address& address, std::uint16_t port) const;

 private:
  struct Entry {
    std::string host;  // normal; of "*.example.org": ".example.org"; of "*": empty
    std::optional<Address> address;
    std::optional<std::uint16_t> port;
    [[nodiscard]] bool has_port(std::uint16_t wanted) const;
  };
  static Result<Entry> parse_entry(std::string_view text);
  std::vector<Entry> entries_;
};

}  // namespace langsbx::egress
