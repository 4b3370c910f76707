// What only a landlockconfig document has: variables, and paths from the working directory.
#include <algorithm>
#include <climits>

#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

constexpr std::size_t kMostPaths = 4096;
constexpr std::size_t kMostInAll = 65536;

class Resolver {
 public:
  Resolver(const oci::Landlock& document, std::string_view cwd) : document_(document), cwd_(cwd) {}

  // One path for each combination of what the variables in it stand for.
  Result<std::vector<std::string>> resolve(std::string_view text, const std::string& at) const {
    std::vector<std::string> paths = {""};
    while (!text.empty()) {
      const auto dollar = std::min(text.find('$'), text.size());
      TRY(append({std::string(text.substr(0, dollar))}, at, paths));
      text.remove_prefix(dollar);
      if (text.empty()) break;
      if (text.starts_with("${")) {
        const auto end = text.find('}');
        if (end == std::string_view::npos) return bad(at, "\"${\" without \"}\"");
        TRY(append(TRY(values_of(text.substr(2, end - 2), at)), at, paths));
        text.remove_prefix(end + 1);
      } else {
        TRY(append({"$"}, at, paths));
        text.remove_prefix(text.starts_with("$$") ? 2 : 1);
      }
    }
    for (std::string& path : paths) path = absolute(std::move(path));
    return paths;
  }

 private:
  static Error bad(const std::string& at, const std::string& what) {
    return make_error(ErrorKind::kInvalidInput, at + ": " + what);
  }

  // Asked before: a document of a megabyte can stand for more than memory holds.
  static Result<void> append(const std::vector<std::string>& values, const std::string& at,
                             std::vector<std::string>& paths) {
    if (paths.size() * values.size() > kMostPaths) return bad(at, "stands for too many paths");
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      for (const std::string& value : values) {
        if (path.size() + value.size() >= PATH_MAX) return bad(at, "stands for too long a path");
        longer.push_back(path + value);
      }
    }
    paths = std::move(longer);
    return {};
  }

  // A variable that is given twice has the values of both.
  [[nodiscard]] Result<std::vector<std::string>> values_of(std::string_view name,
                                                           const std::string& at) const {
    std::vector<std::string> values;
    bool known = false;
    for (const oci::LandlockVariable& variable : document_.variables) {
      if (variable.name != name) continue;
      known = true;
      values.insert(values.end(), variable.values.begin(), variable.values.end());
    }
    if (!known) return bad(at, "unknown variable \"" + std::string(name) + "\"");
    return values;
  }

  [[nodiscard]] std::string absolute(std::string path) const {
    if (path.starts_with('/')) return path;
    while (path.starts_with("./")) path.erase(0, 2);
    if (path.empty() || path == ".") return cwd_;
    return (cwd_ == "/" ? "/" : cwd_ + "/") + path;
  }

  const oci::Landlock& document_;
  std::string cwd_;
};

}  // namespace

Result<void> resolve_document_paths(oci::Landlock& document, std::string_view cwd,
                                    std::string_view origin) {
  const Resolver resolver(document, cwd);
  std::size_t count = 0;
  for (std::size_t i = 0; i < document.path_beneath.size(); ++i) {
    std::vector<std::string> all;
    auto& paths = document.path_beneath[i].paths;
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const std::string at = std::string(origin) + ".pathBeneath[" + std::to_string(i) +
                             "].parent[" + std::to_string(k) + "]";
      const auto resolved = TRY(resolver.resolve(paths[k], at));
      count += resolved.size();
      if (count > kMostInAll) {
        return make_error(ErrorKind::kInvalidInput,
                          at + ": the document stands for too many paths");
      }
      all.insert(all.end(), resolved.begin(), resolved.end());
    }
    paths = std::move(all);
  }
  return {};
}

}  // namespace langsbx::confine
