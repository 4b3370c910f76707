// Whether a recorded init is still the process of that number.
#include "runtime/launch/opened.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "runtime/kernel/process.h"
#include "runtime/state/process_status.h"

namespace langsbx::runtime {
namespace {

state::Record of(pid_t pid, std::uint64_t start_time) {
  state::Record record;
  record.init_pid = pid;
  record.init_start_time = start_time;
  return record;
}

TEST(OpenInit, IsThatProcessOrNone) {
  const auto started = state::process_start_time(::getpid()).release_value();
  auto init = open_init(of(::getpid(), started));
  ASSERT_TRUE(init.ok()) << init.error().to_string();
  EXPECT_TRUE(still_lives(*init));
  for (const auto& other : {of(::getpid(), started + 1), of(0, started), of(-1, started)}) {
    const auto refused = open_init(other);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kWrongState);
    EXPECT_EQ(refused.error().to_string(), "container not running: no such process");
  }
}

TEST(OpenInit, KnowsWhenItHasEnded) {
  auto child = fork_child({}, [] { return ::pause(); }).release_value();
  const auto started = state::process_start_time(child.pid()).release_value();
  const auto init = open_init(of(child.pid(), started)).release_value();
  EXPECT_TRUE(still_lives(init));
  ASSERT_TRUE(signal_pidfd(child.pidfd(), SIGKILL).ok());
  ASSERT_TRUE(child.wait().ok());
  EXPECT_FALSE(still_lives(init));
  EXPECT_FALSE(open_init(of(child.pid(), started)).ok());
}

// Somebody deleted it while we waited for the lock: what is read now is nobody's container.
TEST(OpenLocked, IsNotWhatWasDeletedMeanwhile) {
  std::string root = testing::TempDir() + "opened-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  auto container = state::Store(root).claim("box").release_value();
  state::Record record = of(::getpid(), 1);
  record.id = "box";
  ASSERT_TRUE(container.write_record(record).ok());
  Context context;
  context.root = root;
  std::atomic<bool> done = false;
  std::string problem = "opened";
  std::thread waiter([&] {
    const auto opened = open_locked(context, "box");
    if (!opened.ok()) problem = opened.error().to_string();
    done = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(done) << "it does not wait for the lock";
  // Another one of that name would be in another directory.
  const std::string folder = root + "/box";
  ASSERT_EQ(::rename(folder.c_str(), (root + "/gone").c_str()), 0);
  ASSERT_EQ(::unlink((root + "/gone/state.json").c_str()), 0);
  ASSERT_EQ(::rmdir((root + "/gone").c_str()), 0);
  container.commit();
  container.unlock();
  waiter.join();
  EXPECT_EQ(problem, "container does not exist");
  ::rmdir(root.c_str());
}

}  // namespace
}  // namespace langsbx::runtime
