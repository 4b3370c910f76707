// Landlock layers in force, each in a child process. Skipped where the kernel has no Landlock.
#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "runtime/confine/landlock.h"
#include "runtime/confine/no_new_privs.h"
#include "runtime/kernel/landlock.h"
#include "tests/support/in_child.h"

namespace langsbx::confine {
namespace {

using test::failed;
using test::in_child;

const oci::Spec kEmptySpec;

class Applied : public testing::Test {
 protected:
  void SetUp() override {
    if (landlock_abi() < 6) GTEST_SKIP() << "Landlock ABI " << landlock_abi();
    std::string pattern = testing::TempDir() + "landlock-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    ::mkdir((folder_ + "/a").c_str(), 0700);
    ::mkdir((folder_ + "/b").c_str(), 0700);
    ::close(::open((folder_ + "/a/file").c_str(), O_CREAT | O_WRONLY, 0600));
  }
  void TearDown() override {
    if (!folder_.empty()) static_cast<void>(!::system(("rm -rf " + folder_).c_str()));
  }
  // Plans, applies in a child, runs the body there.
  template <typename Body>
  std::string confined(const oci::Spec& spec, std::optional<LandlockProgram> program, Body body,
                       const LandlockHeld& held = {}) {
    const auto plan = plan_landlock({&spec, std::move(program), landlock_abi(), false});
    if (!plan.ok()) return plan.error().to_string();
    return in_child([&]() -> std::string {
      if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
      const int root = ::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
      if (auto error = failed(apply_landlock(*plan, root, held)); !error.empty()) return error;
      return body();
    });
  }
  std::string folder_;
};

std::string refused(int result, int wanted) {
  if (result >= 0) return "allowed";
  return errno == wanted ? "" : std::strerror(errno);
}

LandlockProgram program_of(std::string origin) {
  LandlockProgram program;
  program.origin = std::move(origin);
  program.read = {"/usr", "/lib", "/lib64", "/etc"};
  program.devices = {"/dev/null"};
  return program;
}

TEST_F(Applied, TheContainersLayerLetsOrdinaryWorkHappen) {
  EXPECT_EQ("", confined({}, {}, [&]() -> std::string {
              const std::string from = folder_ + "/a/file";
              const std::string to = folder_ + "/b/moved";
              if (::rename(from.c_str(), to.c_str()) != 0) return "rename across directories";
              if (::link(to.c_str(), from.c_str()) != 0) return "link across directories";
              if (::symlink("x", (folder_ + "/a/sym").c_str()) != 0) return "symlink";
              if (::mkfifo((folder_ + "/a/fifo").c_str(), 0600) != 0) return "mkfifo";
              if (::truncate(from.c_str(), 3) != 0) return "truncate";
              if (::open("/dev/null", O_RDWR | O_TRUNC) < 0) return "/dev/null";
              if (::system("exec >/dev/null 2>&1; /bin/true") != 0) return "exec";
              return "";
            }));
}

// As many as the kernel lets this process add.
int layers_left() {
  int count = 0;
  for (; count < 64; ++count) {
    const auto ruleset = landlock_create_ruleset({0, 0, scope::kSignal}, landlock_abi());
    if (!ruleset.ok() || !landlock_restrict_self(ruleset->get(), 0).ok()) break;
  }
  return count;
}

TEST_F(Applied, TwoLayersAreTakenTheOthersAreTheWorkloads) {
  const auto count = [] { return std::to_string(layers_left()); };
  const std::string before = in_child([&count]() -> std::string {
    if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
    return count();
  });
  LandlockProgram program = program_of("guard profile");
  program.bind_tcp.emplace();
  oci::Spec spec;
  spec.annotations = {{"io.langsbx.landlock.write", "/tmp"}};
  spec.process.emplace();
  spec.process->landlock.emplace();
  spec.process->landlock->handled_access_fs = {"write_file"};
  const std::string after = confined(spec, std::move(program), count);
  EXPECT_EQ(std::atoi(after.c_str()), std::atoi(before.c_str()) - 2) << before << " " << after;
}

TEST_F(Applied, TheContainersLayerRefusesDeviceNodesAndMounts) {
  EXPECT_EQ("", confined({}, {}, [&]() -> std::string {
              const std::string node = folder_ + "/a/node";
              if (auto e = refused(::mknod(node.c_str(), S_IFCHR | 0600, makedev(1, 3)), EACCES);
                  !e.empty() && ::geteuid() == 0) {
                return "mknod: " + e;
              }
              if (auto e = refused(::mount("none", folder_.c_str(), "tmpfs", 0, ""), EPERM);
                  !e.empty()) {
                return "mount: " + e;
              }
              return "";
            }));
}

TEST_F(Applied, AReadonlyRootIsReadOnlyButForItsMounts) {
  oci::Spec spec;
  spec.root = oci::Root{"rootfs", true};
  spec.mounts = {{folder_ + "/a", "bind", "/x", {"bind"}, {}, {}}};
  EXPECT_EQ("", confined(spec, {}, [&]() -> std::string {
              if (::open((folder_ + "/a/file").c_str(), O_RDWR) < 0) return "mount not writable";
              return refused(::open((folder_ + "/b/new").c_str(), O_CREAT | O_WRONLY, 0600),
                             EACCES);
            }));
}

// CVE-2024-21626: a descriptor of a directory outside of the root gives nothing.
TEST_F(Applied, ALeakedDirectoryDescriptorIsUseless) {
  const auto plan = plan_landlock({&kEmptySpec, {}, landlock_abi(), false});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", in_child([&]() -> std::string {
              const int leaked = ::open("/etc", O_PATH | O_DIRECTORY);
              const int root = ::open(folder_.c_str(), O_PATH | O_DIRECTORY);
              if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
              if (auto error = failed(apply_landlock(*plan, root)); !error.empty()) return error;
              return refused(::openat(leaked, "passwd", O_RDONLY), EACCES);
            }));
}

