// Layers over a root with something beside it that has to stay: names, links, modes, whiteouts.
#include "runtime/image/layer.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "runtime/image/sha256.h"
#include "runtime/kernel/file.h"
#include "tests/image/tar_maker.h"

namespace langsbx::image {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

constexpr std::uint64_t kPlenty = std::uint64_t{1} << 30U;

std::string diff_id_of(const std::string& tar) {
  Sha256 hash;
  hash.add(tar);
  return "sha256:" + hash.finish();
}

class LayerTest : public testing::Test {
 protected:
  LayerTest() {
    std::string pattern = testing::TempDir() + "layer-XXXXXX";
    outer_ = ::mkdtemp(pattern.data());
    fs::create_directory(outer_ / "root");
    write(outer_ / "beside", "beside");
    ::chmod(outer_.c_str(), 0711);
    root_ = UniqueFd(::open((outer_ / "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  }
  ~LayerTest() override {
    // Whatever a layer said.
    EXPECT_EQ(names(outer_), (Names{"beside", "root"}));
    EXPECT_EQ(read(outer_ / "beside"), "beside");
    EXPECT_EQ(mode_of(outer_), 0711U);
    fs::remove_all(outer_);
  }
  LayerTest(const LayerTest&) = delete;
  LayerTest& operator=(const LayerTest&) = delete;

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static unsigned mode_of(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
    return status.st_mode & 07777U;
  }
  static Names names(const fs::path& folder) {
    Names found;
    for (const auto& entry : fs::directory_iterator(folder)) found.insert(entry.path().filename());
    return found;
  }

  static UniqueFd blob_of(const std::string& bytes) {
    std::string path = testing::TempDir() + "blob-XXXXXX";
    UniqueFd blob(::mkostemp(path.data(), O_CLOEXEC));
    ::unlink(path.c_str());
    EXPECT_TRUE(write_fd(blob.get(), bytes, "blob").ok());
    EXPECT_EQ(::lseek(blob.get(), 0, SEEK_SET), 0);
    return blob;
  }
  Result<void> apply(const std::string& entries, UnpackBudget& budget) const {
    const std::string tar = entries + end_of_archive();
    const auto blob = blob_of(tar);
    return apply_layer(blob.get(), diff_id_of(tar), root_.get(), budget);
  }
  [[nodiscard]] Result<void> apply(const std::string& entries) const {
    UnpackBudget budget({.bytes = kPlenty});
    return apply(entries, budget);
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return outer_ / "root" / name; }

  fs::path outer_;
  UniqueFd root_;
};

TEST_F(LayerTest, BitsThatGiveRightsAreLeftOut) {
  ASSERT_TRUE(apply(file("usr/setuid", "x", 04755) + file("usr/setgid", "x", 02711) +
                    file("usr/all", "x", 07777) + file("usr/none", "x", 0) +
                    header("sticky", '5', 0, {}, 01777) + header("group", '5', 0, {}, 02770) +
                    header("closed", '5', 0, {}, 0))
                  .ok());
  EXPECT_EQ(mode_of(at("usr/setuid")), 0755U);
  EXPECT_EQ(mode_of(at("usr/setgid")), 0711U);
  EXPECT_EQ(mode_of(at("usr/all")), 0755U);
  EXPECT_EQ(mode_of(at("usr/none")), 0600U) << "for us to read and to remove";
  EXPECT_EQ(mode_of(at("sticky")), 0755U);
  EXPECT_EQ(mode_of(at("group")), 0750U);
  EXPECT_EQ(mode_of(at("closed")), 0700U);
}

// A directory that was there before gets no bits either, and one file's name for another does not.
TEST_F(LayerTest, BitsOfLaterLayersAreLeftOut) {
  ASSERT_TRUE(apply(header("usr", '5', 0) + file("usr/a", "x")).ok());
  ASSERT_TRUE(apply(header("usr", '5', 0, {}, 07777) + header("usr/b", '1', 0, "usr/a", 04755) +
                    file("usr/a", "y", 06755))
                  .ok());
  EXPECT_EQ(mode_of(at("usr")), 0755U);
  EXPECT_EQ(mode_of(at("usr/a")), 0755U);
  EXPECT_EQ(mode_of(at("usr/b")), 0644U);
}

TEST_F(LayerTest, AWhiteoutRemovesOneName) {
  ASSERT_TRUE(apply(file("usr/share/old/deep/file", "1") + file("usr/share/old2", "2") +
                    file("usr/old", "3") + file("top", "4") + file("other", "5"))
                  .ok());
  ASSERT_TRUE(apply(file("usr/share/.wh.old", "") + file(".wh.top", "")).ok());
  EXPECT_EQ(names(at("usr/share")), (Names{"old2"}));
  EXPECT_EQ(names(at("usr")), (Names{"share", "old"}));
  EXPECT_EQ(names(at("")), (Names{"usr", "other"}));
  EXPECT_TRUE(apply(file("usr/share/.wh.old", "")).ok()) << "nothing of that name any more";
}

TEST_F(LayerTest, AnOpaqueDirectoryIsEmptied) {
  ASSERT_TRUE(apply(file("usr/share/a", "1") + file("usr/b", "2")).ok());
  ASSERT_TRUE(apply(file("usr/share/.wh..wh..opq", "") + file("usr/share/new", "3")).ok());
  EXPECT_EQ(names(at("usr/share")), (Names{"new"}));
  EXPECT_EQ(names(at("usr")), (Names{"share", "b"}));
  ASSERT_TRUE(apply(file(".wh..wh..opq", "")).ok());
  EXPECT_EQ(names(at("")), Names());
}

// ".wh." before "", "." and "..": what is hidden would be the directory itself, or the one above
// it.
TEST_F(LayerTest, AWhiteoutOfNoNameRemovesNothing) {
  ASSERT_TRUE(apply(file("usr/share/a", "1") + file("usr/b", "2")).ok());
  for (const char* folder : {"", "usr/", "usr/share/"}) {
    for (const char* name : {".wh.", ".wh..", ".wh..."}) {
      EXPECT_TRUE(apply(file(std::string(folder) + name, "")).ok()) << folder << name;
      EXPECT_EQ(names(at("")), (Names{"usr"})) << folder << name;
      EXPECT_EQ(names(at("usr")), (Names{"b", "share"})) << folder << name;
      EXPECT_EQ(names(at("usr/share")), (Names{"a"})) << folder << name;
    }
  }
}

// The kernel's name ends where ours goes on.
TEST_F(LayerTest, ANameWithANulIsRefused) {
  ASSERT_TRUE(apply(file("usr/share/a", "1")).ok());
  for (const char* folder : {"", "usr/", "usr/share/"}) {
    for (const std::string& name :
         {std::string("..\0x", 4), std::string(".\0x", 3), std::string(".wh...\0", 7),
          std::string("a\0b", 3), std::string("..\0x/beside", 11)}) {
      const auto path = pax(pax_record("path", folder + name));
      for (const auto& entry : {file("x", "new"), header("x", '5', 0, {}, 0777),
                                header("x", '2', 0, "/etc"), header("x", '1', 0, "usr/share/a")}) {
        const auto applied = apply(path + entry);
        ASSERT_FALSE(applied.ok()) << folder << name;
        EXPECT_NE(applied.error().to_string().find("NUL"), std::string::npos);
      }
    }
  }
  EXPECT_FALSE(
      apply(pax(pax_record("linkpath", std::string("usr\0", 4))) + header("l", '2', 0)).ok());
  EXPECT_EQ(read(at("usr/share/a")), "1");
}

TEST_F(LayerTest, NamesStayBelowTheRoot) {
  for (const char* name : {"../beside", "usr/../../beside", "..", "usr/.."}) {
    EXPECT_FALSE(apply(file(name, "x")).ok()) << name;
    EXPECT_FALSE(apply(header(name, '5', 0)).ok()) << name;
    EXPECT_FALSE(apply(header("l", '1', 0, name)).ok()) << name;
  }
  EXPECT_TRUE(apply(file("/abs/./a//b/", "x") + header("./", '5', 0, {}, 0777)).ok());
  EXPECT_EQ(read(at("abs/a/b")), "x");
}

TEST_F(LayerTest, LinksAreNotFollowedOutOfTheRoot) {
  const std::string outer = outer_.string();
  for (const auto& target : {outer, std::string("../../../../../../../..") + outer}) {
    ASSERT_TRUE(apply(header("way", '2', 0, target) + file("way/.wh.beside", "")).ok());
    ASSERT_TRUE(apply(file("way/beside", "new") + file("way/.wh..wh..opq", "")).ok());
  }
  // The last name is replaced, not followed.
  ASSERT_TRUE(apply(header("file", '2', 0, outer + "/beside") + file("file", "mine") +
                    header("folder", '2', 0, outer) + header("folder", '5', 0, {}, 0777))
                  .ok());
  EXPECT_EQ(read(at("file")), "mine");
  EXPECT_FALSE(fs::is_symlink(at("folder")));
  EXPECT_TRUE(names(at("folder")).empty());
}

TEST_F(LayerTest, HardLinks) {
  ASSERT_TRUE(apply(file("a", "1") + header("b", '1', 0, "a") + header("s", '2', 0, "/etc/passwd") +
                    header("t", '1', 0, "s"))
                  .ok());
  EXPECT_EQ(fs::hard_link_count(at("a")), 2U);
  EXPECT_EQ(fs::read_symlink(at("t")), "/etc/passwd");
  ASSERT_TRUE(apply(file("b", "22")).ok());
  EXPECT_EQ(read(at("a")), "1") << "the other name keeps its file";
  EXPECT_EQ(read(at("b")), "22");
  EXPECT_FALSE(apply(header("c", '1', 0, "missing")).ok());
  EXPECT_FALSE(apply(header("c", '1', 0, "")).ok());
}

TEST_F(LayerTest, OneKindReplacesAnother) {
  ASSERT_TRUE(apply(file("a/inner", "1") + file("b", "2") + header("c", '2', 0, "b")).ok());
  ASSERT_TRUE(
      apply(file("a", "file") + header("b", '5', 0) + file("b/inner", "3") + file("c", "4")).ok());
  EXPECT_EQ(read(at("a")), "file");
  EXPECT_EQ(names(at("b")), (Names{"inner"}));
  EXPECT_EQ(read(at("c")), "4");
}

TEST_F(LayerTest, DevicesAndPipesAreLeftOut) {
  ASSERT_TRUE(apply(header("null", '3', 0) + header("disk", '4', 0) + header("pipe", '6', 0) +
                    file("a", "1"))
                  .ok());
  EXPECT_EQ(names(at("")), (Names{"a"}));
}

TEST_F(LayerTest, TheDigestIsAlwaysCompared) {
  const std::string tar = file("a", "1") + end_of_archive();
  const auto try_one = [&](const std::string& bytes, const std::string& diff_id) {
    UnpackBudget budget({.bytes = kPlenty});
    const auto blob = blob_of(bytes);
    return apply_layer(blob.get(), diff_id, root_.get(), budget).ok();
  };
  EXPECT_TRUE(try_one(tar, diff_id_of(tar)));
  EXPECT_FALSE(try_one(tar, ""));
  EXPECT_FALSE(try_one(tar, "sha256:"));
  EXPECT_FALSE(try_one(tar + "behind the end", diff_id_of(tar)));
  EXPECT_TRUE(try_one(tar + "behind the end", diff_id_of(tar + "behind the end")));
}

TEST_F(LayerTest, BytesAreBoundedOverAllLayers) {
  const auto first = file("a", std::string(700, 'a'));
  const auto second = file("b", std::string(100, 'b'));
  const std::uint64_t both = first.size() + second.size() + 2 * end_of_archive().size();
  {
    UnpackBudget budget({.bytes = both});
    EXPECT_TRUE(apply(first, budget).ok());
    EXPECT_TRUE(apply(second, budget).ok()) << "just as many";
    EXPECT_FALSE(apply("", budget).ok());
  }
  UnpackBudget budget({.bytes = both - 1});
  EXPECT_TRUE(apply(first, budget).ok());
  const auto refused = apply(second, budget);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().to_string().find(std::to_string(both - 1) + " bytes"),
            std::string::npos);
}

TEST_F(LayerTest, EntriesAreBoundedOverAllLayers) {
  UnpackBudget budget({.bytes = kPlenty, .entries = 3});
  EXPECT_TRUE(apply(header("d", '5', 0) + header("l", '2', 0, "x"), budget).ok());
  EXPECT_TRUE(apply(file("a", "1"), budget).ok()) << "just as many";
  EXPECT_FALSE(apply(header("pipe", '6', 0), budget).ok());
}

TEST_F(LayerTest, RoomIsMadeBeforeItIsTaken) {
  std::vector<std::uint64_t> asked;
  UnpackBudget budget({.bytes = kPlenty}, [&](std::uint64_t bytes) { asked.push_back(bytes); });
  EXPECT_TRUE(apply(file("a", "1"), budget).ok());
  ASSERT_EQ(asked.size(), 1U) << "a step is more than that";
  EXPECT_GE(asked[0], 1024U);
  EXPECT_TRUE(budget.take_bytes(asked[0] - 2048).ok());
  EXPECT_EQ(asked.size(), 1U);
  EXPECT_TRUE(budget.take_bytes(1).ok());
  ASSERT_EQ(asked.size(), 2U);
  EXPECT_GT(asked[1], asked[0]);
  EXPECT_TRUE(budget.take_bytes(kPlenty - asked[0] - 1).ok());
  EXPECT_EQ(asked.back(), kPlenty) << "never for more than there may be";
}

TEST_F(LayerTest, AnArchiveIsBounded) {
  const auto tar = file("blobs/a", std::string(600, 'x')) + end_of_archive();
  const auto unpack = [&](UnpackBudget budget) {
    const auto blob = blob_of(tar);
    return unpack_archive(blob.get(), root_.get(), budget).ok();
  };
  EXPECT_TRUE(unpack(UnpackBudget({.bytes = tar.size(), .entries = 1})));
  EXPECT_FALSE(unpack(UnpackBudget({.bytes = tar.size() - 1, .entries = 1})));
  EXPECT_FALSE(unpack(UnpackBudget({.bytes = tar.size(), .entries = 0})));
  EXPECT_EQ(fs::file_size(at("blobs/a")), 600U);
}

TEST_F(LayerTest, WhatDoesNotUnpackIsAnError) {
  if (::access("/usr/bin/gzip", X_OK) != 0) GTEST_SKIP() << "needs gzip";
  const std::string bytes("\x1f\x8b no archive");
  UnpackBudget budget({.bytes = kPlenty});
  const auto blob = blob_of(bytes);
  EXPECT_FALSE(apply_layer(blob.get(), diff_id_of(""), root_.get(), budget).ok());
}

}  // namespace
}  // namespace langsbx::image
