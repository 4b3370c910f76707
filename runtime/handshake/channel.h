// One end of the conversation: sends and receives messages, checks their order.
#pragma once

#include <vector>

#include "runtime/handshake/message.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::handshake {

class Channel {
 public:
  Channel() = default;
  explicit Channel(UniqueFd socket) : socket_(std::move(socket)) {}

  [[nodiscard]] int fd() const { return socket_.get(); }
  void close() { socket_.reset(); }
  // To who has failed and is gone: the error that it sent.
  Result<void> send(const Message& message, const std::vector<int>& fds = {});
  // The next message; Failed becomes its error. End of file is kNotFound: init died.
  Result<Message> receive(std::vector<UniqueFd>* fds = nullptr);
  template <typename Expected>
  Result<void> expect() {
    const auto message = TRY(receive());
    if (std::holds_alternative<Expected>(message)) return {};
    return make_error(ErrorKind::kInternal, "handshake: unexpected message");
  }

 private:
  UniqueFd socket_;
};

}  // namespace langsbx::handshake
