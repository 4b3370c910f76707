// Images as `docker save` writes them: what is refused leaves nothing, what is bounded is so for
// all of them.
#include "runtime/image/image.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "runtime/image/sha256.h"
#include "tests/image/tar_maker.h"

namespace langsbx::image {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string digest_of_text(const std::string& text) {
  Sha256 hash;
  hash.add(text);
  return hash.finish();
}

class ImageTest : public testing::Test {
 protected:
  ImageTest() {
    std::string pattern = testing::TempDir() + "image-XXXXXX";
    top_ = ::mkdtemp(pattern.data());
    fs::create_directory(base());
  }
  ~ImageTest() override { fs::remove_all(top_); }
  ImageTest(const ImageTest&) = delete;
  ImageTest& operator=(const ImageTest&) = delete;

  [[nodiscard]] fs::path base() const { return top_ / "base"; }

  // The archive's bytes.
  static std::string archive(const std::vector<std::string>& layers) {
    Json ids = Json::array();
    Json names = Json::array();
    std::string tar;
    for (const auto& layer : layers) {
      ids.push_back("sha256:" + digest_of_text(layer));
      names.push_back(std::to_string(names.size()) + "/layer.tar");
      tar += file(names.back().get<std::string>(), layer);
    }
    const auto config = Json{{"rootfs", {{"diff_ids", ids}}}}.dump();
    const auto config_name = digest_of_text(config) + ".json";
    const auto manifest = Json::array({{{"Config", config_name}, {"Layers", names}}}).dump();
    return tar + file(config_name, config) + file("manifest.json", manifest) + end_of_archive();
  }
  [[nodiscard]] Result<Image> unpack_all(const std::vector<std::string>& layers,
                                         const KeepLimits& limits) const {
    const auto path = top_ / "image.tar";
    std::ofstream(path) << archive(layers);
    return unpack(path.string(), base().string(), limits);
  }

