// The cache's file format and its directory.
#include "runtime/confine/seccomp_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "runtime/confine/bpf.h"
#include "runtime/kernel/file.h"

namespace langsbx::confine {
namespace {

constexpr std::string_view kMagic = "langsbx seccomp 1\n";
constexpr std::size_t kMostBytes = 4U << 20U;
constexpr std::size_t kMostEntries = 64;

// FNV-1a: tells torn and unequal files apart; who could forge an entry could write the state, too.
std::uint64_t hash(std::string_view bytes) {
  std::uint64_t value = 0xcbf29ce484222325U;
  for (const char byte : bytes) {
    value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  }
  return value;
}

class Writer {
 public:
  void number(std::uint64_t value) {
    char bytes[sizeof(value)];
    std::memcpy(bytes, &value, sizeof(value));
    text_.append(bytes, sizeof(bytes));
  }
  void bytes(std::string_view value) {
    number(value.size());
    text_.append(value);
  }
  void list(const std::vector<std::string>& values) {
    number(values.size());
    for (const std::string& value : values) bytes(value);
  }
  void optional(const std::optional<std::uint32_t>& value) {
    number(value ? std::uint64_t{*value} + 1 : 0);
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Reads what Writer wrote; the first thing that does not fit makes it not ok for good.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    const std::string_view raw = take(sizeof(value));
    if (ok_) std::memcpy(&value, raw.data(), sizeof(value));
    return value;
  }
  std::string_view bytes() {
    const std::uint64_t size = number();
    return take(size);
  }
  std::vector<std::string> list() {
    std::vector<std::string> values;
    for (std::uint64_t left = number(); left > 0 && ok_; --left) values.emplace_back(bytes());
    return values;
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] bool at_end() const { return ok_ && text_.empty(); }

