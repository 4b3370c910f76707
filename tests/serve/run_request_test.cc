#include "cmd/langsbxd/run_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/execute/limits.h"

namespace langsbx::serve {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json python() { return {{"language", "python"}, {"source", "print(1)"}}; }

TEST(RunRequest, TakesWhatIsAllowed) {
  auto body = python();
  body["deadline_ms"] = 500;
  body["artifacts"] = {"*"};
  const auto made = make_run_request(body, {});
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->document["network"], "none");
  EXPECT_FALSE(made->document.contains("deadline_ms"));
  EXPECT_EQ(made->deadline, std::chrono::milliseconds(500));
  EXPECT_TRUE(made->wants_files);
}

TEST(RunRequest, ALanguageIsKnownByItsAliasAndByItsFile) {
  EXPECT_EQ(make_run_request({{"language", "py"}, {"source", ""}}, {})->document["language"],
            "python");
  EXPECT_EQ(make_run_request({{"file", "a.go"}, {"source", ""}}, {})->document["language"], "go");
  EXPECT_FALSE(make_run_request({{"source", ""}}, {}).ok());
  EXPECT_FALSE(make_run_request({{"language", "cobol"}, {"source", ""}}, {}).ok());
}

TEST(RunRequest, AKeyBoundsWhatIsAskedFor) {
  Allowed allowed;
  allowed.languages = {"python"};
  allowed.profiles = {"default", "minimal"};
  allowed.ceilings[execute::limit_index("timeout")] = 1000;
  allowed.ceilings[execute::limit_index("cpus")] = 500;
  const auto refused = [&](const json& more, const std::string& part) {
    auto body = python();
    body.update(more);
    const auto made = make_run_request(body, allowed);
    ASSERT_FALSE(made.ok()) << more.dump();
    EXPECT_EQ(made.error().kind, ErrorKind::kRefused) << made.error().to_string();
    EXPECT_THAT(made.error().to_string(), HasSubstr(part));
  };
  refused({{"language", "bash"}}, "language");
  refused({{"profile", "data-science"}}, "profile");
  refused({{"network", "host"}}, "network");
  refused({{"isolation", "off"}}, "isolation");
  refused({{"setup", "true"}}, "setup");
  refused({{"limits", {{"wall_time_ms", 1001}}}}, "limits.wall_time_ms");
  refused({{"limits", {{"cpus", 0.6}}}}, "limits.cpus");
  auto body = python();
  body["limits"] = {{"wall_time_ms", 1000}, {"cpus", 0.5}};
  const auto made = make_run_request(body, allowed);
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  EXPECT_EQ(made->document["ceilings"]["wall_time_ms"], 1000);
  EXPECT_EQ(made->document["ceilings"]["cpus"], 0.5);
}

// What a run writes is held in the service's memory, whatever the key's own ceiling.
TEST(RunRequest, OutputIsBoundedForEveryKey) {
  constexpr std::uint64_t kMost = 64U << 20U;
  Allowed allowed;
  for (const std::uint64_t own : {std::uint64_t{0}, kMost / 2, kMost * 1000}) {
    const auto most = own == 0 ? kMost : std::min(own, kMost);
    if (own > 0) allowed.ceilings[execute::limit_index("output")] = own;
    auto body = python();
    EXPECT_EQ(make_run_request(body, allowed)->document["ceilings"]["output_bytes"], most);
    body["limits"] = {{"output_bytes", most}};
    EXPECT_TRUE(make_run_request(body, allowed).ok());
    body["limits"] = {{"output_bytes", most + 1}};
    EXPECT_FALSE(make_run_request(body, allowed).ok());
  }
}

TEST(RunRequest, NobodySetsWhatIsTheServices) {
  for (const char* member : {"ceilings", "id"}) {
    auto body = python();
    body[member] = "x";
    EXPECT_FALSE(make_run_request(body, {}).ok()) << member;
  }
  auto body = python();
  body["profile"] = "/etc/passwd";
  EXPECT_FALSE(make_run_request(body, {}).ok());
  EXPECT_FALSE(make_run_request(json::array(), {}).ok());
  for (const json& deadline : {json(0), json(-1), json("1"), json(1.5), json(90'000'000)}) {
    body = python();
    body["deadline_ms"] = deadline;
    EXPECT_FALSE(make_run_request(body, {}).ok()) << deadline;
  }
}

}  // namespace
}  // namespace langsbx::serve
