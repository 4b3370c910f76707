// /proc/PID/mountinfo and /proc/PID/status of a container's init.
#include "cmd/langsbx/live.h"

#include <algorithm>
#include <array>
#include <vector>

#include "languages/report.h"
#include "runtime/base/text.h"
#include "runtime/kernel/file.h"
#include "runtime/state/process_status.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kShown = std::array{"NoNewPrivs", "Seccomp", "Seccomp_filters", "CapEff", "CapBnd"};

// The kernel writes space, tab, newline and backslash as three octal digits.
std::string unescaped(std::string_view text) {
  std::string result;
  const auto digit = [](char c) { return c >= '0' && c <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && digit(text[i + 1]) && digit(text[i + 2]) &&
        digit(text[i + 3])) {
      const int value = (text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0');
      result.push_back(static_cast<char>(value));
      i += 3;
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

Json mounts_of(const std::string& proc) {
  Json mounts = Json::array();
  const auto text = read_file(proc + "mountinfo");
  if (!text.ok()) return mounts;
  for (const std::string_view line : words_of(*text, "\n")) {
    auto mount = mount_of_line(line);
    if (!mount.empty()) mounts.push_back(std::move(mount));
  }
  return mounts;
}

Json process_of(const std::string& proc) {
  Json process = Json::object();
  const auto text = read_file(proc + "status");
  if (!text.ok()) return process;
  for (const std::string_view line : words_of(*text, "\n")) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto name = line.substr(0, colon);
    if (std::find(kShown.begin(), kShown.end(), name) == kShown.end()) continue;
    const auto words = words_of(line.substr(colon + 1));
    if (!words.empty()) process[std::string(name)] = std::string(words[0]);
  }
  return process;
}

}  // namespace

Json mount_of_line(std::string_view line) {
  // id parent device root destination options [optional ...] - type source super-options
  const auto words = words_of(line, " ");
  const auto dash = std::find(words.begin(), words.end(), "-");
  if (words.size() < 6 || words.end() - dash < 3) return Json::object();
  Json options = Json::array();
  for (const auto option : split(words[5], ',')) options.push_back(std::string(option));
  return {{"destination", unescaped(words[4])},
          {"type", std::string(dash[1])},
          {"source", unescaped(dash[2])},
          {"root", unescaped(words[3])},
          {"options", std::move(options)}};
}

Json live_facts(const state::Record& record) {
  if (!record.complete) return Json::object();
  const std::string proc = "/proc/" + std::to_string(record.init_pid) + "/";
  Json facts = {{"mounts", mounts_of(proc)}, {"process", process_of(proc)}};
  // Asked last: what was read is not of another process that has the number now.
  if (!state::is_process_alive(record.init_pid, record.init_start_time)) return Json::object();
  return facts;
}

std::string live_text(const Json& facts) {
  if (facts.empty()) return "process: not running; the above is what was recorded\n";
  std::string text = "process, as the kernel sees it:";
  for (const auto& [name, value] : facts["process"].items()) {
    text += " " + name + "=" + value.get<std::string>();
  }
  text += "\nmounts\n";
  for (const Json& mount : facts["mounts"]) {
    text += "  " + languages::printable(mount["destination"].get<std::string>()) + " " +
            languages::printable(mount["type"].get<std::string>());
    std::string options;
    for (const Json& option : mount["options"]) {
      options += (options.empty() ? " " : ",") + option.get<std::string>();
    }
    // The null device in a file's place (linux.maskedPaths).
    if (mount["root"] == "/null" && mount["destination"] != "/dev/null") options += " (masked)";
    text += options + "\n";
  }
  return text;
}

}  // namespace langsbx::cmd
