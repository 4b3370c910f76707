// Looking for containers in the engines' folders.
#include "cmd/langsbx/find.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "runtime/state/store.h"

namespace langsbx::cmd {
namespace {

constexpr std::size_t kShortestBeginning = 3;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(folder.c_str()), &::closedir);
  if (stream == nullptr) return names;
  while (const dirent* const entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (!name.starts_with('.')) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class Roots {
 public:
  void add(const std::string& path) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) return;
    // A record says what `exec` joins: one that another user can write would have root join him.
    if (facts.st_uid != ::geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0) return;
    if (seen_.emplace(facts.st_dev, facts.st_ino).second) paths_.push_back(path);
  }
  // A folder for each runtime's name: runtime-runc/moby, runtime-langsbx/moby.
  void add_docker(const std::string& folder) {
    for (const std::string& name : names_in(folder)) {
      if (name.starts_with("runtime-")) add(folder + "/" + name + "/moby");
    }
  }
  void add_containerd(const std::string& folder) {
    for (const std::string& name : names_in(folder)) add(folder + "/" + name);
  }
  std::vector<std::string> take() { return std::move(paths_); }

 private:
  std::set<std::pair<dev_t, ino_t>> seen_;
  std::vector<std::string> paths_;
};

// A folder of another runtime's is none of ours: its state.json is not a record.
bool is_ours(const state::Store& store, const std::string& id) {
  const auto container = store.open(id);
  return container.ok() && container->read_record().ok();
}

Error several(const std::string& name, const std::vector<Found>& found) {
  std::string text = "\"" + name + "\" is the beginning of several containers:";
  for (const Found& one : found) text += "\n  " + one.id + " (--root " + one.root + ")";
  return make_error(ErrorKind::kInvalidInput, text);
}

}  // namespace

std::vector<std::string> engine_roots(const std::string& top) {
  Roots roots;
  for (const char* const run : {"/run", "/var/run"}) {
    roots.add_docker(top + run + "/docker");
    roots.add_containerd(top + run + "/containerd/runc");
  }
  // Podman's and CRI-O's; the latter's are called as the handler.
  for (const char* const name : {"langsbx", "langsbx-default", "crun", "runc"}) {
    roots.add(top + "/run/" + name);
  }
  // Of nobody else, whatever it looks like: who owns the folder can put another one in its place
  // between our look and our use.
  const std::string own = top + "/run/user/" + std::to_string(::geteuid());
  for (const char* const name : {"langsbx", "crun", "runc"}) roots.add(own + "/" + name);
  roots.add_docker(own + "/docker");
  roots.add_containerd(own + "/containerd/runc");
  return roots.take();
}

Result<Found> find_container(const Global& global, const std::string& name) {
  const Found asked{global.root, name};
  if (global.root_is_given || !state::check_id(name).ok()) return asked;
  if (state::Store(global.root).open(name).ok()) return asked;
  std::vector<Found> exact;
  std::vector<Found> beginning;
  for (const std::string& root : engine_roots()) {
    const state::Store store(root);
    const auto ids = store.ids();
    if (!ids.ok()) continue;  // somebody else's folder
    for (const std::string& id : *ids) {
      if (!id.starts_with(name) || !is_ours(store, id)) continue;
      (id == name ? exact : beginning).push_back({root, id});
    }
  }
  const auto& found = exact.empty() ? beginning : exact;
  if (found.size() > 1) return several(name, found);
  const bool known = !found.empty() && (!exact.empty() || name.size() >= kShortestBeginning);
  return known ? found.front() : asked;
}

}  // namespace langsbx::cmd
