// Any bytes as messages of init: decoded or refused, and what is decoded encodes to the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "runtime/handshake/message.h"

namespace handshake = langsbx::handshake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  handshake::Sequence sequence;
  // The first byte of each piece is its length: a conversation.
  while (!rest.empty()) {
    const std::size_t length = static_cast<std::uint8_t>(rest[0]);
    const auto piece = rest.substr(1, length);
    rest.remove_prefix(1 + piece.size());
    const auto message = handshake::decode(piece);
    if (!message.ok()) continue;
    if (handshake::encode(*message) != piece) std::abort();
    const auto before = sequence.phase();
    const bool moved = sequence.accept(*message).ok();
    if (!moved && sequence.phase() != before) std::abort();
    if (sequence.phase() < before) std::abort();
  }
  return 0;
}
