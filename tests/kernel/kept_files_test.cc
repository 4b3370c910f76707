// Kept results: found by their key only, whole or not at all, and never too many.
#include "runtime/kernel/kept_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace langsbx {
namespace {

class KeptFilesTest : public testing::Test {
 protected:
  KeptFilesTest() {
    std::string pattern = testing::TempDir() + "kept-files-XXXXXX";
    top_ = ::mkdtemp(pattern.data());
    kept_ = {top_ + "/state/.cache/kind", 3, 1000, 2000};
  }
  ~KeptFilesTest() override { std::filesystem::remove_all(top_); }

  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(kept_.directory)) {
      found.push_back(entry.path());
    }
    return found;
  }

  std::string top_;
  KeptFiles kept_;
};

TEST_F(KeptFilesTest, WhatWasWrittenIsRead) {
  EXPECT_FALSE(read_kept(kept_, "key"));
  write_kept(kept_, "key", "content");
  EXPECT_EQ(read_kept(kept_, "key"), "content");
  EXPECT_FALSE(read_kept(kept_, "another"));
  write_kept(kept_, "key", std::string("\0new", 4));
  EXPECT_EQ(read_kept(kept_, "key"), std::string("\0new", 4));
}

TEST_F(KeptFilesTest, AChangedByteIsAMiss) {
  write_kept(kept_, "key", "some content");
  const auto path = files().at(0);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-3, std::ios::end);
  file.put('X');
  file.close();
  EXPECT_FALSE(read_kept(kept_, "key"));
  std::filesystem::resize_file(path, 20);
  EXPECT_FALSE(read_kept(kept_, "key"));
}

TEST_F(KeptFilesTest, WhatOthersCanWriteIsNotBelieved) {
  write_kept(kept_, "key", "content");
  ::chmod(files().at(0).c_str(), 0622);
  EXPECT_FALSE(read_kept(kept_, "key"));
  ::chmod(files().at(0).c_str(), 0600);
  ::chmod(kept_.directory.c_str(), 0777);
  EXPECT_FALSE(read_kept(kept_, "key"));
}

TEST_F(KeptFilesTest, ALinkIsNotFollowed) {
  write_kept(kept_, "key", "content");
  const auto path = files().at(0);
  std::filesystem::rename(path, top_ + "/moved");
  std::filesystem::create_symlink(top_ + "/moved", path);
  EXPECT_FALSE(read_kept(kept_, "key"));
}

TEST_F(KeptFilesTest, NumberAndSizeAreBounded) {
  write_kept(kept_, "large", std::string(2000, 'x'));
  EXPECT_FALSE(read_kept(kept_, "large"));
  for (int i = 0; i < 6; ++i) write_kept(kept_, std::to_string(i), "x");
  EXPECT_EQ(files().size(), 3U);
  for (int i = 0; i < 6; ++i) write_kept(kept_, std::to_string(i), std::string(900, 'x'));
  EXPECT_EQ(files().size(), 2U);
  EXPECT_TRUE(read_kept(kept_, "5"));
}

TEST(QuickHash, SeesEveryByte) {
  const std::string text = "0123456789abcdefghijklm";
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string other = text;
    other[i] = 'Z';
    EXPECT_NE(quick_hash(other), quick_hash(text)) << i;
  }
  EXPECT_NE(quick_hash(""), quick_hash(std::string(1, '\0')));
}

}  // namespace
}  // namespace langsbx
