// What is kept, what goes, and what nobody may take away.
#include "runtime/image/kept_images.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace langsbx::image {
namespace {

namespace fs = std::filesystem;

class KeptImagesTest : public ::testing::Test {
 protected:
  KeptImagesTest() {
    std::string pattern = (fs::temp_directory_path() / "langsbx-images-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~KeptImagesTest() override { fs::remove_all(folder_); }
  KeptImagesTest(const KeptImagesTest&) = delete;
  KeptImagesTest& operator=(const KeptImagesTest&) = delete;

  [[nodiscard]] std::string tree(std::size_t bytes = 10) const {
    const fs::path path = folder_ / "made";
    fs::create_directories(path / "usr");
    std::ofstream(path / "usr/file") << std::string(bytes, 'x');
    return path.string();
  }
  void keep(const KeptImages& kept, const std::string& id, std::size_t bytes = 10) const {
    const auto image = kept.keep(tree(bytes), id);
    ASSERT_TRUE(image.ok()) << image.error().to_string();
    EXPECT_TRUE(fs::exists(image->path + "/usr/file"));
  }
  void age(const std::string& id, int seconds) const {
    const auto then = fs::file_time_type::clock::now() - std::chrono::seconds(seconds);
    fs::last_write_time(folder_ / ("image-" + id), then);
  }
  [[nodiscard]] bool there(const std::string& id) const {
    return fs::exists(folder_ / ("image-" + id));
  }
  fs::path folder_;
};

TEST_F(KeptImagesTest, FoundAgain) {
  const KeptImages kept(folder_.string());
  EXPECT_FALSE(kept.find("a"));
  keep(kept, "a");
  EXPECT_TRUE(kept.find("a"));
  EXPECT_FALSE(kept.find("b"));
}

TEST_F(KeptImagesTest, WhatIsNotCompleteIsMadeAnew) {
  const KeptImages kept(folder_.string());
  keep(kept, "a");
  fs::remove(folder_ / "image-a.size");
  EXPECT_FALSE(kept.find("a"));
  keep(kept, "a", 20);
  EXPECT_EQ(fs::file_size(folder_ / "image-a/usr/file"), 20U);
  std::ofstream(folder_ / "image-a.size") << "many";
  EXPECT_FALSE(kept.find("a"));
}

TEST_F(KeptImagesTest, TooManyTheLeastUsedGoes) {
  const KeptImages kept(folder_.string(), {2, 1U << 30U, 1000});
  keep(kept, "a");
  keep(kept, "b");
  age("a", 60);
  age("b", 30);
  EXPECT_TRUE(kept.find("a"));  // used now
  keep(kept, "c");
  EXPECT_TRUE(there("a"));
  EXPECT_FALSE(there("b"));
  EXPECT_FALSE(fs::exists(folder_ / "image-b.size"));
  EXPECT_TRUE(there("c"));
}

TEST_F(KeptImagesTest, TooLarge) {
  const KeptImages kept(folder_.string(), {9, 256U << 10U, 1000});
  keep(kept, "a", 200U << 10U);
  age("a", 60);
  keep(kept, "b", 200U << 10U);
  EXPECT_FALSE(there("a"));
  EXPECT_TRUE(there("b"));
}

// Before the new one is kept, not after it.
TEST_F(KeptImagesTest, RoomIsMadeAhead) {
  const KeptImages kept(folder_.string(), {3, 512U << 10U, 1000});
  for (const char* id : {"a", "b", "c"}) keep(kept, id, 100U << 10U);
  age("a", 60);
  age("b", 30);
  kept.make_room(150U << 10U);
  EXPECT_FALSE(there("a")) << "three are kept at most, the new one among them";
  EXPECT_TRUE(there("b"));
  kept.make_room(350U << 10U);
  EXPECT_FALSE(there("b"));
  EXPECT_TRUE(there("c"));
  const auto used = kept.find("c");
  ASSERT_TRUE(used);
  kept.make_room(512U << 10U);
  EXPECT_TRUE(there("c")) << "in use";
}

TEST_F(KeptImagesTest, TooOld) {
  const KeptImages kept(folder_.string(), {9, 1U << 30U, 1000});
  keep(kept, "a");
  keep(kept, "b");
  age("a", 1001);
  keep(kept, "c");
  EXPECT_FALSE(there("a"));
  EXPECT_TRUE(there("b"));
}

TEST_F(KeptImagesTest, OneInUseStays) {
  const KeptImages kept(folder_.string(), {1, 1U << 30U, 1000});
  keep(kept, "a");
  auto used = kept.find("a");
  ASSERT_TRUE(used);
  age("a", 5000);
  keep(kept, "b");
  EXPECT_TRUE(there("a"));
  used->use.reset();
  age("a", 5000);
  keep(kept, "c");
  EXPECT_FALSE(there("a"));
}

}  // namespace
}  // namespace langsbx::image
