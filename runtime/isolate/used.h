// Descriptors that nobody needs any more, closed many at a time.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "runtime/kernel/process.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::isolate {

class Used {
 public:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kFew = 1;

  // `most`: so many stay open; kFew where the limit of open files is low.
  explicit Used(std::size_t most = kMost) : most_(most) {}
  Used(const Used&) = delete;
  Used& operator=(const Used&) = delete;
  ~Used() { close(); }

  // It stays open at least until the next one is added.
  void add(UniqueFd file) {
    if (!file.valid()) return;
    if (files_.size() >= most_) close();
    files_.push_back(std::move(file));
  }
  // The last one isn't needed either.
  void settle() {
    if (most_ == kFew) close();
  }
  void close() { close_together(files_); }

 private:
  std::size_t most_;
  std::vector<UniqueFd> files_;
};

}  // namespace langsbx::isolate
