// Denials of a traced process are explained by the layer that made them.
#include "runtime/explain/tracer.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "runtime/confine/no_new_privs.h"
#include "runtime/kernel/landlock.h"

namespace langsbx::explain {
namespace {

using confine::LandlockPlan;
using confine::LandlockProgram;
using confine::SeccompPlan;

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;

class Explained : public testing::Test {
 protected:
  void SetUp() override {
    if (landlock_abi() < 6) GTEST_SKIP() << "Landlock ABI " << landlock_abi();
    oci::Seccomp profile;
    profile.default_action = "SCMP_ACT_ALLOW";
    profile.syscalls = {{{"sethostname", "mkdir"}, "SCMP_ACT_ERRNO", 1, {}}};
    seccomp_ = confine::plan_seccomp(profile, {}).release_value();
    LandlockProgram program;
    program.origin = "test";
    program.read = {"/usr", "/lib", "/lib64", "/bin", "/etc"};
    program.execute = {"/bin", "/usr/bin", "/lib", "/lib64", "/usr/lib"};
    program.devices = {"/dev/null", "/dev/tty"};
    program.connect_tcp.emplace();
    landlock_ = confine::plan_landlock({&kEmptySpec, std::move(program), landlock_abi(), false})
                    .release_value();
  }

  // Runs a bash script under both plans; gives what was denied.
  std::vector<Denial> denials_of(const char* script) {
    int gate[2] = {-1, -1};
    EXPECT_EQ(::pipe(gate), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      ::close(gate[1]);
      char byte = 0;
      (void)!::read(gate[0], &byte, 1);  // the start gate: traced from here
      const int null = ::open("/dev/null", O_RDWR);
      ::dup2(null, 1);
      ::dup2(null, 2);
      if (!confine::set_no_new_privs().ok()) ::_exit(90);
      if (!confine::apply_landlock(landlock_, ::open("/", O_PATH | O_DIRECTORY)).ok()) ::_exit(91);
      if (!confine::load_seccomp(seccomp_, -1).ok()) ::_exit(92);
      ::execl("/bin/bash", "bash", "-c", script, nullptr);
      ::_exit(93);
    }
    std::size_t told = 0;
    ::close(gate[0]);
    std::thread opener([&gate] {
      ::usleep(20'000);
      ::close(gate[1]);
    });
    const auto result =
        explain({pid, &seccomp_, &landlock_, false}, {{}, [&told](const Denial&) { ++told; }});
    opener.join();
    EXPECT_TRUE(result.ok()) << result.error().to_string();
    if (!result.ok()) return {};
    EXPECT_EQ(told, result->denials.size());
    EXPECT_TRUE(WIFEXITED(result->wait_status));
    EXPECT_LT(WEXITSTATUS(result->wait_status), 90);
    return result->denials;
  }

  static inline const oci::Spec kEmptySpec;
  SeccompPlan seccomp_;
  LandlockPlan landlock_;
};

testing::Matcher<Denial> denial(const std::string& layer, const std::string& call,
                                const std::string& object, const std::string& right) {
  return AllOf(Field(&Denial::layer, layer), Field(&Denial::syscall, call),
               Field(&Denial::object, HasSubstr(object)), Field(&Denial::right, right));
}

TEST_F(Explained, EachRefusalByItsLayer) {
  const std::vector<Denial> denials = denials_of(
      "echo x >/tmp/langsbx-not-there; cat /proc/self/maps; mkdir /var/x;"
      "echo >/dev/tcp/127.0.0.1/9; kill -0 1; true </etc/shells");
  EXPECT_THAT(denials,
              Contains(denial("landlock program", "openat", "/tmp/langsbx-not-there", "make_reg")));
  EXPECT_THAT(denials,
              Contains(denial("landlock program", "openat", "/proc/self/maps", "read_file")));
  EXPECT_THAT(denials, Contains(denial("seccomp linux.seccomp", "mkdir", "", "")));
  EXPECT_THAT(denials,
              Contains(denial("landlock program", "connect", "tcp port 9", "connect_tcp")));
  EXPECT_THAT(denials, Contains(denial("landlock program", "kill", "pid 1", "scope signal")));
  for (const Denial& item : denials) EXPECT_EQ(item.object.find("/etc/shells"), std::string::npos);
}

TEST_F(Explained, RepeatedDenialsAreCounted) {
  const std::vector<Denial> denials =
      denials_of("for i in 1 2 3; do echo x >/tmp/langsbx-not-there; done");
  const auto wanted = denial("landlock program", "openat", "/tmp/langsbx-not-there", "make_reg");
  ASSERT_THAT(denials, Contains(AllOf(wanted, Field(&Denial::count, 3U))));
}

TEST_F(Explained, NothingIsSaidOfAProgramThatIsRefusedNothing) {
  EXPECT_THAT(denials_of("cat /etc/shells >/dev/null"), testing::IsEmpty());
}

TEST(DenialText, IsOneLineAndOneObject) {
  Denial item;
  item.pid = 7;
  item.program = "cat";
  item.layer = "landlock program";
  item.syscall = "openat";
  item.object = "/etc/shadow";
  item.right = "read_file";
  item.errno_value = EACCES;
  item.count = 2;
  EXPECT_EQ(denial_text(item),
            "cat[7]: openat /etc/shadow: permission denied (refused by landlock program, "
            "read_file) x2");
  EXPECT_THAT(denial_json(item), HasSubstr(R"("errno":"EACCES")"));
  const auto again = denial_from_json(denial_json(item));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(denial_text(*again), denial_text(item));
  item = {};
  item.program = "cp";
  item.layer = "kernel";
  item.syscall = "openat";
  item.object = "/usr/x";
  item.errno_value = EROFS;
  EXPECT_EQ(denial_text(item),
            "cp[0]: openat /usr/x: read-only file system (refused by kernel: the mount is "
            "read-only)");
}

}  // namespace
}  // namespace langsbx::explain
