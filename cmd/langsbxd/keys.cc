#include "cmd/langsbxd/keys.h"

#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <nlohmann/json.hpp>

#include "oci/state.h"
#include "runtime/execute/limits.h"
#include "runtime/image/sha256.h"
#include "runtime/kernel/file.h"

namespace langsbx::serve {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kLargestFile = 4U << 20U;

Error fault(const std::string& path, const std::string& member, const std::string& what) {
  return make_error(ErrorKind::kInvalidInput, path + ": " + member + ": " + what);
}

std::vector<std::pair<const char*, std::vector<std::string>*>> lists_of(Allowed& allowed) {
  return {{"languages", &allowed.languages},
          {"profiles", &allowed.profiles},
          {"tiers", &allowed.tiers},
          {"networks", &allowed.networks}};
}

Result<void> read_list(const Json& value, std::vector<std::string>& list, const std::string& path,
                       const std::string& member) {
  if (!value.is_array()) return fault(path, member, "not a list");
  list.clear();
  for (const auto& item : value) {
    if (!item.is_string()) return fault(path, member, "not a list of strings");
    list.push_back(item.get<std::string>());
  }
  return {};
}

Result<void> read_ceilings(const Json& value, execute::LimitOptions& ceilings,
                           const std::string& path) {
  if (!value.is_object()) return fault(path, "limits", "not an object");
  const auto& table = execute::limit_table();
  for (const auto& item : value.items()) {
    const std::string& name = item.key();
    const Json& number = item.value();
    const auto row = std::find_if(table.begin(), table.end(),
                                  [&](const auto& known) { return known.field == name; });
    if (row == table.end()) return fault(path, "limits." + name, "not known");
    if (!number.is_number() || !(number.get<double>() > 0)) {
      return fault(path, "limits." + name, "not a number above 0");
    }
    const bool parts = row->unit == execute::Unit::kProcessors;
    ceilings[static_cast<std::size_t>(row - table.begin())] =
        static_cast<std::uint64_t>(std::llround(number.get<double>() * (parts ? 1000 : 1)));
  }
  return {};
}

Result<Key> read_key(const Json& value, const std::string& path) {
  if (!value.is_object()) return fault(path, "keys", "not a list of objects");
  Key key;
  for (const auto& item : value.items()) {
    const std::string& name = item.key();
    const Json& member = item.value();
    const auto lists = lists_of(key.allowed);
    const auto list = std::find_if(lists.begin(), lists.end(),
                                   [&](const auto& known) { return known.first == name; });
    if (list != lists.end()) {
      TRY(read_list(member, *list->second, path, name));
    } else if (name == "limits") {
      TRY(read_ceilings(member, key.allowed.ceilings, path));
    } else if (name == "running" || name == "waiting") {
      if (!member.is_number_unsigned()) return fault(path, name, "not a whole number");
      (name == "running" ? key.allowed.running : key.allowed.waiting) = member.get<std::size_t>();
    } else if (member.is_string() && name == "id") {
      key.id = member.get<std::string>();
    } else if (member.is_string() && name == "name") {
      key.name = member.get<std::string>();
    } else if (member.is_string() && name == "sha256") {
      key.hash = member.get<std::string>();
    } else if (member.is_string() && name == "made") {
      key.made = member.get<std::string>();
    } else {
      return fault(path, name, "not known, or not of the right type");
    }
  }
  if (key.id.empty()) return fault(path, "id", "missing");
  if (key.hash.size() != 64) return fault(path, "sha256", "not 64 hexadecimal digits");
  return key;
}

Json ceilings_json(const execute::LimitOptions& ceilings) {
  Json json = Json::object();
  for (std::size_t i = 0; i < ceilings.size(); ++i) {
    if (!ceilings[i]) continue;
    const auto& row = execute::limit_table()[i];
    const std::string field(row.field);
    if (row.unit == execute::Unit::kProcessors) {
      json[field] = static_cast<double>(*ceilings[i]) / 1000;
    } else {
      json[field] = *ceilings[i];
    }
  }
  return json;
}

Json key_json(const Key& key) {
  Key copy = key;
  Json json = {{"id", key.id}, {"name", key.name}, {"sha256", key.hash}, {"made", key.made}};
  for (const auto& [name, list] : lists_of(copy.allowed)) json[name] = *list;
  json["limits"] = ceilings_json(key.allowed.ceilings);
  json["running"] = key.allowed.running;
  json["waiting"] = key.allowed.waiting;
  return json;
}

Result<std::string> random_bytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (::getrandom(bytes.data(), count, 0) != static_cast<ssize_t>(count)) {
    return system_error("getrandom");
  }
  return bytes;
}

