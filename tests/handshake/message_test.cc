// What init and runtime say to each other: any bytes are a message or an error.
#include "runtime/handshake/message.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/handshake/channel.h"
#include "runtime/kernel/socket.h"

namespace langsbx::handshake {
namespace {

Failed sample() { return Failed{system_error("mount /proc: open_tree", 13)}; }

TEST(Handshake, EachMessageComesBack) {
  EXPECT_TRUE(std::holds_alternative<Outside>(decode(encode(Outside{})).value()));
  EXPECT_TRUE(std::get<Proceed>(decode(encode(Proceed{true})).value()).start);
  EXPECT_FALSE(std::get<Proceed>(decode(encode(Proceed{false})).value()).start);
  EXPECT_TRUE(std::holds_alternative<AtHooks>(decode(encode(AtHooks{})).value()));
  EXPECT_TRUE(std::holds_alternative<Ready>(decode(encode(Ready{})).value()));
  EXPECT_TRUE(std::holds_alternative<Records>(decode(encode(Records{})).value()));
  EXPECT_TRUE(std::holds_alternative<Start>(decode(encode(Start{})).value()));
  const auto failed = std::get<Failed>(decode(encode(sample())).value());
  EXPECT_EQ(failed.error.kind, ErrorKind::kSystem);
  EXPECT_EQ(failed.error.errno_value, 13);
  EXPECT_EQ(failed.error.to_string(), sample().error.to_string());
}

TEST(Handshake, AnyCutIsRefused) {
  const std::string whole = encode(sample());
  constexpr std::size_t kHeader = 6;
  for (std::size_t size = 0; size < kHeader; ++size) {
    EXPECT_FALSE(decode(std::string_view(whole).substr(0, size)).ok()) << size;
  }
  EXPECT_TRUE(decode(std::string_view(whole).substr(0, kHeader)).ok());  // an empty text
}

TEST(Handshake, LengthsThatLieAreRefused) {
  // Only Failed carries a text; nothing in it says how long it is.
  for (const Message& message : {Message(Outside{}), Message(Proceed{}), Message(AtHooks{}),
                                 Message(Ready{}), Message(Records{}), Message(Start{})}) {
    EXPECT_FALSE(decode(encode(message) + "x").ok());
    EXPECT_FALSE(decode(encode(message) + std::string(70000, '\0')).ok());
  }
  EXPECT_FALSE(decode(std::string("\x05\xff\0\0\0\0", 6)).ok());  // no such kind of error
  EXPECT_FALSE(decode(std::string(1, '\0')).ok());
  EXPECT_FALSE(decode("\x08").ok());
  EXPECT_FALSE(decode("\x01").ok());                      // Proceed without its flag
  EXPECT_FALSE(decode(std::string("\x01\x02", 2)).ok());  // a flag that is neither
}

// What is sent to init that has failed meanwhile fails with init's error, not with a broken pipe.
TEST(Handshake, WhoHasGoneHasSaidWhy) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  Channel ours(std::move(pair->first), Speaker::kRuntime, Conversation::kLaunch);
  Channel theirs(std::move(pair->second), Speaker::kInit, Conversation::kLaunch);
  ASSERT_TRUE(theirs.send(sample()).ok());
  theirs.close();
  EXPECT_EQ(ours.send(Proceed{}).error().to_string(), sample().error.to_string());
  EXPECT_FALSE(ours.send(Proceed{}).ok()) << "the conversation is over";
}

TEST(Handshake, ALongErrorCrossesWhole) {
  Failed failed = sample();
  failed.error.message.assign(60000, 'x');
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  Channel ours(std::move(pair->first), Speaker::kRuntime, Conversation::kLaunch);
  Channel theirs(std::move(pair->second), Speaker::kInit, Conversation::kLaunch);
  ASSERT_TRUE(theirs.send(failed).ok());
  const auto got = ours.receive();
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message.size(), failed.error.message.size());
}

TEST(Handshake, AFailureArrivesThoughItsSenderLeftSomethingUnread) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  Channel ours(std::move(pair->first), Speaker::kRuntime, Conversation::kLaunch);
  Channel theirs(std::move(pair->second), Speaker::kInit, Conversation::kLaunch);
  ASSERT_TRUE(theirs.send(sample()).ok());
  ASSERT_TRUE(ours.send(Proceed{}).ok());
  theirs.close();
  const auto got = ours.receive();
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().to_string(), sample().error.to_string());
  const auto gone = ours.receive();
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace langsbx::handshake
