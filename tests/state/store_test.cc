// Claiming, locking, listing and deleting containers' directories, with a faked /proc.
#include "runtime/state/store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "runtime/state/process_status.h"
#include "runtime/state/remove_tree.h"

namespace langsbx::state {
namespace {

using oci::Status;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "langsbx-store-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    base_ = pattern;
    store_ = std::make_unique<Store>(base_ + "/run/langsbx", base_ + "/proc");
    ASSERT_EQ(::mkdir((base_ + "/proc").c_str(), 0700), 0);
  }
  void TearDown() override {
    const UniqueFd fd(::open(base_.c_str(), O_RDONLY | O_DIRECTORY));
    EXPECT_TRUE(remove_contents(fd.get()).ok());
    EXPECT_EQ(::rmdir(base_.c_str()), 0);
  }

  static void write(const std::string& path, const std::string& text) {
    std::ofstream(path) << text;
  }
  void set_process(int pid, char state, int start_time) const {
    const std::string directory = base_ + "/proc/" + std::to_string(pid);
    ::mkdir(directory.c_str(), 0700);
    write(directory + "/stat", std::to_string(pid) + " (init) " + state +
                                   " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " +
                                   std::to_string(start_time) + " 0 0");
  }
  static Record record(const std::string& id, int pid) {
    Record record;
    record.id = id;
    record.oci_version = "1.3.0";
    record.bundle = "/bundle";
    record.complete = true;
    record.init_pid = pid;
    record.init_start_time = 77;
    return record;
  }
  Container make(const std::string& id, int pid) const {
    auto container = store_->claim(id);
    EXPECT_TRUE(container.ok()) << container.error().message;
    EXPECT_TRUE(container->write_record(record(id, pid)).ok());
    container->commit();
    container->unlock();
    return container.release_value();
  }

  std::string base_;
  std::unique_ptr<Store> store_;
};

TEST(ContainerId, FollowsTheRule) {
  EXPECT_TRUE(check_id("a-Z_0+.").ok());
  EXPECT_FALSE(check_id(".cache").ok()) << "a directory of ours";
  for (const char* id : {".", "..", "a/b", "a b", "ä", "a:b", "a\n"})
    EXPECT_TRUE(check_id(id).error().message.starts_with("invalid container ID format: ")) << id;
  EXPECT_FALSE(check_id("").ok());
  EXPECT_TRUE(check_id(std::string(255, 'a')).ok());
  EXPECT_FALSE(check_id(std::string(256, 'a')).ok());
}

TEST_F(StoreTest, ClaimIsUndoneUnlessCommitted) {
  {
    auto container = store_->claim("box");
    ASSERT_TRUE(container.ok()) << container.error().message;
    ASSERT_TRUE(container->write_config("{}").ok());
    ASSERT_EQ(::mkdir((container->path() + "/notify").c_str(), 0700), 0);
    write(container->path() + "/notify/x", "x");
    EXPECT_EQ(store_->claim("box").error().message, "container with given ID already exists");
  }
  EXPECT_EQ(store_->open("box").error().message, "container does not exist");
  make("box", 10);
  auto opened = store_->open("box");
  ASSERT_TRUE(opened.ok());
  EXPECT_EQ(opened->read_record()->bundle, "/bundle");
}

TEST_F(StoreTest, RemoveTakesEverythingAndFollowsNoLink) {
  write(base_ + "/precious", "x");
  Container container = make("box", 10);
  ASSERT_EQ(::symlink(base_.c_str(), (container.path() + "/link").c_str()), 0);
  ASSERT_TRUE(container.remove().ok());
  EXPECT_EQ(::access((base_ + "/precious").c_str(), F_OK), 0);
  EXPECT_NE(::access(container.path().c_str(), F_OK), 0);
  EXPECT_TRUE(container.remove().ok()) << "gone already";
}

TEST_F(StoreTest, StatusFollowsTheProcess) {
  Container container = make("box", 10);
  const Record one = record("box", 10);
  EXPECT_EQ(container.status(one), Status::kStopped);
  set_process(10, 'S', 77);
  EXPECT_EQ(container.status(one), Status::kRunning);
  EXPECT_EQ(container.status(one, [](const Record&) { return true; }), Status::kPaused);
  write(container.path() + "/" + kStartSocket, "");
  EXPECT_EQ(container.status(one, [](const Record&) { return false; }), Status::kCreated);
  EXPECT_EQ(container.status(one, [](const Record&) { return true; }), Status::kPaused);
  EXPECT_EQ(container.state(one).pid, 10);
  set_process(10, 'Z', 77);
  EXPECT_EQ(container.status(one), Status::kStopped);
  set_process(10, 'S', 78);  // another process with the same pid
  EXPECT_EQ(container.status(one), Status::kStopped);
  EXPECT_EQ(container.state(one).pid, 0);
}

