// Any bytes as a path below a root full of links that lead out: openat2 and the walk that stands in
// for it agree, and neither leaves the root.
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/kernel/path.h"

namespace {

using langsbx::UniqueFd;

// The root is outer/root; whatever is found of outer itself is an escape.
struct Tree {
  std::string outer;
  UniqueFd root;
  ino_t escape = 0;

  Tree() {
    char name[] = "/tmp/langsbx-fuzz-path-XXXXXX";
    if (::mkdtemp(name) == nullptr) std::abort();
    outer = name;
    const std::string top = outer + "/root";
    for (const char* folder : {"", "/a", "/a/b", "/a/b/c", "/d"}) {
      if (::mkdir((top + folder).c_str(), 0700) != 0) std::abort();
    }
    make_link("/etc", top + "/abs");
    make_link("../../../..", top + "/a/up");
    make_link("a/b", top + "/in");
    make_link("loop", top + "/loop");
    make_link("/proc/self/root", top + "/magic");
    make_link("../d/./../a/up/abs/x", top + "/d/long");
    make_link(outer, top + "/out");
    root = UniqueFd(::open(top.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct stat info {};
    if (::stat(outer.c_str(), &info) != 0) std::abort();
    escape = info.st_ino;
  }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  ~Tree() {
    const std::string command = "rm -rf " + outer;
    static_cast<void>(!std::system(command.c_str()));
  }

  static void make_link(const std::string& target, const std::string& at) {
    if (::symlink(target.c_str(), at.c_str()) != 0) std::abort();
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Tree tree;
  const std::string_view path(reinterpret_cast<const char*>(data), size);
  if (path.find('\0') != std::string_view::npos || size > 300) return 0;
  const auto kernel = langsbx::open_in_root(tree.root.get(), path, O_PATH | O_CLOEXEC);
  const auto walk = langsbx::walk_in_root(tree.root.get(), path, O_PATH | O_CLOEXEC);
  if (kernel.ok() != walk.ok()) std::abort();
  if (!kernel.ok()) return 0;
  struct stat first {
  }, second{};
  if (::fstat(kernel->get(), &first) != 0 || ::fstat(walk->get(), &second) != 0) std::abort();
  if (first.st_ino != second.st_ino || first.st_dev != second.st_dev) std::abort();
  if (second.st_ino == tree.escape) std::abort();
  return 0;
}
