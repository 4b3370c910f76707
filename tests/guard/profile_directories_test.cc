// Profiles of directories: found before the shipped ones, never outside.
#include "runtime/guard/profile_directories.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "languages/registry.h"

namespace langsbx::guard {
namespace {

class ProfileDirectories : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/guard-profiles-XXXXXX";
    ASSERT_NE(::mkdtemp(pattern), nullptr);
    folder_ = pattern;
    ::mkdir((folder_ + "/python").c_str(), 0755);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ + "/" + name) << text;
  }
  [[nodiscard]] std::string description(std::string_view name) const {
    const auto profile =
        languages::load_profile(*languages::find_language("python"), name, find_in({folder_}));
    return profile.ok() ? profile->description : "error: " + profile.error().to_string();
  }
  std::string folder_;
};

TEST_F(ProfileDirectories, TheLanguagesFolderIsFirst) {
  write("python/ours.yaml", "name: ours\nlanguage: python\ndescription: inner\n");
  write("ours.yaml", "name: ours\nlanguage: python\ndescription: outer\n");
  EXPECT_EQ(description("ours"), "inner");
}

TEST_F(ProfileDirectories, AProfileOfAnotherLanguageIsPassedOver) {
  write("default.yaml", "name: default\nlanguage: bash\ndescription: of bash\n");
  EXPECT_NE(description("default"), "of bash");
  EXPECT_EQ(description("default").find("error"), std::string::npos);
}

TEST_F(ProfileDirectories, NamesDoNotLeaveTheDirectory) {
  write("x.yaml", "name: x\nlanguage: python\ndescription: outside\n");
  const auto finder = find_in({folder_ + "/python"});
  for (const char* name : {"../x", "/etc/x", "..", "", ".x"}) {
    const auto found = finder("python", name);
    ASSERT_TRUE(found.ok()) << name;
    EXPECT_FALSE(found->has_value()) << name;
  }
}

TEST_F(ProfileDirectories, AWrongProfileIsAnError) {
  write("python/wrong.yaml", "name: wrong\nnonsense: 1\n");
  EXPECT_NE(description("wrong").find("wrong.yaml:2"), std::string::npos) << description("wrong");
}

}  // namespace
}  // namespace langsbx::guard
