// What happens to a run, as it happens: one JSON object a line, security events in OCSF form.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/egress/connection.h"
#include "runtime/execute/request.h"
#include "runtime/kernel/outlet.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::execute {

class Events {
 public:
  // Appends to the file; a pipe or a terminal will do.
  static Result<Events> open(const std::string& path, std::string id);

  // "created", "started", "completed", "killed".
  void lifecycle(std::string_view type);
  void ended(const Record& record);
  // 80 % of a limit are used; `field` is the record's name of it.
  void limit_warning(std::string_view field, std::uint64_t used, std::uint64_t limit);
  // What the program asked the proxy for; beyond a number it is only counted (in the last event),
  // as the program could fill the caller's disk with them.
  void network(const egress::Asked& asked);
  // Two lines: the plain event and OCSF's class 2001 (security finding). `source` is what noticed:
  // guard, seccomp, landlock, memory, timeout, processes, output, disk, cpu,
  // network.
  void violation(std::string_view source, std::string_view title, const std::string& text);

  // What a reader has not taken yet: on each wake-up, and last of all with some patience.
  void flush();
  void drain();

  // Whether anything could not be written: an event that is lost is a fault of the run's record.
  [[nodiscard]] bool lost() const { return lost_; }

 private:
  void line(const std::string& text);
  UniqueFd file_;
  Outlet outlet_;
  std::string id_;
  std::uint64_t findings_ = 0;
  std::uint64_t requests_ = 0;
  bool lost_ = false;
};

}  // namespace langsbx::execute