// Who cannot be looked at is not taken for stopped: `delete` would end it.
TEST_F(StoreTest, AProcessThatCannotBeReadHasNotStopped) {
  const Container container = make("box", 10);
  ASSERT_EQ(::mkdir((base_ + "/proc/10").c_str(), 0700), 0);
  ASSERT_EQ(::mkdir((base_ + "/proc/10/stat").c_str(), 0700), 0);
  EXPECT_EQ(container.status(record("box", 10)), Status::kRunning);
  EXPECT_FALSE(is_process_alive(10, 77, base_ + "/proc"));
}

TEST_F(StoreTest, CreatingLastsAsLongAsTheLock) {
  auto creator = store_->claim("box");
  ASSERT_TRUE(creator.ok());
  Record unfinished = record("box", 0);
  unfinished.complete = false;
  ASSERT_TRUE(creator->write_record(unfinished).ok());
  auto other = store_->open("box");
  ASSERT_TRUE(other.ok());
  EXPECT_EQ(other->status(unfinished), Status::kCreating);
  creator->commit();
  creator->unlock();  // as if `create` was killed
  EXPECT_EQ(other->status(unfinished), Status::kStopped);
  unfinished.init_pid = 10;
  set_process(10, 'S', 77);
  EXPECT_EQ(other->status(unfinished), Status::kCreated);
}

TEST_F(StoreTest, WhatIsStagedIsIncompleteUntilItIsSettled) {
  auto creator = store_->claim("box");
  ASSERT_TRUE(creator.ok());
  write(creator->path() + "/state.json.next", "");
  EXPECT_EQ(creator->read_record().error().kind, ErrorKind::kNotFound) << "nothing in it yet";
  ASSERT_TRUE(creator->stage_record(record("box", 10)).ok());
  auto other = store_->open("box");
  ASSERT_TRUE(other.ok());
  auto read = other->read_record();
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_FALSE(read->complete);
  EXPECT_EQ(read->init_pid, 10);
  EXPECT_EQ(other->status(*read), Status::kCreating);
  ASSERT_TRUE(creator->settle_record().ok());
  EXPECT_TRUE(other->read_record()->complete);
  // The record in force counts, not what may take its place.
  Record next = record("box", 11);
  ASSERT_TRUE(creator->stage_record(next).ok());
  EXPECT_EQ(other->read_record()->init_pid, 10);
}

TEST_F(StoreTest, WaiterSeesThatTheContainerWasDeleted) {
  Container deleter = make("box", 10);
  ASSERT_TRUE(deleter.lock().ok());
  auto waiter = store_->open("box");
  ASSERT_TRUE(waiter.ok());
  std::string answer;
  std::thread thread([&] {
    auto locked = waiter->lock();
    answer = locked.ok() ? "locked" : locked.error().message;
  });
  ASSERT_TRUE(deleter.remove().ok());
  deleter.unlock();
  thread.join();
  EXPECT_EQ(answer, "container does not exist");
}

TEST_F(StoreTest, LockEndsWithItsOwnerThoughAChildInheritedTheDescriptor) {
  UniqueFd inherited;
  {
    Container owner = make("box", 10);
    ASSERT_TRUE(owner.lock().ok());
    inherited.reset(::dup(owner.fd()));  // the same open file, as after fork
  }
  const UniqueFd other(::open((store_->root() + "/box").c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), 0);
}

TEST_F(StoreTest, MovingKeepsOneOwner) {
  auto claimed = store_->claim("one");
  ASSERT_TRUE(claimed.ok());
  Container first = claimed.release_value();
  {
    auto second = store_->claim("two");
    ASSERT_TRUE(second.ok());
    first = second.release_value();
  }
  EXPECT_EQ(first.id(), "two");
  EXPECT_THAT(store_->ids().value(), ElementsAre("two"));
}

TEST_F(StoreTest, ListsWhatIsThere) {
  std::vector<Error> problems;
  EXPECT_THAT(store_->list({}, problems).value(), IsEmpty()) << "no root, no containers";
  make("b", 10);
  make("a", 11);
  ASSERT_EQ(::mkdir((store_->root() + "/unfinished").c_str(), 0700), 0);
  ASSERT_EQ(::mkdir((store_->root() + "/broken").c_str(), 0700), 0);
  write(store_->root() + "/broken/state.json", "{");
  write(store_->root() + "/file", "");
  set_process(11, 'S', 77);
  auto states = store_->list({}, problems);
  ASSERT_TRUE(states.ok());
  ASSERT_THAT(states.value(), SizeIs(2));
  EXPECT_EQ(states.value()[0].id, "a");
  EXPECT_EQ(states.value()[0].status, Status::kRunning);
  EXPECT_EQ(states.value()[1].status, Status::kStopped);
  EXPECT_THAT(problems, SizeIs(1));
}

