// Any bytes as an archive: entries or an error, the same ones however the stream is cut, and no
// more bytes of content than the stream has. Unpacked, they stay below their root.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include "runtime/image/layer.h"
#include "runtime/image/tar.h"
#include "runtime/kernel/unique_fd.h"
#include "runtime/state/remove_tree.h"

namespace {

using langsbx::Result;
using langsbx::UniqueFd;
namespace image = langsbx::image;

// Everything that was read, as one text.
std::string read_all(std::string_view archive, std::size_t step) {
  std::string said;
  std::size_t content = 0;
  std::size_t place = 0;
  image::TarReader reader([&](std::size_t size) -> Result<std::string> {
    std::string part(archive.substr(place, std::min(size, step)));
    place += part.size();
    return part;
  });
  image::Entry entry;
  for (;;) {
    const auto more = reader.next(entry);
    if (!more.ok()) return said + more.error().to_string();
    if (!*more) return said + "end";
    if (entry.name.find('\0') != std::string::npos) std::abort();
    if (entry.target.find('\0') != std::string::npos) std::abort();
    said += std::to_string(static_cast<int>(entry.type)) + entry.name + ">" + entry.target + " " +
            std::to_string(entry.mode) + " " + std::to_string(entry.size) + "\n";
    // Every second entry is passed over instead of being read.
    if (entry.size % 2 != 0) continue;
    for (;;) {
      const auto part = reader.read();
      if (!part.ok()) return said + part.error().to_string();
      if (part->empty()) break;
      content += part->size();
      said += *part;
    }
    if (content > archive.size()) std::abort();
  }
}

// What changes a header makes its checksum wrong, and nothing behind it would be reached.
std::string with_checksums(std::string_view data) {
  constexpr std::size_t kBlock = 512;
  std::string archive(data);
  for (std::size_t at = 0; at + kBlock <= archive.size(); at += kBlock) {
    if (archive.compare(at + 257, 5, "ustar") != 0) continue;
    archive.replace(at + 148, 8, "        ");
    unsigned sum = 0;
    for (std::size_t i = 0; i < kBlock; ++i) sum += static_cast<unsigned char>(archive[at + i]);
    char digits[8];
    std::snprintf(digits, sizeof digits, "%06o", sum);
    archive.replace(at + 148, 7, digits, 7);
  }
  return archive;
}

// outer/root is the image's; outer holds one file beside it.
struct Tree {
  std::string outer;
  UniqueFd directory, root;

  Tree() {
    char name[] = "/dev/shm/langsbx-fuzz-tar-XXXXXX";
    if (::mkdtemp(name) == nullptr) std::abort();
    outer = name;
    if (::mkdir((outer + "/root").c_str(), 0700) != 0) std::abort();
    const UniqueFd beside(::open((outer + "/beside").c_str(), O_CREAT | O_CLOEXEC, 0600));
    if (!beside.valid()) std::abort();
    directory = UniqueFd(::open(outer.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    root = UniqueFd(::open((outer + "/root").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    const std::string command = "rm -rf " + outer;
    static_cast<void>(!std::system(command.c_str()));
  }

  void check() const {
    struct stat all {
    }, beside{};
    if (::fstat(directory.get(), &all) != 0 || (all.st_mode & 07777U) != 0700) std::abort();
    const std::filesystem::directory_iterator entries(outer);
    if (std::distance(begin(entries), end(entries)) != 2) std::abort();
    if (::fstatat(directory.get(), "beside", &beside, 0) != 0) std::abort();
    if (beside.st_size != 0 || beside.st_nlink != 1) std::abort();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto archive = with_checksums({reinterpret_cast<const char*>(data), size});
  const auto whole = read_all(archive, size + 1);
  if (read_all(archive, 97) != whole) std::abort();

  static const Tree tree;
  const UniqueFd blob(::memfd_create("layer", MFD_CLOEXEC));
  if (!blob.valid() || ::pwrite(blob.get(), archive.data(), size, 0) != static_cast<ssize_t>(size))
    return 0;
  // Not the host's gzip: what it gives is bytes like these.
  if (archive.starts_with("\x1f\x8b") || archive.starts_with("\x28\xb5")) return 0;
  image::UnpackBudget budget({.bytes = 1U << 20U, .entries = 64});
  static_cast<void>(image::apply_layer(blob.get(), "", tree.root.get(), budget).ok());
  tree.check();
  static_cast<void>(langsbx::state::remove_contents(tree.root.get()).ok());
  return 0;
}
