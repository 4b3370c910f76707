// SHA-256 (FIPS 180-4), for the digests of image blobs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace langsbx::image {

class Sha256 {
 public:
  void add(std::string_view bytes);
  // 64 hexadecimal digits; nothing may be added afterwards.
  std::string finish();

 private:
  void block(const unsigned char* bytes);
  std::array<std::uint32_t, 8> state_ = {0x6a09e667U, 0xbb67ae85U, 0x3c6ef372U, 0xa54ff53aU,
                                         0x510e527fU, 0x9b05688cU, 0x1f83d9abU, 0x5be0cd19U};
  std::string rest_;  // less than a block
  std::uint64_t size_ = 0;
};

}  // namespace langsbx::image
