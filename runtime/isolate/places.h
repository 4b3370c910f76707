// Where things are mounted and made below the root that is being put together.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::isolate {

// Finds directories from the root's descriptor. The file system that was mounted empty last (as a
// rule /dev) is remembered: what is directly in it is ours alone and needs no walk from the root.
class Places {
 public:
  explicit Places(int root) : root_(root) {}

  [[nodiscard]] int root() const { return root_; }
  // An O_PATH descriptor of the directory, made where it is missing. /proc and /sys must be real
  // directories: a symlink there would move the kernel's files elsewhere (CVE-2023-27561,
  // CVE-2023-28642).
  Result<UniqueFd> directory(const std::string& path);
  // The same, refused when the last component is a symlink.
  [[nodiscard]] Result<UniqueFd> real_directory(const std::string& path) const;
  // The remembered file system when `path` is directly in it, with the name there; else -1.
  struct Found {
    int parent = -1;
    std::string name;
  };
  Found in_fresh(std::string_view path);

  // Something was mounted at `path`; `fresh`: a file system of which we know that it is empty.
  void mounted(const std::string& path, bool fresh);

 private:
  int root_;
  std::string fresh_path_;  // empty: none
  UniqueFd fresh_;          // opened when it is needed first
};

}  // namespace langsbx::isolate
