// The light tier's folders: made for one run, measured, and gone with it whatever was put in.
#include "runtime/execute/light_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "runtime/execute/light_base.h"

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
    program_.places = light_places(*light_base(1U << 20U), program_.id);
    program_.uid = ::geteuid();
    program_.gid = ::getegid();
    put_files();
  }
  ~LightFolderTest() override {
    before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1);
    fs::remove_all(top_);
  }

  void put_files() {
    program_.source = program_.places.source + "/main.py";
    const std::string& work = program_.places.work;
    program_.files = {
        {program_.source, "print(1)\n"},
        {work + "/in.txt", "in", 0644, Placed::Kind::kFile, false},
        {work + "/below", "", 0755, Placed::Kind::kFolder, false},
        {work + "/below/in.txt", "below", 0600, Placed::Kind::kFile, false},
        {program_.places.source + "/in.txt", work + "/in.txt", 0, Placed::Kind::kLink}};
  }

  std::string top_, before_;
  Program program_;
};

TEST_F(LightFolderTest, HoldsSourceAndInputs) {
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_TRUE(folder.ok()) << folder.error().to_string();
  EXPECT_EQ(fs::file_size(program_.places.source + "/main.py"), 9U);
  EXPECT_EQ(fs::file_size(program_.places.work + "/below/in.txt"), 5U);
  EXPECT_EQ(fs::read_symlink(program_.places.source + "/in.txt"), program_.places.work + "/in.txt");
}

// To the kernel we and the program are one user: nothing would be kept from it.
TEST_F(LightFolderTest, NothingIsFixedForOurOwnUser) {
  program_.files.push_back({program_.places.work + "/lib.sh", ""});
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_FALSE(folder.ok());
  EXPECT_FALSE(fs::exists(fs::path(program_.places.work).parent_path()));
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

// Process 7 of a container that is started again and again.
TEST_F(LightFolderTest, FoldersOfADeadRunWithOurNumberAreSwept) {
  const auto base = *private_base();
  const std::string left = base + "/" + std::to_string(::getpid()) + "-7-7";
  const auto folder = LightFolder::make(base, program_);
  ASSERT_TRUE(folder.ok());
  fs::create_directories(left + "/work");
  sweep_left_folders();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(program_.places.work)) << "ours is locked";
}

// A pid of another namespace means nothing here, a lock does.
TEST_F(LightFolderTest, FoldersOfLockedRunsStay) {
  program_.id = "999999999-1-1";
  program_.places = light_places(*private_base(), program_.id);
  put_files();
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
  EXPECT_EQ(*light_base(1), *private_base());
  EXPECT_TRUE(light_base(1)->starts_with(top_));
  ::unsetenv("TMPDIR");
  EXPECT_FALSE(light_base(1)->starts_with(top_));
  EXPECT_TRUE(light_base(std::uint64_t{1} << 60U)->starts_with("/tmp/"))
      << "no memory has room for that";
}

TEST_F(LightFolderTest, ABaseThatOthersCanWriteIsRefused) {
  const auto base = fs::path(program_.places.work).parent_path().parent_path();
  fs::create_directories(base);
  ::chmod(base.c_str(), 0777);
  EXPECT_FALSE(LightFolder::make(base.string(), program_).ok());
  EXPECT_TRUE(fs::is_empty(base));
}

struct Facts {
  unsigned mode = 0;
  uid_t uid = 0;
  gid_t gid = 0;
  bool operator==(const Facts&) const = default;
};

Facts facts_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return {status.st_mode & 07777U, status.st_uid, status.st_gid};
}

void PrintTo(const Facts& facts, std::ostream* out) {
  *out << std::oct << facts.mode << std::dec << " " << facts.uid << ":" << facts.gid;
}

// Source and work directory may hold what only the caller may read; the name is in ps.
TEST_F(LightFolderTest, NothingIsThereForOtherUsers) {
  program_.files[0].mode = 0555;
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_TRUE(folder.ok());
  const uid_t uid = ::geteuid();
  const gid_t gid = ::getegid();
  EXPECT_EQ(facts_of(folder->path()), (Facts{0700, uid, gid}));
  EXPECT_EQ(facts_of(program_.places.source), (Facts{0500, uid, gid}));
  EXPECT_EQ(facts_of(program_.places.source + "/main.py"), (Facts{0500, uid, gid}));
  EXPECT_EQ(facts_of(program_.places.work), (Facts{0700, uid, gid}));
  EXPECT_EQ(facts_of(*private_base()).mode, 0711U);
}

