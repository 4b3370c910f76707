// The table of rights and the questions it answers.
#include "runtime/confine/landlock_rights.h"

#include <algorithm>

#include "runtime/base/text.h"

namespace langsbx::confine {
namespace {

using Kind = LandlockKind;

constexpr auto kRights = std::array{
    LandlockRight{Kind::kFs, "execute", fs::kExecute, 1, true},
    LandlockRight{Kind::kFs, "write_file", fs::kWriteFile, 1, true},
    LandlockRight{Kind::kFs, "read_file", fs::kReadFile, 1, true},
    LandlockRight{Kind::kFs, "read_dir", fs::kReadDir, 1, false},
    LandlockRight{Kind::kFs, "remove_dir", fs::kRemoveDir, 1, false},
    LandlockRight{Kind::kFs, "remove_file", fs::kRemoveFile, 1, false},
    LandlockRight{Kind::kFs, "make_char", fs::kMakeChar, 1, false},
    LandlockRight{Kind::kFs, "make_dir", fs::kMakeDir, 1, false},
    LandlockRight{Kind::kFs, "make_reg", fs::kMakeReg, 1, false},
    LandlockRight{Kind::kFs, "make_sock", fs::kMakeSock, 1, false},
    LandlockRight{Kind::kFs, "make_fifo", fs::kMakeFifo, 1, false},
    LandlockRight{Kind::kFs, "make_block", fs::kMakeBlock, 1, false},
    LandlockRight{Kind::kFs, "make_sym", fs::kMakeSym, 1, false},
    LandlockRight{Kind::kFs, "refer", fs::kRefer, 2, false},
    LandlockRight{Kind::kFs, "truncate", fs::kTruncate, 3, true},
    LandlockRight{Kind::kFs, "ioctl_dev", fs::kIoctlDev, 5, true},
    LandlockRight{Kind::kFs, "resolve_unix", fs::kResolveUnix, 9, true},
    LandlockRight{Kind::kNet, "bind_tcp", net::kBindTcp, 4, false},
    LandlockRight{Kind::kNet, "connect_tcp", net::kConnectTcp, 4, false},
    LandlockRight{Kind::kNet, "bind_udp", net::kBindUdp, 10, false},
    LandlockRight{Kind::kNet, "connect_send_udp", net::kConnectSendUdp, 10, false},
    LandlockRight{Kind::kScope, "abstract_unix_socket", scope::kAbstractUnixSocket, 6, false},
    LandlockRight{Kind::kScope, "signal", scope::kSignal, 6, false},
};

// runtime-spec proposal #1241 says "bind" and "connect".
std::string_view canonical(LandlockKind kind, std::string_view name) {
  if (kind == Kind::kNet && name == "bind") return "bind_tcp";
  if (kind == Kind::kNet && name == "connect") return "connect_tcp";
  return name;
}

std::optional<std::uint64_t> parse_bits(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  return to_number<std::uint64_t>(text, base);
}

}  // namespace

std::span<const LandlockRight> landlock_rights() { return kRights; }

std::uint64_t known_rights(LandlockKind kind, int abi) {
  std::uint64_t bits = 0;
  for (const LandlockRight& right : kRights) {
    if (right.kind == kind && right.since_abi <= abi) bits |= right.bit;
  }
  return bits;
}

std::uint64_t file_rights() {
  std::uint64_t bits = 0;
  for (const LandlockRight& right : kRights) {
    if (right.kind == Kind::kFs && right.file_right) bits |= right.bit;
  }
  return bits;
}

std::optional<std::uint64_t> right_from_text(LandlockKind kind, std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.front() >= '0' && text.front() <= '9') return parse_bits(text);
  const std::string_view name = canonical(kind, text);
  for (const LandlockRight& right : kRights) {
    if (right.kind == kind && right.name == name) return right.bit;
  }
  return std::nullopt;
}

std::string right_number(std::uint64_t value) {
  std::array<char, 16> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value, 16).ptr;
  return "0x" + std::string(digits.data(), end);
}

std::vector<std::string> right_names(LandlockKind kind, std::uint64_t bits) {
  std::vector<std::string> names;
  each_right_name(kind, bits, [&names](std::string_view name) { names.emplace_back(name); });
  return names;
}

int right_since(LandlockKind kind, std::uint64_t bit) {
  for (const LandlockRight& right : kRights) {
    if (right.kind == kind && right.bit == bit) return right.since_abi;
  }
  return 0;
}

}  // namespace langsbx::confine
