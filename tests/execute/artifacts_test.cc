// What comes back from a work directory: which files, how many, how large, and with which holes.
#include "runtime/execute/artifacts.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/execute/bring_back.h"
#include "runtime/execute/sparse_copy.h"
#include "runtime/kernel/file.h"

namespace langsbx::execute {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

constexpr Bounds kPlenty{1U << 30U, 1000};

Names names_of(const std::vector<Artifact>& files) {
  Names names;
  for (const auto& file : files) names.push_back(file.name);
  return names;
}

Names names_of(const LeftOut& left_out) {
  Names names;
  for (const auto& file : left_out.files) names.push_back(file.name);
  return names;
}

class ArtifactsTest : public testing::Test {
 protected:
  ArtifactsTest() : before_(fs::current_path()) {
    ::umask(022);
    std::string pattern = testing::TempDir() + "artifacts-XXXXXX";
    top_ = ::mkdtemp(pattern.data());
    fs::create_directory(work());
    fs::create_directory(here());
    fs::current_path(here());
    directory_ = open_file(work().string(), O_RDONLY | O_DIRECTORY).release_value();
  }
  ~ArtifactsTest() override {
    fs::current_path(before_);
    fs::remove_all(top_);
  }
  ArtifactsTest(const ArtifactsTest&) = delete;
  ArtifactsTest& operator=(const ArtifactsTest&) = delete;

