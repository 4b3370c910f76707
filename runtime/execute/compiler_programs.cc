// Where distributions and the images of the languages' makers keep the parts of their compilers.
#include "runtime/execute/compiler_programs.h"

#include "runtime/guard/container_files.h"
#include "runtime/guard/programs.h"

namespace langsbx::execute {
namespace {

using Paths = std::vector<std::string>;

constexpr std::size_t kMostRead = 1U << 20U;

class Search {
 public:
  explicit Search(guard::ContainerFiles files) : files_(std::move(files)) {}

  void add(const std::string& path) {
    if (files_.start_of(path)) found_.push_back(path);
  }

  // Folders in `folder` whose name begins so; each with a '/' behind it.
  [[nodiscard]] Paths folders(const std::string& folder, std::string_view start = {}) const {
    Paths all;
    const auto names = files_.names_in(folder);
    for (std::size_t at = 0; names && at < names->size();) {
      const auto end = std::min(names->find('\n', at), names->size());
      const auto name = names->substr(at, end - at);
      if (name != "." && name != ".." && name.starts_with(start)) {
        all.push_back(folder + name + "/");
      }
      at = end + 1;
    }
    return all;
  }

  void add_all_of(const std::string& folder) {
    for (std::string path : folders(folder)) {
      path.pop_back();
      add(path);
    }
  }

  // cc1 and its like, the assembler and the linker.
  void add_gcc(const std::string& home) {
    for (const auto& base : {std::string("/usr/lib/gcc/"), std::string("/usr/libexec/gcc/"),
                             home + "libexec/gcc/", home + "lib/gcc/"}) {
      for (const auto& triple : folders(base)) {
        for (const auto& version : folders(triple)) {
          for (const char* part : {"cc1", "cc1plus", "collect2", "lto1", "lto-wrapper"}) {
            add(version + part);
          }
        }
        add_binutils("/usr/" + triple.substr(base.size()) + "bin/");
      }
    }
    add_binutils("/usr/bin/");
    add_binutils(home + "bin/");
  }

  // rustc behind rustup's, and the linkers that it brings.
  void add_rust(const std::string& home) {
    add("/usr/bin/gcc");
    add_gcc("/usr/local/");
    Paths libraries = {"/usr/lib/rustlib/", home + "lib/rustlib/"};
    for (const auto& toolchain : folders("/usr/local/rustup/toolchains/")) {
      add(toolchain + "bin/rustc");
      libraries.push_back(toolchain + "lib/rustlib/");
    }
    for (const auto& library : libraries) {
      for (const auto& target : folders(library)) {
        add(target + "bin/rust-lld");
        add(target + "bin/gcc-ld/ld.lld");
      }
    }
  }

  void add_go(const std::string& home) {
    Paths roots = folders("/usr/lib/", "go");
    roots.push_back(home);
    for (const auto& root : roots) {
      add(root + "bin/go");
      for (const auto& machine : folders(root + "pkg/tool/")) add_all_of(machine);
    }
  }

  [[nodiscard]] Paths take() const {
    return guard::with_loaders(found_, "/",
                               [&](const std::string& path) { return files_.start_of(path); });
  }

 private:
  void add_binutils(const std::string& folder) {
    for (const char* part : {"as", "ld", "ld.bfd", "ld.gold"}) add(folder + part);
  }

  guard::ContainerFiles files_;
  Paths found_;
};

// Where the compiler's files are, below which it has its own parts.
std::string home_of(const std::string& tool) {
  const auto bin = tool.rfind("/bin/");
  return bin == std::string::npos ? "/usr/" : tool.substr(0, bin + 1);
}

}  // namespace

Result<Paths> compiler_programs(const Toolchain& toolchain, const std::string& tool,
                                const std::string& rootfs) {
  Search search(
      TRY(guard::ContainerFiles::open("/", kMostRead, {}, rootfs.empty() ? "/" : rootfs)));
  search.add(tool);
  const auto language = toolchain.language;
  const auto home = home_of(tool);
  if (language == "c" || language == "cpp") {
    search.add("/bin/sh");  // two calls of the compiler are one of the shell
    search.add_gcc(home);
  }
  if (language == "rust") search.add_rust(home);
  if (language == "go") search.add_go(home);
  return search.take();
}

}  // namespace langsbx::execute
