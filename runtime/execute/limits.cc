// Presets and how they meet profile and command line.
#include "runtime/execute/limits.h"

#include <algorithm>
#include <charconv>

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

void lower(std::uint64_t& limit, const std::optional<std::uint64_t>& other) {
  if (other) limit = std::min(limit, *other);
}

void replace(std::uint64_t& limit, const std::optional<std::uint64_t>& other) {
  if (other) limit = *other;
}

}  // namespace

Result<Limits> preset_limits(std::string_view preset) {
  if (preset == "default") {
    return Limits{30'000, 60'000, 1'000, 256 * kMiB, 10, 100, 100 * kMiB, kMiB};
  }
  if (preset == "strict")
    return Limits{5'000, 10'000, 1'000, 64 * kMiB, 1, 20, 10 * kMiB, 64 << 10};
  return make_error(ErrorKind::kInvalidInput,
                    "--preset: \"" + std::string(preset) + "\" is neither default nor strict");
}

Limits merge_limits(const Limits& preset, const languages::Limits& profile,
                    const Toolchain& toolchain, const LimitOptions& options) {
  Limits limits = preset;
  lower(limits.cpu_time_ms, profile.cpu_time);
  lower(limits.wall_time_ms, profile.wall_time);
  lower(limits.cpus_milli, profile.cpu);
  lower(limits.memory, profile.memory);
  lower(limits.pids, profile.processes);
  lower(limits.files, profile.files);
  lower(limits.disk, profile.disk);
  lower(limits.output, profile.output);
  limits.pids = std::max(limits.pids, toolchain.least_pids);
  limits.memory = std::max(limits.memory, toolchain.least_memory);
  replace(limits.cpu_time_ms, options.cpu_time_ms);
  replace(limits.wall_time_ms, options.wall_time_ms);
  replace(limits.cpus_milli, options.cpus_milli);
  replace(limits.memory, options.memory);
  replace(limits.pids, options.pids);
  replace(limits.files, options.files);
  replace(limits.disk, options.disk);
  replace(limits.output, options.output);
  return limits;
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

}  // namespace langsbx::execute