  [[nodiscard]] fs::path work() const { return top_ / "work"; }
  [[nodiscard]] fs::path here() const { return top_ / "here"; }
  static void write(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  [[nodiscard]] Names everything_here() const {
    Names names;
    for (const auto& entry : fs::recursive_directory_iterator(here())) {
      names.push_back(fs::relative(entry.path(), here()).string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  // As after a run that left what is in work().
  [[nodiscard]] Record record_of(const Names& patterns, const Bounds& bounds = kPlenty) const {
    Record record;
    record.id = "1-2-3";
    record.work.directory = open_file(work().string(), O_RDONLY | O_DIRECTORY).release_value();
    auto listed = list_matching(directory_.get(), patterns, bounds);
    record.artifacts = std::move(listed.files);
    record.left_out = std::move(listed.left_out);
    record.kept = list_all(directory_.get(), bounds).files;
    return record;
  }

  fs::path before_, top_;
  UniqueFd directory_;
};

TEST_F(ArtifactsTest, PlainFilesAndNoOthers) {
  write(work() / "b.txt", "bb");
  write(work() / "a.txt", "a");
  write(work() / ".hidden.txt", "h");
  write(work() / "below/c.txt", "ccc");
  write(work() / "d.bin", "d");
  fs::create_symlink("a.txt", work() / "link.txt");
  fs::create_symlink("/etc", work() / "out");
  fs::create_directory(work() / "folder.txt");
  ASSERT_EQ(::mkfifo((work() / "pipe.txt").c_str(), 0600), 0);
  auto listed = list_matching(directory_.get(), {"*.txt", "a*"}, kPlenty);
  EXPECT_EQ(names_of(listed.files), (Names{"a.txt", "b.txt"}));
  EXPECT_EQ(listed.files[1].size, 2U);
  EXPECT_EQ(listed.left_out.count, 0U);
  listed = list_all(directory_.get(), kPlenty);
  EXPECT_EQ(names_of(listed.files),
            (Names{".hidden.txt", "a.txt", "b.txt", "below/c.txt", "d.bin"}));
  EXPECT_TRUE(list_matching(directory_.get(), {}, kPlenty).files.empty());
}

TEST_F(ArtifactsTest, SizesAreBoundedTogether) {
  write(work() / "a", "12345");
  write(work() / "b", "123456");
  write(work() / "c", "123");
  EXPECT_EQ(names_of(list_all(directory_.get(), {14, 10}).files), (Names{"a", "b", "c"}));
  const auto listed = list_all(directory_.get(), {13, 10});
  EXPECT_EQ(names_of(listed.files), (Names{"a", "b"}));
  EXPECT_EQ(names_of(listed.left_out), (Names{"c"}));
  // One that does not fit is not in the way of a smaller one.
  EXPECT_EQ(names_of(list_all(directory_.get(), {8, 10}).files), (Names{"a", "c"}));
  EXPECT_EQ(names_of(list_matching(directory_.get(), {"[ab]"}, {10, 10}).files), (Names{"a"}));
}

// They take no room in the work directory, and as much as they seem to where they are copied whole.
TEST_F(ArtifactsTest, HolesCountAsBytes) {
  for (const char* name : {"a", "b"}) {
    write(work() / name, "");
    fs::resize_file(work() / name, std::uintmax_t{1} << 40U);
  }
  const auto listed = list_all(directory_.get(), {std::uint64_t{1} << 40U, 10});
  EXPECT_EQ(names_of(listed.files), (Names{"a"}));
  EXPECT_EQ(names_of(listed.left_out), (Names{"b"}));
  EXPECT_NE(listed.left_out.files[0].reason.find("1099511627776 bytes"), std::string::npos);
  EXPECT_EQ(bounds_of_disk(8192).bytes, 8192U);
  EXPECT_EQ(bounds_of_disk(8192).files, 18U);
}

TEST_F(ArtifactsTest, FilesAreCounted) {
  for (int i = 0; i < 30; ++i) write(work() / ("d" + std::to_string(i)) / "f", "");
  EXPECT_EQ(list_all(directory_.get(), {100, 30}).left_out.count, 0U);
  const auto listed = list_all(directory_.get(), {100, 5});
  EXPECT_EQ(listed.files.size(), 5U);
  EXPECT_EQ(listed.left_out.count, 25U);
  EXPECT_EQ(listed.left_out.files.size(), 20U) << "the record stays short";
  LeftOut both;
  both.add("x", "y");
  both.add(listed.left_out);
  EXPECT_EQ(both.count, 26U);
}

TEST_F(ArtifactsTest, WhatIsTooDeepIsSaid) {
  fs::path place = work();
  for (int i = 0; i < 32; ++i) place /= "d";
  write(place / "last", "1");
  write(place / "d/lost", "2");
  const auto listed = list_all(directory_.get(), kPlenty);
  EXPECT_EQ(listed.files.size(), 1U);
  ASSERT_EQ(listed.left_out.count, 1U);
  EXPECT_EQ(listed.left_out.files[0].reason, "nested too deep");
  auto record = record_of({});
  ASSERT_TRUE(bring_kept(record).ok());
  EXPECT_EQ(everything_here().size(), 34U) << "32 directories in one, with a file";
}

TEST_F(ArtifactsTest, WhatCannotBeReadIsSaid) {
  if (::geteuid() == 0) GTEST_SKIP() << "root reads all";
  write(work() / "closed", "1");
  write(work() / "folder/file", "1");
  ::chmod((work() / "closed").c_str(), 0);
  ::chmod((work() / "folder").c_str(), 0);
  const auto listed = list_all(directory_.get(), kPlenty);
  ::chmod((work() / "folder").c_str(), 0700);
  EXPECT_TRUE(listed.files.empty());
  EXPECT_EQ(listed.left_out.count, 2U);
}

TEST_F(ArtifactsTest, HolesStayHoles) {
  constexpr std::uint64_t kSize = 64U << 20U;
  {
    const auto file = open_file((work() / "sparse").string(), O_RDWR | O_CREAT, 0600);
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(::pwrite(file->get(), "begin", 5, 0), 5);
    ASSERT_EQ(::pwrite(file->get(), "middle", 6, 30 << 20), 6);
    ASSERT_EQ(::ftruncate(file->get(), kSize), 0);
  }
  auto record = record_of({"sparse"});
  ASSERT_TRUE(bring_artifacts(record, "").ok());
  struct stat status {};
  ASSERT_EQ(::stat("sparse", &status), 0);
  EXPECT_EQ(static_cast<std::uint64_t>(status.st_size), kSize);
  EXPECT_LT(status.st_blocks * 512, 4 << 20) << "two stretches of data";
  const auto left = open_file((work() / "sparse").string(), O_RDONLY);
  const auto copy = open_file("sparse", O_RDONLY);
  EXPECT_TRUE(*same_bytes(left->get(), copy->get(), kSize));
}

TEST_F(ArtifactsTest, BytesAreComparedToTheLast) {
  const std::string text(700'000, 'x');
  write(work() / "a", text);
  write(work() / "b", text + "y");
  write(work() / "c", text + "z");
  const auto a = open_file((work() / "a").string(), O_RDONLY);
  const auto b = open_file((work() / "b").string(), O_RDONLY);
  const auto c = open_file((work() / "c").string(), O_RDONLY);
  EXPECT_TRUE(*same_bytes(b->get(), c->get(), 700'000));
  EXPECT_FALSE(*same_bytes(b->get(), c->get(), 700'001));
  EXPECT_FALSE(*same_bytes(a->get(), b->get(), 700'001)) << "one is shorter";
  auto changed = text;
  changed[300'000] = 'z';
  write(work() / "d", changed);
  const auto d = open_file((work() / "d").string(), O_RDONLY);
  EXPECT_FALSE(*same_bytes(a->get(), d->get(), 700'000));
  EXPECT_TRUE(*same_bytes(a->get(), d->get(), 300'000));
  EXPECT_FALSE(*same_bytes(a->get(), d->get(), 300'001));
}

TEST_F(ArtifactsTest, KeptIsADirectoryOfItsOwn) {
  write(work() / "a", "a");
  write(work() / "below/deep/b", "b");
  ::chmod((work() / "a").c_str(), 06777);
  ::chmod((work() / "below/deep/b").c_str(), 0400);
  auto record = record_of({});
  ASSERT_TRUE(bring_kept(record).ok());
  EXPECT_EQ(record.kept_directory, "langsbx-1-2-3");
  EXPECT_EQ(everything_here(), (Names{"langsbx-1-2-3", "langsbx-1-2-3/a", "langsbx-1-2-3/below",
                                      "langsbx-1-2-3/below/deep", "langsbx-1-2-3/below/deep/b"}));
  EXPECT_EQ(read("langsbx-1-2-3/below/deep/b"), "b");
  EXPECT_EQ(fs::status("langsbx-1-2-3/a").permissions(), fs::perms(0755)) << "no set-id bits";
}

// A copy that fails is as if there had been none.
TEST_F(ArtifactsTest, NothingIsLeftOfWhatFailed) {
  for (const char* name : {"a", "b", "c/d"}) write(work() / name, "text");
  auto record = record_of({"*"});
  fs::remove(work() / "b");
  fs::remove(work() / "c/d");
  EXPECT_FALSE(bring_kept(record).ok());
  EXPECT_EQ(everything_here(), Names());
  EXPECT_EQ(record.kept_directory, "");
  EXPECT_FALSE(bring_artifacts(record, "").ok());
  EXPECT_EQ(everything_here(), Names());
}

TEST_F(ArtifactsTest, AFileThatShrankIsAnError) {
  write(work() / "a", "text");
  auto record = record_of({"*"});
  fs::resize_file(work() / "a", 2);
  EXPECT_FALSE(bring_artifacts(record, "").ok());
  EXPECT_EQ(everything_here(), Names());
}

TEST_F(ArtifactsTest, NamesThatAreTakenStay) {
  for (const char* name : {"new", "mine", "link", "folder", "same", "longer"}) {
    write(work() / name, "theirs");
  }
  write(here() / "mine", "mine");
  write(here() / "same", "theirs");
  write(here() / "longer", "theirs and more");
  fs::create_symlink(top_ / "target", here() / "link");
  fs::create_directory(here() / "folder");
  ::chmod((work() / "new").c_str(), 0755);
  auto record = record_of({"*"});
  ASSERT_TRUE(bring_artifacts(record, "").ok());
  EXPECT_EQ(fs::status("new").permissions(), fs::perms(0644)) << "data, not a program";
  EXPECT_EQ(names_of(record.artifacts), (Names{"same", "new"})) << "what is here as it should be";
  EXPECT_EQ(names_of(record.left_out), (Names{"folder", "link", "longer", "mine"}));
  EXPECT_NE(record.left_out.files[0].reason.find("--artifact-dir"), std::string::npos);
  EXPECT_EQ(everything_here(), (Names{"folder", "link", "longer", "mine", "new", "same"}));
  EXPECT_EQ(read("mine"), "mine");
  EXPECT_EQ(read("longer"), "theirs and more");
  EXPECT_EQ(read("new"), "theirs");
  EXPECT_FALSE(fs::exists(top_ / "target")) << "not written through a link";
}

TEST_F(ArtifactsTest, InADirectoryThatWasNamedTheyAreReplaced) {
  for (const char* name : {"a", "link", "folder"}) write(work() / name, "theirs");
  for (int run = 0; run < 2; ++run) {
    auto record = record_of({"*"});
    ASSERT_TRUE(bring_artifacts(record, "results").ok());
    EXPECT_EQ(names_of(record.artifacts), (Names{"a", "folder", "link"}));
    EXPECT_EQ(everything_here(), (Names{"results", "results/a", "results/folder", "results/link"}));
    write(work() / "a", "newer");
  }
  fs::remove(here() / "results/link");
  fs::create_symlink(top_ / "target", here() / "results/link");
  fs::remove(here() / "results/folder");
  write(here() / "results/folder/inner", "mine");
  auto record = record_of({"*"});
  ASSERT_TRUE(bring_artifacts(record, "results").ok());
  EXPECT_EQ(read("results/a"), "newer");
  EXPECT_FALSE(fs::is_symlink("results/link")) << "replaced, not written through";
  EXPECT_FALSE(fs::exists(top_ / "target"));
  EXPECT_EQ(read("results/folder/inner"), "mine");
  EXPECT_EQ(names_of(record.left_out), (Names{"folder"})) << "a directory is not replaced";
}

TEST_F(ArtifactsTest, ReadWholeWithinALimit) {
  write(work() / "a", "12345");
  fs::create_symlink("a", work() / "link");
  ASSERT_EQ(::mkfifo((work() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(*read_left(directory_.get(), "a", 5), "12345");
  EXPECT_FALSE(read_left(directory_.get(), "a", 4).ok());
  EXPECT_EQ(*read_left(directory_.get(), "missing", 5), "");
  EXPECT_FALSE(read_left(directory_.get(), "link", 5).ok());
  EXPECT_FALSE(read_left(directory_.get(), "pipe", 5).ok());
}

TEST_F(ArtifactsTest, HandedOnWithItsOwner) {
  write(work() / "below/deep/a", "a");
  ::chmod((work() / "below/deep/a").c_str(), 0755);
  ::umask(077);  // ours, not the program's
  const auto listed = list_all(directory_.get(), kPlenty);
  const auto to = open_file(here().string(), O_RDONLY | O_DIRECTORY);
  const Owner owner{::geteuid() == 0 ? 1234 : ::geteuid(), ::geteuid() == 0 ? 1234 : ::getegid()};
  ASSERT_TRUE(copy_left(directory_.get(), listed.files, to->get(), owner).ok());
  for (const char* name : {"below", "below/deep", "below/deep/a"}) {
    struct stat status {};
    ASSERT_EQ(::stat(name, &status), 0);
    EXPECT_EQ(status.st_uid, owner.uid) << name;
    EXPECT_EQ(status.st_gid, owner.gid) << name;
  }
  EXPECT_EQ(fs::status("below/deep/a").permissions(), fs::perms(0755));
}

}  // namespace
}  // namespace langsbx::execute
