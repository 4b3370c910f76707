// Spec and host to plan: what is decided, and every refusal that needs no container.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "runtime/plan/launch_plan.h"

namespace langsbx::plan {
namespace {

using oci::NamespaceType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class MakePlan : public ::testing::Test {
 protected:
  MakePlan() {
    char name[] = "/tmp/langsbx-plan-XXXXXX";
    bundle_ = ::mkdtemp(name);
    ::mkdir((bundle_ + "/rootfs").c_str(), 0755);
    spec_.process.emplace();
    spec_.process->args = {"true"};
    spec_.process->cwd = "/";
    spec_.root.emplace();
    spec_.root->path = "rootfs";
    spec_.linux_.emplace();
    for (const auto type : {NamespaceType::kPid, NamespaceType::kMount, NamespaceType::kUts}) {
      spec_.linux_->namespaces.push_back({type, ""});
    }
  }
  ~MakePlan() override {
    ::rmdir((bundle_ + "/rootfs").c_str());
    ::rmdir(bundle_.c_str());
  }
  Result<LaunchPlan> plan() {
    PlanInputs inputs;
    inputs.spec = &spec_;
    inputs.host = &host_;
    inputs.id = "box";
    inputs.bundle = bundle_;
    inputs.state_root = bundle_ + "/state";
    inputs.preserved_fds = {5, 9};
    inputs.acts_as_crun = acts_as_crun_;
    return make_plan(inputs);
  }
  std::string refusal() {
    auto made = plan();
    return made.ok() ? "accepted" : made.error().to_string();
  }
  oci::Mount& add_mount(const std::string& destination, const std::string& type,
                        const std::string& source, const std::vector<std::string>& options) {
    oci::Mount mount;
    mount.destination = destination;
    mount.type = type;
    mount.source = source;
    mount.options = options;
    spec_.mounts.push_back(mount);
    return spec_.mounts.back();
  }
  std::string bundle_;
  oci::Spec spec_;
  HostFacts host_;
  bool acts_as_crun_ = false;
};

TEST_F(MakePlan, NamespacesAreMadeByTheCloneOrLater) {
  spec_.linux_->namespaces.push_back({NamespaceType::kCgroup, ""});
  spec_.linux_->namespaces.push_back({NamespaceType::kTime, ""});
  spec_.linux_->time_offsets["boottime"] = {7, 8};
  auto made = plan();
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->namespaces.clone_flags,
            static_cast<std::uint64_t>(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS));
  EXPECT_TRUE(made->namespaces.new_cgroup && made->namespaces.new_time);
  EXPECT_EQ(made->namespaces.time_offsets, "boottime 7 8\n");
  EXPECT_EQ(made->rootfs.path, bundle_ + "/rootfs");
  EXPECT_THAT(made->program.preserved_fds, ElementsAre(5, 9));
  EXPECT_EQ(made->program.session_keyring, "_ses.box");
}

TEST_F(MakePlan, NamespaceFilesMustBeOfTheirType) {
  spec_.linux_->namespaces.push_back({NamespaceType::kNetwork, "/proc/self/ns/ipc"});
  EXPECT_THAT(refusal(), HasSubstr("linux.namespaces[3].path: /proc/self/ns/ipc is not a network"));
  spec_.linux_->namespaces.back().path = "/proc/self/status";
  EXPECT_THAT(refusal(), HasSubstr("is not a namespace"));
  // Our own is nothing to join.
  spec_.linux_->namespaces.back().path = "/proc/self/ns/net";
  auto made = plan();
  ASSERT_TRUE(made.ok());
  EXPECT_TRUE(made->namespaces.joins.empty());
}

TEST_F(MakePlan, RefusesWhatNeedsANamespaceThatIsNotThere) {
  spec_.linux_->namespaces.pop_back();
  spec_.hostname = "box";
  EXPECT_THAT(refusal(), HasSubstr("hostname: unable to set it without a uts namespace"));
  spec_.hostname.clear();
  spec_.linux_->sysctl = {{"net.ipv4.ip_forward", "1"}};
  EXPECT_THAT(refusal(), HasSubstr("not in a separate kernel namespace"));
  spec_.linux_->sysctl.clear();
  spec_.linux_->uid_mappings = {{0, 1000, 1}};
  EXPECT_THAT(refusal(), HasSubstr("id mappings need a user namespace"));
  spec_.linux_->uid_mappings.clear();
  spec_.linux_->time_offsets["boottime"] = {1, 0};
  EXPECT_THAT(refusal(), HasSubstr("linux.timeOffsets: needs a new time namespace"));
  spec_.linux_->time_offsets.clear();
  spec_.linux_->net_devices["eth0"] = {};
  EXPECT_THAT(refusal(), HasSubstr("linux.netDevices: cannot be moved without"));
  spec_.linux_->net_devices.clear();
  EXPECT_EQ(refusal(), "accepted");
  spec_.linux_->namespaces.clear();
  EXPECT_THAT(refusal(), HasSubstr("a mount namespace is needed"));
}

TEST_F(MakePlan, MountsAreCheckedOneByOne) {
  add_mount("/a/../../b/", "bind", "/etc", {"bind", "idmap"});
  EXPECT_THAT(refusal(), HasSubstr("mounts[0]: idmap needs uidMappings"));
  spec_.mounts[0].uid_mappings = spec_.mounts[0].gid_mappings = {{0, 5, 1}};
  auto made = plan();
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->rootfs.mounts[0].destination, "/b");
  EXPECT_EQ(made->rootfs.mounts[0].options.idmap, IdMap::kSingle);
  spec_.mounts[0].options = {"bind"};
  spec_.mounts[0].source.clear();
  EXPECT_THAT(refusal(), HasSubstr("mounts[0].source"));
  spec_.mounts.clear();
  add_mount("/proc/self/attr", "bind", "/etc", {"bind"});
  EXPECT_THAT(refusal(), HasSubstr("because it is inside /proc"));
  spec_.mounts.clear();
  add_mount("/x", "", "", {});
  EXPECT_THAT(refusal(), HasSubstr("mounts[0].type: missing"));
}

