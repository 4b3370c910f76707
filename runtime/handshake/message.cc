// Encoding: one byte for the kind; Failed adds error kind, errno and text.
#include "runtime/handshake/message.h"

#include <cstring>

namespace langsbx::handshake {
namespace {

enum class Tag : std::uint8_t {
  kProceed = 1,
  kAtHooks,
  kReady,
  kStart,
  kFailed,
  kEnter,
  kEntered,
  kOutside,
  kPass,
  kPassAndStart,
  kRecords
};
constexpr std::size_t kErrorHeader = 1 + 1 + sizeof(std::int32_t);

struct Encoder {
  static std::string tag(Tag value) { return std::string(1, static_cast<char>(value)); }
  std::string operator()(const Enter&) const { return tag(Tag::kEnter); }
  std::string operator()(const Pass&) const { return tag(Tag::kPass); }
  std::string operator()(const PassAndStart&) const { return tag(Tag::kPassAndStart); }
  std::string operator()(const Entered&) const { return tag(Tag::kEntered); }
  std::string operator()(const Outside&) const { return tag(Tag::kOutside); }
  std::string operator()(const Proceed&) const { return tag(Tag::kProceed); }
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

}  // namespace

std::string encode(const Message& message) { return std::visit(Encoder{}, message); }

Result<Message> decode(std::string_view data) {
  if (data.empty()) return malformed();
  const auto tag = static_cast<Tag>(data[0]);
  if (tag == Tag::kFailed) return decode_failed(data);
  if (data.size() != 1) return malformed();
  switch (tag) {
    case Tag::kEnter:
      return Message(Enter{});
    case Tag::kPass:
      return Message(Pass{});
    case Tag::kPassAndStart:
      return Message(PassAndStart{});
    case Tag::kEntered:
      return Message(Entered{});
    case Tag::kOutside:
      return Message(Outside{});
    case Tag::kProceed:
      return Message(Proceed{});
    case Tag::kAtHooks:
      return Message(AtHooks{});
    case Tag::kReady:
      return Message(Ready{});
    case Tag::kRecords:
      return Message(Records{});
    case Tag::kStart:
      return Message(Start{});
    case Tag::kFailed:
      break;
  }
  return malformed();
}

Result<void> Sequence::accept(const Message& message) {
  if (std::holds_alternative<Failed>(message)) return {};
  const bool setting_up = phase_ == Phase::kSettingUp || phase_ == Phase::kFinishing;
  if (phase_ == Phase::kSettingUp && std::holds_alternative<AtHooks>(message)) {
    phase_ = Phase::kHooks;
    return {};
  }
  if (phase_ == Phase::kHooks && std::holds_alternative<Proceed>(message)) {
    phase_ = Phase::kFinishing;
    return {};
  }
  if (setting_up && std::holds_alternative<Ready>(message)) {
    phase_ = Phase::kReady;
    return {};
  }
  if (phase_ == Phase::kReady && std::holds_alternative<Start>(message)) {
    phase_ = Phase::kStarting;
    return {};
  }
  return make_error(ErrorKind::kInternal, "handshake: message out of order");
}

}  // namespace langsbx::handshake
