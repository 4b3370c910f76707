// Unpacked images, kept by their digest: used again, and removed when they are too old, too many or
// too large, the one that was not used for longest first. Never one that is in use.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::image {

struct Image {
  std::string path;
  UniqueFd use;  // nobody removes the image while this is open
};

struct KeepLimits {
  std::size_t images = 16;
  std::uint64_t bytes = std::uint64_t{8} << 30U;
  std::int64_t seconds = std::int64_t{30} * 24 * 60 * 60;  // since it was used
};

class KeptImages {
 public:
  explicit KeptImages(std::string folder, KeepLimits limits = {})
      : folder_(std::move(folder)), limits_(limits) {}

  // A complete one, marked as used now.
  [[nodiscard]] std::optional<Image> find(const std::string& id) const;
  // Others go, so that one of that size can be kept beside those that stay.
  void make_room(std::uint64_t bytes) const;
  // Takes the finished tree over, once there is room; another run may have been quicker with the
  // same one.
  Result<Image> keep(const std::string& tree, const std::string& id) const;

 private:
  bool remove(const std::string& name) const;
  std::string folder_;
  KeepLimits limits_;
};

}  // namespace langsbx::image
