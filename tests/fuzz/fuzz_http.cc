// Any bytes as the head of a request to the proxy. What the server gets instead has one request
// line, one Host field, at most one length, and one end: nothing that a client wrote makes a second
// request of it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/egress/allow_list.h"
#include "runtime/egress/request_head.h"

namespace {

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& letter : made) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return made;
}

void check_forward(std::string_view forward) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  if (!forward.ends_with(kEnd) || forward.find(kEnd) != forward.size() - kEnd.size()) std::abort();
  int hosts = 0;
  int lengths = 0;
  bool first = true;
  while (forward != "\r\n") {
    const auto end = forward.find("\r\n");
    const auto line = forward.substr(0, end);
    forward.remove_prefix(end + 2);
    for (const char letter : line) {
      if (letter == '\r' || letter == '\n' || letter == '\0') std::abort();
    }
    const auto name = lower(line.substr(0, line.find(':')));
    if (!first && name == "host") ++hosts;
    if (!first && name == "content-length") ++lengths;
    if (!first && name == "transfer-encoding") std::abort();
    first = false;
  }
  if (hosts != 1 || lengths > 1) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto head = langsbx::egress::parse_head(text);
  if (!head.ok()) return 0;
  if (head->host.empty() || head->port == 0) std::abort();
  // An address of version 6 is normal without the brackets that it is written in.
  const bool v6 = head->host.find(':') != std::string::npos;
  const std::string written = v6 ? "[" + head->host + "]" : head->host;
  if (langsbx::egress::normal_host(written) != head->host) std::abort();
  if (head->tunnel != head->forward.empty()) std::abort();
  if (!head->tunnel) check_forward(head->forward);
  return 0;
}
