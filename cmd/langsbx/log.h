// Where messages go and how they look: what logrus made the convention for runtimes.
//   time="2026-11-18T14:02:32Z" level=error msg="container does not exist"
//   {"level":"error","msg":"container does not exist","time":"2026-11-18T14:02:32Z"}
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::cmd {

enum class LogLevel : std::uint8_t { kError, kWarning, kInfo, kDebug };
std::string_view level_name(LogLevel level);
Result<LogLevel> parse_level(std::string_view name);

// One line, whatever is in the message.
std::string text_line(LogLevel level, std::string_view message, std::time_t time);
// For people: the message's first line so, the others as they are.
std::string text_lines(LogLevel level, std::string_view message, std::time_t time);
std::string json_line(LogLevel level, std::string_view message, std::time_t time);

enum class LogTarget : std::uint8_t { kStderr, kFile, kSyslog, kJournal };

struct LogSettings {
  std::string destination;  // "", PATH, "file:PATH", "syslog:IDENTIFIER", "journald:IDENTIFIER"
  bool json = false;
  // Podman decodes the whole log file as a single object: by default a file gets errors only.
  LogLevel level = LogLevel::kError;
};

class Log {
 public:
  Log() = default;  // text to stderr
  static Result<Log> open(const LogSettings& settings);

  void write(LogLevel level, std::string_view message) const;
  // The one line about why the command failed. What doesn't go to stderr is repeated there as
  // plain text, for conmon and for people. `on_stderr`: what stands there instead of the message.
  void failure(std::string_view message, std::string_view on_stderr = {}) const;

 private:
  LogTarget target_ = LogTarget::kStderr;
  bool json_ = false;
  LogLevel level_ = LogLevel::kError;
  std::string identifier_;
  UniqueFd file_;
};

}  // namespace langsbx::cmd
