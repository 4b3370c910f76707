// Keeps files open for a while.
#include "runtime/cgroup/used_files.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::cgroup {
namespace {

// Whoever starts us may allow few.
constexpr std::size_t kMost = 8;

}  // namespace

UsedFiles& UsedFiles::operator=(UsedFiles&& other) noexcept {
  if (this == &other) return *this;
  close();
  files_ = std::move(other.files_);
  root_ = std::move(other.root_);
  return *this;
}

Result<int> UsedFiles::open(const std::string& path, int flags) {
  if (files_.size() >= kMost) close_files();
  if (files_.empty()) files_.reserve(kMost + 1);
  auto file = root_.open(path, flags);
  if (!file.ok() && file.error().errno_value == EMFILE && !files_.empty()) {
    close_files();
    file = root_.open(path, flags);
  }
  files_.push_back(TRY(std::move(file)));
  return files_.back().get();
}

Result<void> UsedFiles::write(const std::string& path, std::string_view data) {
  return write_fd(TRY(open(path, O_WRONLY)), data, path);
}

Result<std::string> UsedFiles::read(const std::string& path) {
  return read_kernel_record(TRY(open(path, O_RDONLY)), path);
}

void UsedFiles::close_files() {
  if (!files_.empty()) close_together(files_);
}

void UsedFiles::close() {
  auto all = take();
  if (!all.empty()) close_together(all);
}

std::vector<UniqueFd> UsedFiles::take() {
  if (auto root = root_.take(); root.valid()) files_.push_back(std::move(root));
  return std::exchange(files_, {});
}

}  // namespace langsbx::cgroup
