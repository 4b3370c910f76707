// linux.resources.devices with the default list: as ordered rules, for v1's files and for v2's BPF.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "oci/spec_resources.h"
#include "runtime/base/result.h"

namespace langsbx::cgroup {

enum class DeviceType : std::uint8_t { kAll, kBlock, kChar };

inline constexpr std::uint8_t kMayMknod = 1;  // the bits of BPF_DEVCG_ACC_*
inline constexpr std::uint8_t kMayRead = 2;
inline constexpr std::uint8_t kMayWrite = 4;
inline constexpr std::uint8_t kMayAll = 7;
inline constexpr std::int64_t kEveryNumber = -1;

struct DeviceAccess {
  bool allow = false;
  DeviceType type = DeviceType::kAll;
  std::int64_t major = kEveryNumber;
  std::int64_t minor = kEveryNumber;
  std::uint8_t access = kMayAll;
  std::size_t index = 0;  // in linux.resources.devices; kDefaultRule: from the default list

  [[nodiscard]] bool is_everything() const {
    return type == DeviceType::kAll && major == kEveryNumber && minor == kEveryNumber &&
           access == kMayAll;
  }
};
inline constexpr std::size_t kDefaultRule = static_cast<std::size_t>(-1);

// Deny all, the spec's rules, then the devices every container may use (null, zero, full, random,
// urandom, tty, ptmx, pts, tun, and mknod of anything): the last rule that names an access decides.
// An empty list therefore denies everything but the defaults (GHSA-g54h-m393-cpwq).
Result<std::vector<DeviceAccess>> device_rules(const std::vector<oci::DeviceRule>& rules);

// True for the one rule "deny everything", the template that CRI clients send with each update.
bool only_denies_everything(const std::vector<oci::DeviceRule>& rules);

// "c 1:3 rwm"
std::string device_line(const DeviceAccess& rule);
void append_device_line(std::string& text, const DeviceAccess& rule);

// v1 knows one default and exceptions to it, not an order. Refused: an exception to an exception
// that can't be said (deny 1:3 while 1:* is allowed).
struct DeviceExceptions {
  bool default_allow = false;
  std::vector<DeviceAccess> exceptions;
};
Result<DeviceExceptions> device_exceptions(const std::vector<DeviceAccess>& rules);

// cgroup2: BPF_PROG_TYPE_CGROUP_DEVICE instructions (struct bpf_insn as 64-bit words). Empty when
// everything is allowed, which needs no program.
std::vector<std::uint64_t> device_program(const std::vector<DeviceAccess>& rules);

}  // namespace langsbx::cgroup
