// Collecting files and telling their language.
#include "cmd/langsbx/validate_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "languages/registry.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

using languages::Language;

// Of a larger file this much is read and one byte more: no profile lets it pass.
constexpr std::size_t kLimit = 64U << 20U;
constexpr std::size_t kDeepest = 64;

bool is_elf(std::string_view bytes) {
  return bytes.starts_with(
      "\x7f"
      "ELF");
}

const Language* language_of(const std::string& path, std::string_view bytes,
                            const Language* language) {
  if (language != nullptr) return language;
  if (is_elf(bytes)) return languages::find_language("c");
  return languages::language_of_file(path, bytes);
}

Result<std::string> read_source(const std::string& path) {
  const auto fd = TRY(open_file(path, O_RDONLY | O_NOCTTY));
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) return system_error(path);
  if (!S_ISREG(facts.st_mode) || static_cast<std::size_t>(facts.st_size) <= kLimit) {
    return read_fd(fd.get(), kLimit, path);
  }
  std::string bytes(kLimit + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t got = ::read(fd.get(), bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return system_error("read " + path);
    filled += static_cast<std::size_t>(got);
  }
  return bytes;
}

// The folder around the Python packages that a file lies in, with its '/'; empty when it is in
// none.
std::string around_packages(std::string_view file) {
  std::string root;
  for (std::size_t n = 0; n < kDeepest; ++n) {
    const std::size_t slash = file.rfind('/');
    const std::string folder(file.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
    if (::access((folder + "__init__.py").c_str(), F_OK) != 0) return root;
    if (folder.empty()) return "../";
    file = file.substr(0, slash);
    const std::size_t above = file.rfind('/');
    root = above == std::string_view::npos ? "./" : std::string(file.substr(0, above + 1));
  }
  return root;
}

struct Closer {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

class Collector {
 public:
  explicit Collector(const Language* language) : language_(language) {}

  Result<void> add(const std::string& path) {
    if (path == "-") return add_standard_input();
    struct stat facts {};
    if (::stat(path.c_str(), &facts) != 0) return system_error(path);
    roots_.clear();
    const bool directory = S_ISDIR(facts.st_mode);
    if (directory) roots_.push_back(path.ends_with('/') ? path : path + "/");
    const std::string inside = directory ? roots_[0] + "x.py" : path;
    if (auto root = around_packages(inside); !root.empty()) roots_.push_back(std::move(root));
    if (directory) return add_directory(path, 0);
    return add_named(path, TRY(read_source(path)));
  }

  std::vector<FileToJudge> take() { return std::move(files_); }

 private:
  Result<void> add_standard_input() {
    return add_named("-", TRY(read_fd(STDIN_FILENO, kLimit, "standard input")));
  }

  Result<void> add_named(const std::string& path, std::string bytes) {
    const Language* const language = language_of(path, bytes, language_);
    if (language == nullptr) {
      return make_error(ErrorKind::kInvalidInput,
                        path +
                            ": neither extension nor \"#!\" tells the language; name it with "
                            "--language");
    }
    push(path, std::move(bytes), language);
    return {};
  }

  Result<void> add_directory(const std::string& path, std::size_t depth) {
    if (depth > kDeepest) {
      return make_error(ErrorKind::kInvalidInput, path + ": nested too deeply");
    }
    const std::unique_ptr<DIR, Closer> directory(::opendir(path.c_str()));
    if (!directory) return system_error("open " + path);
    std::vector<std::string> names;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): a stream of our own
    while (const dirent* entry = ::readdir(directory.get())) {
      if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      TRY(add_entry(path.ends_with('/') ? path + name : path + "/" + name, depth));
    }
    return {};
  }

  Result<void> add_entry(const std::string& path, std::size_t depth) {
    struct stat facts {};
    if (::lstat(path.c_str(), &facts) != 0) return system_error(path);
    if (S_ISDIR(facts.st_mode)) return add_directory(path, depth + 1);
    if (!S_ISREG(facts.st_mode)) return {};
    const Language* const by_name = languages::language_of_file(path, {});
    if (by_name == nullptr && !TRY(starts_like_a_script(path))) return {};
    std::string bytes = TRY(read_source(path));
    const Language* const found =
        by_name != nullptr ? by_name : languages::language_of_file(path, bytes);
    // With --language a directory gives the files of that language only.
    if (found == nullptr || (language_ != nullptr && found != language_)) return {};
    push(path, std::move(bytes), found);
    return {};
  }

  static Result<bool> starts_like_a_script(const std::string& path) {
    const auto fd = TRY(open_file(path, O_RDONLY | O_NOFOLLOW));
    char start[2] = {};
    return ::read(fd.get(), start, sizeof start) == 2 && start[0] == '#' && start[1] == '!';
  }

  void push(const std::string& path, std::string bytes, const Language* language) {
    const bool object = is_elf(bytes) && language->judges_objects;
    files_.push_back({path, std::move(bytes), language, object, roots_});
  }

  const Language* language_;
  std::vector<std::string> roots_;
  std::vector<FileToJudge> files_;
};

}  // namespace

Result<std::vector<FileToJudge>> collect_files(const std::vector<std::string>& paths,
                                               const Language* language) {
  Collector collector(language);
  for (const std::string& path : paths) TRY(collector.add(path));
  return collector.take();
}

}  // namespace langsbx::cmd
