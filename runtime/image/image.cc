// Index, manifest, layers: every blob compared with its digest.
#include "runtime/image/image.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <vector>

#include "runtime/image/image_documents.h"
#include "runtime/image/layer.h"
#include "runtime/image/sha256.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"
#include "runtime/state/remove_tree.h"

namespace langsbx::image {
namespace {

constexpr std::size_t kMostJson = 16U << 20U;
constexpr std::string_view kSha256 = "sha256:";

#if defined(__aarch64__)
constexpr std::string_view kArchitecture = "arm64";
#else
constexpr std::string_view kArchitecture = "amd64";
#endif

Error broken(const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, "image: " + what);
}

std::string digest_of_text(std::string_view text) {
  Sha256 hash;
  hash.add(text);
  return std::string(kSha256) + hash.finish();
}

Error not_its_digest(const std::string& path, const std::string& digest) {
  return broken(path + ": its content is not " + digest);
}

struct Layer {
  std::string path;  // below the image's directory
  std::string digest, diff_id;
};
struct Manifest {
  std::string id;  // hexadecimal digits
  std::vector<Layer> layers;
};

class Layout {
 public:
  explicit Layout(int directory) : directory_(directory) {}

  Result<Manifest> manifest(const std::string& name) const {
    auto docker = read_text("manifest.json");
    if (docker.ok()) return docker_manifest(*docker);
    if (docker.error().errno_value != ENOENT) return docker.release_error();
    const auto text = TRY_CONTEXT(read_text("index.json"), "image: index.json");
    return oci_manifest(TRY(choose(TRY(index_from_json(text, "index.json")), name, 0)));
  }

  // Read once more afterwards; what is unpacked is compared with its diff_id then.
  Result<UniqueFd> open_layer(const Layer& layer) const {
    auto file = TRY(open_regular(layer.path));
    if (!layer.digest.empty() && TRY(digest_of(file.get())) != layer.digest) {
      return not_its_digest(layer.path, layer.digest);
    }
    return file;
  }

