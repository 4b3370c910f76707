// What every language's shipped profiles have to say.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

TEST(ShippedProfiles, DefaultHasEveryLayer) {
  for (const Language* language : all_languages()) {
    const auto profile = load_profile(*language, "default");
    ASSERT_TRUE(profile.ok()) << language->name;
    SCOPED_TRACE(std::string(language->name));
    EXPECT_FALSE(profile->landlock.read.empty());
    EXPECT_FALSE(profile->landlock.write.empty());
    // The runtime adds what starts the program.
    EXPECT_TRUE(profile->landlock.execute.empty());
    EXPECT_FALSE(profile->landlock.scopes.empty());
    EXPECT_TRUE(profile->seccomp.has_value());
    EXPECT_EQ(profile->network, "none");
    EXPECT_TRUE(profile->limits.memory && profile->limits.cpu && profile->limits.processes &&
                profile->limits.wall_time && profile->limits.files);
    for (const auto& path : profile->landlock.read) EXPECT_EQ(path[0], '/') << path;
    for (const char* other : {"/", "/etc", "/root", "/home", "/var"}) {
      EXPECT_EQ(std::count(profile->landlock.read.begin(), profile->landlock.read.end(), other), 0);
    }
  }
}

TEST(ShippedProfiles, MinimalAndStrictAllowNoMoreThanDefault) {
  for (const Language* language : all_languages()) {
    const Policy ordinary = make_policy(*load_profile(*language, "default"));
    for (const char* name : {"minimal", "strict"}) {
      const auto profile = load_profile(*language, name);
      if (!profile.ok()) {
        EXPECT_EQ(language->name, "bash") << profile.error().message;  // has minimal only
        continue;
      }
      const Policy policy = make_policy(*profile);
      EXPECT_EQ(policy.allowed & ~ordinary.allowed, decltype(policy.allowed)())
          << language->name << " " << name;
    }
  }
}

}  // namespace
}  // namespace langsbx::languages
