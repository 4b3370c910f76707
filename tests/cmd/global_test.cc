// Options before the command as clients pass them; log lines; where state is kept by default.
#include "cmd/langsbx/global.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cmd/langsbx/version.h"

namespace langsbx::cmd {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Global, TheShimOfContainerd) {
  auto parsed =
      parse_global("/usr/bin/langsbx",
                   std::vector<std::string>{"--root", "/run/x", "--log", "/b/log.json",
                                            "--log-format", "json", "--systemd-cgroup",
                                            "--rootless=true", "create", "--bundle", "/b", "ID"});
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  const Global& global = parsed->global;
  EXPECT_EQ(global.root, "/run/x");
  EXPECT_EQ(global.log.destination, "/b/log.json");
  EXPECT_TRUE(global.log.json);
  EXPECT_EQ(global.log.level, LogLevel::kError) << "one object in the file, no warnings before it";
  EXPECT_EQ(global.cgroup_manager, cgroup::Manager::kSystemd);
  EXPECT_EQ(global.rootless, true);
  EXPECT_THAT(parsed->rest, ElementsAre("create", "--bundle", "/b", "ID"));
}

TEST(Global, ValuesAreChecked) {
  const auto error = [](const std::vector<std::string>& args) {
    auto parsed = parse_global("langsbx", args);
    if (!parsed.ok()) return parsed.error().message;
    return parsed->values.ok() ? std::string("accepted") : parsed->values.error().message;
  };
  EXPECT_THAT(error({"--log-format", "xml", "list"}), HasSubstr("flag -log-format"));
  EXPECT_THAT(error({"--log-level", "loud", "list"}), HasSubstr("unknown log-level"));
  EXPECT_THAT(error({"--rootless", "maybe", "list"}), HasSubstr("flag -rootless"));
  EXPECT_THAT(error({"--cgroup-manager", "x", "list"}), HasSubstr("flag -cgroup-manager"));
  EXPECT_THAT(error({"--landlock", "on", "list"}), HasSubstr("flag -landlock"));
  EXPECT_THAT(error({"--landlock", "", "list"}), HasSubstr("landlock"));
  EXPECT_EQ(error({"--landlock", "required", "list"}), "accepted");
  EXPECT_EQ(error({"--nonsense", "list"}), "flag provided but not defined: -nonsense");
  EXPECT_EQ(error({"--cgroup-manager", "disabled", "--rootless=auto", "list"}), "accepted");
}

TEST(Global, Names) {
  EXPECT_EQ(program_name("/usr/sbin/runc"), "runc");
  EXPECT_EQ(program_name("crun"), "crun");
  EXPECT_EQ(program_name("/x/langsbx"), "langsbx");
  EXPECT_EQ(program_name("docker-runc"), "langsbx");
  EXPECT_THAT(version_text("runc"), StartsWith("runc version "));
  EXPECT_THAT(version_text("runc"), HasSubstr("\ncommit: "));
  EXPECT_THAT(version_text("runc"), HasSubstr("\nspec: 1.3.0\nlibseccomp: "));
  EXPECT_THAT(version_text("crun"), HasSubstr("\n+SYSTEMD +SELINUX +APPARMOR +CAP +SECCOMP"));
  EXPECT_THAT(version_text("langsbx"), StartsWith("langsbx version "));
}

TEST(LogLines, Text) {
  EXPECT_EQ(text_line(LogLevel::kError, "a \"b\"\n\\\x01", 0),
            "time=\"1970-01-01T00:00:00Z\" level=error msg=\"a \\\"b\\\"\\n\\\\\\u0001\"\n");
  EXPECT_EQ(text_line(LogLevel::kError, "half of \xc3", 0),
            "time=\"1970-01-01T00:00:00Z\" level=error msg=\"half of \xef\xbf\xbd\"\n");
}

TEST(LogLines, FindingsStandOnLinesOfTheirOwn) {
  EXPECT_EQ(text_lines(LogLevel::kError, "refused\nmain.py:1:1: error\n  ^~\x1b[2J\n", 0),
            "time=\"1970-01-01T00:00:00Z\" level=error msg=\"refused\"\n"
            "main.py:1:1: error\n  ^~\\x1b[2J\n");
  EXPECT_EQ(text_lines(LogLevel::kError, "one", 0), text_line(LogLevel::kError, "one", 0));
}

TEST(LogLines, Json) {
  EXPECT_EQ(json_line(LogLevel::kError, "container does not exist", 0),
            "{\"level\":\"error\",\"msg\":\"container does not exist\","
            "\"time\":\"1970-01-01T00:00:00Z\"}\n");
  EXPECT_TRUE(nlohmann::json::accept(json_line(LogLevel::kDebug, "a\n\"\xff/", 0)));
}

TEST(LogFile, HoldsOneObjectForOneError) {
  const std::string path = ::testing::TempDir() + "langsbx-log-" + std::to_string(::getpid());
  {
    auto log = Log::open({.destination = "file:" + path, .json = true});
    ASSERT_TRUE(log.ok()) << log.error().message;
    log->write(LogLevel::kWarning, "not in the file");
    ::testing::internal::CaptureStderr();
    log->failure("it broke");
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "it broke\n");
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  ::unlink(path.c_str());
  const auto object = nlohmann::json::parse(text.str(), nullptr, false);
  ASSERT_TRUE(object.is_object()) << text.str();
  EXPECT_EQ(object["msg"], "it broke");
  EXPECT_EQ(object["level"], "error");
}

}  // namespace
}  // namespace langsbx::cmd