 private:
  // A pipe in place of a file would hold us for ever.
  Result<UniqueFd> open_regular(const std::string& path) const {
    auto file = TRY(open_in_root(directory_, path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return system_error("fstat " + path);
    if (!S_ISREG(status.st_mode)) return broken(path + " is not a regular file");
    return file;
  }

  Result<std::string> read_text(const std::string& path) const {
    const auto file = TRY(open_regular(path));
    return read_fd(file.get(), kMostJson, path);
  }

  static Result<void> check_digest(const std::string& digest) {
    const bool good =
        digest.starts_with(kSha256) && digest.size() == kSha256.size() + 64 &&
        digest.find_first_not_of("0123456789abcdef", kSha256.size()) == std::string::npos;
    if (!good) return broken("\"" + digest + "\" is no sha256 digest");
    return {};
  }

  static Result<std::string> blob_path(const std::string& digest) {
    TRY(check_digest(digest));
    return "blobs/sha256/" + digest.substr(kSha256.size());
  }

  Result<std::string> blob(const std::string& digest) const {
    const auto path = TRY(blob_path(digest));
    // The bytes that are compared are those that count: somebody else may write the file meanwhile.
    auto text = TRY(read_text(path));
    if (digest_of_text(text) != digest) return not_its_digest(path, digest);
    return text;
  }

  // The manifest of that name, or the first for this architecture; indexes may hold indexes.
  Result<std::string> choose(const Index& index, const std::string& name, int depth) const {
    constexpr int kDeepest = 3;
    for (const auto& entry : index.manifests) {
      if (!name.empty() && entry.name != name) continue;
      if (!entry.architecture.empty() && entry.architecture != kArchitecture) continue;
      const bool nested = entry.media_type.find("index") != std::string::npos ||
                          entry.media_type.find("list") != std::string::npos;
      if (!nested) return entry.digest;
      if (depth < kDeepest) {
        const auto text = TRY(blob(entry.digest));
        return choose(TRY(index_from_json(text, entry.digest)), {}, depth + 1);
      }
    }
    return broken(name.empty() ? "no manifest for " + std::string(kArchitecture)
                               : "no manifest is called \"" + name + "\"");
  }

  Result<Manifest> oci_manifest(const std::string& digest) const {
    const auto read = TRY(manifest_from_json(TRY(blob(digest)), digest));
    const auto& config = read.config.digest;
    const auto settings = TRY(settings_from_json(TRY(blob(config)), config));
    Manifest manifest;
    manifest.id = digest.substr(kSha256.size());
    for (const auto& layer : read.layers) {
      manifest.layers.push_back({TRY(blob_path(layer.digest)), layer.digest, {}});
    }
    return with_diff_ids(std::move(manifest), settings);
  }

  // What `docker save` writes: layers are plain tars, the configuration is named by its digest.
  Result<Manifest> docker_manifest(const std::string& text) const {
    const auto images = TRY(saved_images_from_json(text, "manifest.json"));
    if (images.empty()) return broken("manifest.json names no image");
    const auto& config = images.front().config;
    const auto bytes = TRY(read_text(config));
    const auto settings = TRY(settings_from_json(bytes, config));
    Manifest manifest;
    manifest.id = digest_of_text(bytes).substr(kSha256.size());
    if (config.find(manifest.id) == std::string::npos) {
      return broken(config + " is not what its name says");
    }
    for (const auto& layer : images.front().layers) manifest.layers.push_back({layer, {}, {}});
    return with_diff_ids(std::move(manifest), settings);
  }

  static Result<Manifest> with_diff_ids(Manifest manifest, const ImageSettings& settings) {
    const auto& ids = settings.diff_ids;
    if (ids.size() != manifest.layers.size())
      return broken("as many diff_ids as layers are wanted");
    for (std::size_t i = 0; i < ids.size(); ++i) {
      // The tree is kept by the name of what lists them, so each has to be compared.
      TRY_CONTEXT(check_digest(ids[i]), "diff_ids");
      manifest.layers[i].diff_id = ids[i];
    }
    return manifest;
  }

  int directory_;
};

Result<void> apply_layers(const Layout& layout, const Manifest& manifest, int root,
                          UnpackBudget& budget) {
  for (const auto& layer : manifest.layers) {
    const auto blob = TRY(layout.open_layer(layer));
    TRY_CONTEXT(apply_layer(blob.get(), layer.diff_id, root, budget), "image: " + layer.path);
  }
  return {};
}

Result<void> remove_tree(const std::string& path) {
  const auto tree = TRY(open_file(path, O_RDONLY | O_DIRECTORY));
  TRY(state::remove_contents(tree.get()));
  ::rmdir(path.c_str());
  return {};
}

// Named after us, so that what a killed run left is swept, and after the time, since a process of a
// container may have the number that a killed one had. Locked: no other run takes it for left.
Result<UniqueFd> make_own(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0) return system_error("mkdir " + path);
  auto made = TRY(open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (::flock(made.get(), LOCK_EX | LOCK_NB) != 0) return system_error("flock " + path);
  return made;
}

std::string own_name(const std::string& folder, const char* what) {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return folder + "/" + std::to_string(::getpid()) + "-" + std::to_string(now.tv_sec) + "-" +
         std::to_string(now.tv_nsec) + "-" + what;
}

// Renamed when complete. What is below is only ever mounted by its own path: no other user has to
// come through.
Result<Image> make_tree(const Layout& layout, const Manifest& manifest, const std::string& folder,
                        const KeepLimits& limits) {
  const KeptImages kept(folder, limits);
  if (auto image = kept.find(manifest.id)) return std::move(*image);
  const std::string half = own_name(folder, "image");
  auto root = TRY(make_own(half));
  UnpackBudget budget({.bytes = limits.bytes}, [&](std::uint64_t bytes) { kept.make_room(bytes); });
  auto filled = apply_layers(layout, manifest, root.get(), budget);
  root.reset();
  auto image = filled.ok() ? kept.keep(half, manifest.id) : Result<Image>(filled.release_error());
  if (::access(half.c_str(), F_OK) == 0) TRY(remove_tree(half));
  return image;
}

Result<Image> unpack_layout(const std::string& path, const std::string& name,
                            const std::string& folder, const KeepLimits& limits) {
  const auto directory = TRY_CONTEXT(open_file(path, O_RDONLY | O_DIRECTORY), "--image " + path);
  const Layout layout(directory.get());
  return make_tree(layout, TRY(layout.manifest(name)), folder, limits);
}

Result<Image> unpack_tar(int archive, const std::string& folder, const KeepLimits& limits) {
  const std::string scratch = own_name(folder, "archive");
  const auto directory = TRY(make_own(scratch));
  UnpackBudget budget({.bytes = limits.bytes});
  auto made = unpack_archive(archive, directory.get(), budget);
  auto rootfs = made.ok() ? unpack_layout(scratch, {}, folder, limits)
                          : Result<Image>(made.release_error().with_context("--image"));
  TRY(remove_tree(scratch));
  return rootfs;
}

}  // namespace

Result<Image> unpack(const std::string& image, const std::string& folder,
                     const KeepLimits& limits) {
  struct stat status {};
  if (::stat(image.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) return unpack_layout(image, {}, folder, limits);
    const auto archive = TRY_CONTEXT(open_file(image, O_RDONLY), "--image");
    return unpack_tar(archive.get(), folder, limits);
  }
  const auto colon = image.rfind(':');
  if (colon == std::string::npos || colon == 0) return system_error("--image " + image, ENOENT);
  return unpack_layout(image.substr(0, colon), image.substr(colon + 1), folder, limits);
}

}  // namespace langsbx::image