// Standard descriptors stay reopenable; a directory among them is not a way to what is in it.
TEST_F(Applied, AHandedOverDirectoryIsUseless) {
  const auto plan = plan_landlock({&kEmptySpec, {}, landlock_abi(), false});
  ASSERT_TRUE(plan.ok());
  for (const int handed : {0, 1, 2, 20}) {
    EXPECT_EQ("", in_child([&]() -> std::string {
                if (::dup2(::open("/etc", O_RDONLY | O_DIRECTORY), handed) != handed) return "dup2";
                const int root = ::open(folder_.c_str(), O_PATH | O_DIRECTORY);
                if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
                auto error = failed(apply_landlock(*plan, root, {{20}, {}, false}));
                if (!error.empty()) return error;
                return refused(::openat(handed, "passwd", O_RDONLY), EACCES);
              }))
        << "descriptor " << handed;
  }
}

TEST_F(Applied, TheProgramsLayerReadsOnlyWhatItNames) {
  LandlockProgram program = program_of("test");
  program.write = {folder_ + "/a"};
  EXPECT_EQ("", confined({}, program, [&]() -> std::string {
              if (::open((folder_ + "/a/file").c_str(), O_RDWR) < 0) return "work directory";
              if (::open("/etc/passwd", O_RDONLY) < 0) return "/etc/passwd";
              if (::open("/dev/null", O_WRONLY) < 0) return "/dev/null";
              if (auto e = refused(::open("/etc/passwd", O_WRONLY), EACCES); !e.empty())
                return "write " + e;
              if (auto e = refused(::open("/proc/self/maps", O_RDONLY), EACCES); !e.empty()) {
                return "proc " + e;
              }
              return refused(::open((folder_ + "/b/x").c_str(), O_CREAT | O_WRONLY, 0600), EACCES);
            }));
}

