// Presets and how they meet profile and command line.
#include "runtime/execute/limits.h"

#include <algorithm>
#include <charconv>

#include "runtime/base/text.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kKiB = 1U << 10U;
constexpr std::uint64_t kMiB = 1U << 20U;

using Profile = languages::Limits;

constexpr std::array<LimitRow, kLimitCount> kTable = {{
    {"timeout", "wall_time_ms", Unit::kDuration, &Limits::wall_time_ms, &Profile::wall_time, 60'000,
     10'000, "longest run: 60s, or 10s when strict"},
    {"cpu-time", "cpu_time_ms", Unit::kDuration, &Limits::cpu_time_ms, &Profile::cpu_time, 30'000,
     5'000, "processor time of all processes: 30s or 5s"},
    {"cpus", "cpus", Unit::kProcessors, &Limits::cpus_milli, &Profile::cpu, 1'000, 1'000,
     "processors at a time, as 0.5"},
    {"memory,m", "memory_bytes", Unit::kSize, &Limits::memory, &Profile::memory, 256 * kMiB,
     64 * kMiB, "memory of all processes: 256M or 64M"},
    {"pids", "pids", Unit::kCount, &Limits::pids, &Profile::processes, 10, 1,
     "processes and threads: 10 or 1"},
    {"files", "files", Unit::kCount, &Limits::files, &Profile::files, 100, 20,
     "open files of a process: 100 or 20"},
    {"disk", "disk_bytes", Unit::kSize, &Limits::disk, &Profile::disk, 100 * kMiB, 10 * kMiB,
     "what may be written in the work directory: 100M or 10M"},
    {"output", "output_bytes", Unit::kSize, &Limits::output, &Profile::output, kMiB, 64 * kKiB,
     "what may be written to stdout and stderr: 1M or 64K"},
}};

}  // namespace

const std::array<LimitRow, kLimitCount>& limit_table() { return kTable; }

std::size_t limit_index(std::string_view option) {
  const auto row = std::find_if(kTable.begin(), kTable.end(), [&](const LimitRow& known) {
    return known.option.substr(0, known.option.find(',')) == option;
  });
  return static_cast<std::size_t>(row - kTable.begin());
}

Result<Limits> preset_limits(std::string_view preset) {
  if (preset != "default" && preset != "strict") {
    return make_error(ErrorKind::kInvalidInput,
                      "--preset: \"" + std::string(preset) + "\" is neither default nor strict");
  }
  Limits limits;
  for (const auto& row : kTable) {
    limits.*row.value = preset == "strict" ? row.strict : row.normal;
  }
  return limits;
}

Limits merge_limits(const Limits& preset, const languages::Limits& profile,
                    const Toolchain& toolchain, const LimitOptions& options, Stronger stronger) {
  Limits limits = preset;
  for (const auto& row : kTable) {
    auto& value = limits.*row.value;
    const auto wanted = (profile.*row.profile).value_or(value);
    value = stronger == Stronger::kProfile ? wanted : std::min(value, wanted);
  }
  limits.pids = std::max(limits.pids, toolchain.least_pids);
  limits.memory = std::max(limits.memory, toolchain.least_memory);
  limits.files = std::max(limits.files, toolchain.least_files);
  for (std::size_t i = 0; i < kLimitCount; ++i) {
    if (options[i]) limits.*kTable[i].value = *options[i];
  }
  return limits;
}

void lower_to(const LimitOptions& ceilings, Limits& limits) {
  for (std::size_t i = 0; i < kLimitCount; ++i) {
    auto& value = limits.*kTable[i].value;
    value = std::min(value, ceilings[i].value_or(value));
  }
}

Result<std::uint64_t> parse_size(std::string_view text, std::string_view option) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  unsigned shift = 0;
  bool known = error == std::errc() && value > 0;
  if (!unit.empty()) {
    constexpr std::string_view kUnits = "KMGT";
    const auto place = kUnits.find(static_cast<char>(unit[0] & ~0x20));
    known = known && place != std::string_view::npos;
    shift = known ? static_cast<unsigned>(10 * (place + 1)) : 0;
    unit.remove_prefix(1);
    known = known && (unit.empty() || unit == "i" || unit == "iB" || unit == "B" || unit == "b");
  }
  if (!known || value > (~std::uint64_t{0} >> 1U) >> shift) {
    return make_error(ErrorKind::kInvalidInput,
                      std::string(option) + ": \"" + std::string(text) + "\" is not a size");
  }
  return value << shift;
}

Result<std::uint64_t> parse_cpus(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0.01) ||
      value > 4096) {
    return make_error(ErrorKind::kInvalidInput,
                      "--cpus: \"" + std::string(text) + "\" is not a number of processors");
  }
  return static_cast<std::uint64_t>(value * 1000);
}

Result<std::uint64_t> parse_count(std::string_view text, std::string_view option) {
  const auto value = to_number<std::uint64_t>(text);
  if (!value || *value == 0 || *value > 1U << 20U) {
    return make_error(ErrorKind::kInvalidInput,
                      std::string(option) + ": \"" + std::string(text) + "\" is not a count");
  }
  return *value;
}

}  // namespace langsbx::execute
