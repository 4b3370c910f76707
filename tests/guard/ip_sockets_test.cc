// What a profile's `network` means for sockets that Landlock's TCP ports say nothing about.
#include "runtime/guard/ip_sockets.h"

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/support/bpf_emulator.h"

namespace langsbx::guard {
namespace {

constexpr std::uint64_t kUpperBit = std::uint64_t{1} << 32U;
constexpr std::uint64_t kMptcp = 262;
constexpr std::uint64_t kSctp = 132;
constexpr std::uint64_t kSmc = 256;  // TCP by another name, which Landlock does not know

class Answers {
 public:
  explicit Answers(const languages::Profile& profile) {
    if (const auto source = ip_sockets(profile)) plan_ = *confine::plan_seccomp({*source}, {});
  }
  [[nodiscard]] std::string of(const char* call, std::vector<std::uint64_t> args) const {
    if (plan_.empty()) return "no filter";
    return test::answer_of(plan_, {0, "x86_64", call, std::move(args), ""}).value_or("?");
  }

 private:
  confine::SeccompPlan plan_;
};

languages::Profile profile_of(const char* network, std::vector<std::uint16_t> connect = {}) {
  languages::Profile profile;
  profile.network = network;
  profile.landlock.connect_tcp = std::move(connect);
  return profile;
}

TEST(IpSockets, NoNetworkIsNoSocketOfIp) {
  const Answers answers(profile_of("none"));
  for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_INET6}}) {
    for (const std::uint64_t type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW}) {
      EXPECT_EQ(answers.of("socket", {family, type | SOCK_CLOEXEC, 0}), "EACCES");
    }
    EXPECT_EQ(answers.of("socket", {family | kUpperBit, SOCK_STREAM, kMptcp}), "EACCES");
  }
  EXPECT_EQ(answers.of("socket", {AF_UNIX, SOCK_STREAM, 0}), "ALLOW");
  EXPECT_EQ(answers.of("socket", {AF_NETLINK, SOCK_RAW, 0}), "ALLOW");
  EXPECT_EQ(answers.of("socketpair", {AF_UNIX, SOCK_STREAM, 0}), "ALLOW");
}

TEST(IpSockets, PortsAreOfPlainTcp) {
  for (const char* const network : {"none", "container"}) {
    const Answers answers(profile_of(network, {443}));
    EXPECT_EQ(answers.of("socket", {AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0}), "ALLOW");
    EXPECT_EQ(answers.of("socket", {AF_INET6, SOCK_STREAM, IPPROTO_TCP}), "ALLOW");
    EXPECT_EQ(answers.of("socket", {AF_INET, SOCK_STREAM, kMptcp}), "EACCES");
    EXPECT_EQ(answers.of("socket", {AF_INET6, SOCK_STREAM, kMptcp | kUpperBit}), "EACCES");
    EXPECT_EQ(answers.of("socket", {AF_INET, SOCK_STREAM, kSctp}), "EACCES");
    EXPECT_EQ(answers.of("sendto", {3, 0, 0, MSG_FASTOPEN}), "EACCES");
    EXPECT_EQ(answers.of("sendto", {3, 0, 0, MSG_FASTOPEN | MSG_NOSIGNAL}), "EACCES");
    EXPECT_EQ(answers.of("sendto", {3, 0, 0, MSG_NOSIGNAL}), "ALLOW");
    EXPECT_EQ(answers.of("sendmsg", {3, 0, MSG_FASTOPEN}), "EACCES");
    EXPECT_EQ(answers.of("sendmmsg", {3, 0, 1, MSG_FASTOPEN}), "EACCES");
  }
}

TEST(IpSockets, WhoMayBindToNoPortDoesNotListen) {
  for (const char* const network : {"none", "container"}) {
    auto profile = profile_of(network, {443});
    EXPECT_EQ(Answers(profile).of("listen", {3, 1}), "EACCES");
    profile.landlock.bind_tcp = {8080};
    EXPECT_EQ(Answers(profile).of("listen", {3, 1}), "ALLOW");
    profile.landlock.connect_tcp.clear();
    EXPECT_EQ(Answers(profile).of("listen", {3, 1}), "ALLOW");
  }
  EXPECT_EQ(Answers(profile_of("none")).of("listen", {3, 1}), "ALLOW");  // on a Unix socket
}

// They reach the host, or carry TCP or messages of their own over its network.
TEST(IpSockets, OtherFamiliesAreNoWayRound) {
  for (const auto& profile :
       {profile_of("none"), profile_of("none", {443}), profile_of("container", {443})}) {
    const Answers answers(profile);
    for (std::uint64_t family = 0; family < 64; ++family) {
      const bool inet = family == AF_INET || family == AF_INET6;
      if (inet) continue;
      const bool local =
          family == AF_UNSPEC || family == AF_UNIX || family == AF_NETLINK || family == AF_ALG;
      const char* const answer = local ? "ALLOW" : "EACCES";
      for (const char* const call : {"socket", "socketpair"}) {
        EXPECT_EQ(answers.of(call, {family, SOCK_STREAM, 0}), answer) << call << " " << family;
        if (local) continue;  // the kernel reads half of the number: who sets the other half hides
        EXPECT_EQ(answers.of(call, {family | kUpperBit, SOCK_SEQPACKET, 0}), "EACCES") << family;
      }
    }
    EXPECT_EQ(answers.of("io_uring_setup", {8, 0}), "EACCES");
  }
}

TEST(IpSockets, OtherStreamsThanTcpAreNoWayRoundPorts) {
  for (const char* const network : {"none", "container"}) {
    const Answers answers(profile_of(network, {443}));
    for (const std::uint64_t family : {std::uint64_t{AF_INET}, std::uint64_t{AF_INET6}}) {
      for (std::uint64_t protocol = 0; protocol < 300; ++protocol) {
        const bool tcp = protocol == 0 || protocol == IPPROTO_TCP;
        EXPECT_EQ(answers.of("socket", {family, SOCK_STREAM, protocol}), tcp ? "ALLOW" : "EACCES")
            << protocol;
        if (tcp) continue;
        EXPECT_EQ(answers.of("socket", {family, SOCK_STREAM | SOCK_NONBLOCK, protocol | kUpperBit}),
                  "EACCES")
            << protocol;
      }
      EXPECT_EQ(answers.of("socket", {family, SOCK_STREAM, kSmc}), "EACCES");
      for (const std::uint64_t type : {SOCK_SEQPACKET, SOCK_DCCP}) {
        EXPECT_EQ(answers.of("socket", {family, type, 0}), "EACCES");  // SCTP, if it is there
        EXPECT_EQ(answers.of("socket", {family, type | SOCK_CLOEXEC, kSctp}), "EACCES");
      }
    }
  }
}

// A name is asked for by UDP, where the network is not refused as a whole.
TEST(IpSockets, DatagramsGoWithTheNetwork) {
  const Answers none(profile_of("none", {443}));
  const Answers container(profile_of("container", {443}));
  EXPECT_EQ(none.of("socket", {AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0}), "EACCES");
  EXPECT_EQ(none.of("socket", {AF_INET6, SOCK_RAW, 0}), "EACCES");
  EXPECT_EQ(container.of("socket", {AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0}), "ALLOW");
}

TEST(IpSockets, WhatIsLeftToTheContainerHasNoFilter) {
  EXPECT_FALSE(ip_sockets(profile_of("container")));
  EXPECT_FALSE(ip_sockets({}));
}

}  // namespace
}  // namespace langsbx::guard
