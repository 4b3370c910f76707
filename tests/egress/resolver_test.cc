#include "runtime/egress/resolver.h"

#include <gtest/gtest.h>

namespace langsbx::egress {
namespace {

using Bytes = std::vector<unsigned char>;

std::vector<std::string> texts(const std::vector<Address>& addresses) {
  std::vector<std::string> made;
  for (const auto& address : addresses) made.push_back(to_string(address));
  return made;
}

TEST(Resolver, HostsFile) {
  constexpr std::string_view kText =
      "# 1.1.1.1 a\n127.0.0.1\tlocalhost\n192.0.2.1  A.Example  b # c\n2001:db8::1 b\nnonsense b\n"
      "192.0.2.9 bb";
  EXPECT_EQ(texts(addresses_in_hosts(kText, "a.example")), std::vector<std::string>{"192.0.2.1"});
  EXPECT_EQ(texts(addresses_in_hosts(kText, "b")),
            (std::vector<std::string>{"192.0.2.1", "2001:db8::1"}));
  EXPECT_EQ(texts(addresses_in_hosts(kText, "bb")), std::vector<std::string>{"192.0.2.9"});
  EXPECT_TRUE(addresses_in_hosts(kText, "c").empty());
  EXPECT_TRUE(addresses_in_hosts(kText, "a").empty());
}

// One question "a.b", two answers behind an alias: A 192.0.2.7 and AAAA 2001:db8::7.
Bytes message() {
  Bytes bytes = {0, 1, 0x81, 0x80, 0, 1, 0, 3, 0, 0, 0, 0, 1, 'a', 1, 'b', 0, 0, 1, 0, 1};
  const Bytes alias = {0xC0, 12, 0, 5, 0, 1, 0, 0, 0, 9, 0, 4, 1, 'x', 0xC0, 14};
  const Bytes four = {0xC0, 33, 0, 1, 0, 1, 0, 0, 0, 9, 0, 4, 192, 0, 2, 7};
  const Bytes six = {0xC0, 33,   0, 28, 0, 1, 0, 0, 0, 9, 0, 16, 0x20, 1,
                     0x0D, 0xB8, 0, 0,  0, 0, 0, 0, 0, 0, 0, 0,  0,    7};
  for (const auto& part : {alias, four, six}) bytes.insert(bytes.end(), part.begin(), part.end());
  return bytes;
}

TEST(Resolver, Answer) {
  EXPECT_EQ(texts(addresses_in_answer(message())),
            (std::vector<std::string>{"192.0.2.7", "2001:db8::7"}));
}

TEST(Resolver, NothingOfWhatIsCutOff) {
  const auto whole = message();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_TRUE(addresses_in_answer({whole.data(), size}).empty()) << size;
  }
}

TEST(Resolver, LengthsThatLie) {
  auto bytes = message();
  bytes[7] = 200;  // more answers than there are
  EXPECT_TRUE(addresses_in_answer(bytes).empty());
  bytes = message();
  bytes[31] = 0xFF;  // the alias is longer than the message
  bytes[32] = 0xFF;
  EXPECT_TRUE(addresses_in_answer(bytes).empty());
}

TEST(Resolver, AnAddressIsItsOwn) {
  const auto found = resolve("192.0.2.5");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(texts(*found), std::vector<std::string>{"192.0.2.5"});
}

}  // namespace
}  // namespace langsbx::egress
