#include "cmd/langsbxd/results.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargest = 512U << 20U;

std::string file_name(const std::string& id) { return id + ".json"; }

// Ids are ours: letters, digits, - and _.
bool is_id(std::string_view id) {
  return !id.empty() && id.size() < 64 &&
         id.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") ==
             std::string_view::npos;
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
    const bool whole =
        name.ends_with(".json") && is_id(name.substr(0, name.size() - 5)) &&
        ::fstatat(results.folder_.get(), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        S_ISREG(status.st_mode);
    if (!whole) {
      // Half written when an earlier service was killed.
      ::unlinkat(results.folder_.get(), entry->d_name, 0);
      continue;
    }
    const std::string id(name.substr(0, name.size() - 5));
    results.entries_[id] = {static_cast<std::size_t>(status.st_size), status.st_mtime};
    results.by_age_.emplace(status.st_mtime, id);
    results.bytes_ += static_cast<std::size_t>(status.st_size);
  }
  results.drop_old();
  return results;
}

Result<void> Results::keep(const std::string& id, const std::string& key, const Json& answer) {
  const auto text =
      Json{{"key", key}, {"answer", answer}}.dump(-1, ' ', false, Json::error_handler_t::replace);
  TRY(write_synced(folder_.get(), file_name(id), text));
  const auto now = ::time(nullptr);
  entries_[id] = {text.size(), now};
  by_age_.emplace(now, id);
  bytes_ += text.size();
  make_room();
  return {};
}

std::optional<Json> Results::find(const std::string& id, const std::string& key) const {
  if (!entries_.contains(id)) return {};
  const auto text = read_file_at(folder_.get(), file_name(id).c_str(), kLargest);
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
  ::unlinkat(folder_.get(), file_name(entry->first).c_str(), 0);
  auto [first, last] = by_age_.equal_range(entry->second.made);
  for (; first != last; ++first) {
    if (first->second != entry->first) continue;
    by_age_.erase(first);
    break;
  }
  bytes_ -= entry->second.size;
  entries_.erase(entry);
}

void Results::make_room() {
  while (entries_.size() > 1 && (entries_.size() > bounds_.most || bytes_ > bounds_.bytes)) {
    forget(entries_.find(by_age_.begin()->second));
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
