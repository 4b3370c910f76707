// Sizes, locks, eviction.
#include "runtime/image/kept_images.h"

#include <dirent.h>
#include <fts.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <memory>
#include <vector>

#include "runtime/base/text.h"
#include "runtime/kernel/file.h"
#include "runtime/state/remove_tree.h"

namespace langsbx::image {
namespace {

constexpr std::string_view kPrefix = "image-";
// Beside the tree, not in it: its size. What has none is not complete.
constexpr std::string_view kSizeSuffix = ".size";

std::uint64_t size_of(const std::string& tree) {
  std::string path = tree;
  char* paths[] = {path.data(), nullptr};
  const std::unique_ptr<FTS, int (*)(FTS*)> walk(
      ::fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, nullptr), &::fts_close);
  std::uint64_t bytes = 0;
  while (const FTSENT* entry = walk == nullptr ? nullptr : ::fts_read(walk.get())) {
    if (entry->fts_info == FTS_DP || entry->fts_statp == nullptr) continue;
    bytes += static_cast<std::uint64_t>(entry->fts_statp->st_blocks) * 512U;
  }
  return bytes;
}

std::optional<std::uint64_t> kept_size(const std::string& tree) {
  const auto text = read_file(tree + std::string(kSizeSuffix), 64);
  return text.ok() ? to_number<std::uint64_t>(*text) : std::nullopt;
}

struct Entry {
  std::string name;
  std::uint64_t bytes = 0;
  std::int64_t used = 0;
};

std::vector<Entry> list(const std::string& folder) {
  std::vector<Entry> entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(folder.c_str()), &::closedir);
  while (const dirent* item = listing == nullptr ? nullptr : ::readdir(listing.get())) {
    const std::string name = item->d_name;
    struct stat status {};
    if (!name.starts_with(kPrefix) || name.ends_with(kSizeSuffix)) continue;
    if (::lstat((folder + "/" + name).c_str(), &status) != 0) continue;
    const auto bytes = kept_size(folder + "/" + name);
    entries.push_back({name, bytes.value_or(0), bytes ? status.st_mtim.tv_sec : 0});
  }
  return entries;
}

}  // namespace

std::optional<Image> KeptImages::find(const std::string& id) const {
  Image image{folder_ + "/" + std::string(kPrefix) + id, {}};
  auto tree = open_file(image.path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!tree.ok() || ::flock(tree->get(), LOCK_SH) != 0) return {};
  // Somebody may have removed it meanwhile.
  struct stat held {
  }, named{};
  if (::fstat(tree->get(), &held) != 0 || ::lstat(image.path.c_str(), &named) != 0) return {};
  if (held.st_dev != named.st_dev || held.st_ino != named.st_ino) return {};
  if (!kept_size(image.path)) return {};
  if (::futimens(tree->get(), nullptr) != 0) return {};
  image.use = tree.release_value();
  return image;
}

Result<Image> KeptImages::keep(const std::string& tree, const std::string& id) const {
  const std::string name = std::string(kPrefix) + id;
  const std::string path = folder_ + "/" + name;
  const auto bytes = size_of(tree);
  make_room(bytes);
  // One that is not complete is in the way; one that is, is as good as ours.
  if (!kept_size(path)) remove(name);
  if (::rename(tree.c_str(), path.c_str()) != 0 && errno != ENOTEMPTY && errno != EEXIST) {
    return system_error("rename " + tree);
  }
  const auto folder = TRY(open_file(folder_, O_RDONLY | O_DIRECTORY));
  TRY(replace_file_at(folder.get(), name + std::string(kSizeSuffix), std::to_string(bytes), 0600));
  auto image = find(id);
  if (!image) return make_error(ErrorKind::kInternal, path + ": removed while it was being made");
  return std::move(*image);
}

void KeptImages::make_room(std::uint64_t bytes_of_new) const {
  auto entries = list(folder_);
  std::sort(entries.begin(), entries.end(),
            [](const Entry& left, const Entry& right) { return left.used < right.used; });
  std::size_t count = entries.size() + 1;
  std::uint64_t bytes = bytes_of_new;
  for (const auto& entry : entries) bytes += entry.bytes;
  const std::int64_t oldest = ::time(nullptr) - limits_.seconds;
  for (const auto& entry : entries) {
    const bool room = count <= limits_.images && bytes <= limits_.bytes;
    if (room && entry.used >= oldest) return;
    if (!remove(entry.name)) continue;
    --count;
    bytes -= entry.bytes;
  }
}

// Under another name first, which says whose it is: what is left of a run that is killed here is
// swept by the next.
bool KeptImages::remove(const std::string& name) const {
  const std::string path = folder_ + "/" + name;
  const auto tree = open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!tree.ok() || ::flock(tree->get(), LOCK_EX | LOCK_NB) != 0) return false;
  const std::string gone = folder_ + "/" + std::to_string(::getpid()) + "-" + name;
  ::unlink((path + std::string(kSizeSuffix)).c_str());
  if (::rename(path.c_str(), gone.c_str()) != 0) return false;
  const bool emptied = state::remove_contents(tree->get()).ok();
  return ::rmdir(gone.c_str()) == 0 && emptied;
}

}  // namespace langsbx::image