TEST_F(MakePlan, DestinationsMayBeginWithTheRootUnlessForCrun) {
  const std::string root = bundle_ + "/rootfs";
  add_mount(root + "/a", "tmpfs", "tmpfs", {});
  EXPECT_EQ(plan()->rootfs.mounts[0].destination, "/a");
  acts_as_crun_ = true;
  EXPECT_EQ(plan()->rootfs.mounts[0].destination, root + "/a");
  acts_as_crun_ = false;
  spec_.mounts[0].destination = root + "x/a";
  EXPECT_EQ(plan()->rootfs.mounts[0].destination, root + "x/a") << "another folder";
  for (const auto& top : {root, std::string("/"), std::string("/a/..")}) {
    spec_.mounts[0].destination = top;
    EXPECT_THAT(refusal(), HasSubstr("mounts[0].destination: \"/\"")) << top;
  }
  spec_.mounts[0].options = {"remount", "ro"};
  EXPECT_EQ(refusal(), "accepted") << "nothing new is mounted";
}

TEST_F(MakePlan, MasksAreMeantFromTheRoot) {
  spec_.linux_->masked_paths = {"a", "/b"};
  spec_.linux_->readonly_paths = {"c/../d", "/e"};
  auto made = plan();
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(made->rootfs.masked_paths, ElementsAre("/a", "/b"));
  EXPECT_THAT(made->rootfs.readonly_paths, ElementsAre("/c/../d", "/e"));
}

TEST_F(MakePlan, AUserNamespaceOfRootNeedsMappingsUnlessForCrun) {
  spec_.linux_->namespaces.push_back({NamespaceType::kUser, ""});
  EXPECT_THAT(refusal(), HasSubstr("no uid or gid mapping found"));
  acts_as_crun_ = true;
  auto made = plan();
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  ASSERT_EQ(made->namespaces.uid_map.size(), 1U);
  EXPECT_EQ(made->namespaces.uid_map[0].host_id, 0U);
  EXPECT_GT(made->namespaces.gid_map[0].size, 0U);
}

TEST_F(MakePlan, TheLastOfSeveralEnvironmentEntriesWins) {
  spec_.process->env = {"A=1", "B=2", "A=3"};
  auto made = plan();
  ASSERT_TRUE(made.ok());
  EXPECT_THAT(made->program.env, ElementsAre("A=3", "B=2"));
}

TEST_F(MakePlan, RootlessCallersGetAUserNamespaceOfTheirOwnId) {
  host_.euid = 1000;
  host_.egid = 1001;
  host_.rootless = true;
  auto made = plan();
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_TRUE(made->namespaces.new_user);
  EXPECT_THAT(made->namespaces.uid_map, ElementsAre(oci::IdMapping{0, 1000, 1}));
  EXPECT_THAT(made->namespaces.gid_map, ElementsAre(oci::IdMapping{0, 1001, 1}));
}

TEST_F(MakePlan, RefusesMissingPartsAndUnknownWords) {
  spec_.linux_->rootfs_propagation = "everywhere";
  EXPECT_THAT(refusal(), HasSubstr("linux.rootfsPropagation: unknown value"));
  spec_.linux_->rootfs_propagation = "rshared";
  EXPECT_EQ(refusal(), "accepted");
  spec_.root->path = "nowhere";
  EXPECT_THAT(refusal(), HasSubstr("root.path: "));
  spec_.root.reset();
  EXPECT_THAT(refusal(), HasSubstr("root: missing"));
  spec_.process.reset();
  EXPECT_THAT(refusal(), HasSubstr("process: missing"));
}

}  // namespace
}  // namespace langsbx::plan
