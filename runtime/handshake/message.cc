// Encoding: one byte for the kind; Proceed adds its flag, Failed adds error kind, errno and text.
#include "runtime/handshake/message.h"

#include <cstdint>
#include <cstring>

namespace langsbx::handshake {
namespace {

enum class Tag : std::uint8_t {
  kProceed = 1,
  kAtHooks,
  kReady,
  kStart,
  kFailed,
  kOutside,
  kRecords
};
constexpr std::size_t kErrorHeader = 1 + 1 + sizeof(std::int32_t);

std::string tag(Tag value) { return std::string(1, static_cast<char>(value)); }

struct Encoder {
  std::string operator()(const Proceed& proceed) const {
    return tag(Tag::kProceed) + std::string(1, proceed.start ? '\1' : '\0');
  }
  std::string operator()(const Outside&) const { return tag(Tag::kOutside); }
  std::string operator()(const AtHooks&) const { return tag(Tag::kAtHooks); }
  std::string operator()(const Ready&) const { return tag(Tag::kReady); }
  std::string operator()(const Records&) const { return tag(Tag::kRecords); }
  std::string operator()(const Start&) const { return tag(Tag::kStart); }
  std::string operator()(const Failed& failed) const {
    std::string data = tag(Tag::kFailed);
    data.push_back(static_cast<char>(failed.error.kind));
    const auto number = static_cast<std::int32_t>(failed.error.errno_value);
    data.append(reinterpret_cast<const char*>(&number), sizeof number);
    return data.append(failed.error.message);
  }
};

Error malformed() { return make_error(ErrorKind::kInternal, "handshake: malformed message"); }

Result<Message> decode_failed(std::string_view data) {
  if (data.size() < kErrorHeader) return malformed();
  const auto kind = static_cast<std::uint8_t>(data[1]);
  if (kind > static_cast<std::uint8_t>(ErrorKind::kInternal)) return malformed();
  std::int32_t number = 0;
  std::memcpy(&number, data.data() + 2, sizeof number);
  Failed failed;
  failed.error.kind = static_cast<ErrorKind>(kind);
  failed.error.errno_value = number;
  failed.error.message = data.substr(kErrorHeader);
  return Message(std::move(failed));
}

Result<Message> decode_proceed(std::string_view data) {
  if (data.size() != 2 || (data[1] != '\0' && data[1] != '\1')) return malformed();
  return Message(Proceed{data[1] == '\1'});
}

}  // namespace

std::string encode(const Message& message) { return std::visit(Encoder{}, message); }

Result<Message> decode(std::string_view data) {
  if (data.empty()) return malformed();
  const auto tag = static_cast<Tag>(data[0]);
  if (tag == Tag::kFailed) return decode_failed(data);
  if (tag == Tag::kProceed) return decode_proceed(data);
  if (data.size() != 1) return malformed();
  switch (tag) {
    case Tag::kAtHooks:
      return Message(AtHooks{});
    case Tag::kReady:
      return Message(Ready{});
    case Tag::kStart:
      return Message(Start{});
    case Tag::kOutside:
      return Message(Outside{});
    case Tag::kRecords:
      return Message(Records{});
    case Tag::kProceed:
    case Tag::kFailed:
      break;
  }
  return malformed();
}

}  // namespace langsbx::handshake
