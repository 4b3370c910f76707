// Messages of the routing socket, built and parsed by hand.
#include "runtime/kernel/rtnetlink.h"

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace langsbx {
namespace {

constexpr std::size_t kAlignment = 4;
constexpr std::size_t kLargestDatagram = 64U << 10U;  // the kernel fills at most 32 KiB

std::size_t aligned(std::size_t size) { return (size + kAlignment - 1) & ~(kAlignment - 1); }

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename T>
bool read_as(std::string_view data, T& value) {
  if (data.size() < sizeof value) return false;
  std::memcpy(&value, data.data(), sizeof value);
  return true;
}

void append_attribute(std::string& body, std::uint16_t type, std::string_view payload) {
  rtattr header{};
  header.rta_type = type;
  header.rta_len = static_cast<std::uint16_t>(sizeof header + payload.size());
  body += bytes_of(header);
  body += payload;
  body.resize(aligned(body.size()));
}

Error malformed(const char* what) {
  return make_error(ErrorKind::kSystem, std::string("rtnetlink: malformed ") + what);
}

std::string link_body(int index) {
  ifinfomsg link{};
  link.ifi_family = AF_UNSPEC;
  link.ifi_index = index;
  return bytes_of(link);
}

// The attribute's flags are the wider ones; the header has only eight of them.
std::uint32_t flags_of(const ifaddrmsg& header, const std::vector<NetlinkAttribute>& attributes) {
  std::uint32_t flags = header.ifa_flags;
  for (const auto& attribute : attributes) {
    if (attribute.type == IFA_FLAGS) static_cast<void>(read_as(attribute.payload, flags));
  }
  return flags;
}

bool survives_move(std::uint16_t type) {
  return type == IFA_ADDRESS || type == IFA_LOCAL || type == IFA_BROADCAST ||
         type == IFA_RT_PRIORITY;
}

}  // namespace

Result<std::vector<NetlinkMessage>> split_netlink(std::string_view data) {
  std::vector<NetlinkMessage> messages;
  while (!data.empty()) {
    nlmsghdr header{};
    if (!read_as(data, header)) return malformed("header");
    if (header.nlmsg_len < sizeof header || header.nlmsg_len > data.size()) {
      return malformed("length");
    }
    messages.push_back({header.nlmsg_type, header.nlmsg_flags, header.nlmsg_seq,
                        data.substr(sizeof header, header.nlmsg_len - sizeof header)});
    data.remove_prefix(std::min(aligned(header.nlmsg_len), data.size()));
  }
  return messages;
}

Result<std::vector<NetlinkAttribute>> parse_netlink_attributes(std::string_view data) {
  std::vector<NetlinkAttribute> attributes;
  while (!data.empty()) {
    rtattr header{};
    if (!read_as(data, header)) return malformed("attribute header");
    if (header.rta_len < sizeof header || header.rta_len > data.size()) {
      return malformed("attribute length");
    }
    attributes.push_back({static_cast<std::uint16_t>(header.rta_type & NLA_TYPE_MASK),
                          std::string(data.substr(sizeof header, header.rta_len - sizeof header))});
    data.remove_prefix(std::min(aligned(header.rta_len), data.size()));
  }
  return attributes;
}

Result<RtNetlink> RtNetlink::open() {
  RtNetlink client;
  client.socket_.reset(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  if (!client.socket_.valid()) return system_error("socket NETLINK_ROUTE");
  return client;
}

// True when the conversation is over.
Result<bool> RtNetlink::take(const NetlinkMessage& message, std::vector<Reply>& replies,
                             bool& interrupted) {
  if (message.sequence != sequence_) return false;  // of an earlier, given up request
  if ((message.flags & NLM_F_DUMP_INTR) != 0) interrupted = true;
  if (message.type == NLMSG_ERROR || message.type == NLMSG_DONE) {
    int status = 0;  // both begin with it
    if (!read_as(message.payload, status) && message.type == NLMSG_ERROR) {
      return malformed("acknowledgement");
    }
    if (status < 0) return system_error("rtnetlink", -status);
    return true;
  }
  if (message.type >= NLMSG_MIN_TYPE) {
    replies.push_back({message.type, std::string(message.payload)});
  }
  return false;
}

Result<std::vector<RtNetlink::Reply>> RtNetlink::request_once(std::uint16_t type,
                                                              std::uint16_t flags,
                                                              const std::string& body) {
  nlmsghdr header{};
  header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + body.size());
  header.nlmsg_type = type;
  header.nlmsg_flags = static_cast<std::uint16_t>(flags | NLM_F_REQUEST);
  header.nlmsg_seq = ++sequence_;
  const std::string message = bytes_of(header) + body;
  sockaddr_nl kernel{};
  kernel.nl_family = AF_NETLINK;
  if (::sendto(socket_.get(), message.data(), message.size(), 0,
               reinterpret_cast<const sockaddr*>(&kernel), sizeof kernel) < 0) {
    return system_error("rtnetlink: send");
  }
  std::vector<Reply> replies;
  std::string buffer(kLargestDatagram, '\0');
  bool done = false;
  bool interrupted = false;
  while (!done) {
    sockaddr_nl sender{};
    socklen_t sender_size = sizeof sender;
    const ssize_t count = ::recvfrom(socket_.get(), buffer.data(), buffer.size(), MSG_TRUNC,
                                     reinterpret_cast<sockaddr*>(&sender), &sender_size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("rtnetlink: receive");
    if (sender.nl_pid != 0) continue;  // any process may write to the socket
    const auto size = static_cast<std::size_t>(count);
    if (size > buffer.size()) return malformed("reply: it is too long");
    const auto messages = TRY(split_netlink(std::string_view(buffer).substr(0, size)));
    for (const auto& part : messages) {
      if (!done) done = TRY(take(part, replies, interrupted));
    }
  }
  if (interrupted) return system_error("rtnetlink: interrupted dump", EINTR);
  return replies;
}

// A dump that others changed links under is inconsistent, and is asked for again.
Result<std::vector<RtNetlink::Reply>> RtNetlink::request(std::uint16_t type, std::uint16_t flags,
                                                         const std::string& body) {
  constexpr int kTries = 16;
  auto replies = request_once(type, flags, body);
  for (int i = 1; i < kTries && !replies.ok() && replies.error().errno_value == EINTR; ++i) {
    replies = request_once(type, flags, body);
  }
  return replies;
}

Result<int> RtNetlink::find_link(const std::string& name) {
  std::string body = link_body(0);
  append_attribute(body, IFLA_IFNAME, std::string_view(name.c_str(), name.size() + 1));
  const auto replies = TRY(request(RTM_GETLINK, NLM_F_ACK, body));
  for (const auto& reply : replies) {
    ifinfomsg link{};
    if (reply.type != RTM_NEWLINK) continue;
    if (!read_as(reply.payload, link)) return malformed("link");
    return link.ifi_index;
  }
  return system_error("rtnetlink: no link in the answer", ENODEV);
}

Result<std::vector<int>> RtNetlink::list_links() {
  const auto replies = TRY(request(RTM_GETLINK, NLM_F_DUMP, link_body(0)));
  std::vector<int> indices;
  for (const auto& reply : replies) {
    ifinfomsg link{};
    if (reply.type != RTM_NEWLINK) continue;
    if (!read_as(reply.payload, link)) return malformed("link");
    indices.push_back(link.ifi_index);
  }
  return indices;
}

Result<std::vector<NetAddress>> RtNetlink::list_addresses(int index) {
  constexpr std::uint32_t kSettable = IFA_F_NODAD | IFA_F_HOMEADDRESS | IFA_F_MANAGETEMPADDR |
                                      IFA_F_NOPREFIXROUTE | IFA_F_MCAUTOJOIN;
  ifaddrmsg all{};
  all.ifa_family = AF_UNSPEC;
  const auto replies = TRY(request(RTM_GETADDR, NLM_F_DUMP, bytes_of(all)));
  std::vector<NetAddress> addresses;
  for (const auto& reply : replies) {
    ifaddrmsg header{};
    if (reply.type != RTM_NEWADDR) continue;
    if (!read_as(reply.payload, header)) return malformed("address");
    if (header.ifa_index != static_cast<std::uint32_t>(index)) continue;
    if (header.ifa_scope != RT_SCOPE_UNIVERSE) continue;
    const std::string_view rest = std::string_view(reply.payload).substr(sizeof header);
    auto attributes = TRY(parse_netlink_attributes(rest));
    const std::uint32_t flags = flags_of(header, attributes);
    if ((flags & IFA_F_PERMANENT) == 0) continue;
    std::erase_if(attributes, [](const auto& entry) { return !survives_move(entry.type); });
    addresses.push_back(
        {header.ifa_family, header.ifa_prefixlen, flags & kSettable, std::move(attributes)});
  }
  return addresses;
}

Result<void> RtNetlink::move_link(int index, int network_namespace, const std::string& name) {
  std::string body = link_body(index);
  append_attribute(body, IFLA_NET_NS_FD, bytes_of(static_cast<std::uint32_t>(network_namespace)));
  append_attribute(body, IFLA_IFNAME, std::string_view(name.c_str(), name.size() + 1));
  TRY(request(RTM_NEWLINK, NLM_F_ACK, body));
  return {};
}

Result<void> RtNetlink::add_address(int index, const NetAddress& address) {
  ifaddrmsg header{};
  header.ifa_family = address.family;
  header.ifa_prefixlen = address.prefix_length;
  header.ifa_scope = RT_SCOPE_UNIVERSE;
  header.ifa_index = static_cast<std::uint32_t>(index);
  std::string body = bytes_of(header);
  append_attribute(body, IFA_FLAGS, bytes_of(address.flags));
  for (const auto& [type, payload] : address.attributes) append_attribute(body, type, payload);
  TRY(request(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL | NLM_F_ACK, body));
  return {};
}

Result<void> RtNetlink::raise_link(int index) {
  ifinfomsg link{};
  link.ifi_family = AF_UNSPEC;
  link.ifi_index = index;
  link.ifi_flags = IFF_UP;
  link.ifi_change = IFF_UP;
  TRY(request(RTM_NEWLINK, NLM_F_ACK, bytes_of(link)));
  return {};
}

}  // namespace langsbx
