// --trace: where the time of one call goes, as a timeline in Chrome's trace format
// (chrome://tracing, Perfetto, speedscope). Off, a Span costs one test of a pointer.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"

namespace langsbx::trace {

struct Event;

// Starts recording, in memory that processes cloned later share: what the container's init does up
// to execve is in the same timeline.
Result<void> begin();
[[nodiscard]] bool is_on();
// What is recorded from now on happens in the container's first process, or in one that joins.
void enter_container();

// A phase, from construction to destruction. One that is never destroyed,
// since execve came, ends with the trace.
class Span {
 public:
  explicit Span(std::string_view name, std::string_view detail = {});
  ~Span();
  Span(const Span&) = delete;
  Span& operator=(const Span&) = delete;
  // Before the destructor, for phases that end within a function.
  void end();
  // Ends this phase and begins the one after it.
  void next(std::string_view name, std::string_view detail = {});

 private:
  Event* event_ = nullptr;
};

// The JSON document with all that was recorded; empty when nothing was begun.
std::string to_json();

}  // namespace langsbx::trace
