// The steps that all children of a launch share, with a test in the runtime's place.
#include "runtime/launch/child.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "runtime/kernel/file.h"
#include "runtime/kernel/socket.h"

namespace langsbx::runtime {
namespace {

using handshake::Channel;
using handshake::Conversation;
using handshake::Outside;
using handshake::Proceed;
using handshake::Speaker;

struct Ends {
  Channel runtime;
  Channel init;
};
Ends make_ends() {
  auto pair = make_message_pair();
  EXPECT_TRUE(pair.ok());
  return {Channel(std::move(pair->first), Speaker::kRuntime, Conversation::kLaunch),
          Channel(std::move(pair->second), Speaker::kInit, Conversation::kLaunch)};
}

// What `tasks` of a hierarchy is to a process that enters: a file that it writes to.
struct TaskFile {
  TaskFile() : fd(::mkstemp(path)) {}
  ~TaskFile() { ::unlink(path); }
  char path[32] = "/tmp/langsbx-tasksXXXXXX";
  UniqueFd fd;
};

TEST(EnterAndProceed, GoesOnAsItIsTold) {
  for (const bool start : {false, true}) {
    auto ends = make_ends();
    ASSERT_TRUE(ends.runtime.send(Proceed{start}).ok());
    const auto proceed = enter_and_proceed(ends.init);
    ASSERT_TRUE(proceed.ok()) << proceed.error().to_string();
    EXPECT_EQ(proceed->start, start);
  }
}

TEST(EnterAndProceed, EntersEveryHierarchy) {
  const TaskFile first;
  const TaskFile second;
  auto ends = make_ends();
  ASSERT_TRUE(ends.runtime.send(Proceed{}, {first.fd.get(), second.fd.get()}).ok());
  ASSERT_TRUE(enter_and_proceed(ends.init).ok());
  EXPECT_EQ(read_file(first.path).release_value(), "0");
  EXPECT_EQ(read_file(second.path).release_value(), "0");
}

// It waits until it has been moved, and what it was told about its start still holds.
TEST(EnterAndProceed, IsMovedWhereItCannotEnter) {
  const auto closed = open_file("/dev/null", O_RDONLY);
  ASSERT_TRUE(closed.ok());
  auto ends = make_ends();
  ASSERT_TRUE(ends.runtime.send(Proceed{true}, {closed->get()}).ok());
  bool moved = false;
  std::thread runtime([&] {
    EXPECT_TRUE(ends.runtime.expect<Outside>().ok());
    moved = true;
    EXPECT_TRUE(ends.runtime.send(Proceed{}).ok());
  });
  const auto proceed = enter_and_proceed(ends.init);
  runtime.join();
  ASSERT_TRUE(proceed.ok()) << proceed.error().to_string();
  EXPECT_TRUE(moved);
  EXPECT_TRUE(proceed->start);
}

TEST(EnterAndProceed, EndsWithItsParent) {
  auto ends = make_ends();
  ends.runtime.close();
  const auto proceed = enter_and_proceed(ends.init);
  ASSERT_FALSE(proceed.ok());
  EXPECT_EQ(proceed.error().kind, ErrorKind::kNotFound);
}

}  // namespace
}  // namespace langsbx::runtime
