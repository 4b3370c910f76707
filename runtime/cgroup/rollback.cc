// Remembers and restores limit files.
#include "runtime/cgroup/rollback.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "runtime/cgroup/text.h"
#include "runtime/cgroup/write_values.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

// Files with a line for each device: what stands behind "MAJOR:MINOR" for a device without one.
struct PerDevice {
  std::string_view prefix;
  std::string_view nothing;
};
constexpr std::array<PerDevice, 6> kPerDevice = {{
    {"blkio.throttle.", "0"},
    {"blkio.weight_device", "0"},
    {"blkio.leaf_weight_device", "0"},
    {"blkio.bfq.weight_device", "0"},
    {"io.max", "rbps=max wbps=max riops=max wiops=max"},
    {"io.bfq.weight", "0"},
}};

std::string_view first_word(std::string_view line) { return line.substr(0, line.find(' ')); }

bool is_device(std::string_view word) { return word.find(':') != std::string_view::npos; }

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (const auto line : split(text, '\n')) {
    if (!trim(line).empty()) lines.emplace_back(trim(line));
  }
  return lines;
}

// The line of `device` as it was, or the one that takes its limit away again.
std::string device_line_before(const std::vector<std::string>& lines, std::string_view device,
                               std::string_view nothing) {
  for (const auto& line : lines) {
    if (first_word(line) == device) return line;
  }
  return std::string(device) + " " + std::string(nothing);
}

std::vector<std::string> values_before(const Write& write, const std::string& text) {
  auto lines = lines_of(text);
  const auto device = first_word(write.value);
  for (const auto& entry : kPerDevice) {
    if (!is_device(device) || !write.file.starts_with(entry.prefix)) continue;
    return {device_line_before(lines, device, entry.nothing)};
  }
  // "oom_kill_disable 0", and more lines that can't be written.
  if (write.file == "memory.oom_control" && !lines.empty()) {
    return {lines.front().substr(lines.front().rfind(' ') + 1)};
  }
  if (lines.size() > 1) return lines;
  return {lines.empty() ? std::string("\n") : lines.front()};
}

}  // namespace

void Rollback::remember_file(const Write& write, const std::string& path) {
  const auto text = read_file(path);
  if (text.ok()) saved_.push_back({path, values_before(write, *text)});
}

// devices.list can only be brought back as a whole.
void Rollback::remember_devices(const std::string& directory) {
  const std::string allow = directory + "/devices.allow";
  const auto known = [&](const Saved& saved) { return saved.path == allow; };
  if (std::any_of(saved_.begin(), saved_.end(), known)) return;
  const auto text = read_file(directory + "/devices.list");
  if (!text.ok()) return;
  // Restored backwards: everything is denied first, then the list is allowed.
  saved_.push_back({allow, lines_of(*text)});
  saved_.push_back({directory + "/devices.deny", {"a"}});
}

void Rollback::remember(const std::vector<Write>& writes,
                        const std::vector<Placement>& placements) {
  for (const auto& write : writes) {
    const Placement* placement = placement_of(placements, write.controller);
    if (placement == nullptr) continue;
    if (write.file.starts_with("devices.")) {
      remember_devices(placement->directory);
      continue;
    }
    remember_file(write, placement->directory + "/" + write.file);
    if (!write.other_file.empty()) {
      remember_file(write, placement->directory + "/" + write.other_file);
    }
  }
}

std::vector<std::string> Rollback::restore() const {
  const auto put_back = [](const Saved& saved) {
    bool whole = true;
    for (const auto& value : saved.values) whole = write_file(saved.path, value).ok() && whole;
    return whole;
  };
  std::vector<const Saved*> refused;
  for (auto saved = saved_.rbegin(); saved != saved_.rend(); ++saved) {
    if (!put_back(*saved)) refused.push_back(&*saved);
  }
  // Limits that depend on each other (memory and memory+swap) fit in the second round.
  std::vector<std::string> left;
  for (const auto* saved : refused) {
    if (!put_back(*saved)) left.push_back(saved->path);
  }
  return left;
}

}  // namespace langsbx::cgroup
