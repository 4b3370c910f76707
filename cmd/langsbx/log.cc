// Writes log lines to stderr, a file, syslog or the journal.
#include "cmd/langsbx/log.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <syslog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "runtime/base/text_list.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/outlet.h"

namespace langsbx::cmd {
namespace {

constexpr auto kLevels = text_list("error", "warning", "info", "debug");

std::string time_text(std::time_t time) {
  tm utc{};
  ::gmtime_r(&time, &utc);
  std::array<char, 32> buffer{};
  return {buffer.data(), std::strftime(buffer.data(), buffer.size(), "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

// A string literal that is one line whatever is in it; bytes that are no UTF-8 are replaced.
std::string quoted(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// What a terminal would take for a command is shown instead of sent.
std::string printable_lines(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  std::string out;
  for (const char byte : text) {
    const bool control = (byte >= 0 && byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f;
    if (control) {
      out += "\\x" + std::string(1, "0123456789abcdef"[(byte >> 4) & 0xf]) +
             "0123456789abcdef"[byte & 0xf];
    } else {
      out += byte;
    }
  }
  return out;
}

int priority_of(LogLevel level) {
  constexpr std::array<int, 4> kPriorities{LOG_ERR, LOG_WARNING, LOG_INFO, LOG_DEBUG};
  return kPriorities[static_cast<std::size_t>(level)];
}

// A datagram to a socket of the host; a log that can't be written must not fail the command.
void send_datagram(const char* path, const std::string& text) {
  const UniqueFd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
  static_cast<void>(::sendto(fd.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT,
                             reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
}

void send_to_journal(const std::string& identifier, LogLevel level, std::string_view message) {
  // A value with line breaks goes as length and bytes in the journal's protocol.
  std::string text = "PRIORITY=" + std::to_string(priority_of(level)) +
                     "\nSYSLOG_IDENTIFIER=" + identifier + "\nMESSAGE\n";
  std::uint64_t length = message.size();
  for (int i = 0; i < 8; ++i, length >>= 8U) text += static_cast<char>(length & 0xffU);
  send_datagram("/run/systemd/journal/socket", text + std::string(message) + "\n");
}

void send_to_syslog(const std::string& identifier, LogLevel level, std::string_view message) {
  const int facility_and_priority = LOG_DAEMON | priority_of(level);
  send_datagram("/dev/log", "<" + std::to_string(facility_and_priority) + ">" + identifier + "[" +
                                std::to_string(::getpid()) + "]: " + std::string(message));
}

}  // namespace

std::string_view level_name(LogLevel level) { return kLevels[static_cast<std::size_t>(level)]; }

Result<LogLevel> parse_level(std::string_view name) {
  if (name == "warn") return LogLevel::kWarning;
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (name == kLevels[i]) return static_cast<LogLevel>(i);
  }
  return make_error(ErrorKind::kInvalidInput, "unknown log-level \"" + std::string(name) + "\"");
}

std::string text_line(LogLevel level, std::string_view message, std::time_t time) {
  return "time=\"" + time_text(time) + "\" level=" + std::string(level_name(level)) +
         " msg=" + quoted(message) + "\n";
}

// A finding stands on a line of its own, as a compiler's does.
std::string text_lines(LogLevel level, std::string_view message, std::time_t time) {
  const auto end = std::min(message.find('\n'), message.size());
  std::string text = text_line(level, message.substr(0, end), time);
  const auto rest = message.substr(std::min(end + 1, message.size()));
  if (rest.empty()) return text;
  return text + printable_lines(rest) + "\n";
}

std::string json_line(LogLevel level, std::string_view message, std::time_t time) {
  nlohmann::ordered_json line;
  line["level"] = level_name(level);
  line["msg"] = message;
  line["time"] = time_text(time);
  return line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

Result<Log> Log::open(const LogSettings& settings) {
  Log log;
  log.json_ = settings.json;
  log.level_ = settings.level;
  std::string_view rest = settings.destination;
  const auto take = [&rest](std::string_view prefix) {
    const bool matches = rest.starts_with(prefix);
    if (matches) rest.remove_prefix(prefix.size());
    return matches;
  };
  if (rest.empty() || rest == "/dev/stderr") return log;
  if (take("journald:")) {
    log.target_ = LogTarget::kJournal;
  } else if (take("syslog:")) {
    log.target_ = LogTarget::kSyslog;
  } else {
    take("file:");
    log.target_ = LogTarget::kFile;
    log.file_ =
        TRY_CONTEXT(open_file(std::string(rest), O_WRONLY | O_CREAT | O_APPEND, 0644), "log file");
  }
  log.identifier_ = rest.empty() ? "langsbx" : rest;
  return log;
}

void Log::write(LogLevel level, std::string_view message) const {
  if (level > level_) return;
  if (target_ == LogTarget::kJournal) return send_to_journal(identifier_, level, message);
  if (target_ == LogTarget::kSyslog) return send_to_syslog(identifier_, level, message);
  const std::time_t now = ::time(nullptr);
  const int fd = target_ == LogTarget::kFile ? file_.get() : STDERR_FILENO;
  // A full disk or a closed stderr leaves nobody to tell.
  const auto text = target_ == LogTarget::kStderr ? text_lines : text_line;
  static_cast<void>(write_out(fd, (json_ ? json_line : text)(level, message, now), "log"));
}

void Log::failure(std::string_view message, std::string_view on_stderr) const {
  const bool stands_alone = target_ == LogTarget::kStderr && !on_stderr.empty();
  if (!stands_alone) write(LogLevel::kError, message);
  if (target_ == LogTarget::kStderr && !stands_alone) return;
  const std::string text(on_stderr.empty() ? message : on_stderr);
  static_cast<void>(write_out(STDERR_FILENO, text + "\n", "stderr"));
}

}  // namespace langsbx::cmd
