// One end of the conversation: no message goes out or comes in that has no place in its order.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "runtime/handshake/message.h"
#include "runtime/handshake/sequence.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::handshake {

class Channel {
 public:
  // Closed.
  Channel() : Channel(UniqueFd(), Speaker::kRuntime, Conversation::kLaunch) {}
  Channel(UniqueFd socket, Speaker self, Conversation conversation)
      : socket_(std::move(socket)), self_(self), sequence_(conversation) {}

  void close() { socket_.reset(); }
  // To who has failed and is gone: the error that it sent.
  Result<void> send(const Message& message, const std::vector<int>& fds = {});
  // The next message; Failed becomes its error. End of file is kNotFound: init died.
  Result<Message> receive(std::vector<UniqueFd>* fds = nullptr);
  // The same where the conversation may end: none when init's end is closed, as its program runs.
  Result<std::optional<Message>> receive_or_end();
  template <typename Expected>
  Result<Expected> expect(std::vector<UniqueFd>* fds = nullptr) {
    auto message = TRY(receive(fds));
    if (auto* expected = std::get_if<Expected>(&message)) return std::move(*expected);
    return make_error(ErrorKind::kInternal, "handshake: unexpected message");
  }

 private:
  Result<Message> take(std::string_view data);
  UniqueFd socket_;
  Speaker self_;
  Sequence sequence_;
};

}  // namespace langsbx::handshake