TEST_F(LightFolderTest, AProgramOfAnotherUserReadsByItsGroup) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  constexpr uid_t kOther = 0x70000001;
  program_.uid = program_.gid = kOther;
  const gid_t gid = ::getegid();
  const auto folder = LightFolder::make(*private_base(), program_);
  ASSERT_TRUE(folder.ok()) << folder.error().to_string();
  EXPECT_EQ(facts_of(folder->path()), (Facts{0710, 0, kOther}));
  EXPECT_EQ(facts_of(program_.places.source), (Facts{0550, 0, kOther}));
  EXPECT_EQ(facts_of(program_.places.source + "/main.py"), (Facts{0440, 0, kOther}));
  EXPECT_EQ(facts_of(program_.places.work), (Facts{0700, kOther, kOther}));
  EXPECT_EQ(facts_of(program_.places.work + "/in.txt"), (Facts{0644, kOther, kOther}));
  EXPECT_EQ(facts_of(*private_base()), (Facts{0711, 0, gid}));
}

// The name of the base is known to everybody beforehand.
class TakenBase : public LightFolderTest {
 protected:
  TakenBase() { fs::remove_all(usual()); }
  // Another directory is used, by each run the same, and what took the name stays as it is.
  void expect_another(const std::string& taken) {
    const auto base = private_base();
    ASSERT_TRUE(base.ok()) << base.error().to_string();
    EXPECT_NE(*base, taken);
    EXPECT_TRUE(base->starts_with(taken + "-")) << *base;
    EXPECT_EQ(*private_base(), *base);
    EXPECT_EQ(*light_base(1), *base);
    program_.places = light_places(*base, program_.id);
    put_files();
    fs::create_directories(*base + "/999999999-1-1/work");
    {
      const auto folder = LightFolder::make(*base, program_);
      ASSERT_TRUE(folder.ok()) << folder.error().to_string();
      EXPECT_EQ(facts_of(*base), (Facts{0711, ::geteuid(), ::getegid()}));
      EXPECT_TRUE(fs::exists(program_.places.source + "/main.py"));
    }
    sweep_left_folders();
    EXPECT_FALSE(fs::exists(*base + "/999999999-1-1")) << "what was left there is swept";
    EXPECT_TRUE(fs::is_empty(*base));
  }
  [[nodiscard]] std::string usual() const {
    return top_ + "/langsbx-execute-" + std::to_string(::geteuid());
  }
};

TEST_F(TakenBase, ByAFile) {
  std::ofstream(usual()) << "mine";
  expect_another(usual());
  EXPECT_EQ(fs::file_size(usual()), 4U);
}

TEST_F(TakenBase, ByALink) {
  fs::create_directories(top_ + "/elsewhere");
  fs::create_directory_symlink(top_ + "/elsewhere", usual());
  expect_another(usual());
  EXPECT_TRUE(fs::is_empty(top_ + "/elsewhere"));
}

TEST_F(TakenBase, ByADirectoryThatOthersCanWrite) {
  fs::create_directories(usual() + "/999999999-1-1");
  ::chmod(usual().c_str(), 0777);
  // No better beside it.
  fs::create_directories(usual() + "-aaaaaa");
  ::chmod((usual() + "-aaaaaa").c_str(), 0770);
  expect_another(usual());
  EXPECT_TRUE(fs::exists(usual() + "/999999999-1-1"));
  EXPECT_EQ(facts_of(usual() + "-aaaaaa").mode, 0770U) << "not taken either";
}

TEST_F(TakenBase, ByAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root";
  for (const auto& name : {usual(), usual() + "-aaaaaa"}) {
    fs::create_directories(name);
    ASSERT_EQ(::chown(name.c_str(), 1234, 1234), 0);
  }
  expect_another(usual());
  for (const auto& name : {usual(), usual() + "-aaaaaa"}) {
    EXPECT_TRUE(fs::is_empty(name));
    EXPECT_EQ(facts_of(name).uid, 1234U);
    EXPECT_FALSE(LightFolder::make(name, program_).ok());
  }
}

TEST_F(LightFolderTest, ATopThatIsNotThereIsAnError) {
  ::setenv("TMPDIR", (top_ + "/missing").c_str(), 1);
  EXPECT_EQ(private_base().error().errno_value, ENOENT);
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
