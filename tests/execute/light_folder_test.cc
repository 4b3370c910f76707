// The light tier's folders: made for one run, measured, and gone with it whatever was put in.
#include "runtime/execute/light_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace langsbx::execute {
namespace {

namespace fs = std::filesystem;

class LightFolderTest : public testing::Test {
 protected:
  LightFolderTest() {
    std::string pattern = testing::TempDir() + "light-folder-XXXXXX";
    top_ = ::mkdtemp(pattern.data());
    const char* const before = std::getenv("TMPDIR");
    if (before != nullptr) before_ = before;
    ::setenv("TMPDIR", top_.c_str(), 1);
    program_.id = std::to_string(::getpid()) + "-1-1";
    program_.places = light_places(light_base(1U << 20U), program_.id);
    program_.uid = ::geteuid();
    program_.gid = ::getegid();
    program_.source = {program_.places.source + "/main.py", "print(1)\n", 0444, 0, false};
    program_.inputs = {{"in.txt", "in", 0644}, {"below/in.txt", "below", 0600}};
  }
  ~LightFolderTest() override {
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
    fs::remove_all(top_);
  }

  std::string top_, before_;
  Program program_;
};

TEST_F(LightFolderTest, HoldsSourceAndInputs) {
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_TRUE(folder.ok()) << folder.error().to_string();
  EXPECT_EQ(fs::file_size(program_.places.source + "/main.py"), 9U);
  EXPECT_EQ(fs::file_size(program_.places.work + "/below/in.txt"), 5U);
}

TEST_F(LightFolderTest, NothingStaysOfDeepAndClosedDirectories) {
  {
    const auto folder = LightFolder::make(*private_base(), program_);
    ASSERT_TRUE(folder.ok());
    fs::path place = program_.places.work;
    for (int i = 0; i < 100; ++i) place /= "d";
    fs::create_directories(place);
    std::ofstream(place / "file") << "x";
    fs::create_symlink("/", place / "link");
    fs::create_directories(program_.places.work + "/closed/inner");
    ::chmod((program_.places.work + "/closed/inner").c_str(), 0);
    ::chmod((program_.places.work + "/closed").c_str(), 0);
  }
  EXPECT_FALSE(fs::exists(fs::path(program_.places.work).parent_path()));
  EXPECT_TRUE(fs::exists("/usr")) << "the link was not followed";
}

TEST_F(LightFolderTest, FoldersOfDeadRunsAreSwept) {
  const auto base = fs::path(program_.places.work).parent_path().parent_path();
  fs::create_directories(base / "999999999-1-1/work");
  fs::create_directories(base / "not-of-a-run");
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_TRUE(folder.ok());
  sweep_left_folders();
  EXPECT_TRUE(fs::exists(program_.places.work)) << "we live";
  EXPECT_FALSE(fs::exists(base / "999999999-1-1"));
  EXPECT_TRUE(fs::exists(base / "not-of-a-run"));
}

// A pid of another namespace means nothing here, a lock does.
TEST_F(LightFolderTest, FoldersOfLockedRunsStay) {
  program_.id = "999999999-1-1";
  program_.places = light_places(*private_base(), program_.id);
  program_.source.path = program_.places.source + "/main.py";
  {
    const auto folder = LightFolder::make(*private_base(), program_);
    ASSERT_TRUE(folder.ok());
    sweep_left_folders();
    EXPECT_TRUE(fs::exists(program_.places.source + "/main.py"));
  }
  EXPECT_FALSE(fs::exists(program_.places.source));
}

TEST_F(LightFolderTest, ABaseOfSomebodyElseIsNotSwept) {
  const auto base = *private_base();
  fs::create_directories(base + "/999999999-1-1");
  ::chmod(base.c_str(), 0777);
  sweep_left_folders();
  EXPECT_TRUE(fs::exists(base + "/999999999-1-1"));
}

TEST_F(LightFolderTest, TheCallersDirectoryForTemporaryFilesIsTaken) {
  EXPECT_EQ(light_base(1), *private_base());
  EXPECT_TRUE(light_base(1).starts_with(top_));
  ::unsetenv("TMPDIR");
  EXPECT_FALSE(light_base(1).starts_with(top_));
  EXPECT_TRUE(light_base(std::uint64_t{1} << 60U).starts_with("/tmp/"))
      << "no memory has room for that";
}

TEST_F(LightFolderTest, ABaseThatOthersCanWriteIsRefused) {
  const auto base = fs::path(program_.places.work).parent_path().parent_path();
  fs::create_directories(base);
  ::chmod(base.c_str(), 0777);
  EXPECT_FALSE(private_base().ok());
  EXPECT_FALSE(LightFolder::make(base.string(), program_).ok());
}

TEST_F(LightFolderTest, UseIsCountedToTheLimit) {
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_TRUE(folder.ok());
  std::ofstream(program_.places.work + "/big") << std::string(100'000, 'x');
  EXPECT_GE(folder.value().work(), 0);
  EXPECT_GE(folder_use(folder.value().work(), 1U << 20U).bytes, 100'000U);
  EXPECT_FALSE(folder_use(folder.value().work(), 1U << 20U).full);
  EXPECT_TRUE(folder_use(folder.value().work(), 50'000).full);
}

}  // namespace
}  // namespace langsbx::execute
