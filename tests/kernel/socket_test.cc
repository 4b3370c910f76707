// Packets of every size arrive as they were sent.
#include "runtime/kernel/socket.h"

#include <gtest/gtest.h>

#include <string>

namespace langsbx {
namespace {

TEST(Packets, ArriveWhole) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  for (const std::size_t size : {1U, 2U, 63U, 64U, 65U, 127U, 1000U, 100000U}) {
    std::string sent(size, 'a');
    for (std::size_t i = 0; i < size; ++i) sent[i] = static_cast<char>(i * 7);
    ASSERT_TRUE(send_packet(pair->first.get(), sent).ok()) << size;
    auto received = receive_packet(pair->second.get());
    ASSERT_TRUE(received.ok()) << received.error().message;
    EXPECT_EQ(received->data, sent) << size;
    EXPECT_FALSE(received->closed);
  }
}

TEST(Packets, LongerThanTheLimitAreRefused) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  for (const std::size_t limit : {1U, 63U, 64U, 65U, 1000U}) {
    ASSERT_TRUE(send_packet(pair->first.get(), std::string(limit, 'x')).ok());
    EXPECT_EQ(receive_packet(pair->second.get(), limit)->data, std::string(limit, 'x'));
    ASSERT_TRUE(send_packet(pair->first.get(), std::string(limit + 1, 'x')).ok());
    EXPECT_FALSE(receive_packet(pair->second.get(), limit).ok()) << limit;
  }
}

TEST(Packets, AnEndThatTookNotAllIsKnown) {
  for (const bool takes : {true, false}) {
    auto pair = make_message_pair();
    ASSERT_TRUE(pair.ok());
    ASSERT_TRUE(send_packet(pair->second.get(), "go on").ok());
    if (takes) {
      ASSERT_EQ(receive_packet(pair->first.get())->data, "go on");
    }
    pair->first.reset();
    const auto received = receive_packet(pair->second.get());
    ASSERT_TRUE(received.ok());
    EXPECT_TRUE(received->closed);
    EXPECT_EQ(received->unread, !takes);
  }
}

TEST(Packets, EndOfFileIsNoPacket) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  pair->first.reset();
  EXPECT_TRUE(receive_packet(pair->second.get())->closed);
}

}  // namespace
}  // namespace langsbx
