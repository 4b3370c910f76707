// Runs the few eBPF instructions of cgroup device programs, strictly: anything else is a failure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace langsbx::test {

struct DeviceRequest {
  std::uint32_t type = 0;    // BPF_DEVCG_DEV_*
  std::uint32_t access = 0;  // BPF_DEVCG_ACC_*
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
};

// The program's answer, or nothing when it is not valid: unknown instruction, jump out of the
// program, read of a register that was never set, no exit.
std::optional<std::uint64_t> run_device_program(const std::vector<std::uint64_t>& program,
                                                const DeviceRequest& request);

}  // namespace langsbx::test
