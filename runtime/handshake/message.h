// What the runtime and the container's init say to each other.
//
//   runtime (create, run)                 init
//        |  clone                           |  (namespaces, where they take time)
//        |  id maps, cgroup, limits         |
//        |------------ Proceed ------------>|  enters its cgroup, joins, mounts
//        |<----------- Outside -------------|  (only when it could not enter: the runtime moves it)
//        |------------ Proceed ------------>|
//        |<----------- AtHooks -------------|  (only when there are hooks for the runtime)
//        |  prestart, createRuntime         |
//        |------------ Proceed ------------>|  createContainer, pivot, identity
//        |<------------ Ready --------------|
//   start (its own connection; `run` uses the same one)
//        |------ Records, if judged ------->|  (start: where the guard's verdict goes)
//        |------------- Start ------------->|  startContainer, guard, Landlock, seccomp, execve
//        |<-- Failed, or end of file: the program runs
//
// Failed may come instead of any message from init. A Proceed that says `start` stands for Start as
// well: `run` sends it when nothing is left to be done between Ready and Start. A process of `exec`
// gets one Proceed, which says `start`, and is never Ready. sequence.h holds both ends to this
// order.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "runtime/base/result.h"

namespace langsbx::handshake {

// With the files of cgroup/entrance.h where the process enters its cgroup by itself.
struct Proceed {
  bool start = false;  // true: no Start will come, it need not wait for one
};
struct Outside {};  // it could not enter, and has to be moved
struct AtHooks {};
struct Ready {};
struct Records {};  // with the files of guard::open_records()
struct Start {};    // with the socket for a seccomp listener, if there is one
struct Failed {
  Error error;
};
using Message = std::variant<Proceed, Outside, AtHooks, Ready, Records, Start, Failed>;

std::string encode(const Message& message);
// Bounds-checked: any bytes give a message or an error.
Result<Message> decode(std::string_view data);

}  // namespace langsbx::handshake
