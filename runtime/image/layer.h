// One layer of an image put over what the layers below it made.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "runtime/base/result.h"

namespace langsbx::image {

// What all layers of an image may come to together: a small file must not fill the disk.
class UnpackBudget {
 public:
  struct Limits {
    std::uint64_t bytes = 0;  // of the plain tars
    std::uint64_t entries = std::uint64_t{1} << 20U;
  };
  // `make_room`: told how many bytes there may be, before they are.
  explicit UnpackBudget(Limits limits, std::function<void(std::uint64_t)> make_room = {})
      : limits_(limits), make_room_(std::move(make_room)) {}

  Result<void> take_bytes(std::size_t count);
  Result<void> take_entry();

 private:
  Limits limits_;
  std::function<void(std::uint64_t)> make_room_;
  std::uint64_t bytes_ = 0, entries_ = 0, room_ = 0;
};

// `blob`: a tar, plain or compressed by gzip or zstd (which the host's programs of these names
// undo). `diff_id`: "sha256:..." of the plain tar. Every path is resolved below `root`; whiteouts
// remove; devices, owners and set-id bits are left out.
Result<void> apply_layer(int blob, const std::string& diff_id, int root, UnpackBudget& budget);

// A plain tar's regular files and directories, for archives of images.
Result<void> unpack_archive(int archive, int root, UnpackBudget& budget);

// Hash of a file's bytes: "sha256:...".
Result<std::string> digest_of(int file);

}  // namespace langsbx::image
