// Where things are mounted and made below the root that is being put together.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/isolate/used.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::isolate {

// Finds directories from the root's descriptor. File systems that were mounted empty (as a rule
// /dev) are remembered: what is directly in one is ours alone and needs no walk from the root.
class Places {
 public:
  // `hidden`: nobody outside sees the mounts that are made here, so that a name in a fresh one
  // stays what we made it. `moves`: the working directory may be changed.
  Places(int root, bool hidden, bool moves, Used& used)
      : root_(root), hidden_(hidden), moves_(moves), used_(used) {}
  Places(const Places&) = delete;
  Places& operator=(const Places&) = delete;
  ~Places();

  [[nodiscard]] int root() const { return root_; }
  // Another root from now on, mounted over that one: what was remembered is covered.
  void cover(int root);
  [[nodiscard]] bool hidden() const { return hidden_; }
  // `place` was found by `path`, of which a part may be a link of the image: it may not lead into a
  // procfs, which the plan lets nobody mount in.
  static Result<UniqueFd> outside_proc(Result<UniqueFd> place, const std::string& path);
  [[nodiscard]] Used& used() const { return used_; }
  // An O_PATH descriptor of the directory, made where it is missing. /proc and /sys must be real
  // directories: a symlink there would move the kernel's files elsewhere (CVE-2023-27561,
  // CVE-2023-28642).
  Result<UniqueFd> directory(const std::string& path);
  // The same, refused when the last component is a symlink.
  [[nodiscard]] Result<UniqueFd> real_directory(const std::string& path) const;
  // The same directory as text for mount(2); it holds until the next one is asked for. Where it may
  // be, this is a name in the working directory: the way by /proc/self/fd takes 2 to 5 us.
  Result<std::string> mount_point(const std::string& path);
  // Attaches a mount there; `directory`: of a directory.
  Result<void> attach(int mount, const std::string& path, bool directory);

  // The remembered file system when `path` is directly in it, with the name there; else -1.
  struct Found {
    int parent = -1;
    std::string name;
  };
  Found in_fresh(std::string_view path);
  // The remembered file system mounted at `path`; -1: none.
  int fresh(std::string_view path);

  // Something was mounted at `path`; `fresh`: a file system of which we know that it is empty.
  void mounted(const std::string& path, bool fresh);

 private:
  // A directory made just now, directly in a remembered file system; else -1.
  Found make_in_fresh(const std::string& path);
  bool enter(int directory);

  struct Fresh {
    std::string path;
    UniqueFd directory;  // opened when it is needed first
  };

  int root_;
  bool hidden_;
  bool moves_;
  int entered_ = -1;  // the fresh one that is the working directory
  Used& used_;
  std::vector<Fresh> fresh_;
};

}  // namespace langsbx::isolate