// Whoever may write the folder may put a pipe there, or a link to a file that only we can read.
TEST_F(StoreTest, WhatIsNoPlainFileIsNoRecord) {
  for (const char* const file : {"state.json", "config.json"}) {
    const std::string name = std::string("of-") + file;
    const std::string folder = store_->root() + "/" + name;
    ASSERT_TRUE(make(name, 10).write_config("{}").ok());
    const auto opened = store_->open(name);
    ASSERT_TRUE(opened.ok());
    const auto read = [&] { return opened->read_record().ok() && opened->read_config().ok(); };
    EXPECT_TRUE(read()) << file;
    ASSERT_EQ(::rename((folder + "/" + file).c_str(), (folder + "/moved").c_str()), 0);
    ASSERT_EQ(::symlink("moved", (folder + "/" + file).c_str()), 0);
    EXPECT_FALSE(read()) << file;
    ASSERT_EQ(::unlink((folder + "/" + file).c_str()), 0);
    ASSERT_EQ(::mkfifo((folder + "/" + file).c_str(), 0600), 0);
    EXPECT_FALSE(read()) << file;
  }
}

// Its record names processes to be killed, its config.json hooks to be run.
TEST_F(StoreTest, AnotherUsersContainerIsListedAndNotOpened) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  make("box", 10);
  set_process(10, 'S', 77);
  ASSERT_TRUE(store_->open("box").ok());
  ASSERT_EQ(::chown((store_->root() + "/box").c_str(), 1234, 1234), 0);
  const auto opened = store_->open("box");
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(opened.error().to_string().find("belongs to user #1234"), std::string::npos)
      << opened.error().to_string();
  std::vector<Error> problems;
  bool asked = false;
  const auto states = store_->list([&](const Record&) { return asked = true; }, problems);
  ASSERT_THAT(*states, SizeIs(1));
  EXPECT_EQ((*states)[0].owner, "#1234");
  EXPECT_FALSE(asked) << "its cgroup is a path of that user's choice";
}

TEST_F(StoreTest, RecordOfAnotherContainerIsRefused) {
  Container container = make("box", 10);
  ASSERT_TRUE(container.write_record(record("other", 10)).ok());
  EXPECT_FALSE(container.read_record().ok());
}

TEST_F(StoreTest, UserNames) {
  const std::string file = base_ + "/passwd";
  write(file, "root:x:0:0::/root:/bin/sh\nbroken\nann:x:1000:1000::/:/bin/sh");
  EXPECT_EQ(user_name(0, file), "root");
  EXPECT_EQ(user_name(1000, file), "ann");
  EXPECT_EQ(user_name(100, file), "#100");
  EXPECT_EQ(user_name(0, base_ + "/none"), "#0");
}

// A container's volume, a layer of an image: more levels than descriptors, and than a path can
// name.
TEST_F(StoreTest, NothingIsTooDeepToBeRemoved) {
  constexpr int kLevels = 200;
  const std::string top = base_ + "/deep";
  ASSERT_EQ(::mkdir(top.c_str(), 0700), 0);
  UniqueFd at(::open(top.c_str(), O_RDONLY | O_DIRECTORY));
  for (int level = 0; level < kLevels; ++level) {
    for (const char* name : {"a", "b"}) ASSERT_EQ(::mkdirat(at.get(), name, 0700), 0);
    UniqueFd(::openat(at.get(), "file", O_WRONLY | O_CREAT, 0600));
    at.reset(::openat(at.get(), "a", O_RDONLY | O_DIRECTORY));
    ASSERT_TRUE(at.valid());
  }
  const UniqueFd fd(::open(top.c_str(), O_RDONLY | O_DIRECTORY));
  rlimit own{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &own), 0);
  const rlimit few{kLevels / 4, own.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const auto removed = remove_contents(fd.get());
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &own), 0);
  EXPECT_TRUE(removed.ok()) << removed.error().to_string();
  EXPECT_EQ(::rmdir(top.c_str()), 0);
}

TEST_F(StoreTest, ALinkIsRemovedAndNotFollowed) {
  const std::string top = base_ + "/top";
  ASSERT_EQ(::mkdir(top.c_str(), 0700), 0);
  ASSERT_EQ(::mkdir((base_ + "/other").c_str(), 0700), 0);
  write(base_ + "/other/stays", "");
  ASSERT_EQ(::symlink("../other", (top + "/link").c_str()), 0);
  const UniqueFd fd(::open(top.c_str(), O_RDONLY | O_DIRECTORY));
  EXPECT_TRUE(remove_contents(fd.get()).ok());
  EXPECT_EQ(::access((base_ + "/other/stays").c_str(), F_OK), 0);
  EXPECT_EQ(::rmdir(top.c_str()), 0);
}

}  // namespace
}  // namespace langsbx::state
