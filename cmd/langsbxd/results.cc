#include "cmd/langsbxd/results.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cmd/langsbxd/keys.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargest = 512U << 20U;

constexpr std::size_t kOwner = 16;

// Stands for a key in the names of files: whose result it is, is known without reading it.
std::string owner_of(const std::string& key) { return hash_of(key).substr(0, kOwner); }
std::string file_name(const std::string& owner, const std::string& id) {
  return owner + "." + id + ".json";
}

// Ids are ours: letters, digits, - and _.
bool is_id(std::string_view id) {
  return !id.empty() && id.size() < 64 &&
         id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
             std::string_view::npos;
}

// "OWNER.ID.json" -> owner and id
std::optional<std::pair<std::string, std::string>> parts_of(std::string_view name) {
  if (!name.ends_with(".json") || name.size() < kOwner + 1 || name[kOwner] != '.') return {};
  const auto owner = name.substr(0, kOwner);
  const auto id = name.substr(kOwner + 1, name.size() - kOwner - 6);
  if (!is_id(owner) || !is_id(id)) return {};
  return std::pair(std::string(owner), std::string(id));
}

Result<void> write_synced(int folder, const std::string& name, const std::string& text) {
  const std::string beside = "." + name;
  const auto file =
      TRY(open_at(folder, beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600));
  TRY(write_fd(file.get(), text, name));
  if (::fsync(file.get()) != 0) return system_error("fsync " + name);
  if (::renameat(folder, beside.c_str(), folder, name.c_str()) != 0) {
    return system_error("rename " + name);
  }
  if (::fsync(folder) != 0) return system_error("fsync of the results' folder");
  return {};
}

}  // namespace

Result<Results> Results::open(const std::string& folder, ResultBounds bounds) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return system_error("mkdir " + folder);
  Results results;
  results.bounds_ = bounds;
  results.folder_ = TRY(open_file(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
  auto copy = TRY(open_at(results.folder_.get(), ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(copy.release()), &::closedir);
  while (const dirent* entry = listing == nullptr ? nullptr : ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    struct stat status {};
    const auto parts = parts_of(name);
    const bool whole =
        parts &&
        ::fstatat(results.folder_.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode);
    if (!whole) {
      // Half written when an earlier service was killed.
      ::unlinkat(results.folder_.get(), entry->d_name, 0);
      continue;
    }
    results.add(parts->second,
                {static_cast<std::size_t>(status.st_size), status.st_mtime, parts->first});
  }
  results.drop_old();
  return results;
}

Result<void> Results::keep(const std::string& id, const std::string& key, const Json& answer) {
  const auto text =
      Json{{"key", key}, {"answer", answer}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  const auto owner = owner_of(key);
  TRY(write_synced(folder_.get(), file_name(owner, id), text));
  add(id, {text.size(), ::time(nullptr), owner});
  make_room();
  return {};
}

void Results::add(const std::string& id, Entry entry) {
  by_age_.emplace(entry.made, id);
  bytes_ += entry.size;
  auto& share = shares_[entry.owner];
  ++share.count;
  share.bytes += entry.size;
  entries_[id] = std::move(entry);
}

std::optional<Json> Results::find(const std::string& id, const std::string& key) const {
  const auto entry = entries_.find(id);
  if (entry == entries_.end() || entry->second.owner != owner_of(key)) return {};
  const auto name = file_name(entry->second.owner, id);
  const auto text = read_file_at(folder_.get(), name.c_str(), kLargest);
  if (!text.ok()) return {};
  auto document = Json::parse(*text, nullptr, false);
  if (!document.is_object() || document.value("key", "") != key) return {};
  return std::move(document["answer"]);
}

bool Results::remove(const std::string& id, const std::string& key) {
  if (!find(id, key)) return false;
  forget(entries_.find(id));
  return true;
}

void Results::forget(std::map<std::string, Entry>::iterator entry) {
  ::unlinkat(folder_.get(), file_name(entry->second.owner, entry->first).c_str(), 0);
  auto [first, last] = by_age_.equal_range(entry->second.made);
  for (; first != last; ++first) {
    if (first->second != entry->first) continue;
    by_age_.erase(first);
    break;
  }
  bytes_ -= entry->second.size;
  const auto share = shares_.find(entry->second.owner);
  share->second.bytes -= entry->second.size;
  if (--share->second.count == 0) shares_.erase(share);
  entries_.erase(entry);
}

void Results::make_room() {
  while (entries_.size() > 1 && (entries_.size() > bounds_.most || bytes_ > bounds_.bytes)) {
    const bool by_bytes = bytes_ > bounds_.bytes;
    const auto most =
        std::max_element(shares_.begin(), shares_.end(), [&](const auto& one, const auto& other) {
          return by_bytes ? one.second.bytes < other.second.bytes
                          : one.second.count < other.second.count;
        });
    const auto oldest = std::find_if(by_age_.begin(), by_age_.end(), [&](const auto& aged) {
      return entries_.find(aged.second)->second.owner == most->first;
    });
    forget(entries_.find(oldest->second));
  }
}

void Results::drop_old() {
  const auto oldest = ::time(nullptr) - bounds_.age.count();
  while (!by_age_.empty() && by_age_.begin()->first < oldest) {
    forget(entries_.find(by_age_.begin()->second));
  }
  make_room();
}

}  // namespace langsbx::serve
