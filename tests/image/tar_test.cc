// Archives of our own making: names of every kind, and damage.
#include "runtime/image/tar.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <vector>

namespace langsbx::image {
namespace {

std::string padded(std::string text) {
  text.resize((text.size() + 511) / 512 * 512);
  return text;
}

std::string header(const std::string& name, char type, std::size_t size,
                   const std::string& target = {}) {
  std::string block(512, '\0');
  block.replace(0, name.size(), name);
  block.replace(100, 7, "0000644");
  char number[13];
  std::snprintf(number, sizeof number, "%011zo", size);
  block.replace(124, 11, number);
  block[156] = type;
  block.replace(157, target.size(), target);
  block.replace(257, 6, std::string("ustar\0", 6));
  block.replace(148, 8, "        ");
  unsigned sum = 0;
  for (const char byte : block) sum += static_cast<unsigned char>(byte);
  std::snprintf(number, sizeof number, "%06o", sum);
  block.replace(148, 7, std::string(number, 7));
  return block;
}

struct Read {
  std::vector<Entry> entries;
  std::vector<std::string> contents;
  bool ok = true;
};

Read read_all(const std::string& archive, std::size_t step = 100) {
  std::size_t place = 0;
  TarReader reader([&](std::size_t size) -> Result<std::string> {
    auto part = archive.substr(std::min(place, archive.size()), std::min(size, step));
    place += part.size();
    return part;
  });
  Read read;
  Entry entry;
  for (;;) {
    const auto more = reader.next(entry);
    if (!more.ok() || !*more) {
      read.ok = more.ok();
      return read;
    }
    read.entries.push_back(entry);
    std::string content;
    for (;;) {
      const auto part = reader.read();
      if (!part.ok()) read.ok = false;
      if (!part.ok() || part.value().empty()) break;
      content += *part;
    }
    read.contents.push_back(content);
  }
}

TEST(Tar, FilesLinksAndDirectories) {
  const auto read =
      read_all(header("a", '0', 700) + padded(std::string(700, 'x')) + header("d/", '5', 0) +
               header("l", '2', 0, "../x") + header("h", '1', 0, "a") + std::string(1024, '\0'));
  ASSERT_TRUE(read.ok);
  ASSERT_EQ(read.entries.size(), 4U);
  EXPECT_EQ(read.contents[0], std::string(700, 'x'));
  EXPECT_EQ(read.entries[1].type, EntryType::kDirectory);
  EXPECT_EQ(read.entries[2].target, "../x");
  EXPECT_EQ(read.entries[3].type, EntryType::kHardLink);
}

TEST(Tar, LongNames) {
  const std::string name(300, 'n');
  const std::string record = "310 path=" + name + "\n";
  ASSERT_EQ(record.size(), 310U);
  for (const auto& archive :
       {header("././@LongLink", 'L', name.size()) + padded(name) + header("short", '0', 0),
        header("PaxHeaders/x", 'x', record.size()) + padded(record) + header("short", '0', 0)}) {
    const auto read = read_all(archive);
    ASSERT_EQ(read.entries.size(), 1U);
    EXPECT_EQ(read.entries[0].name, name);
  }
}

TEST(Tar, DamageIsSeen) {
  const auto good = header("a", '0', 10) + padded("0123456789");
  EXPECT_TRUE(read_all(good).ok);
  EXPECT_FALSE(read_all(good.substr(0, 300)).ok) << "half a header";
  EXPECT_FALSE(read_all(good.substr(0, 515)).ok) << "half a file";
  auto changed = good;
  changed[3] = 'x';
  EXPECT_FALSE(read_all(changed).ok) << "the checksum";
  EXPECT_FALSE(read_all(header("x", 'L', 99U << 20U)).ok) << "an extension of 99 MiB";
}

}  // namespace
}  // namespace langsbx::image
