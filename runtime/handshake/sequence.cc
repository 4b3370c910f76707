// The transitions.
#include "runtime/handshake/sequence.h"

namespace langsbx::handshake {

bool Sequence::accept_proceed(const Proceed& proceed) {
  switch (phase_) {
    case Phase::kBorn:
      // Nobody tells a process of exec to start later.
      if (conversation_ == Conversation::kExec && !proceed.start) return false;
      starts_ = proceed.start;
      break;
    case Phase::kOutside:
    case Phase::kHooks:
      if (proceed.start) return false;  // said once, or not at all
      break;
    default:
      return false;
  }
  phase_ = Phase::kSettingUp;
  return true;
}

bool Sequence::accept_of_runtime(const Message& message) {
  if (const auto* const proceed = std::get_if<Proceed>(&message)) return accept_proceed(*proceed);
  if (std::holds_alternative<Records>(message)) {
    if (conversation_ != Conversation::kStart || phase_ != Phase::kReady) return false;
    phase_ = Phase::kRecorded;
    return true;
  }
  if (!std::holds_alternative<Start>(message)) return false;
  if (phase_ != Phase::kReady && phase_ != Phase::kRecorded) return false;
  phase_ = Phase::kStarting;
  return true;
}

bool Sequence::accept_of_init(const Message& message) {
  if (std::holds_alternative<Failed>(message)) {
    if (phase_ == Phase::kFailed) return false;
    phase_ = Phase::kFailed;
    return true;
  }
  if (phase_ != Phase::kSettingUp) return false;
  if (std::holds_alternative<Outside>(message)) {
    if (was_moved_ || at_hooks_) return false;
    was_moved_ = true;
    phase_ = Phase::kOutside;
    return true;
  }
  if (conversation_ != Conversation::kLaunch) return false;
  if (std::holds_alternative<AtHooks>(message)) {
    if (at_hooks_) return false;
    at_hooks_ = true;
    phase_ = Phase::kHooks;
    return true;
  }
  if (!std::holds_alternative<Ready>(message)) return false;
  phase_ = starts_ ? Phase::kStarting : Phase::kReady;
  return true;
}

Result<void> Sequence::accept(Speaker speaker, const Message& message) {
  const bool fits =
      speaker == Speaker::kRuntime ? accept_of_runtime(message) : accept_of_init(message);
  if (fits) return {};
  return make_error(ErrorKind::kInternal, "handshake: message out of order");
}

bool Sequence::may_end() const {
  if (conversation_ == Conversation::kExec) return phase_ == Phase::kSettingUp;
  return phase_ == Phase::kStarting;
}

}  // namespace langsbx::handshake
