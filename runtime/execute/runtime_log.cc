#include "runtime/execute/runtime_log.h"

#include <algorithm>

#include "oci/decode.h"
#include "runtime/base/json_writer.h"

namespace langsbx::execute {
namespace {

namespace decode = oci::decode;

struct LogEntry {
  std::string level, text;
};

constexpr decode::Field kFields[] = {
    decode::field<&LogEntry::level>("level"),
    decode::field<&LogEntry::text>("msg"),
};
constexpr decode::Type kEntry = decode::object<kFields>();

}  // namespace

std::string failure_in_log(std::string_view log) {
  while (!log.empty()) {
    const std::string_view line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    LogEntry entry;
    // Runtimes also write lines that are no JSON: those are not what is looked for.
    if (!decode::decode(line, kEntry, &entry, "log").ok()) continue;
    if (entry.level != "error" && entry.level != "fatal") continue;
    return entry.text.empty() ? std::string(line) : entry.text;
  }
  return {};
}

std::string failure_line(const std::string& text) {
  JsonWriter out;
  out.add("level", "error");
  out.add("msg", text);
  return out.finish() + "\n";
}

}  // namespace langsbx::execute
