// ".." behind a symbolic link is another folder for the kernel than for who reads names alone.
#include "languages/closure_names.h"

#include <algorithm>

namespace langsbx::languages {

// Every run of letters, digits and _ of a source.
std::unordered_set<std::string_view> words_of(std::string_view bytes) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
  };
  std::unordered_set<std::string_view> words;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (!is_part(bytes[at])) continue;
    const std::size_t start = at;
    while (at < bytes.size() && is_part(bytes[at])) ++at;
    words.insert(bytes.substr(start, at - start));
  }
  return words;
}

std::string_view stem_of(std::string_view path) { return path.substr(0, path.find_first_of("./")); }

// What all of them begin with: the first part's name without an ending; empty when they differ.
std::string_view stem_of(const std::vector<std::string>& candidates) {
  if (candidates.empty()) return {};
  const std::string_view stem = stem_of(std::string_view(candidates.front()));
  const bool of_all = std::ranges::all_of(candidates, [&](const std::string& other) {
    return stem_of(std::string_view(other)) == stem;
  });
  return of_all ? stem : std::string_view();
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
}

std::string without_dots(std::string_view path) {
  std::string plain;
  plain.reserve(path.size());
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size() - 1) + 1;
    const std::string_view part = path.substr(at, end - at);
    at = end;
    if (part == "./" || (part == "/" && !plain.empty())) continue;
    const bool up = part == "../" || part == "..";
    if (up && plain == "/") continue;
    if (up && !plain.empty() && plain != "../" && !plain.ends_with("/../")) {
      plain.resize(plain.size() - 1);
      plain.resize(folder_of(plain).size());
      continue;
    }
    plain += part;
  }
  return plain;
}

ClosureNames::ClosureNames(References kind, std::string_view entry, const RealPath& real_path)
    : kind_(kind), real_path_(real_path) {
  if (real_path_) here_ = real_path_(".");
  if (!here_.empty() && !here_.ends_with('/')) here_ += '/';
  const std::string path(entry);
  entry_folder_ = folder_of(kind_ == References::kRealFile ? name_of(path).path : by_kernel(path));
}

std::string ClosureNames::absolute(const std::string& path) const {
  return without_dots(path.starts_with('/') ? path : here_ + path);
}

std::string ClosureNames::real(const std::string& path) const {
  return real_path_ ? real_path_(path.empty() ? "." : path) : absolute(path);
}

const std::string& ClosureNames::real_folder(const std::string& folder) const {
  const auto [place, fresh] = real_folders_.try_emplace(folder);
  if (fresh) place->second = real(folder);
  return place->second;
}

// The kernel goes up from where a link leads to: such a name stays as it is.
std::string ClosureNames::by_kernel(const std::string& path) const {
  std::string plain = without_dots(path);
  const bool climbs = real_path_ && path.find("../") != std::string::npos;
  return climbs && real_folder(folder_of(plain)) != real_folder(folder_of(path)) ? path : plain;
}

std::string ClosureNames::path_of(const std::string& folder, std::string_view reference) const {
  std::string path = folder;
  path += reference;
  if (kind_ == References::kRealFile) return without_dots(path);
  if (kind_ == References::kBelowEntry && path.starts_with(entry_folder_)) {
    return entry_folder_ + without_dots(std::string_view(path).substr(entry_folder_.size()));
  }
  return by_kernel(path);
}

ClosureNames::Name ClosureNames::name_of(const std::string& path) const {
  if (!real_path_) return {path, path};
  if (kind_ == References::kRealFile) {
    const std::string target = real(path);
    if (target.empty()) return {path, path};
    return {target == absolute(path) ? path : target, target};
  }
  // What a file names starts from the folder that it was found in, also where it is a link.
  const std::string folder = folder_of(path);
  return {path, real_folder(folder) + '/' + path.substr(folder.size())};
}

}  // namespace langsbx::languages
