// A directory tree that stands for mounted cgroups: files are made by the test, not by a kernel.
#pragma once

#include <string>

namespace langsbx::test {

class FakeCgroup {
 public:
  FakeCgroup();
  FakeCgroup(const FakeCgroup&) = delete;
  FakeCgroup& operator=(const FakeCgroup&) = delete;
  ~FakeCgroup();

  [[nodiscard]] const std::string& root() const { return root_; }
  // Makes the file and the directories above it; `path` is below the root.
  void put(const std::string& path, const std::string& text = "") const;
  [[nodiscard]] std::string get(const std::string& path) const;  // "<none>" when missing
  [[nodiscard]] bool has(const std::string& path) const;

 private:
  std::string root_;
};

}  // namespace langsbx::test
