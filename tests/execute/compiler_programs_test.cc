// Which files of a root a compiler may execute.
#include "runtime/execute/compiler_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace langsbx::execute {
namespace {

class CompilerPrograms : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "compilers-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void put(const std::vector<std::string>& paths) const {
    for (const auto& path : paths) {
      std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
      std::ofstream(root_ + path) << "x";
    }
  }
  [[nodiscard]] std::vector<std::string> of(std::string_view language,
                                            const std::string& tool) const {
    auto found = *compiler_programs(**find_toolchain(language), tool, root_);
    std::sort(found.begin(), found.end());
    return found;
  }

  std::string root_;  // NOLINT(cppcoreguidelines-non-private-member-variables-in-classes)
};

TEST_F(CompilerPrograms, AreThePartsAlone) {
  put({"/bin/sh", "/usr/bin/id", "/usr/bin/gcc", "/usr/bin/as", "/usr/bin/ld", "/usr/bin/perl",
       "/usr/lib/gcc/x/12/cc1", "/usr/lib/gcc/x/12/collect2", "/usr/lib/gcc/x/12/other",
       "/usr/libexec/gcc/x/14/cc1plus", "/usr/x-linux-y/bin/ld", "/usr/other/bin/ld"});
  EXPECT_EQ(of("c", "/usr/bin/gcc"),
            (std::vector<std::string>{"/bin/sh", "/usr/bin/as", "/usr/bin/gcc", "/usr/bin/ld",
                                      "/usr/lib/gcc/x/12/cc1", "/usr/lib/gcc/x/12/collect2",
                                      "/usr/libexec/gcc/x/14/cc1plus", "/usr/x-linux-y/bin/ld"}));
}

TEST_F(CompilerPrograms, AreFoundBesideACompilerOfItsMakers) {
  put({"/usr/local/go/bin/go", "/usr/local/go/pkg/tool/linux_amd64/compile", "/bin/sh",
       "/usr/local/go/pkg/tool/linux_amd64/link", "/usr/local/go/src/x.go"});
  EXPECT_EQ(of("go", "/usr/local/go/bin/go"),
            (std::vector<std::string>{"/usr/local/go/bin/go",
                                      "/usr/local/go/pkg/tool/linux_amd64/compile",
                                      "/usr/local/go/pkg/tool/linux_amd64/link"}));
  put({"/usr/local/rustup/toolchains/1/bin/rustc", "/usr/bin/gcc", "/usr/bin/ld",
       "/usr/local/rustup/toolchains/1/lib/rustlib/x/bin/rust-lld"});
  EXPECT_EQ(of("rust", "/usr/local/rustup/toolchains/1/bin/rustc").size(), 4U)
      << "rustc, its linker, gcc and ld";
}

TEST_F(CompilerPrograms, ANodeScriptIsNodeAlone) {
  put({"/usr/bin/node", "/bin/sh", "/usr/bin/ld"});
  EXPECT_EQ(of("typescript", "/usr/bin/node"), std::vector<std::string>{"/usr/bin/node"});
}

}  // namespace
}  // namespace langsbx::execute
