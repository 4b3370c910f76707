// File format and housekeeping of kept results.
#include "runtime/kernel/kept_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "runtime/kernel/file.h"

namespace langsbx {
namespace {

constexpr std::string_view kMagic = "langsbx kept 1\n";

std::string number_bytes(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

// Takes a number from the front.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  if (text.size() < sizeof value) return {};
  std::memcpy(&value, text.data(), sizeof value);
  text.remove_prefix(sizeof value);
  return value;
}

bool only_ours(int fd, mode_t type) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == type && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

UniqueFd open_directory(const std::string& directory) {
  UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.valid() && !only_ours(fd.get(), S_IFDIR)) fd.reset();
  return fd;
}

// "<state root>/.cache/<kind>": any of the three may be missing.
void make_directory(const std::string& directory) {
  constexpr int kLevels = 3;
  std::size_t ends[kLevels] = {directory.size(), 0, 0};
  for (int i = 1; i < kLevels && ends[i - 1] > 1; ++i) {
    const auto slash = directory.rfind('/', ends[i - 1] - 1);
    ends[i] = slash == std::string::npos ? 0 : slash;
  }
  for (int i = kLevels - 1; i >= 0; --i) {
    if (ends[i] > 0) ::mkdir(directory.substr(0, ends[i]).c_str(), 0700);
  }
}

std::string entry_name(std::string_view key) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t value = quick_hash(key);
  std::string name(16, '0');
  for (auto digit = name.rbegin(); digit != name.rend(); ++digit, value >>= 4U) {
    *digit = kDigits[value & 15U];
  }
  return name;
}

struct Entry {
  std::string name;
  timespec written{};
  std::uint64_t size = 0;
};

std::vector<Entry> list(int directory) {
  std::vector<Entry> entries;
  auto copy = open_at(directory, ".", O_RDONLY | O_DIRECTORY);
  if (!copy.ok()) return entries;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(copy->release()), &::closedir);
  while (const dirent* item = listing == nullptr ? nullptr : ::readdir(listing.get())) {
    struct stat info {};
    if (item->d_name[0] == '.') continue;
    if (::fstatat(directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    entries.push_back({item->d_name, info.st_mtim, static_cast<std::uint64_t>(info.st_size)});
  }
  return entries;
}

void evict_oldest(int directory, const KeptFiles& kept) {
  auto entries = list(directory);
  std::uint64_t total = 0;
  for (const auto& entry : entries) total += entry.size;
  if (entries.size() <= kept.most_entries && total <= kept.most_in_all) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    if (left.written.tv_sec != right.written.tv_sec) {
      return left.written.tv_sec < right.written.tv_sec;
    }
    return left.written.tv_nsec < right.written.tv_nsec;
  });
  std::size_t count = entries.size();
  for (const auto& entry : entries) {
    if (count <= kept.most_entries && total <= kept.most_in_all) return;
    ::unlinkat(directory, entry.name.c_str(), 0);
    --count;
    total -= entry.size;
  }
}

}  // namespace

// FNV-1a over words, with the upper half folded in: a byte at a time is too slow for programs.
std::uint64_t quick_hash(std::string_view bytes) {
  constexpr std::uint64_t kPrime = 0x100000001b3U;
  std::uint64_t value = 0xcbf29ce484222325U ^ bytes.size();
  const auto mix = [&value](std::uint64_t word) {
    value = (value ^ word) * kPrime;
    value ^= value >> 32U;
  };
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    mix(word);
    bytes.remove_prefix(sizeof word);
  }
  for (const char byte : bytes) mix(static_cast<unsigned char>(byte));
  return value;
}

std::optional<std::string> read_kept(const KeptFiles& kept, std::string_view key) {
  const UniqueFd folder = open_directory(kept.directory);
  if (!folder.valid()) return std::nullopt;
  const auto file =
      open_at(folder.get(), entry_name(key).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  if (!file.ok() || !only_ours(file->get(), S_IFREG)) return std::nullopt;
  auto text = read_fd(file->get(), kept.most_bytes, "kept file");
  if (!text.ok() || !text->starts_with(kMagic)) return std::nullopt;
  std::string_view rest = std::string_view(*text).substr(kMagic.size());
  const auto sum = take_number(rest);
  if (!sum || quick_hash(rest) != *sum) return std::nullopt;
  const auto key_size = take_number(rest);
  if (!key_size || *key_size > rest.size() || rest.substr(0, *key_size) != key) return std::nullopt;
  const std::size_t header = text->size() - rest.size() + *key_size;
  text->erase(0, header);
  return text.release_value();
}

void write_kept(const KeptFiles& kept, std::string_view key, std::string_view content) {
  const std::string body = number_bytes(key.size()).append(key).append(content);
  const std::string text = std::string(kMagic) + number_bytes(quick_hash(body)) + body;
  if (text.size() > kept.most_bytes) return;
  make_directory(kept.directory);
  const UniqueFd folder = open_directory(kept.directory);
  if (!folder.valid()) return;
  // A full disk or a read-only directory costs the next run the work, nothing else.
  if (!replace_file_at(folder.get(), entry_name(key), text, 0600).ok()) return;
  evict_oldest(folder.get(), kept);
}

}  // namespace langsbx
