// The limits that `update` takes as options.
#include "cmd/langsbx/update_options.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace langsbx::cmd {
namespace {

Error bad_value(std::string_view option, std::string_view text) {
  return make_error(ErrorKind::kInvalidInput,
                    "invalid value \"" + std::string(text) + "\" for flag -" + std::string(option));
}

// Sets a member of an optional object only when the option was given.
template <typename Object, typename Member, typename Value>
Result<void> set(std::optional<Object>& object, Member member, const std::optional<Value>& value,
                 std::string_view option) {
  if (!value) return {};
  if (!object) object.emplace();
  using Target = typename std::remove_cvref_t<decltype((*object).*member)>::value_type;
  if (!std::in_range<Target>(*value)) return bad_value(option, std::to_string(*value));
  (*object).*member = static_cast<Target>(*value);
  return {};
}

Result<void> set_bytes(std::optional<oci::MemoryResources>& memory,
                       std::optional<std::int64_t> oci::MemoryResources::*member,
                       const std::string& text, std::string_view option) {
  if (text.empty()) return {};
  return set(memory, member, std::optional(TRY(parse_bytes(text, option))), option);
}

void set_text(std::optional<oci::CpuResources>& cpu, std::string oci::CpuResources::*member,
              const std::string& text) {
  if (text.empty()) return;
  if (!cpu) cpu.emplace();
  (*cpu).*member = text;
}

}  // namespace

Result<std::int64_t> parse_bytes(std::string_view text, std::string_view option) {
  if (text == "-1") return std::int64_t{-1};
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc{} || !std::isfinite(number) || number < 0) return bad_value(option, text);
  std::string unit;
  for (const char* letter = stop; letter != end; ++letter)
    unit += static_cast<char>(*letter >= 'A' && *letter <= 'Z' ? *letter + ('a' - 'A') : *letter);
  if (unit.starts_with(' ')) unit.erase(0, 1);
  constexpr std::string_view kPrefixes = "kmgtp";
  int exponent = 0;
  if (!unit.empty() && unit != "b") {
    const std::size_t prefix = kPrefixes.find(unit[0]);
    const std::string rest = unit.substr(1);
    if (prefix == std::string_view::npos || (!rest.empty() && rest != "b" && rest != "ib"))
      return bad_value(option, text);
    exponent = 10 * static_cast<int>(prefix + 1);
  }
  // Whole numbers without a unit keep all their digits.
  std::int64_t exact = 0;
  const auto whole = std::from_chars(text.data(), stop, exact);
  if (exponent == 0 && whole.ec == std::errc{} && whole.ptr == stop) return exact;
  number = std::ldexp(number, exponent);
  if (number >= static_cast<double>(std::numeric_limits<std::int64_t>::max()))
    return bad_value(option, text);
  return static_cast<std::int64_t>(number);
}

void declare_update_options(OptionTable& table, UpdateOptions& options) {
  table.text("resources,r", &options.resources_file, "FILE",
             "read linux.resources as JSON from FILE, - for stdin; other limits are then ignored");
  table.number("blkio-weight", &options.blkio_weight, "weight of block I/O, 10 to 1000");
  table.number("cpu-period", &options.cpu_period, "CFS period in microseconds");
  table.number("cpu-quota", &options.cpu_quota, "CFS quota in microseconds of each period");
  table.number("cpu-burst", &options.cpu_burst, "CFS burst in microseconds");
  table.number("cpu-share", &options.cpu_shares, "CPU shares against other containers");
  table.number("cpu-rt-period", &options.cpu_rt_period, "realtime period in microseconds");
  table.number("cpu-rt-runtime", &options.cpu_rt_runtime, "realtime runtime in microseconds");
  table.text("cpuset-cpus", &options.cpus, "LIST", "CPUs to use: 0-3,7");
  table.text("cpuset-mems", &options.mems, "LIST", "memory nodes to use");
  table.text("memory", &options.memory, "BYTES", "memory limit: 64m, 1g, -1 for none");
  table.text("memory-reservation", &options.memory_reservation, "BYTES", "soft memory limit");
  table.text("memory-swap", &options.memory_swap, "BYTES",
             "limit of memory and swap together, -1 for none");
  table.text("kernel-memory", &options.kernel_memory, "BYTES", "kernel memory limit (cgroup v1)");
  table.text("kernel-memory-tcp", &options.kernel_memory_tcp, "BYTES",
             "TCP buffer memory limit (cgroup v1)");
  table.number("cpu-idle", &options.cpu_idle, "1: run only when nothing else wants the CPU");
  table.number("pids-limit", &options.pids_limit, "highest number of processes, -1 for no limit");
  table.text("l3-cache-schema", &options.l3_cache_schema, "SCHEMA", "Intel RDT L3 cache schema");
  table.text("mem-bw-schema", &options.mem_bw_schema, "SCHEMA",
             "Intel RDT memory bandwidth schema");
}

Result<oci::Resources> resources_from(const UpdateOptions& options) {
  using oci::BlockIoResources;
  using oci::CpuResources;
  using oci::MemoryResources;
  oci::Resources resources;
  TRY(set(resources.block_io, &BlockIoResources::weight, options.blkio_weight, "blkio-weight"));
  TRY(set(resources.cpu, &CpuResources::period, options.cpu_period, "cpu-period"));
  TRY(set(resources.cpu, &CpuResources::quota, options.cpu_quota, "cpu-quota"));
  TRY(set(resources.cpu, &CpuResources::burst, options.cpu_burst, "cpu-burst"));
  TRY(set(resources.cpu, &CpuResources::shares, options.cpu_shares, "cpu-share"));
  TRY(set(resources.cpu, &CpuResources::realtime_period, options.cpu_rt_period, "cpu-rt-period"));
  TRY(set(resources.cpu, &CpuResources::realtime_runtime, options.cpu_rt_runtime,
          "cpu-rt-runtime"));
  TRY(set(resources.cpu, &CpuResources::idle, options.cpu_idle, "cpu-idle"));
  set_text(resources.cpu, &CpuResources::cpus, options.cpus);
  set_text(resources.cpu, &CpuResources::mems, options.mems);
  auto& memory = resources.memory;
  TRY(set_bytes(memory, &MemoryResources::limit, options.memory, "memory"));
  TRY(set_bytes(memory, &MemoryResources::reservation, options.memory_reservation,
                "memory-reservation"));
  TRY(set_bytes(memory, &MemoryResources::swap, options.memory_swap, "memory-swap"));
  TRY(set_bytes(memory, &MemoryResources::kernel, options.kernel_memory, "kernel-memory"));
  TRY(set_bytes(memory, &MemoryResources::kernel_tcp, options.kernel_memory_tcp,
                "kernel-memory-tcp"));
  resources.pids_limit = options.pids_limit;
  return resources;
}

}  // namespace langsbx::cmd