bool equal_in_constant_time(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  unsigned different = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    different |= static_cast<unsigned char>(one[i]) ^ static_cast<unsigned char>(other[i]);
  }
  return different == 0;
}

}  // namespace

Result<std::string> random_id(std::size_t length) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string id = TRY(random_bytes(length));
  for (char& c : id) c = kDigits[static_cast<unsigned char>(c) & 63U];
  return id;
}

Result<std::string> new_secret() { return "lsb_" + TRY(random_id(43)); }

std::string hash_of(std::string_view secret) {
  image::Sha256 hash;
  hash.add(secret);
  return hash.finish();
}

Result<Keys> Keys::read(const std::string& path) {
  Keys keys;
  auto file = open_regular_file(path);
  if (!file.ok() && file.error().errno_value == ENOENT) return keys;
  const auto opened = TRY(std::move(file));
  struct stat status {};
  if (::fstat(opened.get(), &status) != 0) return system_error("fstat " + path);
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return make_error(ErrorKind::kInvalidInput,
                      path + ": others can write it; take that away with chmod go-w");
  }
  const auto text = TRY(read_fd(opened.get(), kLargestFile, path));
  const auto document = Json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("keys") || !document["keys"].is_array()) {
    return fault(path, "keys", "missing, or not a list");
  }
  for (const auto& value : document["keys"]) keys.keys_.push_back(TRY(read_key(value, path)));
  keys.stamp_ = stamp_of(status);
  return keys;
}

Keys::Stamp Keys::stamp_of(const struct stat& status) {
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          status.st_ctim.tv_sec, status.st_ctim.tv_nsec};
}

Result<bool> Keys::refresh(const std::string& path) {
  struct stat status {};
  const auto now = ::stat(path.c_str(), &status) == 0 ? stamp_of(status) : Stamp();
  if (now == stamp_) return false;
  keys_.clear();
  stamp_ = now;
  auto keys = TRY(read(path));
  *this = std::move(keys);
  return true;
}

Result<void> Keys::write(const std::string& path) const {
  Json list = Json::array();
  for (const auto& key : keys_) list.push_back(key_json(key));
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const auto directory = TRY(open_file(folder, O_RDONLY | O_DIRECTORY));
  return replace_file_at(directory.get(), path.substr(slash + 1),
                         Json{{"keys", list}}.dump(2) + "\n", 0600);
}

Result<std::string> Keys::add(Key key) {
  auto secret = TRY(new_secret());
  key.id = TRY(random_id(12));
  key.hash = hash_of(secret);
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  key.made = oci::rfc3339_nano(now);
  keys_.push_back(std::move(key));
  return secret;
}

bool Keys::revoke(std::string_view id) {
  return std::erase_if(keys_, [&](const Key& key) { return key.id == id; }) > 0;
}

const Key* Keys::find(std::string_view secret) const {
  const auto hash = hash_of(secret);
  const Key* found = nullptr;
  for (const auto& key : keys_) {
    if (equal_in_constant_time(key.hash, hash)) found = &key;
  }
  return found;
}

}  // namespace langsbx::serve
