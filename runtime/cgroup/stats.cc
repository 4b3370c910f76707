// Collects statistics from every hierarchy of a container.
#include "runtime/cgroup/stats.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "runtime/cgroup/cgroup.h"
#include "runtime/cgroup/stats_files.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup {
namespace {

// "avg10=0.00 avg60=0.00 avg300=0.00 total=0"
PressureLine pressure_line(const std::vector<std::string_view>& words) {
  PressureLine line;
  for (const auto word : words) {
    const auto equals = word.find('=');
    if (equals == std::string_view::npos) continue;
    const auto key = word.substr(0, equals);
    const std::string value(word.substr(equals + 1));
    if (key == "avg10") line.avg10 = std::strtod(value.c_str(), nullptr);
    if (key == "avg60") line.avg60 = std::strtod(value.c_str(), nullptr);
    if (key == "avg300") line.avg300 = std::strtod(value.c_str(), nullptr);
    if (key == "total") line.total = to_number(value).value_or(0);
  }
  return line;
}

}  // namespace

std::string text_or_empty(const std::string& path) {
  return std::move(read_file(path)).value_or(std::string());
}

std::uint64_t number_or_zero(const std::string& path) {
  return to_number(text_or_empty(path)).value_or(0);
}

std::vector<std::uint64_t> numbers_in(const std::string& path) {
  std::vector<std::uint64_t> numbers;
  const std::string text = text_or_empty(path);
  for (const auto word : split(trim(text), ' ')) {
    if (const auto number = to_number(word)) numbers.push_back(*number);
  }
  return numbers;
}

std::optional<Pressure> pressure_in(const std::string& path) {
  const std::string text = text_or_empty(path);
  if (text.empty()) return std::nullopt;  // kernels without PSI
  Pressure pressure;
  for (const auto line : split(text, '\n')) {
    const auto words = split(line, ' ');
    if (words.empty()) continue;
    if (words.front() == "some") pressure.some = pressure_line(words);
    if (words.front() == "full") pressure.full = pressure_line(words);
  }
  return pressure;
}

std::vector<std::string> huge_page_sizes(const std::string& directory) {
  std::vector<std::string> sizes;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(directory.c_str()), ::closedir);
  if (stream == nullptr) return sizes;
  while (const dirent* entry = ::readdir(stream.get())) {
    std::string_view name = entry->d_name;  // "hugepages-2048kB"
    if (!name.starts_with("hugepages-") || !name.ends_with("kB")) continue;
    name.remove_prefix(sizeof("hugepages-") - 1);
    name.remove_suffix(2);
    auto size = to_number(name).value_or(0);
    const char* unit = "KB";
    for (const char* larger : {"MB", "GB"}) {
      if (size < 1024) break;
      size /= 1024;
      unit = larger;
    }
    sizes.push_back(std::to_string(size) + unit);
  }
  std::sort(sizes.begin(), sizes.end());
  return sizes;
}

Result<Stats> Cgroup::stats() const {
  Stats stats;
  if (!exists()) {
    return make_error(ErrorKind::kUnsupported, "statistics: the container has no cgroup");
  }
  for (const auto& placement : record_.placements) {
    for (const auto& controller : placement.controllers) {
      v1::read_stats(controller, placement.directory, stats);
    }
    if (!placement.controllers.empty()) continue;
    if (record_.mode == Mode::kV2) {
      v2::read_stats(placement.directory, stats);
    } else if (this->placement("hugetlb") == &placement) {
      v2::read_hugetlb(placement.directory, stats);
    }
  }
  return stats;
}

std::uint64_t Cgroup::processor_time() const {
  if (const auto* accounting = placement("cpuacct"); accounting != nullptr) {
    if (!accounting->controllers.empty()) {
      return number_or_zero(accounting->directory + "/cpuacct.usage");
    }
  }
  const auto* tree = unified();
  if (tree == nullptr) return 0;
  constexpr std::uint64_t kPerMicrosecond = 1000;
  const std::string text = text_or_empty(tree->directory + "/cpu.stat");
  for (const auto& [key, value] : key_values(text)) {
    if (key == "usage_usec") return value * kPerMicrosecond;
  }
  return 0;
}

}  // namespace langsbx::cgroup
