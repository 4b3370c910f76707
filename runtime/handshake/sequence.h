// The order of the messages. Pure; each end of a channel asks it for every message.
#pragma once

#include <cstdint>

#include "runtime/handshake/message.h"

namespace langsbx::handshake {

enum class Speaker : std::uint8_t { kRuntime, kInit };

// Which part of the drawing in message.h is held.
enum class Conversation : std::uint8_t {
  kLaunch,  // create, run: from the clone on
  kStart,   // start: with an init that is Ready
  kExec,    // a process that joins a container
};

// What may come next.
enum class Phase : std::uint8_t {
  kBorn,       // Proceed
  kSettingUp,  // Outside, AtHooks, Ready; of kExec, the end
  kOutside,    // Proceed, when init is moved
  kHooks,      // Proceed, when the runtime's hooks are done
  kReady,      // Records, Start
  kRecorded,   // Start
  kStarting,   // the end
  kFailed,     // nothing
};

class Sequence {
 public:
  explicit Sequence(Conversation conversation)
      : conversation_(conversation),
        phase_(conversation == Conversation::kStart ? Phase::kReady : Phase::kBorn) {}

  [[nodiscard]] Phase phase() const { return phase_; }
  // Moves on, or refuses a message that has no place here.
  Result<void> accept(Speaker speaker, const Message& message);
  // True where init's end of the channel may be closed by execve.
  [[nodiscard]] bool may_end() const;

 private:
  [[nodiscard]] bool accept_proceed(const Proceed& proceed);
  [[nodiscard]] bool accept_of_runtime(const Message& message);
  [[nodiscard]] bool accept_of_init(const Message& message);

  Conversation conversation_;
  Phase phase_;
  bool starts_ = false;     // no Start will come
  bool was_moved_ = false;  // init has said Outside
  bool at_hooks_ = false;   // init has said AtHooks
};

}  // namespace langsbx::handshake
