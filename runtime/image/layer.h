// One layer of an image put over what the layers below it made.
#pragma once

#include <string>

#include "runtime/base/result.h"

namespace langsbx::image {

// `blob`: a tar, plain or compressed by gzip or zstd (which the host's programs of these names
// undo). `diff_id`: "sha256:..." of the plain tar, compared when it is not empty. Every path is
// resolved below `root`; whiteouts remove; devices, owners and set-id bits are left out.
Result<void> apply_layer(int blob, const std::string& diff_id, int root);

// A plain tar's regular files and directories, for archives of images.
Result<void> unpack_archive(int archive, int root);

// Hash of a file's bytes: "sha256:...".
Result<std::string> digest_of(int file);

}  // namespace langsbx::image