  fs::path top_;
};

TEST_F(ImageTest, IsKeptForUsAlone) {
  const auto image = unpack_all({file("usr/a", "1") + end_of_archive()}, {});
  ASSERT_TRUE(image.ok()) << image.error().to_string();
  struct stat status {};
  ASSERT_EQ(::stat(image->path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
  EXPECT_TRUE(fs::exists(image->path + "/usr/a"));
}

// A process of a container has the number that one had which was killed.
TEST_F(ImageTest, WhatADeadRunLeftIsNotInTheWay) {
  for (const char* what : {"-image", "-archive"}) {
    fs::create_directories(base() / (std::to_string(::getpid()) + what));
  }
  EXPECT_TRUE(unpack_all({file("usr/a", "1") + end_of_archive()}, {}).ok());
}

TEST_F(ImageTest, LayersAreBoundedTogether) {
  const auto layer = [](char name) {
    return file(std::string("usr/") + name, std::string(100'000, name)) + end_of_archive();
  };
  const std::vector<std::string> layers = {layer('a'), layer('b')};
  const auto size = archive(layers).size();  // more than its layers
  EXPECT_TRUE(unpack_all(layers, {.bytes = size}).ok());
  fs::remove_all(base());
  fs::create_directory(base());
  const auto refused = unpack_all(layers, {.bytes = size - 1});
  ASSERT_FALSE(refused.ok()) << "the archive";
  EXPECT_NE(refused.error().to_string().find("--image: "), std::string::npos);
  EXPECT_TRUE(fs::is_empty(base())) << "nothing is left";
  // A directory of the same files needs no copy of the archive.
  const auto folder = top_ / "image";
  fs::create_directories(folder / "0");
  fs::create_directories(folder / "1");
  std::ofstream(folder / "0/layer.tar") << layers[0];
  std::ofstream(folder / "1/layer.tar") << layers[1];
  const auto config =
      Json{{"rootfs",
            {{"diff_ids",
              {"sha256:" + digest_of_text(layers[0]), "sha256:" + digest_of_text(layers[1])}}}}}
          .dump();
  const auto config_name = digest_of_text(config) + ".json";
  std::ofstream(folder / config_name) << config;
  std::ofstream(folder / "manifest.json")
      << Json::array({{{"Config", config_name}, {"Layers", {"0/layer.tar", "1/layer.tar"}}}})
             .dump();
  const auto both = layers[0].size() + layers[1].size();
  EXPECT_FALSE(unpack(folder.string(), base().string(), {.bytes = both - 1}).ok());
  EXPECT_TRUE(fs::is_empty(base())) << "nothing is left";
  const auto whole = unpack(folder.string(), base().string(), {.bytes = both});
  EXPECT_TRUE(whole.ok()) << whole.error().to_string();
}

// An OCI layout: the manifest's digest, or what it is refused for.
class LayoutTest : public ImageTest {
 protected:
  [[nodiscard]] fs::path folder() const { return top_ / "layout"; }
  [[nodiscard]] fs::path blob(const std::string& digest) const {
    return folder() / "blobs/sha256" / digest;
  }
  std::string put(const std::string& text) const {
    fs::create_directories(folder() / "blobs/sha256");
    const auto digest = digest_of_text(text);
    std::ofstream(blob(digest)) << text;
    return digest;
  }
  // Padded: two of them are of one size.
  std::string put_manifest(const std::string& layer) const {
    const auto layer_digest = "sha256:" + put(layer);
    const auto config = "sha256:" + put(Json{{"rootfs", {{"diff_ids", {layer_digest}}}}}.dump());
    return put(Json{{"config", {{"digest", config}}},
                    {"layers", Json::array({{{"digest", layer_digest}}})}}
                   .dump());
  }
  void name(const std::string& digest) const {
    std::ofstream(folder() / "index.json")
        << Json{{"manifests", Json::array({{{"digest", "sha256:" + digest}}})}}.dump();
  }
  [[nodiscard]] std::string error() const {
    const auto made = unpack(folder().string(), base().string(), {});
    return made.ok() ? "none" : made.error().to_string();
  }
};

// Who may write in the layout must not have his own files kept under another image's digest.
TEST_F(LayoutTest, TheBytesThatAreComparedAreThoseThatCount) {
  const auto wanted = put_manifest(file("usr/wanted", "1") + end_of_archive());
  const auto other = put_manifest(file("usr/other", "1") + end_of_archive());
  name(wanted);
  const auto read = [&](const std::string& digest) {
    std::ifstream from(blob(digest));
    return std::string(std::istreambuf_iterator<char>(from), {});
  };
  const auto texts = std::array{read(wanted), read(other)};
  ASSERT_EQ(texts[0].size(), texts[1].size());
  const int manifest = ::open(blob(wanted).c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_GE(manifest, 0);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    while (!done) {
      for (const auto& text : texts) ::pwrite(manifest, text.data(), text.size(), 0);
    }
  });
  int unpacked = 0;
  for (int round = 0; round < 2000; ++round) {
    const auto image = unpack(folder().string(), base().string(), {});
    if (!image.ok()) continue;
    ++unpacked;
    EXPECT_TRUE(fs::exists(image->path + "/usr/wanted")) << "round " << round;
    fs::remove_all(base());
    fs::create_directory(base());
    if (HasFailure()) break;
  }
  done = true;
  writer.join();
  ::close(manifest);
  EXPECT_GT(unpacked, 0);
}

TEST_F(LayoutTest, APipeHoldsNobody) {
  const auto digest = put_manifest(file("usr/a", "1") + end_of_archive());
  name(digest);
  ASSERT_EQ(error(), "none");
  fs::remove_all(base());
  fs::create_directory(base());
  // Whatever of it is a pipe: the index, a manifest, a layer.
  std::vector<fs::path> files = {folder() / "index.json"};
  for (const auto& entry : fs::directory_iterator(folder() / "blobs/sha256")) {
    files.push_back(entry.path());
  }
  ASSERT_EQ(files.size(), 4U);
  files.push_back(folder() / "manifest.json");
  for (const auto& path : files) {
    const auto aside = top_ / "aside";
    const bool there = fs::exists(path);
    if (there) fs::rename(path, aside);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    ::alarm(20);
    EXPECT_NE(error().find("is not a regular file"), std::string::npos) << path;
    ::alarm(0);
    fs::remove(path);
    if (there) fs::rename(aside, path);
  }
}

TEST_F(LayoutTest, JsonIsNotNestedWithoutEnd) {
  constexpr std::size_t kLevels = 1'000'000;
  fs::create_directories(folder());
  const auto deep = R"({"x": )" + std::string(kLevels, '[') + std::string(kLevels, ']') + "}";
  std::ofstream(folder() / "index.json") << deep;
  EXPECT_NE(error().find("index.json: nested deeper than 64 levels"), std::string::npos) << error();
  std::ofstream(folder() / "manifest.json") << "[" << deep << "]";
  EXPECT_NE(error().find("manifest.json: [0]: nested deeper than 64"), std::string::npos)
      << error();
}

TEST_F(LayoutTest, WhatHasTheWrongTypeIsNamed) {
  fs::create_directories(folder());
  std::ofstream(folder() / "index.json") << R"({"manifests": [{"digest": 7}]})";
  EXPECT_NE(error().find("index.json: manifests[0].digest: expected a string"), std::string::npos)
      << error();
}

TEST_F(ImageTest, OthersGoBeforeANewOneIsUnpacked) {
  const auto layer = [](char name) {
    return file(std::string("usr/") + name, std::string(100'000, name)) + end_of_archive();
  };
  const KeepLimits limits{.bytes = 250'000};
  const auto first = unpack_all({layer('a')}, limits)->path;
  EXPECT_TRUE(fs::exists(first));
  // It is refused in the end; the room for what it might have been was made before.
  EXPECT_FALSE(unpack_all({layer('b') + "not its digest", std::string("no tar")}, limits).ok());
  EXPECT_FALSE(fs::exists(first));
}

}  // namespace
}  // namespace langsbx::image