 private:
  std::string_view take(std::uint64_t size) {
    if (!ok_ || size > text_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view part = text_.substr(0, size);
    text_.remove_prefix(size);
    return part;
  }
  std::string_view text_;
  bool ok_ = true;
};

std::string encode(std::string_view key, const CompiledProfile& compiled) {
  Writer writer;
  writer.bytes(key);
  writer.bytes(compiled.filter.name);
  writer.number(compiled.filter.flags);
  writer.number(compiled.filter.has_notify ? 1 : 0);
  const auto& program = compiled.filter.program;
  writer.bytes(
      {reinterpret_cast<const char*>(program.data()), program.size() * sizeof(sock_filter)});
  writer.bytes(compiled.summary.default_action);
  writer.list(compiled.summary.architectures);
  writer.list(compiled.summary.flags);
  writer.list(compiled.summary.skipped);
  const std::string body = writer.take();
  Writer check;
  check.number(hash(body));
  return std::string(kMagic) + check.take() + body;
}

std::optional<CompiledProfile> decode(std::string_view text, std::string_view key) {
  if (!text.starts_with(kMagic)) return std::nullopt;
  Reader reader(text.substr(kMagic.size()));
  const std::uint64_t sum = reader.number();
  if (!reader.ok() || hash(text.substr(kMagic.size() + sizeof(sum))) != sum) return std::nullopt;
  if (reader.bytes() != key) return std::nullopt;
  CompiledProfile compiled;
  compiled.filter.name = reader.bytes();
  compiled.filter.flags = static_cast<std::uint32_t>(reader.number());
  compiled.filter.has_notify = reader.number() != 0;
  const std::string_view program = reader.bytes();
  if (program.empty() || program.size() % sizeof(sock_filter) != 0) return std::nullopt;
  compiled.filter.program.resize(program.size() / sizeof(sock_filter));
  std::memcpy(compiled.filter.program.data(), program.data(), program.size());
  compiled.summary.name = compiled.filter.name;
  compiled.summary.default_action = reader.bytes();
  compiled.summary.architectures = reader.list();
  compiled.summary.flags = reader.list();
  compiled.summary.skipped = reader.list();
  compiled.summary.instructions = static_cast<std::uint32_t>(compiled.filter.program.size());
  compiled.summary.from_cache = true;
  if (!reader.at_end()) return std::nullopt;
  return compiled;
}

bool only_ours(int fd, mode_t type) {
  struct stat info {};
  return ::fstat(fd, &info) == 0 && (info.st_mode & S_IFMT) == type && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

UniqueFd open_directory(const std::string& directory) {
  UniqueFd fd(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd && !only_ours(fd.get(), S_IFDIR)) fd.reset();
  return fd;
}

// The directory and the ".cache" above it; the state root itself is the caller's.
void make_directory(const std::string& directory) {
  const std::size_t slash = directory.rfind('/');
  if (slash != std::string::npos && slash > 0) ::mkdir(directory.substr(0, slash).c_str(), 0700);
  ::mkdir(directory.c_str(), 0700);
}

std::string entry_name(std::string_view key) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::uint64_t value = hash(key);
  std::string name(16, '0');
  for (auto digit = name.rbegin(); digit != name.rend(); ++digit, value >>= 4U) {
    *digit = kDigits[value & 15U];
  }
  return name;
}

void evict_oldest(int directory) {
  struct Entry {
    std::string name;
    timespec written{};
  };
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(copy), &::closedir);
  if (!listing) {
    ::close(copy);
    return;
  }
  std::vector<Entry> entries;
  while (const dirent* item = ::readdir(listing.get())) {
    struct stat info {};
    if (item->d_name[0] == '.') continue;
    if (::fstatat(directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    entries.push_back({item->d_name, info.st_mtim});
  }
  if (entries.size() <= kMostEntries) return;
  std::sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    if (left.written.tv_sec != right.written.tv_sec) {
      return left.written.tv_sec < right.written.tv_sec;
    }
    return left.written.tv_nsec < right.written.tv_nsec;
  });
  for (std::size_t i = 0; i + kMostEntries < entries.size(); ++i) {
    ::unlinkat(directory, entries[i].name.c_str(), 0);
  }
}

}  // namespace

std::string seccomp_cache_key(const oci::Seccomp& profile, std::string_view json,
                              std::string_view name, bool fail_unknown_syscalls) {
  Writer writer;
  writer.bytes(libseccomp_version());
  writer.number(native_audit_arch());
  writer.number(fail_unknown_syscalls ? 1 : 0);
  writer.bytes(name);
  writer.bytes(json);
  if (!json.empty()) return writer.take();
  writer.bytes(profile.default_action);
  writer.optional(profile.default_errno_ret);
  writer.list(profile.architectures);
  writer.list(profile.flags);
  writer.number(profile.flags_present ? 1 : 0);
  writer.number(profile.listener_path.empty() ? 0 : 1);
  for (const oci::SeccompRule& rule : profile.syscalls) {
    writer.list(rule.names);
    writer.bytes(rule.action);
    writer.optional(rule.errno_ret);
    writer.number(rule.args.size());
    for (const oci::SeccompArg& arg : rule.args) {
      writer.number(arg.index);
      writer.number(arg.value);
      writer.number(arg.value_two);
      writer.bytes(arg.op);
    }
  }
  return writer.take();
}

std::optional<CompiledProfile> read_seccomp_cache(const std::string& directory,
                                                  std::string_view key) {
  const UniqueFd folder = open_directory(directory);
  if (!folder) return std::nullopt;
  const UniqueFd file(::openat(folder.get(), entry_name(key).c_str(),
                               O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file || !only_ours(file.get(), S_IFREG)) return std::nullopt;
  const auto text = read_fd(file.get(), kMostBytes, "seccomp cache entry");
  if (!text.ok()) return std::nullopt;
  return decode(*text, key);
}

void write_seccomp_cache(const std::string& directory, std::string_view key,
                         const CompiledProfile& compiled) {
  make_directory(directory);
  const UniqueFd folder = open_directory(directory);
  if (!folder) return;
  // A full disk or a read-only state directory costs the next start a compilation, nothing else.
  if (!replace_file_at(folder.get(), entry_name(key), encode(key, compiled), 0600).ok()) return;
  evict_oldest(folder.get());
}

}  // namespace langsbx::confine
