// What an interpreter is told before it starts.
#include "runtime/guard/launch_environment.h"

#include <gtest/gtest.h>

#include "languages/registry.h"

namespace langsbx::guard {
namespace {

using Variables = std::vector<std::string>;

TEST(LaunchEnvironment, ReplacesWhatWasThere) {
  Variables environment = {"HOME=/v", "A=b", "HOME=/w", "HOMER=x"};
  give_variables(*languages::find_language("javascript"), environment);
  EXPECT_EQ(environment, (Variables{"A=b", "HOMER=x", "HOME=/nonexistent"}));
}

TEST(LaunchEnvironment, IsEachLanguagesOwn) {
  Variables environment = {"HOME=/v"};
  give_variables(*languages::find_language("python"), environment);
  EXPECT_EQ(environment,
            (Variables{"HOME=/v", "PYTHONPYCACHEPREFIX=/dev/null", "PYTHONNOUSERSITE=1"}));
  give_variables_alone(*languages::find_language("python"), environment);
  EXPECT_EQ(environment.back(), "PYTHONSAFEPATH=1");
  environment.clear();
  give_variables(*languages::find_language("go"), environment);
  EXPECT_EQ(environment, (Variables{"GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local"}));
  environment = {"SHLVL=0"};
  give_variables(*languages::find_language("bash"), environment);
  EXPECT_EQ(environment, (Variables{"SHLVL=1"}));
  environment.clear();
  give_variables(*languages::find_language("c"), environment);
  EXPECT_EQ(environment, Variables());
}

TEST(LaunchEnvironment, KnowsWhatMayNotBeTakenAway) {
  EXPECT_TRUE(is_given(*languages::find_language("python"), "PYTHONNOUSERSITE"));
  EXPECT_TRUE(is_given(*languages::find_language("python"), "PYTHONSAFEPATH"));
  EXPECT_TRUE(is_given(*languages::find_language("typescript"), "HOME"));
  EXPECT_FALSE(is_given(*languages::find_language("python"), "HOME"));
  EXPECT_FALSE(is_given(*languages::find_language("bash"), "HOME"));
}

}  // namespace
}  // namespace langsbx::guard
