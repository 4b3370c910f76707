// Deletes what is in a directory.
#include "runtime/state/remove_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>

#include "runtime/kernel/file.h"

namespace langsbx::state {
namespace {

constexpr int kDeepest = 32;

struct CloseDirectory {
  void operator()(DIR* stream) const { ::closedir(stream); }
};

Result<void> remove_level(int directory, int depth) {
  if (depth > kDeepest) return make_error(ErrorKind::kInternal, "directories nested too deep");
  auto again = TRY(open_at(directory, ".", O_RDONLY | O_DIRECTORY));
  const std::unique_ptr<DIR, CloseDirectory> stream(::fdopendir(again.get()));
  if (!stream) return system_error("fdopendir");
  static_cast<void>(again.release());
  while (const dirent* const entry = ::readdir(stream.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    if (::unlinkat(directory, name.c_str(), 0) == 0 || errno == ENOENT) continue;
    if (errno != EISDIR && errno != EPERM) return system_error("unlink " + name);
    const auto child = TRY(open_at(directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW));
    TRY_CONTEXT(remove_level(child.get(), depth + 1), name);
    if (::unlinkat(directory, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT)
      return system_error("rmdir " + name);
  }
  return {};
}

}  // namespace

Result<void> remove_contents(int directory) { return remove_level(directory, 0); }

}  // namespace langsbx::state
