// Files of a pretended cgroup file system in a temporary directory.
#include "tests/support/fake_cgroup.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace langsbx::test {

FakeCgroup::FakeCgroup() {
  std::string pattern = (std::filesystem::temp_directory_path() / "langsbx-cgroup-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) std::abort();
  root_ = pattern;
}

FakeCgroup::~FakeCgroup() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

void FakeCgroup::put(const std::string& path, const std::string& text) const {
  const auto whole = std::filesystem::path(root_) / path;
  std::filesystem::create_directories(whole.parent_path());
  std::ofstream(whole) << text;
}

std::string FakeCgroup::get(const std::string& path) const {
  std::ifstream file(std::filesystem::path(root_) / path);
  if (!file) return "<none>";
  return {std::istreambuf_iterator<char>(file), {}};
}

bool FakeCgroup::has(const std::string& path) const {
  return std::filesystem::exists(std::filesystem::path(root_) / path);
}

}  // namespace langsbx::test
