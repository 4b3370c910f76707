#include "runtime/execute/host_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::size_t kLargestInput = 256U << 20U;
constexpr std::size_t kMostFiles = 16384;
constexpr std::size_t kDeepest = 64;

bool is_left_out(std::string_view name) { return name.front() == '.' || name == "__pycache__"; }

class Reader {
 public:
  Reader(std::string path, UniqueFd root, bool hidden)
      : path_(std::move(path)), root_(std::move(root)), hidden_(hidden) {}

  Result<FolderFiles> read() {
    TRY_CONTEXT(add_folder("", 0), path_);
    return std::move(made_);
  }

 private:
  Result<std::vector<std::string>> names_in(const std::string& folder) {
    auto opened = TRY(open_in_root(root_.get(), folder.empty() ? "/" : folder,
                                   O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(opened.get()), &::closedir);
    if (stream == nullptr) return system_error("list " + folder);
    static_cast<void>(opened.release());
    std::vector<std::string> names;
    while (const dirent* entry = ::readdir(stream.get())) {
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || (!hidden_ && is_left_out(name))) continue;
      names.emplace_back(name);
    }
    std::ranges::sort(names);
    return names;
  }

  Result<void> add_folder(const std::string& folder, std::size_t depth) {
    if (depth > kDeepest) return make_error(ErrorKind::kInvalidInput, folder + ": nested too deep");
    for (const std::string& name : TRY(names_in(folder))) {
      TRY(add(folder.empty() ? name : folder + "/" + name, depth));
    }
    return {};
  }

  Result<void> add(const std::string& name, std::size_t depth) {
    struct stat link {};
    struct stat facts {};
    const auto place = TRY_CONTEXT(open_in_root(root_.get(), name, O_PATH | O_NOFOLLOW), name);
    if (::fstat(place.get(), &link) != 0) return system_error("fstat " + name);
    if (S_ISDIR(link.st_mode)) return add_folder(name, depth + 1);
    const auto file = open_in_root(root_.get(), name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const bool readable = file.ok() && ::fstat(file->get(), &facts) == 0 && S_ISREG(facts.st_mode);
    if (!readable && S_ISREG(link.st_mode)) return file.error();
    if (!readable) {
      made_.warnings.push_back(path_ + "/" + name + ": is left out: " +
                               (S_ISLNK(link.st_mode) ? "a link to no file of this folder"
                                                      : "neither a file nor a folder"));
      return {};
    }
    if (made_.files.size() == kMostFiles) {
      return make_error(ErrorKind::kInvalidInput, "more than 16384 files");
    }
    auto bytes = TRY(read_fd(file->get(), kLargestInput - total_, name));
    total_ += bytes.size();
    made_.files.push_back({name, std::move(bytes), facts.st_mode & 0755});
    return {};
  }

  std::string path_;
  UniqueFd root_;
  bool hidden_;
  std::size_t total_ = 0;
  FolderFiles made_;
};

// A file's own name may have a colon in it.
std::size_t colon_of(const std::string& option) {
  const auto colon = option.rfind(':');
  return colon == std::string::npos || ::access(option.c_str(), F_OK) == 0 ? option.size() : colon;
}

}  // namespace

bool is_plain_name(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) return false;
  for (std::size_t at = 0; at <= name.size();) {
    const auto end = std::min(name.find('/', at), name.size());
    const auto part = name.substr(at, end - at);
    if (part.empty() || part == "." || part == "..") return false;
    at = end + 1;
  }
  return true;
}

Result<FolderFiles> read_folder(const std::string& path, bool hidden) {
  auto root = TRY(open_file(path, O_PATH | O_DIRECTORY));
  std::string named = path;
  while (named.size() > 1 && named.ends_with('/')) named.pop_back();
  return Reader(std::move(named), std::move(root), hidden).read();
}

Result<FolderFiles> read_input(const std::string& option) {
  const auto colon = colon_of(option);
  std::string path = option.substr(0, colon);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::string name = colon == option.size() ? std::string() : option.substr(colon + 1);
  if (colon == option.size() || name.ends_with('/')) name += path.substr(path.rfind('/') + 1);
  if (colon == option.size() && (name == "." || name == "..")) {
    name = TRY_CONTEXT(real_directory(path), "--input");
    name = name.substr(name.rfind('/') + 1);
  }
  if (!is_plain_name(name)) {
    return make_error(ErrorKind::kInvalidInput,
                      "--input " + option + ": " + name + " is no name below the work directory");
  }
  struct stat facts {};
  if (::stat(path.c_str(), &facts) == 0 && S_ISDIR(facts.st_mode)) {
    auto made = TRY_CONTEXT(read_folder(path, true), "--input");
    for (auto& file : made.files) file.name = name + "/" + file.name;
    return made;
  }
  FolderFiles made;
  made.files.push_back(
      {std::move(name), TRY_CONTEXT(read_file(path, kLargestInput), "--input"), 0644});
  return made;
}

}  // namespace langsbx::execute
