// An image on disk as a directory tree: an OCI layout, its tar, or what `docker save` writes.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/image/kept_images.h"

namespace langsbx::image {

// The directory with the image's files, to be held while it is used. `folder` is one that only we
// write; images are kept there by their digest, so that each is unpacked once. `image`:
// "DIRECTORY", "DIRECTORY:NAME" or "FILE.tar". What is to be kept bounds what is unpacked, too.
Result<Image> unpack(const std::string& image, const std::string& folder,
                     const KeepLimits& limits = {});

}  // namespace langsbx::image
