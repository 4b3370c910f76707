// Finds the parts of a compiler by the patterns of its toolchain.
#include "runtime/execute/compiler_programs.h"

#include <fnmatch.h>

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

  // Adds what is below `folder` (with a '/' behind it) and matches, a folder's name at a time.
  void add_matching(const std::string& folder, std::string_view pattern) {
    const auto slash = pattern.find('/');
    const std::string name(pattern.substr(0, slash));
    const bool last = slash == std::string_view::npos;
    for (const auto& match : matches(folder, name)) {
      if (last) {
        add(folder + match);
      } else {
        add_matching(folder + match + "/", pattern.substr(slash + 1));
      }
    }
  }

  [[nodiscard]] Paths take() const {
    return guard::files_of(
               found_, "/", guard::Needs::kLoader,
               [&](const auto& path, const auto& show) { return files_.view(path, show); })
        .executed;
  }

 private:
  [[nodiscard]] Paths matches(const std::string& folder, const std::string& pattern) const {
    if (pattern.find('*') == std::string::npos) return {pattern};
    Paths all;
    const auto names = files_.names_in(folder);
    for (std::size_t at = 0; names && at < names->size();) {
      const auto end = std::min(names->find('\n', at), names->size());
      std::string name = names->substr(at, end - at);
      if (::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0) all.push_back(std::move(name));
      at = end + 1;
    }
    return all;
  }

  guard::ContainerFiles files_;
  Paths found_;
};

// The folder above the compiler's bin/.
std::string_view home_of(std::string_view tool) {
  const auto bin = tool.rfind("/bin/");
  return bin == std::string_view::npos ? "/usr/" : tool.substr(0, bin + 1);
}

}  // namespace

Result<Paths> compiler_programs(const Toolchain& toolchain, const std::string& tool,
                                const std::string& rootfs) {
  Search search(
      TRY(guard::ContainerFiles::open("/", kMostRead, {}, rootfs.empty() ? "/" : rootfs)));
  search.add(tool);
  for (const auto& parts : toolchain.parts) {
    const auto home = parts.home.empty() ? home_of(tool) : parts.home;
    for (const auto pattern : parts.patterns) {
      const bool own = pattern.starts_with("~/");
      search.add_matching(own ? std::string(home) : "/", pattern.substr(own ? 2 : 1));
    }
  }
  return search.take();
}

}  // namespace langsbx::execute
