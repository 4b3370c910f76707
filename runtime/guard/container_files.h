// Reading source inside the container: regular files only, no magic links, bounded.
#pragma once

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/language.h"
#include "runtime/base/result.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::guard {

class ContainerFiles {
 public:
  // `device`: read() refuses files of any other one; absent: none is asked for. `root`: whose links
  // lead where they lead below it.
  static Result<ContainerFiles> open(std::string cwd, std::size_t most_bytes,
                                     std::optional<dev_t> device, const std::string& root = "/");

  // Errors name the path: not there, no regular file, larger than the limit.
  [[nodiscard]] Result<std::string> read(const std::string& path) const;
  // Each with a line feed behind it; nothing when there is no such folder.
  [[nodiscard]] std::optional<std::string> names_in(const std::string& folder) const;
  // Shows a file's bytes for the time of the call, whatever its size and device; false when it can
  // not be read.
  bool view(const std::string& path, const std::function<void(std::string_view)>& show) const;
  // The first bytes of a program, enough for a "#!" line.
  [[nodiscard]] std::optional<std::string> start_of(const std::string& path) const;

 private:
  ContainerFiles(UniqueFd root, std::string cwd, std::size_t most, std::optional<dev_t> device)
      : root_(std::move(root)), cwd_(std::move(cwd)), most_(most), device_(device) {}
  [[nodiscard]] Result<UniqueFd> open_regular(const std::string& path) const;

  UniqueFd root_;
  std::string cwd_;
  std::size_t most_;
  std::optional<dev_t> device_;
};

// The path whose folder the interpreter takes local files from: where a symbolic link leads, but
// for shells, which look next to nothing and take the name as it is.
[[nodiscard]] std::string entry_path(const languages::Language& language, const std::string& path);

// Where a path leads, without symbolic links; empty when nothing is there.
[[nodiscard]] std::string real_path(const std::string& path);

// What `name` is in PATH of `env`; empty when it is not there.
[[nodiscard]] std::string find_in_path(const std::string& name,
                                       const std::vector<std::string>& env);

}  // namespace langsbx::guard
