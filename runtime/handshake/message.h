// What the runtime and the container's init say to each other, and in which order.
//
//   runtime (create, run)                 init
//        |  clone, id maps                  |  (namespaces, where they take time)
//        |  cgroup                          |
//        |------------- Enter ------------->|  (only into a cgroup that it was not born in)
//        |<------- Entered, Outside --------|
//        |  limits                          |
//        |------------ Proceed ------------>|  joins, mounts
//        |<----------- AtHooks -------------|  (only when there are hooks for the runtime)
//        |  prestart, createRuntime         |
//        |------------ Proceed ------------>|  createContainer, pivot, identity
//        |<------------ Ready --------------|
//   start (its own connection; `run` uses the same one)
//        |------------- Start ------------->|  startContainer, guard, Landlock, seccomp, execve
//        |<-- Failed, or end of file: the program runs
//
// Failed may come instead of any message from init.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "runtime/base/result.h"

namespace langsbx::handshake {

struct Enter {};  // with the files of cgroup/entrance.h, if that way is open
struct Entered {};
struct Outside {};  // has to be moved
struct Proceed {};
struct AtHooks {};
struct Ready {};
struct Start {};
struct Failed {
  Error error;
};
using Message = std::variant<Enter, Entered, Outside, Proceed, AtHooks, Ready, Start, Failed>;

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
