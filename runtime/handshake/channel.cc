// Messages over a SOCK_SEQPACKET socket.
#include "runtime/handshake/channel.h"

#include <cerrno>

#include "runtime/kernel/socket.h"

namespace langsbx::handshake {

Result<void> Channel::send(const Message& message, const std::vector<int>& fds) {
  TRY(sequence_.accept(self_, message));
  auto sent = send_packet(socket_.get(), encode(message), fds);
  if (sent.ok() || sent.error().errno_value != EPIPE) return sent;
  // Who has gone may have said why.
  auto last = receive();
  const bool says_why = !last.ok() && last.error().kind != ErrorKind::kNotFound;
  return says_why ? Result<void>(last.release_error()) : std::move(sent);
}

Result<Message> Channel::take(std::string_view data) {
  auto message = TRY(decode(data));
  const auto other = self_ == Speaker::kRuntime ? Speaker::kInit : Speaker::kRuntime;
  TRY(sequence_.accept(other, message));
  if (auto* failed = std::get_if<Failed>(&message)) return std::move(failed->error);
  return message;
}

Result<Message> Channel::receive(std::vector<UniqueFd>* fds) {
  auto packet = TRY(receive_packet(socket_.get()));
  if (packet.closed) {
    return make_error(ErrorKind::kNotFound, "the other end of the handshake is gone");
  }
  auto message = TRY(take(packet.data));
  if (fds != nullptr) *fds = std::move(packet.descriptors);
  return message;
}

Result<std::optional<Message>> Channel::receive_or_end() {
  auto packet = TRY(receive_packet(socket_.get()));
  if (packet.closed && (packet.unread || !sequence_.may_end())) {
    return make_error(ErrorKind::kInternal, "container init ended before it was told to start");
  }
  if (packet.closed) return std::optional<Message>();
  return std::optional<Message>(TRY(take(packet.data)));
}

}  // namespace langsbx::handshake
