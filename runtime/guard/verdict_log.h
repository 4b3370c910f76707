// The log of verdicts that outlives containers: one JSON object a line, in a file that is rotated,
// or in the host's journal or syslog.
//
// Opened in the parent, written by the child when it has judged. Many write at once: each line is
// one append.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/guard/settings.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::guard {

inline constexpr const char* kVerdictLog = "verdicts.jsonl";  // older ones: verdicts.jsonl.1, ...

// /var/log/langsbx; of a user $XDG_STATE_HOME/langsbx or ~/.local/state/langsbx, empty when neither
// is known.
[[nodiscard]] std::string verdict_folder(bool user);

class VerdictLog {
 public:
  VerdictLog() = default;  // nobody listens
  // Makes the folder and the file, and puts a full file aside. Neither may be a link, somebody
  // else's, or writable for others.
  static Result<VerdictLog> open(const VerdictLogSettings& settings, const std::string& folder);

  // For a while; what is written before reopen() fails. A log that is off stays so.
  void close() { fd_.reset(); }
  void reopen(UniqueFd fd) { fd_ = std::move(fd); }
  UniqueFd take() { return std::move(fd_); }

  // `line` without a line feed.
  [[nodiscard]] Result<void> write(std::string_view line) const;

 private:
  UniqueFd fd_;
  VerdictTarget to_ = VerdictTarget::kOff;
  std::string place_;  // for messages
};

// Whose verdict it is, as its engine calls it: {"container", "name", "image", "pod", "namespace"},
// without those that nobody says.
using VerdictFacts = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] VerdictFacts facts_of(const std::string& container,
                                    const std::map<std::string, std::string>& annotations);

}  // namespace langsbx::guard