// EXECUTE alone is no wall: the ELF loader reads what it starts. READ_FILE is limited with it.
TEST_F(Applied, OnlyTheNamedBinaryRunsEvenThroughTheLoader) {
  LandlockProgram program = program_of("test");
  program.read = {"/usr/lib", "/lib", "/lib64", "/etc"};
  program.execute = {"/bin/bash", "/lib64/ld-linux-x86-64.so.2",
                     "/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2"};
  program.devices = {"/dev/null"};
  EXPECT_EQ("", confined({}, program, [&]() -> std::string {
              const auto run = [](const char* script) {
                const pid_t pid = ::fork();
                if (pid == 0) {
                  const int null = ::open("/dev/null", O_WRONLY);
                  ::dup2(null, 2);
                  ::execl("/bin/bash", "bash", "-c", script, nullptr);
                  ::_exit(99);
                }
                int status = 0;
                ::waitpid(pid, &status, 0);
                return WEXITSTATUS(status);
              };
              if (run("exit 7") != 7) return "bash does not run";
              if (run("/usr/bin/env true") != 126) return "env ran";
              if (run("/lib64/ld-linux-x86-64.so.2 /usr/bin/env --version >/dev/null") == 0)
                return "env ran by the loader";
              return "";
            }));
}

// What is started is known later than the plan: besides what the profile names, or alone.
TEST_F(Applied, WhatIsStartedIsExecutedBesidesTheRestOrAlone) {
  LandlockProgram program = program_of("guard profile");
  program.execute = {"/usr/bin/env"};
  program.starts_program = true;
  const auto executes = [](const char* file) -> std::string {
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl(file, file, "--version", nullptr);
      ::_exit(126);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) != 126 ? "runs" : "refused";
  };
  LandlockHeld held;
  held.programs.executed = {"/usr/bin/id", "/lib64/ld-linux-x86-64.so.2"};
  const auto both = [&]() -> std::string {
    return executes("/usr/bin/id") + " " + executes("/usr/bin/env") + " " + executes("/usr/bin/ls");
  };
  EXPECT_EQ("runs runs refused", confined({}, program, both, held));
  held.programs.alone = true;
  EXPECT_EQ("runs refused refused", confined({}, program, both, held));
  // A layer that config.json asks for is its own word.
  program.starts_program = false;
  program.execute.emplace_back("/lib64/ld-linux-x86-64.so.2");
  EXPECT_EQ("refused runs refused", confined({}, program, both, held));
}

TEST_F(Applied, LibrariesOfWhatIsStartedAreReadAndNothingElse) {
  LandlockProgram program;
  program.origin = "guard profile";
  program.read = {"/usr/share"};
  program.starts_program = true;
  LandlockHeld held;
  held.programs.read = {folder_ + "/a/file", "/usr/bin"};
  EXPECT_EQ("", confined(
                    {}, program,
                    [&]() -> std::string {
                      if (::open((folder_ + "/a/file").c_str(), O_RDONLY) < 0) return "library";
                      const int other = ::open("/usr/bin/id", O_RDONLY);
                      return refused(other, EACCES);
                    },
                    held));
}

