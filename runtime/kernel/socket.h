// UNIX sockets: message pairs, listening in a directory, passing descriptors.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx {

struct SocketPair {
  UniqueFd first;
  UniqueFd second;
};
// SOCK_SEQPACKET, close-on-exec.
Result<SocketPair> make_message_pair();

struct Packet {
  std::string data;  // empty with closed = true: the other end is gone
  std::vector<UniqueFd> descriptors;
  bool closed = false;
  bool unread = false;  // the other end was closed before it took all that we sent
};
Result<void> send_packet(int socket, std::string_view data, const std::vector<int>& fds = {});
Result<Packet> receive_packet(int socket, std::size_t limit = 256U << 10U);

// Long paths are reached through a descriptor of their directory.
Result<UniqueFd> connect_stream(const std::string& path);
Result<UniqueFd> connect_message(int directory, const std::string& name);
Result<UniqueFd> listen_message(int directory, const std::string& name);
Result<UniqueFd> accept_message(int listener);

}  // namespace langsbx
