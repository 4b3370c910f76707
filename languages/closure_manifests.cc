// Read line by line, or by the one word that counts.
#include "languages/closure_manifests.h"

#include <algorithm>

#include "languages/work_area.h"

namespace langsbx::languages {

std::string module_of(std::string_view manifest) {
  for (std::size_t at = 0; at < manifest.size();) {
    const std::size_t end = std::min(manifest.find('\n', at), manifest.size());
    std::string_view line = manifest.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("module ")) continue;
    line.remove_prefix(7);
    line.remove_prefix(std::min(line.find_first_not_of(" \t\""), line.size()));
    return std::string(line.substr(0, line.find_first_of(" \t\r\"")));
  }
  return {};
}

CargoLibrary library_of(std::string_view manifest) {
  CargoLibrary library;
  std::string_view table;
  for (std::size_t at = 0; at < manifest.size();) {
    const std::size_t end = std::min(manifest.find('\n', at), manifest.size());
    std::string_view line = manifest.substr(at, end - at);
    at = end + 1;
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (line.starts_with('[')) {
      table = line.substr(0, line.find(']'));
      continue;
    }
    const std::string_view key = line.substr(0, line.find_first_of(" \t="));
    const std::size_t quote = line.find('"');
    const std::string_view value =
        quote == std::string_view::npos
            ? std::string_view()
            : line.substr(quote + 1, line.find('"', quote + 1) - quote - 1);
    const bool of_library = table == "[lib";
    if (key == "name" && (of_library || (table == "[package" && library.name.empty()))) {
      library.name = value;
    } else if (key == "path" && of_library) {
      library.path = value;
    } else if (key == "build" || key == "links" || key == "proc-macro" || key == "proc_macro" ||
               key == "crate-type") {
      library.runs_code = true;
    }
  }
  // A dependency of that name: not its own.
  for (const char* after : {" ", "=", "."}) {
    library.runs_code |= manifest.find("\n" + library.name + after) != std::string_view::npos;
  }
  library.runs_code |= manifest.find("dependencies." + library.name) != std::string_view::npos;
  std::replace(library.name.begin(), library.name.end(), '-', '_');
  if (climbs(library.path) || library.path.starts_with('/')) library.name.clear();
  return library;
}

std::optional<std::string> main_of(std::string_view manifest) {
  constexpr std::string_view kBlanks = " \t\r\n";
  if (manifest.find('\\') != std::string_view::npos) return std::nullopt;
  const std::size_t key = manifest.find("\"main\"");
  if (key == std::string_view::npos) return std::string();
  if (manifest.find("\"main\"", key + 1) != std::string_view::npos) return std::nullopt;
  const std::size_t colon = manifest.find_first_not_of(kBlanks, key + 6);
  if (colon == std::string_view::npos || manifest[colon] != ':') return std::nullopt;
  const std::size_t quote = manifest.find_first_not_of(kBlanks, colon + 1);
  if (quote == std::string_view::npos || manifest[quote] != '"') return std::nullopt;
  const std::size_t end = manifest.find('"', quote + 1);
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(manifest.substr(quote + 1, end - quote - 1));
}

}  // namespace langsbx::languages
