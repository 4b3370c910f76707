// FIPS 180-4's own examples, and pieces of any size.
#include "runtime/image/sha256.h"

#include <gtest/gtest.h>

namespace langsbx::image {
namespace {

std::string hash(std::string_view text) {
  Sha256 made;
  made.add(text);
  return made.finish();
}

TEST(Sha256, KnownAnswers) {
  EXPECT_EQ(hash(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesOfAnySize) {
  const std::string text(1000, 'x');
  for (std::size_t size = 1; size < 200; size += 7) {
    Sha256 pieces;
    for (std::size_t i = 0; i < text.size(); i += size) pieces.add(text.substr(i, size));
    EXPECT_EQ(pieces.finish(), hash(text)) << size;
  }
}

}  // namespace
}  // namespace langsbx::image
