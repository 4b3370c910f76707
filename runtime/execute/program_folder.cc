#include "runtime/execute/program_folder.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "languages/closure_names.h"
#include "languages/registry.h"
#include "runtime/execute/entry.h"
#include "runtime/execute/host_files.h"
#include "runtime/guard/container_files.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::size_t kLargestSource = 16U << 20U;
constexpr int kMostFoldersUp = 16;

bool begins_project(const std::string& folder) {
  constexpr std::array<const char*, 9> kMarks = {"go.mod",         "package.json",  "Cargo.toml",
                                                 "pyproject.toml", "setup.py",      "pom.xml",
                                                 "build.gradle",   "tsconfig.json", ".git"};
  for (const char* mark : kMarks) {
    if (::access((folder + mark).c_str(), F_OK) == 0) return true;
  }
  return false;
}

// `folder` is absolute and ends in '/', as what is returned.
std::string project_of(const std::string& folder) {
  std::string above = folder;
  for (int level = 0; level < kMostFoldersUp && above != "/"; ++level) {
    if (begins_project(above)) return above;
    above = languages::folder_of(std::string_view(above).substr(0, above.size() - 1));
  }
  return folder;
}

Result<std::string> absolute_path(const std::string& path, Request& request) {
  request.here = TRY(working_directory());
  if (!request.here.ends_with('/')) request.here += '/';
  return languages::without_dots(path.starts_with('/') ? path : request.here + path);
}

}  // namespace

Result<void> take_program_file(const std::string& path, Request& request) {
  if (::access(path.c_str(), F_OK) != 0) {
    return make_error(ErrorKind::kNotFound, path + ": " + errno_text(errno));
  }
  request.source = TRY(read_file(path, kLargestSource));
  request.file = path;
  const auto* const language = request.language.empty()
                                   ? languages::language_of_file(path, request.source)
                                   : languages::find_language(request.language);
  if (language != nullptr) request.file = guard::entry_path(*language, path);
  const std::string absolute = TRY(absolute_path(request.file, request));
  request.folder = project_of(languages::folder_of(absolute));
  return {};
}

Result<void> take_program_folder(const std::string& path, const std::string& entry,
                                 Request& request) {
  auto read = TRY(read_folder(path, false));
  const auto* const language =
      request.language.empty() ? nullptr : languages::find_language(request.language);
  const std::string name = entry.empty() ? TRY(find_entry(read.files, language, path)) : entry;
  const auto found = std::ranges::find(read.files, name, &Input::name);
  if (found == read.files.end()) {
    return make_error(ErrorKind::kNotFound, "--entry: " + name + ": not in " + path);
  }
  request.source = found->content;
  const std::string folder = path.ends_with('/') ? path : path + "/";
  request.file = folder + name;
  request.folder = TRY(absolute_path(folder, request));
  request.top = request.folder;
  request.inputs = std::move(read.files);
  request.inputs.erase(request.inputs.begin() + (found - read.files.begin()));
  for (auto& warning : read.warnings) request.warnings.push_back(std::move(warning));
  return {};
}

}  // namespace langsbx::execute
