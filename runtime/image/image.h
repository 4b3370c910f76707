// An image on disk as a directory tree: an OCI layout, its tar, or what `docker save` writes.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace langsbx::image {

// The directory with the image's files. `folder` is one that only we write; images are kept there
// by their digest, so that each is unpacked once. `image`: "DIRECTORY", "DIRECTORY:NAME" or
// "FILE.tar".
Result<std::string> unpack(const std::string& image, const std::string& folder);

}  // namespace langsbx::image
