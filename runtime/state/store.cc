// Finding, claiming and listing containers.
#include "runtime/state/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "runtime/kernel/file.h"

namespace langsbx::state {
namespace {

struct CloseDirectory {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

Error does_not_exist() { return make_error(ErrorKind::kNotFound, "container does not exist"); }

Error already_exists() {
  return make_error(ErrorKind::kAlreadyExists, "container with given ID already exists");
}

// mkdir -p. The sticky bit keeps $XDG_RUNTIME_DIR's cleaners away.
Result<void> make_root(const std::string& root) {
  if (::mkdir(root.c_str(), 01700) == 0 || errno == EEXIST) return {};
  if (errno != ENOENT) return system_error("mkdir " + root);
  for (std::size_t slash = root.find('/', 1); slash != std::string::npos;
       slash = root.find('/', slash + 1)) {
    const std::string parent = root.substr(0, slash);
    if (::mkdir(parent.c_str(), 0711) != 0 && errno != EEXIST)
      return system_error("mkdir " + parent);
  }
  if (::mkdir(root.c_str(), 01700) != 0 && errno != EEXIST) return system_error("mkdir " + root);
  return {};
}

}  // namespace

Result<void> check_id(std::string_view id, bool as_crun) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_+.-";
  constexpr std::size_t kLongest = 255;  // NAME_MAX
  if (id.empty()) return make_error(ErrorKind::kInvalidInput, "container id cannot be empty");
  const auto invalid = [&](const std::string& problem) {
    return make_error(ErrorKind::kInvalidInput, "invalid container ID format: " + problem);
  };
  const auto wrong = id.find_first_not_of(kLetters);
  if (wrong != std::string_view::npos)
    return invalid("invalid character `" + std::string(1, id[wrong]) + "` in the container ID");
  if (id == "." || id == ".." || (as_crun && id.starts_with('.')))
    return invalid("it starts with a dot");
  if (id == kCacheFolder) return invalid("langsbx's own folder has this name");
  if (id.size() > kLongest) return invalid("longer than " + std::to_string(kLongest) + " bytes");
  return {};
}

Result<Container> Store::claim(std::string_view id) const {
  TRY(check_id(id));
  const std::string path = root_ + "/" + std::string(id);
  // As a rule the root is there.
  int made = ::mkdir(path.c_str(), 0711);
  if (made != 0 && errno == ENOENT) {
    TRY(make_root(root_));
    made = ::mkdir(path.c_str(), 0711);
  }
  if (made != 0) {
    if (errno == EEXIST) return already_exists();
    return system_error("mkdir " + path);
  }
  auto fd = open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!fd.ok()) {
    ::rmdir(path.c_str());
    return fd.release_error();
  }
  Container container(std::string(id), path, proc_, fd.release_value());
  container.remove_when_destroyed_ = true;
  auto locked = container.lock();
  if (!locked.ok()) {
    container.remove_when_destroyed_ = false;
    // Somebody's `delete --force` came between mkdir and lock: what is there now is not ours. An
    // empty directory is nobody's yet.
    if (locked.error().kind != ErrorKind::kNotFound) ::rmdir(path.c_str());
    return locked.release_error();
  }
  // ... or another `create` came after that delete, and the directory is its: this file is its
  // first.
  if (::faccessat(container.fd(), kConfigFile, F_OK, 0) == 0) {
    container.remove_when_destroyed_ = false;
    return already_exists();
  }
  return container;
}

Result<Container> Store::open(std::string_view id) const {
  auto container = TRY(open_of_anybody(id));
  if (const auto owner = container.owner_if_foreign()) {
    return make_error(ErrorKind::kInvalidInput,
                      container.path() + " belongs to user " + user_name(*owner) +
                          ", who decides what it says: run langsbx as that user");
  }
  return container;
}

Result<Container> Store::open_of_anybody(std::string_view id) const {
  TRY(check_id(id));
  const std::string path = root_ + "/" + std::string(id);
  auto fd = open_file(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  if (!fd.ok()) {
    if (fd.error().errno_value == ENOENT || fd.error().errno_value == ENOTDIR)
      return does_not_exist();
    return fd.release_error();
  }
  return Container(std::string(id), path, proc_, fd.release_value());
}

Result<std::vector<std::string>> Store::ids() const {
  std::vector<std::string> ids;
  const std::unique_ptr<DIR, CloseDirectory> stream(::opendir(root_.c_str()));
  if (!stream) {
    if (errno == ENOENT) return ids;
    return system_error("opendir " + root_);
  }
  while (const dirent* const entry = ::readdir(stream.get())) {
    std::string name = entry->d_name;
    if (entry->d_type != DT_DIR && entry->d_type != DT_UNKNOWN) continue;
    if (check_id(name).ok()) ids.push_back(std::move(name));
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

Result<std::vector<oci::State>> Store::list(const IsPaused& is_paused,
                                            std::vector<Error>& problems) const {
  std::vector<oci::State> states;
  for (const std::string& id : TRY(ids())) {
    auto container = open_of_anybody(id);
    if (!container.ok()) continue;
    auto record = container->read_record();
    if (record.ok()) {
      states.push_back(container->state(record.value(), is_paused));
    } else if (record.error().kind != ErrorKind::kNotFound) {
      problems.push_back(record.release_error());
    }
  }
  return states;
}

std::string user_name(uid_t uid, const std::string& passwd) {
  const std::string number = std::to_string(uid);
  std::string fallback = "#" + number;
  auto text = read_file(passwd, std::size_t{4} << 20U);
  if (!text.ok()) return fallback;
  std::string_view rest = text.value();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t name_end = line.find(':');
    if (name_end == std::string_view::npos) continue;
    const std::size_t id_start = line.find(':', name_end + 1);
    if (id_start == std::string_view::npos) continue;
    const std::string_view field = line.substr(id_start + 1);
    if (field.substr(0, field.find(':')) == number) return std::string(line.substr(0, name_end));
  }
  return fallback;
}

}  // namespace langsbx::state
