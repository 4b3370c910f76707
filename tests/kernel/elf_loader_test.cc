// PT_INTERP, from files that are right and files that lie.
#include "runtime/kernel/elf_loader.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>

namespace langsbx {
namespace {

const std::string kLoader = "/lib64/ld-linux-x86-64.so.2";

struct Sizes {
  Elf64_Half segments = 1;
  Elf64_Off table = sizeof(Elf64_Ehdr);
  Elf64_Off at = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
  Elf64_Xword length = 0;
  unsigned char file_class = ELFCLASS64;
};

std::string elf_file(const Sizes& sizes) {
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = sizes.file_class;
  header.e_phoff = sizes.table;
  header.e_phnum = sizes.segments;
  Elf64_Phdr segment{};
  segment.p_type = PT_INTERP;
  segment.p_offset = sizes.at;
  segment.p_filesz = sizes.length == 0 ? kLoader.size() + 1 : sizes.length;
  std::string file(sizeof header + sizeof segment, '\0');
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + sizeof header, &segment, sizeof segment);
  return file + kLoader + '\0';
}

TEST(ElfLoader, IsWhatTheFileNames) { EXPECT_EQ(elf_loader(elf_file({})), kLoader); }

TEST(ElfLoader, IsNothingOfWhatIsNoProgram) {
  EXPECT_EQ(elf_loader(""), "");
  EXPECT_EQ(elf_loader("#!/bin/sh\n"), "");
  EXPECT_EQ(elf_loader(std::string(4096, '\0')), "");
  EXPECT_EQ(elf_loader(elf_file({.segments = 0})), "");
  EXPECT_EQ(elf_loader(elf_file({.file_class = ELFCLASS32})), "");
}

TEST(ElfLoader, NumbersThatLeadOutOfTheFileAreNotFollowed) {
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  EXPECT_EQ(elf_loader(elf_file({.table = kHuge})), "");
  EXPECT_EQ(elf_loader(elf_file({.at = kHuge})), "");
  EXPECT_EQ(elf_loader(elf_file({.length = kHuge})), "");
  EXPECT_EQ(elf_loader(elf_file({.length = kLoader.size() + 2})), "");
  const auto whole = elf_file({});
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_EQ(elf_loader(std::string_view(whole).substr(0, size)), "") << size;
  }
}

}  // namespace
}  // namespace langsbx
