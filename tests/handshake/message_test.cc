// What init and runtime say to each other: any bytes are a message or an error, any order too.
#include "runtime/handshake/message.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "runtime/handshake/channel.h"
#include "runtime/kernel/socket.h"

namespace langsbx::handshake {
namespace {

Failed sample() { return Failed{system_error("mount /proc: open_tree", 13)}; }

TEST(Handshake, EachMessageComesBack) {
  EXPECT_TRUE(std::holds_alternative<Enter>(decode(encode(Enter{})).value()));
  EXPECT_TRUE(std::holds_alternative<Pass>(decode(encode(Pass{})).value()));
  EXPECT_TRUE(std::holds_alternative<PassAndStart>(decode(encode(PassAndStart{})).value()));
  EXPECT_TRUE(std::holds_alternative<Entered>(decode(encode(Entered{})).value()));
  EXPECT_TRUE(std::holds_alternative<Outside>(decode(encode(Outside{})).value()));
  EXPECT_TRUE(std::holds_alternative<Proceed>(decode(encode(Proceed{})).value()));
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
  // Only Failed carries anything; nothing in it says how long it is.
  for (const Message& message : {Message(Enter{}), Message(Pass{}), Message(PassAndStart{}),
                                 Message(Entered{}), Message(Outside{}), Message(Proceed{}),
                                 Message(AtHooks{}), Message(Records{}), Message(Start{})}) {
    EXPECT_FALSE(decode(encode(message) + "x").ok());
    EXPECT_FALSE(decode(encode(message) + std::string(70000, '\0')).ok());
  }
  EXPECT_FALSE(decode(std::string("\x05\xff\0\0\0\0", 6)).ok());  // no such kind of error
  EXPECT_FALSE(decode(std::string(1, '\0')).ok());
  EXPECT_FALSE(decode("\x0c").ok());
}

// What is sent to init that has failed meanwhile fails with init's error, not with a broken pipe.
TEST(Handshake, WhoHasGoneHasSaidWhy) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  Channel ours(std::move(pair->first));
  Channel theirs(std::move(pair->second));
  ASSERT_TRUE(theirs.send(sample()).ok());
  theirs.close();
  EXPECT_EQ(ours.send(Proceed{}).error().to_string(), sample().error.to_string());
  EXPECT_EQ(ours.send(Proceed{}).error().errno_value, EPIPE);
}

TEST(Handshake, ALongErrorCrossesWhole) {
  Failed failed = sample();
  failed.error.message.assign(60000, 'x');
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  Channel ours(std::move(pair->first));
  Channel theirs(std::move(pair->second));
  ASSERT_TRUE(ours.send(failed).ok());
  const auto got = theirs.receive();
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().message.size(), failed.error.message.size());
}

TEST(Handshake, AFailureArrivesThoughItsSenderLeftSomethingUnread) {
  auto pair = make_message_pair();
  ASSERT_TRUE(pair.ok());
  Channel ours(std::move(pair->first));
  Channel theirs(std::move(pair->second));
  ASSERT_TRUE(theirs.send(sample()).ok());
  ASSERT_TRUE(ours.send(Start{}).ok());
  theirs.close();
  const auto got = ours.receive();
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().to_string(), sample().error.to_string());
  const auto gone = ours.receive();
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().kind, ErrorKind::kNotFound);
}

TEST(Handshake, TheOrderIsTheProtocol) {
  Sequence sequence;
  EXPECT_FALSE(sequence.accept(Start{}).ok());
  EXPECT_FALSE(sequence.accept(Entered{}).ok());
  EXPECT_TRUE(sequence.accept(AtHooks{}).ok());
  EXPECT_FALSE(sequence.accept(AtHooks{}).ok());
  EXPECT_FALSE(sequence.accept(Ready{}).ok());
  EXPECT_TRUE(sequence.accept(Proceed{}).ok());
  EXPECT_TRUE(sequence.accept(Ready{}).ok());
  EXPECT_EQ(sequence.phase(), Phase::kReady);
  EXPECT_FALSE(sequence.accept(Ready{}).ok());
}

}  // namespace
}  // namespace langsbx::handshake
