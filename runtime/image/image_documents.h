// The documents of an image, as far as they are read: which layers it has, and in which order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::image {

// What an index or a manifest points to.
struct Descriptor {
  std::string digest, media_type;
  std::string name;          // annotation org.opencontainers.image.ref.name
  std::string architecture;  // of its platform
};

struct Index {
  std::vector<Descriptor> manifests;
};

struct ImageManifest {
  Descriptor config;
  std::vector<Descriptor> layers;
};

// The image's configuration.
struct ImageSettings {
  std::vector<std::string> diff_ids;
};

// One image in the manifest.json that `docker save` writes.
struct SavedImage {
  std::string config;
  std::vector<std::string> layers;
};

// `file` is named by errors.
Result<Index> index_from_json(std::string_view json, const std::string& file);
Result<ImageManifest> manifest_from_json(std::string_view json, const std::string& file);
Result<ImageSettings> settings_from_json(std::string_view json, const std::string& file);
Result<std::vector<SavedImage>> saved_images_from_json(std::string_view json,
                                                       const std::string& file);

}  // namespace langsbx::image
