// The reader never leaves its bytes, whatever they claim.
#include "languages/elf/reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "tests/languages/elf/compiled.h"

namespace langsbx::languages::elf {
namespace {

// In memory of exactly that size, so that a sanitizer sees the first byte too far.
Result<Object> read_exactly(std::string_view bytes) {
  const auto copy = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return read_object({copy.get(), bytes.size()});
}

TEST(ElfReader, WhatIsNoObjectIsRefused) {
  EXPECT_FALSE(read_exactly("").ok());
  EXPECT_FALSE(read_exactly("\x7f"
                            "ELF")
                   .ok());
  EXPECT_FALSE(read_exactly(std::string(64, 'x')).ok());
  EXPECT_FALSE(read_exactly(std::string("\x7f"
                                        "ELF\x01\x01\x01",
                                        7) +
                            std::string(57, '\0'))
                   .ok());
}

TEST(ElfReader, ReadsSectionsAndSymbols) {
  const auto bytes =
      compiled("extern int puts(const char*); int f(void){ return puts(\"x\"); }\n", ".c");
  if (!bytes) GTEST_SKIP() << "no C compiler here";
  const auto object = read_object(*bytes);  // its names look into these bytes
  ASSERT_TRUE(object.ok()) << object.error().message;
  const auto has = [&](std::string_view name, bool undefined) {
    return std::any_of(object->symbols.begin(), object->symbols.end(), [&](const Symbol& symbol) {
      return symbol.name == name && (symbol.section == 0) == undefined;
    });
  };
  EXPECT_TRUE(has("puts", true));
  EXPECT_TRUE(has("f", false));
}

TEST(ElfReader, CutAndChangedFilesAreReadOrRefusedNeverOverrun) {
  const auto bytes = compiled("int g; int f(void){ return g; }\n", ".c");
  if (!bytes) GTEST_SKIP() << "no C compiler here";
  std::size_t refused = 0;
  for (std::size_t size = 0; size < bytes->size(); size += 3) {
    refused += read_exactly(std::string_view(*bytes).substr(0, size)).ok() ? 0U : 1U;
  }
  EXPECT_GT(refused, 0U);
  for (std::size_t at = 0; at < bytes->size(); ++at) {
    for (const char value : {'\xff', '\x7f', '\0'}) {
      std::string changed = *bytes;
      changed[at] = value;
      (void)read_exactly(changed);
    }
  }
}

}  // namespace
}  // namespace langsbx::languages::elf
