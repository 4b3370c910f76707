// A client of the kernel's routing socket: find, move and raise links, read and add addresses.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

struct NetlinkAttribute {
  std::uint16_t type = 0;
  std::string payload;
};

// One message of a reply; attributes are parsed by whoever knows the body's size.
struct NetlinkMessage {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0;
  std::string_view payload;
};

// An address as RTM_NEWADDR takes it; the attributes are those that do not name the link.
struct NetAddress {
  std::uint8_t family = 0;
  std::uint8_t prefix_length = 0;
  std::uint32_t flags = 0;  // IFA_F_*, only what user space may set
  std::vector<NetlinkAttribute> attributes;
};

// Bounds-checked: any bytes give messages or an error. The payloads point into `data`.
Result<std::vector<NetlinkMessage>> split_netlink(std::string_view data);
Result<std::vector<NetlinkAttribute>> parse_netlink_attributes(std::string_view data);

// Bound to the network namespace it was opened in, wherever the process goes later.
class RtNetlink {
 public:
  static Result<RtNetlink> open();

  // Index of the link called `name`.
  Result<int> find_link(const std::string& name);
  Result<std::vector<int>> list_links();
  // Permanent addresses of global scope.
  Result<std::vector<NetAddress>> list_addresses(int index);
  // `name` may be a pattern of the kernel's ("eth%d").
  Result<void> move_link(int index, int network_namespace, const std::string& name);
  Result<void> add_address(int index, const NetAddress& address);
  Result<void> raise_link(int index);

 private:
  struct Reply {
    std::uint16_t type = 0;
    std::string payload;
  };
  // Sends one request and collects the answers up to the acknowledgement or the end of the dump.
  Result<std::vector<Reply>> request(std::uint16_t type, std::uint16_t flags,
                                     const std::string& body);
  Result<std::vector<Reply>> request_once(std::uint16_t type, std::uint16_t flags,
                                          const std::string& body);
  Result<bool> take(const NetlinkMessage& message, std::vector<Reply>& replies, bool& interrupted);

  UniqueFd socket_;
  std::uint32_t sequence_ = 0;
};

}  // namespace langsbx
