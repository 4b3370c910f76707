// Any bytes as messages of init: decoded or refused, and what is decoded encodes to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/handshake/sequence.h"

namespace handshake = langsbx::handshake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.empty()) return 0;
  const auto conversation =
      static_cast<handshake::Conversation>(static_cast<std::uint8_t>(rest[0]) % 3);
  handshake::Sequence sequence(conversation);
  rest.remove_prefix(1);
  // The first byte of each piece is its length and, in its highest bit, who speaks: a conversation.
  while (!rest.empty()) {
    const std::size_t length = static_cast<std::uint8_t>(rest[0]);
    const auto piece = rest.substr(1, length & 0x7fU);
    rest.remove_prefix(1 + piece.size());
    const auto message = handshake::decode(piece);
    if (!message.ok()) continue;
    if (handshake::encode(*message) != piece) std::abort();
    const auto before = sequence.phase();
    const auto speaker =
        (length & 0x80U) != 0 ? handshake::Speaker::kInit : handshake::Speaker::kRuntime;
    const bool ended = sequence.may_end();
    const bool moved = sequence.accept(speaker, *message).ok();
    if (!moved && sequence.phase() != before) std::abort();
    // Where the program may run already, only a failure or a move comes.
    if (moved && ended && sequence.may_end()) std::abort();
  }
  return 0;
}
