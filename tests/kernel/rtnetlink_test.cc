// Replies of the routing socket are parsed within their bounds, whatever they say of their lengths.
#include "runtime/kernel/rtnetlink.h"

#include <gtest/gtest.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <string>

namespace langsbx {
namespace {

std::string message(std::uint32_t length, std::uint16_t type, const std::string& payload) {
  nlmsghdr header{};
  header.nlmsg_len = length;
  header.nlmsg_type = type;
  header.nlmsg_seq = 7;
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + payload;
}

std::string attribute(std::uint16_t length, std::uint16_t type, const std::string& payload) {
  rtattr header{};
  header.rta_len = length;
  header.rta_type = type;
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + payload;
}

TEST(RtNetlink, SplitsPaddedMessages) {
  const std::string data = message(18, 20, "ab") + std::string(2, '\0') + message(17, 21, "c");
  const auto parts = split_netlink(data);
  ASSERT_TRUE(parts.ok());
  ASSERT_EQ(parts->size(), 2U);
  EXPECT_EQ((*parts)[0].payload, "ab");
  EXPECT_EQ((*parts)[0].sequence, 7U);
  EXPECT_EQ((*parts)[1].type, 21);
  EXPECT_EQ((*parts)[1].payload, "c");
}

TEST(RtNetlink, RefusesLengthsThatLie) {
  for (const std::uint32_t length : {0U, 15U, 19U, 0xffffffffU}) {
    EXPECT_FALSE(split_netlink(message(length, 20, "ab")).ok()) << length;
  }
  EXPECT_FALSE(split_netlink("short").ok());
}

TEST(RtNetlink, ReadsAttributes) {
  const auto parsed = parse_netlink_attributes(attribute(5, 3 | NLA_F_NESTED, "x") +
                                               std::string(3, '\0') + attribute(4, 9, ""));
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(parsed->size(), 2U);
  EXPECT_EQ((*parsed)[0].type, 3);
  EXPECT_EQ((*parsed)[0].payload, "x");
  EXPECT_EQ((*parsed)[1].type, 9);
}

TEST(RtNetlink, RefusesAttributesThatLie) {
  for (const std::uint16_t length : std::initializer_list<std::uint16_t>{0, 3, 6, 0xffff}) {
    EXPECT_FALSE(parse_netlink_attributes(attribute(length, 3, "x")).ok()) << length;
  }
  EXPECT_FALSE(parse_netlink_attributes("abc").ok());
}

TEST(RtNetlink, FindsLoopbackAndNothingElse) {
  auto client = RtNetlink::open();
  ASSERT_TRUE(client.ok());
  const auto index = client->find_link("lo");
  ASSERT_TRUE(index.ok());
  EXPECT_EQ(static_cast<unsigned>(*index), ::if_nametoindex("lo"));
  const auto links = client->list_links();
  ASSERT_TRUE(links.ok());
  EXPECT_EQ(std::count(links->begin(), links->end(), *index), 1);
  const auto missing = client->find_link("no-such-link");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().errno_value, ENODEV);
}

}  // namespace
}  // namespace langsbx
