// Every Landlock right of ABI 1 to 10 in one table: name, bit, and the ABI that brought it.
// Own constants: the distribution's <linux/landlock.h> stops at ABI 2.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx::confine {

enum class LandlockKind : std::uint8_t { kFs, kNet, kScope };

struct LandlockRight {
  LandlockKind kind;
  std::string_view name;
  std::uint64_t bit;
  int since_abi;
  bool file_right;  // also meaningful for a rule on something that is not a directory
};

namespace fs {
inline constexpr std::uint64_t kExecute = 1U << 0U;
inline constexpr std::uint64_t kWriteFile = 1U << 1U;
inline constexpr std::uint64_t kReadFile = 1U << 2U;
inline constexpr std::uint64_t kReadDir = 1U << 3U;
inline constexpr std::uint64_t kRemoveDir = 1U << 4U;
inline constexpr std::uint64_t kRemoveFile = 1U << 5U;
inline constexpr std::uint64_t kMakeChar = 1U << 6U;
inline constexpr std::uint64_t kMakeDir = 1U << 7U;
inline constexpr std::uint64_t kMakeReg = 1U << 8U;
inline constexpr std::uint64_t kMakeSock = 1U << 9U;
inline constexpr std::uint64_t kMakeFifo = 1U << 10U;
inline constexpr std::uint64_t kMakeBlock = 1U << 11U;
inline constexpr std::uint64_t kMakeSym = 1U << 12U;
inline constexpr std::uint64_t kRefer = 1U << 13U;
inline constexpr std::uint64_t kTruncate = 1U << 14U;
inline constexpr std::uint64_t kIoctlDev = 1U << 15U;
inline constexpr std::uint64_t kResolveUnix = 1U << 16U;

inline constexpr std::uint64_t kRead = kReadFile | kReadDir;
inline constexpr std::uint64_t kWrite = kWriteFile | kRemoveDir | kRemoveFile | kMakeDir |
                                        kMakeReg | kMakeSock | kMakeFifo | kMakeSym | kRefer |
                                        kTruncate;
}  // namespace fs

namespace net {
inline constexpr std::uint64_t kBindTcp = 1U << 0U;
inline constexpr std::uint64_t kConnectTcp = 1U << 1U;
inline constexpr std::uint64_t kBindUdp = 1U << 2U;
inline constexpr std::uint64_t kConnectSendUdp = 1U << 3U;
}  // namespace net

namespace scope {
inline constexpr std::uint64_t kAbstractUnixSocket = 1U << 0U;
inline constexpr std::uint64_t kSignal = 1U << 1U;
}  // namespace scope

std::span<const LandlockRight> landlock_rights();
// Everything of `kind` that a kernel with `abi` knows; the default is everything there is.
std::uint64_t known_rights(LandlockKind kind, int abi = 10);
// Rights that a rule on a regular file, device or socket may carry.
std::uint64_t file_rights();
// "read_file", or a raw number ("0x4", "4"): numbers may name bits that this table does not have.
std::optional<std::uint64_t> right_from_text(LandlockKind kind, std::string_view text);
std::vector<std::string> right_names(LandlockKind kind, std::uint64_t bits);
std::string right_number(std::uint64_t bits);  // "0x4"
// Calls `take` with each name as a string_view; with one number for what has none.
template <typename Take>
void each_right_name(LandlockKind kind, std::uint64_t bits, Take take) {
  for (const LandlockRight& right : landlock_rights()) {
    if (right.kind != kind || (bits & right.bit) == 0) continue;
    take(right.name);
    bits &= ~right.bit;
  }
  if (bits != 0) take(std::string_view(right_number(bits)));
}
int right_since(LandlockKind kind, std::uint64_t bit);  // 0: not in the table

}  // namespace langsbx::confine
