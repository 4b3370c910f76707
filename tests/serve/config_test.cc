#include "cmd/langsbxd/config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "runtime/execute/limits.h"
#include "tests/support/temp_dir.h"

namespace langsbx::serve {
namespace {

using testing::HasSubstr;

class ConfigTest : public testing::Test {
 protected:
  Result<void> read(const std::string& text) {
    path_ = folder_.path() + "/serve.yaml";
    std::ofstream(path_) << text;
    config_ = {};
    return read_config(path_, config_);
  }
  test::TempDir folder_;
  std::string path_;
  Config config_;
};

TEST_F(ConfigTest, EveryMemberIsRead) {
  const auto done = read(
      "listen: ['127.0.0.1:1', 'unix:/run/x.sock']\nstate: /s\nkeys: /k\nruntime: /r\nworkers: 3\n"
      "queue: {waiting: 4, waiting_of_key: 5}\nresults: {most: 6, bytes: 7M, age: 8m}\n"
      "largest_body: 9K\nconnections: 10\nread_time: 11s\nstop_time: 1h\nhosts: [a]\n"
      "allowed: {languages: [python], networks: [none], limits: {wall_time_ms: 12, cpus: 0.5}}\n");
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_EQ(config_.listen.size(), 2U);
  EXPECT_EQ(config_.waiting, 4U);
  EXPECT_EQ(config_.results.bytes, 7U << 20U);
  EXPECT_EQ(config_.results.age, std::chrono::minutes(8));
  EXPECT_EQ(config_.largest_body, 9U << 10U);
  EXPECT_EQ(config_.stop_time, std::chrono::hours(1));
  EXPECT_EQ(config_.allowed.ceilings[execute::limit_index("timeout")], 12U);
  EXPECT_EQ(config_.allowed.ceilings[execute::limit_index("cpus")], 500U);
}

TEST_F(ConfigTest, AnErrorNamesFileLineAndMember) {
  for (const auto& [text, part] : std::vector<std::pair<std::string, std::string>>{
           {"a: 1\n", ":1:1: a: not known"},
           {"workers: 1\nqueue: {wating: 1}\n", ":2:9: queue.wating: not known"},
           {"workers: many\n", "workers: not a whole number"},
           {"read_time: 3\n", "read_time"},
           {"listen: 127.0.0.1:1\n", "listen: not a list"},
           {"results: {bytes: lots}\n", "results.bytes"},
           {"allowed: {limits: {speed: 1}}\n", "allowed.limits.speed: not known"}}) {
    const auto done = read(text);
    ASSERT_FALSE(done.ok()) << text;
    EXPECT_THAT(done.error().to_string(), HasSubstr(part)) << text;
    EXPECT_THAT(done.error().to_string(), HasSubstr(path_)) << text;
  }
}

TEST_F(ConfigTest, OtherMachinesNeedKeys) {
  Config config;
  config.state = "/s";
  config.runtime = "/bin/sh";
  config.listen = {"0.0.0.0:8700"};
  EXPECT_FALSE(check_config(config).ok());
  config.keys = "/k";
  EXPECT_TRUE(check_config(config).ok());
  config.keys.clear();
  config.listen = {"127.0.0.1:8700", "[::1]:8700", "unix:/run/x"};
  EXPECT_TRUE(check_config(config).ok());
}

TEST_F(ConfigTest, AnAddressIsANumberAndAPort) {
  for (const char* text : {"127.0.0.1:8700", "[::1]:1", "unix:/run/x"}) {
    EXPECT_TRUE(parse_address(text).ok()) << text;
  }
  for (const char* text : {"localhost:8700", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000",
                           "127.0.0.1:1x", "unix:run/x", ":8700"}) {
    EXPECT_FALSE(parse_address(text).ok()) << text;
  }
}

}  // namespace
}  // namespace langsbx::serve
