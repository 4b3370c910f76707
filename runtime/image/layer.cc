// Entries to files, below a root that may be hostile.
#include "runtime/image/layer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "runtime/image/sha256.h"
#include "runtime/image/tar.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"
#include "runtime/kernel/process.h"
#include "runtime/state/remove_tree.h"

namespace langsbx::image {
namespace {

constexpr std::string_view kWhiteout = ".wh.";
constexpr std::string_view kOpaque = ".wh..wh..opq";

Result<std::string> read_some(int fd, std::size_t size) {
  std::string bytes(std::min<std::size_t>(size, 64U << 10U), '\0');
  for (;;) {
    const ssize_t count = ::read(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_error("read a layer");
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
  }
}

// "./a//b/" -> "a/b"; nothing for the root itself. An archive has no business with "..".
Result<std::string> clean_name(std::string_view name) {
  std::string clean;
  while (!name.empty()) {
    const auto slash = std::min(name.find('/'), name.size());
    const auto part = name.substr(0, slash);
    name.remove_prefix(std::min(slash + 1, name.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") return make_error(ErrorKind::kInvalidInput, "tar: a name with \"..\"");
    clean += (clean.empty() ? "" : "/") + std::string(part);
  }
  return clean;
}

bool is_directory(int parent, const char* name) {
  struct stat status {};
  return ::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

Result<void> empty_directory(int parent, const char* name) {
  const auto directory = TRY(open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  return state::remove_contents(directory.get());
}

Result<void> remove_entry(int parent, const char* name) {
  if (is_directory(parent, name)) {
    TRY(empty_directory(parent, name));
    if (::unlinkat(parent, name, AT_REMOVEDIR) != 0) return system_error("rmdir");
    return {};
  }
  if (::unlinkat(parent, name, 0) != 0 && errno != ENOENT) return system_error("unlink");
  return {};
}

Result<void> make_directory(int parent, const char* name, mode_t mode) {
  if (!is_directory(parent, name)) {
    TRY(remove_entry(parent, name));
    if (::mkdirat(parent, name, 0700) != 0) return system_error("mkdir");
  }
  const auto made = TRY(open_at(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  if (::fchmod(made.get(), (mode & 0755U) | 0700U) != 0) return system_error("chmod");
  return {};
}

Result<void> make_file(TarReader& reader, int parent, const char* name, mode_t mode) {
  TRY(remove_entry(parent, name));
  const auto file = TRY(open_at(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600));
  for (;;) {
    const auto part = TRY(reader.read());
    if (part.empty()) break;
    TRY(write_fd(file.get(), part, name));
  }
  if (::fchmod(file.get(), (mode & 0755U) | 0600U) != 0) return system_error("chmod");
  return {};
}

Result<void> make_hard_link(int root, const std::string& target, int parent, const char* name) {
  const auto clean = TRY(clean_name(target));
  const auto place = TRY(open_parent_in_root(root, clean));
  TRY(remove_entry(parent, name));
  // Not followed: a link to a symbolic link is one to the link.
  if (::linkat(place.parent.get(), place.name.c_str(), parent, name, 0) != 0) {
    return system_error("link to " + target);
  }
  return {};
}

Result<void> white_out(int parent, const std::string& name) {
  if (name == kOpaque) return state::remove_contents(parent);
  const auto hidden = name.substr(kWhiteout.size());
  if (hidden.empty() || hidden == "." || hidden == "..") return {};
  return remove_entry(parent, hidden.c_str());
}

Result<void> apply_entry(TarReader& reader, const Entry& entry, int root, bool whiteouts) {
  const auto name = TRY(clean_name(entry.name));
  if (name.empty()) return {};
  const auto place = TRY(open_parent_in_root(root, name));
  const int parent = place.parent.get();
  const char* const last = place.name.c_str();
  if (whiteouts && place.name.starts_with(kWhiteout)) {
    const auto directory = TRY(open_at(parent, ".", O_RDONLY | O_DIRECTORY));
    return white_out(directory.get(), place.name);
  }
  switch (entry.type) {
    case EntryType::kDirectory:
      return make_directory(parent, last, entry.mode);
    case EntryType::kFile:
      return make_file(reader, parent, last, entry.mode);
    case EntryType::kHardLink:
      return make_hard_link(root, entry.target, parent, last);
    case EntryType::kSymlink:
      TRY(remove_entry(parent, last));
      if (::symlinkat(entry.target.c_str(), parent, last) != 0) return system_error("symlink");
      return {};
    case EntryType::kOther:
      break;
  }
  return {};
}

Result<void> apply_entries(const Source& source, int root, bool whiteouts, UnpackBudget& budget) {
  TarReader reader(source);
  Entry entry;
  while (TRY(reader.next(entry))) {
    TRY(budget.take_entry());
    TRY_CONTEXT(apply_entry(reader, entry, root, whiteouts), entry.name);
  }
  // What stands behind the last entry belongs to the digest, too.
  while (!TRY(source(64U << 10U)).empty()) {
  }
  return {};
}

const char* decompressor(int blob) {
  char magic[4] = {};
  if (::pread(blob, magic, sizeof magic, 0) != static_cast<ssize_t>(sizeof magic)) return nullptr;
  const std::string_view start(magic, sizeof magic);
  if (start.starts_with("\x1f\x8b")) return "/usr/bin/gzip";
  if (start == "\x28\xb5\x2f\xfd") return "/usr/bin/zstd";
  return nullptr;
}

struct Decompression {
  ChildProcess child;
  UniqueFd output;
};

Result<Decompression> decompress(const char* program, int blob) {
  if (::access(program, X_OK) != 0) {
    return make_error(ErrorKind::kNotFound, std::string(program) + " is needed for this layer");
  }
  int fds[2];
  if (::pipe2(fds, O_CLOEXEC) != 0) return system_error("pipe2");
  Decompression made;
  made.output.reset(fds[0]);
  const UniqueFd theirs(fds[1]);
  made.child = TRY(fork_child({}, [&] {
    if (::dup2(blob, 0) < 0 || ::dup2(theirs.get(), 1) < 0) return 127;
    if (!close_on_exec_from(3).ok()) return 127;
    ::execl(program, program, "-dc", nullptr);
    return 127;
  }));
  return made;
}

}  // namespace

Result<std::string> digest_of(int file) {
  Sha256 hash;
  if (::lseek(file, 0, SEEK_SET) != 0) return system_error("lseek");
  for (;;) {
    const auto part = TRY(read_some(file, 64U << 10U));
    if (part.empty()) break;
    hash.add(part);
  }
  if (::lseek(file, 0, SEEK_SET) != 0) return system_error("lseek");
  return "sha256:" + hash.finish();
}

// In steps: to make room means to list what is kept.
Result<void> UnpackBudget::take_bytes(std::size_t count) {
  constexpr std::uint64_t kStep = std::uint64_t{64} << 20U;
  bytes_ += count;
  if (bytes_ > limits_.bytes) {
    return make_error(ErrorKind::kInvalidInput,
                      "the layers unpack to more than " + std::to_string(limits_.bytes) + " bytes");
  }
  if (bytes_ <= room_) return {};
  room_ = std::min(bytes_ + kStep, limits_.bytes);
  if (make_room_) make_room_(room_);
  return {};
}

Result<void> UnpackBudget::take_entry() {
  if (++entries_ <= limits_.entries) return {};
  return make_error(ErrorKind::kInvalidInput,
                    "the layers hold more than " + std::to_string(limits_.entries) + " entries");
}

Result<void> apply_layer(int blob, const std::string& diff_id, int root, UnpackBudget& budget) {
  int input = blob;
  Decompression decompression;
  const char* const program = decompressor(blob);
  if (program != nullptr) {
    decompression = TRY(decompress(program, blob));
    input = decompression.output.get();
  }
  Sha256 hash;
  const Source source = [&](std::size_t size) -> Result<std::string> {
    auto part = TRY(read_some(input, size));
    TRY(budget.take_bytes(part.size()));
    hash.add(part);
    return part;
  };
  TRY(apply_entries(source, root, true, budget));
  if (program != nullptr && TRY(decompression.child.wait()) != 0) {
    return make_error(ErrorKind::kInvalidInput, std::string(program) + " could not read the layer");
  }
  if ("sha256:" + hash.finish() != diff_id) {
    return make_error(ErrorKind::kInvalidInput, "the layer's content is not \"" + diff_id + "\"");
  }
  return {};
}

Result<void> unpack_archive(int archive, int root, UnpackBudget& budget) {
  const Source source = [&](std::size_t size) -> Result<std::string> {
    auto part = TRY(read_some(archive, size));
    TRY(budget.take_bytes(part.size()));
    return part;
  };
  return apply_entries(source, root, false, budget);
}

}  // namespace langsbx::image
