// Looking profiles up in directories.
#include "runtime/guard/profile_directories.h"

#include <algorithm>
#include <cerrno>

#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

using languages::ProfileText;

constexpr std::size_t kLimit = 1U << 20U;

bool plain_name(std::string_view name) {
  if (name.empty() || name[0] == '.') return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  });
}

// Nothing when there is no such file; one that cannot be read is an error, never passed over.
Result<std::optional<ProfileText>> read_if_there(const std::string& path) {
  auto text = read_file(path, kLimit);
  if (text.ok()) return std::optional<ProfileText>(ProfileText{path, text.release_value()});
  const int reason = text.error().errno_value;
  if (reason == ENOENT || reason == ENOTDIR) return std::optional<ProfileText>();
  return text.release_error();
}

// A file directly in the directory may be another language's: only one that says so is taken.
Result<bool> is_for(const ProfileText& text, std::string_view language) {
  const auto profile = TRY(languages::read_profile(text.yaml, text.file));
  return profile.language.empty() || profile.language == language;
}

}  // namespace

languages::ProfileFinder find_in(std::vector<std::string> directories) {
  return
      [directories = std::move(directories)](
          std::string_view language, std::string_view name) -> Result<std::optional<ProfileText>> {
        if (!plain_name(name) || !plain_name(language)) return std::optional<ProfileText>();
        const std::string file = std::string(name) + ".yaml";
        for (const std::string& directory : directories) {
          auto own = TRY(read_if_there(directory + "/" + std::string(language) + "/" + file));
          if (own) return own;
          auto any = TRY(read_if_there(directory + "/" + file));
          if (any && TRY(is_for(*any, language))) return any;
        }
        return std::optional<ProfileText>();
      };
}

bool has_profile(const languages::Language& language, std::string_view name,
                 const languages::ProfileFinder& finder) {
  for (const auto& profile : language.builtin_profiles) {
    if (profile.name == name) return true;
  }
  if (!finder) return false;
  const auto found = finder(language.name, name);
  return !found.ok() || found->has_value();
}

}  // namespace langsbx::guard
