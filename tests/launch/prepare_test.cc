// create's work with an injected state root: what is refused leaves nothing, what is recorded is
// read back.
#include "runtime/launch/prepare.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/kernel/file.h"
#include "runtime/launch/record.h"

namespace langsbx::runtime {
namespace {

constexpr const char* kConfig = R"({"ociVersion": "1.2.0", "root": {"path": "rootfs"},
  "process": {"args": ["/bin/true"], "cwd": "/", "user": {"uid": 0, "gid": 0}},
  "linux": {"namespaces": [{"type": "mount"}, {"type": "pid"}]}})";

class Prepare : public testing::Test {
 protected:
  Prepare() {
    char name[] = "/tmp/langsbx-prepareXXXXXX";
    folder_ = ::mkdtemp(name);
    std::filesystem::create_directories(folder_ + "/bundle/rootfs");
    std::filesystem::create_directories(folder_ + "/state");
    context_.root = folder_ + "/state";
    context_.cgroup_manager = cgroup::Manager::kDisabled;
    options_.id = "one";
    options_.bundle = folder_ + "/bundle";
    inputs_.plan = {&context_, &options_, {}};
    write(kConfig);
  }
  ~Prepare() override { std::filesystem::remove_all(folder_); }
  void write(std::string_view config) { std::ofstream(folder_ + "/bundle/config.json") << config; }
  [[nodiscard]] bool is_empty() const { return !std::filesystem::exists(context_.root + "/one"); }

  std::string folder_;
  Context context_;
  CreateOptions options_;
  PrepareInputs inputs_;
};

TEST_F(Prepare, APlanIsMadeWithoutMakingAnything) {
  const auto plan = plan_container(inputs_.plan);
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ((*plan)->launch.rootfs.path, folder_ + "/bundle/rootfs");
  EXPECT_TRUE(std::holds_alternative<guard::Nothing>((*plan)->guard));
  EXPECT_FALSE((*plan)->launch.program.landlock.log_denials);
  EXPECT_TRUE(is_empty());
}

TEST_F(Prepare, WhoAsksWhatIsRefusedIsInThePlan) {
  options_.explain = true;
  const auto plan = plan_container(inputs_.plan);
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_TRUE((*plan)->wish.any());
  EXPECT_TRUE((*plan)->launch.program.landlock.log_denials);
}

TEST_F(Prepare, WhatCannotBePlannedLeavesNothing) {
  for (const char* config : {"{", R"({"ociVersion": "1.2.0", "root": {"path": "rootfs"},
                 "process": {"args": ["/bin/true"], "cwd": "/", "user": {"uid": 0, "gid": 0}},
                 "linux": {"namespaces": [{"type": "pid"}]}})"}) {
    write(config);
    EXPECT_FALSE(prepare(inputs_).ok()) << config;
    EXPECT_TRUE(is_empty()) << config;
  }
}

// The id is claimed and given back: a terminal has nowhere to go.
TEST_F(Prepare, WhatFailsAfterTheClaimLeavesNothing) {
  options_.console_socket = folder_ + "/no-such-socket";
  const auto prepared = prepare(inputs_);
  ASSERT_FALSE(prepared.ok());
  EXPECT_NE(prepared.error().to_string().find("console socket"), std::string::npos)
      << prepared.error().to_string();
  EXPECT_TRUE(is_empty());
}

TEST_F(Prepare, AnIdIsTakenOnce) {
  std::filesystem::create_directories(context_.root + "/one");
  const auto prepared = prepare(inputs_);
  ASSERT_FALSE(prepared.ok());
  EXPECT_NE(prepared.error().to_string().find("already exists"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(context_.root + "/one"));
}

TEST_F(Prepare, ARecordIsStagedThenPublished) {
  options_.pid_file = folder_ + "/pid";
  Prepared prepared;
  prepared.plan = plan_container(inputs_.plan).release_value();
  auto& opened = prepared.opened;
  opened.container = state::Store(context_.root).claim("one").release_value();
  opened.record.id = "one";
  opened.record.oci_version = "1.2.0";
  opened.record.bundle = options_.bundle;
  prepared.launched.init = fork_child({}, [] { return ::pause(); }).release_value();
  ASSERT_TRUE(stage_record(*prepared.plan, opened, prepared.launched).ok());
  const auto staged = opened.container.read_record();
  EXPECT_TRUE(!staged.ok() || !staged->complete) << "nobody may find it yet";
  const auto published = publish_record(inputs_, prepared);
  ASSERT_TRUE(published.ok()) << published.error().to_string();
  const auto record = opened.container.read_record();
  ASSERT_TRUE(record.ok()) << record.error().to_string();
  EXPECT_TRUE(record->complete);
  EXPECT_EQ(record->init_pid, prepared.launched.init.pid());
  EXPECT_GT(record->init_start_time, 0U);
  EXPECT_EQ(read_file(options_.pid_file).release_value(), std::to_string(record->init_pid));
}

}  // namespace
}  // namespace langsbx::runtime
