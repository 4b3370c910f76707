// A program names the same file that is not there thousands of times: once in each of its files.
#include "languages/closure_files.h"

#include <algorithm>

namespace langsbx::languages {

std::optional<std::string> ClosureFiles::read(const std::string& path) {
  if (!reader_ || missing_.contains(path)) return std::nullopt;
  auto bytes = reader_(path);
  if (!bytes) missing_.insert(path);
  return bytes;
}

const std::vector<std::string_view>* ClosureFiles::names_in(const std::string& folder) {
  const auto [place, fresh] = listings_.try_emplace(folder);
  Listing& listing = place->second;
  if (fresh && reader_) {
    auto text = reader_(folder.empty() ? "./" : folder);
    listing.known = text.has_value();
    listing.text = std::move(text).value_or("");
    const std::string_view all = listing.text;
    for (std::size_t at = 0; at < all.size();) {
      const std::size_t end = std::min(all.find('\n', at), all.size());
      listing.names.push_back(all.substr(at, end - at));
      at = end + 1;
    }
    std::sort(listing.names.begin(), listing.names.end());
  }
  return listing.known ? &listing.names : nullptr;
}

bool ClosureFiles::lists_no(const std::string& folder, std::string_view path) {
  std::string below = folder;
  while (true) {
    const std::size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    // "..", "." and what is no name at all are for the kernel.
    if (part.empty() || part.starts_with('.')) return false;
    const auto* const names = names_in(below);
    if (names == nullptr) return false;
    if (!std::binary_search(names->begin(), names->end(), part)) return true;
    if (slash == std::string_view::npos) return false;
    below.append(part).push_back('/');
    path.remove_prefix(slash + 1);
  }
}

bool ClosureFiles::lists_none_of(const std::string& folder, std::string_view stem) {
  const auto* const names = names_in(folder);
  if (names == nullptr || std::binary_search(names->begin(), names->end(), stem)) return false;
  const std::string with_ending = std::string(stem) + '.';
  const auto next = std::lower_bound(names->begin(), names->end(), with_ending);
  return next == names->end() || !next->starts_with(with_ending);
}

}  // namespace langsbx::languages
