// The rules, answered as Landlock answers.
#include "runtime/guard/ip_sockets.h"

#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>

namespace langsbx::guard {
namespace {

const std::string kName = "network: ";

using Args = std::vector<oci::SeccompArg>;

constexpr std::uint64_t kAllBits = 0xffffffff;  // as the kernel reads it
constexpr std::uint64_t kTypeBits = 0xf;

oci::SeccompArg is(std::uint32_t index, std::uint64_t value, std::uint64_t bits = kAllBits) {
  return {index, bits, value, "SCMP_CMP_MASKED_EQ"};
}

void refuse(std::vector<std::string> names, Args args, oci::Seccomp& profile) {
  profile.syscalls.push_back({std::move(names), "SCMP_ACT_ERRNO", EACCES, std::move(args)});
}

// A number and those behind it, two, four or eight in all.
constexpr std::uint64_t kTwo = kAllBits - 1;
constexpr std::uint64_t kFour = kAllBits - 3;
constexpr std::uint64_t kEight = kAllBits - 7;

oci::SeccompArg is_from(std::uint32_t index, std::uint64_t value) {
  return {index, value, 0, "SCMP_CMP_GE"};
}

// Not Unix, netlink and the kernel's ciphers: these stay here. VSOCK reaches the host, SMC and RDS
// carry TCP, and nobody asks Landlock about any of them. io_uring makes sockets without the call.
void refuse_other_families(oci::Seccomp& profile) {
  const std::vector<std::string> calls = {"socket", "socketpair"};
  static_assert(AF_UNIX == 1 && AF_INET == 2 && AF_INET6 == 10 && AF_NETLINK == 16 && AF_ALG == 38);
  for (const Args& others : std::vector<Args>{{is(0, 3)},
                                              {is(0, 4, kFour)},
                                              {is(0, 8, kTwo)},
                                              {is(0, 11)},
                                              {is(0, 12, kFour)},
                                              {is(0, 17)},
                                              {is(0, 18, kTwo)},
                                              {is(0, 20, kFour)},
                                              {is(0, 24, kEight)},
                                              {is(0, 32, kFour)},
                                              {is(0, 36, kTwo)},
                                              {is_from(0, AF_ALG + 1)}}) {
    refuse(calls, others, profile);
  }
  refuse({"io_uring_setup"}, {}, profile);
}

// Landlock's ports hold for TCP alone, and for connect() and bind() alone: MPTCP, SMC and SCTP
// connect to the same servers.
void refuse_other_streams(std::uint64_t family, oci::Seccomp& profile) {
  static_assert(IPPROTO_IP == 0 && IPPROTO_TCP == 6);
  const auto refuse_streams = [&](const oci::SeccompArg& protocol) {
    refuse({"socket"}, {is(0, family), is(1, SOCK_STREAM, kTypeBits), protocol}, profile);
  };
  refuse_streams(is(2, 1));
  refuse_streams(is(2, 2, kTwo));
  refuse_streams(is(2, 4, kTwo));
  refuse_streams(is_from(2, IPPROTO_TCP + 1));
  for (const std::uint64_t type : {SOCK_SEQPACKET, SOCK_DCCP}) {
    refuse({"socket"}, {is(0, family), is(1, type, kTypeBits)}, profile);
  }
}

void refuse_fast_open(oci::Seccomp& profile) {
  refuse({"sendto", "sendmmsg"}, {is(3, MSG_FASTOPEN, MSG_FASTOPEN)}, profile);
  refuse({"sendmsg"}, {is(2, MSG_FASTOPEN, MSG_FASTOPEN)}, profile);
}

}  // namespace

std::optional<confine::SeccompSource> ip_sockets(const languages::Profile& profile) {
  const bool none = profile.network == "none";
  const bool ports = !profile.landlock.connect_tcp.empty() || !profile.landlock.bind_tcp.empty();
  if (!none && !ports) return std::nullopt;
  confine::SeccompSource source;
  source.name = kName + (none ? ports ? "none but ports" : "none" : "ports");
  source.profile.default_action = "SCMP_ACT_ALLOW";
  refuse_other_families(source.profile);
  for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_INET6}}) {
    if (!ports) {
      refuse({"socket"}, {is(0, family)}, source.profile);
      continue;
    }
    refuse_other_streams(family, source.profile);
    for (const std::uint64_t type : {SOCK_DGRAM, SOCK_RAW}) {
      if (none) refuse({"socket"}, {is(0, family), is(1, type, kTypeBits)}, source.profile);
    }
  }
  if (ports) refuse_fast_open(source.profile);
  // Without bind() the kernel picks a port that Landlock is not asked about. A filter can't see
  // which socket listens: who may bind to some port may listen, too.
  if (ports && profile.landlock.bind_tcp.empty()) refuse({"listen"}, {}, source.profile);
  return source;
}

bool is_ip_sockets(std::string_view filter) { return filter.starts_with(kName); }

}  // namespace langsbx::guard
