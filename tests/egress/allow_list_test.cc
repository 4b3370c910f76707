#include "runtime/egress/allow_list.h"

#include <gtest/gtest.h>

namespace langsbx::egress {
namespace {

AllowList list_of(const std::vector<std::string>& entries) {
  auto list = AllowList::parse(entries);
  EXPECT_TRUE(list.ok()) << list.error().to_string();
  return list.release_value();
}

bool address_is_public(std::string_view text) {
  const auto address = parse_address(text);
  EXPECT_TRUE(address) << text;
  return address && is_public(*address);
}

TEST(AllowList, NamesAndPorts) {
  const auto list = list_of({"Example.org", "other.example:8443"});
  EXPECT_TRUE(list.allows_host("example.org", 80));
  EXPECT_TRUE(list.allows_host("example.org", 443));
  EXPECT_FALSE(list.allows_host("example.org", 22));
  EXPECT_TRUE(list.allows_host("other.example", 8443));
  EXPECT_FALSE(list.allows_host("other.example", 443));
}

TEST(AllowList, NeitherPartsNorNeighboursOfAName) {
  const auto list = list_of({"example.org"});
  for (const char* host : {"www.example.org", "example.org.evil.net", "evil-example.org",
                           "example.or", "xexample.org", ""}) {
    EXPECT_FALSE(list.allows_host(host, 443)) << host;
  }
}

TEST(AllowList, StarIsWhatIsBelow) {
  const auto list = list_of({"*.example.org"});
  EXPECT_TRUE(list.allows_host("a.example.org", 443));
  EXPECT_TRUE(list.allows_host("a.b.example.org", 443));
  EXPECT_FALSE(list.allows_host("example.org", 443));
  EXPECT_FALSE(list.allows_host("evilexample.org", 443));
  EXPECT_FALSE(list.allows_host(".example.org", 443));
  EXPECT_TRUE(list_of({"*"}).allows_host("anything.net", 443));
}

TEST(AllowList, NothingIsAllowedByNobody) {
  EXPECT_FALSE(list_of({}).allows_host("example.org", 443));
}

TEST(AllowList, AddressesThatAreNotPublicHaveToBeNamed) {
  const auto private_one = *parse_address("10.1.2.3");
  EXPECT_FALSE(list_of({"*", "example.org"}).allows_address(private_one, 443));
  EXPECT_TRUE(list_of({"10.1.2.3"}).allows_address(private_one, 443));
  EXPECT_FALSE(list_of({"10.1.2.3:80"}).allows_address(private_one, 443));
  EXPECT_TRUE(list_of({"example.org"}).allows_address(*parse_address("8.8.8.8"), 443));
  const auto loopback = *parse_address("127.0.0.1");
  EXPECT_TRUE(list_of({"localhost:8080"}).allows_address(loopback, 8080));
  EXPECT_FALSE(list_of({"localhost:8080"}).allows_address(*parse_address("127.0.0.2"), 8080));
  EXPECT_TRUE(list_of({"[::1]:8080"}).allows_address(*parse_address("::1"), 8080));
  EXPECT_FALSE(list_of({"*:8080"}).allows_address(loopback, 8080));
}

TEST(AllowList, PublicAddresses) {
  for (const char* text : {"1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.63.0.1",
                           "100.128.0.1", "2606:4700::1111", "2a00::1"}) {
    EXPECT_TRUE(address_is_public(text)) << text;
  }
  for (const char* text :
       {"0.0.0.0",          "10.0.0.1",       "100.64.0.1",      "127.0.0.1",   "127.255.0.1",
        "169.254.169.254",  "172.16.0.1",     "172.31.255.255",  "192.0.0.8",   "192.168.1.1",
        "198.19.0.1",       "224.0.0.1",      "255.255.255.255", "::",          "::1",
        "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1",  "fe80::1",     "fc00::1",
        "fd00:ec2::254",    "ff02::1",        "2001::1",         "2001:db8::1", "2002:7f00:1::",
        "::7f00:1"}) {
    EXPECT_FALSE(address_is_public(text)) << text;
  }
}

TEST(AllowList, OtherSpellingsOfAnAddressAreNone) {
  for (const char* text :
       {"127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "::1%lo"}) {
    EXPECT_FALSE(parse_address(text)) << text;
  }
}

TEST(AllowList, BadEntries) {
  for (const char* text : {"", "*", "a:b", "a:0", "a:65536", "a:", ":80", "http://a", "a/b", "a b",
                           "::1", "[::1", "*.", "**", "*.*", "a..b", "-a", "\xc3\xa4.org"}) {
    const std::string entry = text;
    EXPECT_EQ(AllowList::parse({entry}).ok(), entry == "*") << entry;
  }
}

TEST(AllowList, NormalForm) {
  EXPECT_EQ(normal_host("WWW.Example.ORG."), "www.example.org");
  EXPECT_EQ(normal_host("[0:0:0:0:0:0:0:1]"), "::1");
  for (const char* text : {"", ".", "a..b", "a b", "a\r\nb", "[::1", "[127.0.0.1]", "a/b", "a@b"}) {
    EXPECT_EQ(normal_host(text), "") << text;
  }
}

}  // namespace
}  // namespace langsbx::egress
