// langsbx-systemd: one request on standard input, the answer on standard output, one error line on
// standard error. Kept apart from langsbx because libsystemd can't be linked into a static binary.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

#include "cmd/langsbx-systemd/bus.h"
#include "cmd/langsbx-systemd/request.h"

namespace langsbx::systemd_helper {
namespace {

Result<std::string> read_input() {
  constexpr std::size_t kLargest = 1U << 20U;
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, buffer, sizeof(buffer));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read the request");
    if (count == 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
    if (text.size() > kLargest) {
      return make_error(ErrorKind::kInvalidInput, "request: larger than 1 MiB");
    }
  }
}

Result<std::string> run() {
  const auto request = TRY(parse_request(TRY(read_input())));
  switch (request.operation) {
    case Operation::kStart:
      return start_unit(request);
    case Operation::kStop:
      TRY(stop_unit(request));
      return std::string();
    case Operation::kSet:
      TRY(set_properties(request));
      return std::string();
  }
  return make_error(ErrorKind::kInternal, "unknown operation");
}

}  // namespace
}  // namespace langsbx::systemd_helper

int main() {
  auto answer = langsbx::systemd_helper::run();
  if (!answer.ok()) {
    std::fprintf(stderr, "%s\n", answer.error().to_string().c_str());
    return 1;
  }
  if (!answer->empty()) std::printf("%s\n", answer->c_str());
  return std::fflush(stdout) == 0 ? 0 : 1;
}
