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
constexpr std::uint64_t kMptcp = 262;  // <netinet/in.h> names it since glibc 2.32 only

oci::SeccompArg is(std::uint32_t index, std::uint64_t value, std::uint64_t bits = kAllBits) {
  return {index, bits, value, "SCMP_CMP_MASKED_EQ"};
}

void refuse(std::vector<std::string> names, Args args, oci::Seccomp& profile) {
  profile.syscalls.push_back({std::move(names), "SCMP_ACT_ERRNO", EACCES, std::move(args)});
}

// Landlock's ports hold for TCP alone, and for connect() and bind() alone.
void refuse_other_streams(std::uint64_t family, oci::Seccomp& profile) {
  for (const std::uint64_t protocol : {kMptcp, std::uint64_t{IPPROTO_SCTP}}) {
    refuse({"socket"}, {is(0, family), is(2, protocol)}, profile);
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
  for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_INET6}}) {
    if (!ports) {
      refuse({"socket"}, {is(0, family)}, source.profile);
      continue;
    }
    refuse_other_streams(family, source.profile);
    for (const std::uint64_t type : {SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET, SOCK_DCCP}) {
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
