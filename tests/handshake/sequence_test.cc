// The order of the messages, for each verb, and both ends of a channel that hold to it.
#include "runtime/handshake/sequence.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/handshake/channel.h"
#include "runtime/kernel/socket.h"

namespace langsbx::handshake {
namespace {

constexpr auto kRuntime = Speaker::kRuntime;
constexpr auto kInit = Speaker::kInit;

struct Said {
  Speaker speaker;
  Message message;
};

// Every message at every point: only what `told` has next is taken there.
void replay(Conversation conversation, const std::vector<Said>& told, bool ends) {
  Sequence sequence(conversation);
  for (const auto& [speaker, message] : told) {
    EXPECT_FALSE(sequence.may_end() && !std::holds_alternative<Outside>(message));
    const auto at = std::string("phase ") + std::to_string(static_cast<int>(sequence.phase()));
    auto other = sequence;
    EXPECT_FALSE(other.accept(speaker == kInit ? kRuntime : kInit, message).ok()) << at;
    auto failed = sequence;
    EXPECT_TRUE(failed.accept(kInit, Failed{}).ok()) << at;
    EXPECT_EQ(failed.phase(), Phase::kFailed);
    EXPECT_FALSE(failed.accept(speaker, message).ok()) << at;
    EXPECT_FALSE(failed.may_end());
    EXPECT_FALSE(sequence.accept(kRuntime, Failed{}).ok()) << at;
    ASSERT_TRUE(sequence.accept(speaker, message).ok()) << at;
  }
  EXPECT_EQ(sequence.may_end(), ends);
}

TEST(Sequence, Create) {
  replay(Conversation::kLaunch, {{kRuntime, Proceed{}}, {kInit, Ready{}}}, false);
  replay(Conversation::kLaunch,
         {{kRuntime, Proceed{}},
          {kInit, Outside{}},
          {kRuntime, Proceed{}},
          {kInit, AtHooks{}},
          {kRuntime, Proceed{}},
          {kInit, Ready{}}},
         false);
}

TEST(Sequence, Start) {
  replay(Conversation::kStart, {{kRuntime, Start{}}}, true);
  replay(Conversation::kStart, {{kRuntime, Records{}}, {kRuntime, Start{}}}, true);
}

TEST(Sequence, Run) {
  replay(Conversation::kLaunch, {{kRuntime, Proceed{true}}, {kInit, Ready{}}}, true);
  replay(Conversation::kLaunch,
         {{kRuntime, Proceed{true}}, {kInit, Outside{}}, {kRuntime, Proceed{}}, {kInit, Ready{}}},
         true);
  replay(Conversation::kLaunch, {{kRuntime, Proceed{}}, {kInit, Ready{}}, {kRuntime, Start{}}},
         true);
}

TEST(Sequence, Exec) {
  replay(Conversation::kExec, {{kRuntime, Proceed{true}}}, true);
  replay(Conversation::kExec,
         {{kRuntime, Proceed{true}}, {kInit, Outside{}}, {kRuntime, Proceed{}}}, true);
}

// All messages of both, from each phase that `told` leads to: what is not named is refused.
void only(Conversation conversation, const std::vector<Said>& told,
          const std::vector<std::string>& taken) {
  Sequence sequence(conversation);
  for (const auto& [speaker, message] : told) {
    ASSERT_TRUE(sequence.accept(speaker, message).ok());
  }
  const std::vector<std::pair<std::string, Message>> all = {
      {"proceed", Proceed{}}, {"proceed+", Proceed{true}}, {"outside", Outside{}},
      {"hooks", AtHooks{}},   {"ready", Ready{}},          {"records", Records{}},
      {"start", Start{}}};
  std::vector<std::string> accepted;
  for (const auto& [name, message] : all) {
    for (const auto speaker : {kRuntime, kInit}) {
      auto copy = sequence;
      if (copy.accept(speaker, message).ok()) {
        accepted.push_back(name);
      } else {
        EXPECT_EQ(copy.phase(), sequence.phase()) << "refused, and yet it moved on";
      }
    }
  }
  EXPECT_EQ(accepted, taken);
}

TEST(Sequence, NothingElseIsTaken) {
  const auto launch = Conversation::kLaunch;
  only(launch, {}, {"proceed", "proceed+"});
  only(launch, {{kRuntime, Proceed{}}}, {"outside", "hooks", "ready"});
  only(launch, {{kRuntime, Proceed{}}, {kInit, Outside{}}}, {"proceed"});
  only(launch, {{kRuntime, Proceed{}}, {kInit, Outside{}}, {kRuntime, Proceed{}}},
       {"hooks", "ready"});
  only(launch, {{kRuntime, Proceed{}}, {kInit, AtHooks{}}}, {"proceed"});
  only(launch, {{kRuntime, Proceed{}}, {kInit, AtHooks{}}, {kRuntime, Proceed{}}}, {"ready"});
  only(launch, {{kRuntime, Proceed{}}, {kInit, Ready{}}}, {"start"});
  only(launch, {{kRuntime, Proceed{true}}, {kInit, Ready{}}}, {});
  only(Conversation::kStart, {}, {"records", "start"});
  only(Conversation::kStart, {{kRuntime, Records{}}}, {"start"});
  only(Conversation::kExec, {}, {"proceed+"});
  only(Conversation::kExec, {{kRuntime, Proceed{true}}}, {"outside"});
}

struct Ends {
  Channel runtime;
  Channel init;
};
Ends make_ends(Conversation of_runtime, Conversation of_init) {
  auto pair = make_message_pair();
  EXPECT_TRUE(pair.ok());
  return {Channel(std::move(pair->first), kRuntime, of_runtime),
          Channel(std::move(pair->second), kInit, of_init)};
}

TEST(Channel, SendsNothingOutOfOrder) {
  auto ends = make_ends(Conversation::kLaunch, Conversation::kLaunch);
  EXPECT_FALSE(ends.runtime.send(Start{}).ok());
  EXPECT_FALSE(ends.init.send(Ready{}).ok());
  ASSERT_TRUE(ends.runtime.send(Proceed{}).ok());
  EXPECT_FALSE(ends.init.expect<Proceed>()->start) << "nothing else has arrived";
}

// Who does not hold to it is not believed: here the ends hold different conversations.
TEST(Channel, TakesNothingOutOfOrder) {
  auto ends = make_ends(Conversation::kStart, Conversation::kLaunch);
  ASSERT_TRUE(ends.runtime.send(Start{}).ok());
  const auto taken = ends.init.receive();
  ASSERT_FALSE(taken.ok());
  EXPECT_NE(taken.error().to_string().find("out of order"), std::string::npos);
}

TEST(Channel, EndsOnlyWhereTheProgramRuns) {
  auto early = make_ends(Conversation::kLaunch, Conversation::kLaunch);
  ASSERT_TRUE(early.runtime.send(Proceed{true}).ok());
  ASSERT_TRUE(early.init.receive().ok());
  early.init.close();
  EXPECT_FALSE(early.runtime.receive_or_end().ok());

  auto ends = make_ends(Conversation::kLaunch, Conversation::kLaunch);
  ASSERT_TRUE(ends.runtime.send(Proceed{true}).ok());
  ASSERT_TRUE(ends.init.receive().ok());
  ASSERT_TRUE(ends.init.send(Ready{}).ok());
  ASSERT_TRUE(ends.runtime.expect<Ready>().ok());
  ends.init.close();
  const auto ended = ends.runtime.receive_or_end();
  ASSERT_TRUE(ended.ok()) << ended.error().to_string();
  EXPECT_FALSE(ended->has_value());
}

}  // namespace
}  // namespace langsbx::handshake