TEST_F(Applied, PortsSignalsAndAbstractSockets) {
  LandlockProgram program = program_of("test");
  program.bind_tcp = {28'090};
  const pid_t outside = ::getpid();
  EXPECT_EQ("", confined({}, program, [&]() -> std::string {
              const auto bind_to = [](std::uint16_t port) {
                const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
                sockaddr_in address{};
                address.sin_family = AF_INET;
                address.sin_port = htons(port);
                address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
                return ::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address));
              };
              if (bind_to(28'090) != 0 && errno != EADDRINUSE) return "allowed port";
              if (auto e = refused(bind_to(28'091), EACCES); !e.empty()) return "port: " + e;
              if (auto e = refused(::kill(outside, 0), EPERM); !e.empty()) return "signal: " + e;
              return "";
            }));
}

TEST_F(Applied, AMissingPathThatMustExistIsAnError) {
  LandlockPlan plan;
  plan.abi = landlock_abi();
  plan.layers.resize(1);
  plan.layers[0].name = "program";
  plan.layers[0].handled_fs = fs::kReadFile;
  plan.layers[0].paths = {{folder_ + "/missing", fs::kReadFile, true}};
  EXPECT_EQ("", in_child([&]() -> std::string {
              if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
              const auto applied = apply_landlock(plan, ::open("/", O_PATH | O_DIRECTORY));
              return applied.ok() ? "no error" : "";
            }));
}

// From ABI 11 on by the call itself; before it the caller has it set.
TEST_F(Applied, NoNewPrivsComesWithTheLayer) {
  const auto plan = plan_landlock({&kEmptySpec, {}, landlock_abi(), false});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", in_child([&]() -> std::string {
              const bool by_call = sets_no_new_privs(*plan);
              if (!by_call) {
                if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
              }
              const int root = ::open("/", O_PATH | O_DIRECTORY);
              auto error = failed(apply_landlock(*plan, root, {{}, {}, true}));
              if (!error.empty()) return error;
              return has_no_new_privs().value_or(false) ? "" : "not set";
            }));
}

// Another thread, started before, is restricted too (ABI 8).
TEST_F(Applied, EveryThreadIsRestricted) {
  if (landlock_abi() < 8) GTEST_SKIP() << "Landlock ABI " << landlock_abi();
  LandlockProgram program = program_of("test");
  const auto plan = plan_landlock({&kEmptySpec, std::move(program), landlock_abi(), false});
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ("", in_child([&]() -> std::string {
              std::atomic<bool> restricted = false;
              int opened = -2;
              std::thread other([&] {
                while (!restricted) std::this_thread::yield();
                opened = ::open((folder_ + "/a/file").c_str(), O_RDONLY);
              });
              auto error = failed(set_no_new_privs());
              if (error.empty()) error = failed(apply_landlock(*plan, ::open("/", O_PATH)));
              restricted = true;
              other.join();
              if (!error.empty()) return error;
              return opened == -1 ? "" : "the other thread could open the file";
            }));
}

// What `exec` beside init means: each is in a domain of its own, neither above the other.
TEST_F(Applied, SiblingsSeeAndSignalButDoNotTraceEachOther) {
  const auto plan = plan_landlock({&kEmptySpec, {}, landlock_abi(), false});
  ASSERT_TRUE(plan.ok());
  int ready[2] = {-1, -1};
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t init = ::fork();
  if (init == 0) {
    (void)set_no_new_privs();
    (void)apply_landlock(*plan, ::open("/", O_PATH | O_DIRECTORY));
    (void)!::write(ready[1], "x", 1);
    ::alarm(20);
    ::pause();
    ::_exit(0);
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::string proc = "/proc/" + std::to_string(init);
  EXPECT_EQ("", confined({}, {}, [&]() -> std::string {
              if (::open((proc + "/stat").c_str(), O_RDONLY) < 0) return "stat";
              if (::open((proc + "/cmdline").c_str(), O_RDONLY) < 0) return "cmdline";
              char target[64];
              if (auto e = refused(
                      static_cast<int>(::readlink((proc + "/exe").c_str(), target, 64)), EACCES);
                  !e.empty()) {
                return "exe: " + e;
              }
              if (auto e = refused(static_cast<int>(::ptrace(PTRACE_SEIZE, init, nullptr, nullptr)),
                                   EPERM);
                  !e.empty()) {
                return "ptrace: " + e;
              }
              return ::kill(init, SIGKILL) == 0 ? "" : "kill";
            }));
  int status = 0;
  ::waitpid(init, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_F(Applied, StandardDescriptorsStayReopenable) {
  LandlockProgram program = program_of("test");
  program.read.push_back("/proc");
  const auto plan = plan_landlock({&kEmptySpec, program, landlock_abi(), false});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ("", in_child([&]() -> std::string {
              const int log = ::open((folder_ + "/log").c_str(), O_CREAT | O_WRONLY, 0600);
              ::dup2(log, 1);
              if (auto error = failed(set_no_new_privs()); !error.empty()) return error;
              const int root = ::open("/", O_PATH | O_DIRECTORY);
              if (auto error = failed(apply_landlock(*plan, root)); !error.empty()) return error;
              if (::open("/proc/self/fd/1", O_WRONLY) < 0) return "stdout can't be reopened";
              return refused(::open("/proc/self/fd/1", O_RDONLY), EACCES);
            }));
}

}  // namespace
}  // namespace langsbx::confine
