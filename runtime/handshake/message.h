// What the runtime and the container's init say to each other, and in which order.
//
//   runtime (create, run)                 init
//        |  clone, id maps                  |  (namespaces, where they take time)
//        |  cgroup                          |
//        |  limits                          |
//        |-------- Pass or Proceed -------->|  joins, mounts
//        |<----------- AtHooks -------------|  (only when there are hooks for the runtime)
//        |  prestart, createRuntime         |
//        |------------ Proceed ------------>|  createContainer, pivot, identity
//        |<------------ Ready --------------|
//   start (its own connection; `run` uses the same one)
//        |------ Records, if judged ------->|  (start: where the guard's verdict goes)
//        |------------- Start ------------->|  startContainer, guard, Landlock, seccomp, execve
//        |<-- Failed, or end of file: the program runs
//
// Failed may come instead of any message from init. Pass is Proceed with a cgroup to enter on the
// way; init that can't answers Outside, is moved, and told to Proceed. Where something has to be
// done to it in between, it is asked to Enter instead, answers Entered or Outside, and waits.
// `run` sends Start as soon as nothing is left that could hold it up, even before Ready: with Pass,
// as a rule.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/base/result.h"

namespace langsbx::handshake {

struct Enter {};  // with the files of cgroup/entrance.h, if that way is open
struct Pass {};   // with them
struct PassAndStart {};
struct Entered {};
struct Outside {};  // has to be moved
struct Proceed {};
struct AtHooks {};
struct Ready {};
struct Records {};  // with the files of guard::open_records()
struct Start {};
struct Failed {
  Error error;
};
using Message = std::variant<Enter, Pass, PassAndStart, Entered, Outside, Proceed, AtHooks, Ready,
                             Records, Start, Failed>;

std::string encode(const Message& message);
// Bounds-checked: any bytes give a message or an error.
Result<Message> decode(std::string_view data);

// Where the conversation stands; accept() is the protocol.
enum class Phase : std::uint8_t { kSettingUp, kHooks, kFinishing, kReady, kStarting };
class Sequence {
 public:
  [[nodiscard]] Phase phase() const { return phase_; }
  // Moves on, or refuses a message that has no place here.
  Result<void> accept(const Message& message);

 private:
  Phase phase_ = Phase::kSettingUp;
};

}  // namespace langsbx::handshake
