// Archives of our own making: names of every kind, and damage.
#include "runtime/image/tar.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/image/tar_maker.h"

namespace langsbx::image {
namespace {

struct Read {
  std::vector<Entry> entries;
  std::vector<std::string> contents;
  bool ok = true;
  std::string error;
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
      if (!more.ok()) read.error = more.error().to_string();
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
  for (const char type : {'L', 'K', 'x', 'g'}) {
    const auto read = read_all(header("x", type, (1U << 20U) + 1));
    EXPECT_NE(read.error.find("more than 1 MiB"), std::string::npos) << type << read.error;
  }
}

TEST(Tar, DamagedExtensionsAreErrors) {
  const auto after = header("short", '0', 0);
  EXPECT_FALSE(read_all(pax("9 mtime=0\n") + after).ok) << "a length that is not its own";
  EXPECT_TRUE(read_all(pax(pax_record("mtime", "0")) + after).ok);
  for (const char* text :
       {"x", "5", "12path=12345\n", "8 path\n\n", "11 path=abcde", "99 path=a\n", "0 path=a\n",
        "7 path\n", "99999999999999999999 a=b\n", "10xpath=b\n", "10 path=bc"}) {
    EXPECT_FALSE(read_all(pax(text) + after).ok) << text;
  }
  for (const char* size : {"", "-1", "+1", "1x", "0x1", "99999999999999999999"}) {
    EXPECT_FALSE(read_all(pax(pax_record("size", size)) + after + padded("abc")).ok) << size;
  }
  const auto large = read_all(pax(pax_record("size", "68719476737")) + after);
  EXPECT_NE(large.error.find("more than 64 GiB"), std::string::npos) << large.error;
  const auto largest = read_all(pax(pax_record("size", "68719476736")) + after);
  EXPECT_EQ(largest.error.find("more than 64 GiB"), std::string::npos);
}

TEST(Tar, ASizeOfAnExtensionCounts) {
  const auto read = read_all(pax(pax_record("size", "3")) + header("a", '0', 0) + padded("abc") +
                             header("b", '0', 0));
  ASSERT_TRUE(read.ok);
  ASSERT_EQ(read.entries.size(), 2U);
  EXPECT_EQ(read.contents[0], "abc");
}

TEST(Tar, NoNameHoldsANul) {
  const std::string hidden("..\0x", 4);
  EXPECT_FALSE(read_all(pax(pax_record("path", hidden)) + header("a", '0', 0)).ok);
  EXPECT_FALSE(read_all(pax(pax_record("linkpath", hidden)) + header("a", '2', 0)).ok);
  const auto read =
      read_all(header("././@LongLink", 'L', 4) + padded(hidden) + header("a", '0', 0));
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(read.entries[0].name, "..") << "GNU's names end there";
}

TEST(Tar, BinaryNumbers) {
  const auto with_size = [](const std::string& field) {
    auto block = header("a", '0', 0);
    block.replace(124, 12, field);
    set_checksum(block);
    return block;
  };
  const auto read =
      read_all(with_size(std::string("\x80\0\0\0\0\0\0\0\0\0\0\x03", 12)) + padded("abc"));
  ASSERT_TRUE(read.ok);
  EXPECT_EQ(read.contents[0], "abc");
  for (const std::string& field :
       {std::string("\x80\x01\0\0\0\0\0\0\0\0\0\x03", 12),
        std::string("\x80\0\0\x01\0\0\0\0\0\0\0\x03", 12), std::string(12, '\xff')}) {
    EXPECT_FALSE(read_all(with_size(field) + padded("abc")).ok) << "more than 64 bits";
  }
}

}  // namespace
}  // namespace langsbx::image
