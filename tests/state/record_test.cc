// state.json there and back, and what is refused of it; process liveness from /proc text.
#include "runtime/state/record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "runtime/state/process_status.h"

namespace langsbx::state {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Record example() {
  Record record;
  record.id = "box";
  record.oci_version = "1.3.0";
  record.bundle = "/srv/a/b";
  record.rootfs = "/srv/a/b/rootfs";
  record.created = "2026-11-18T13:57:33.1Z";
  record.annotations = {{"io.langsbx.language", "python"}};
  record.complete = true;
  record.init_pid = 4242;
  record.init_start_time = UINT64_MAX;
  record.runtime_name = "crun";
  record.rootless = record.no_pivot = record.no_new_keyring = record.terminal = true;
  record.asks_config = false;
  record.notify_socket = "/run/notify";
  record.resctrl_directory = "/sys/fs/resctrl/box";
  record.cgroup = R"({"mode":"v2"})";
  record.confinement = R"({"landlock":[1,2]})";
  return record;
}

TEST(Record, SurvivesTheFile) {
  const std::string text = to_json(example());
  EXPECT_THAT(text, HasSubstr("\"/srv/a/b/rootfs\"")) << "slashes stay unescaped";
  auto record = record_from_json(text, "state.json");
  ASSERT_TRUE(record.ok()) << record.error().message;
  EXPECT_EQ(to_json(record.value()), text);
  EXPECT_EQ(record->init_start_time, UINT64_MAX);
  EXPECT_EQ(record->cgroup, R"({"mode":"v2"})");
  EXPECT_EQ(record->guard, "");
}

// It may have hooks and a listener that nobody recorded.
TEST(Record, OneOfAnOlderVersionAsksConfig) {
  auto document = json::parse(to_json(example()));
  EXPECT_FALSE(record_from_json(document.dump(), "f")->asks_config);
  EXPECT_EQ(document.erase("asksConfig"), 1U);
  const auto older = record_from_json(document.dump(), "f");
  ASSERT_TRUE(older.ok()) << older.error().message;
  EXPECT_TRUE(older->asks_config);
}

TEST(Record, TheTextsOfOthersAreTakenAsTheyStand) {
  auto record = example();
  record.annotations = {{"cgroup", "not this one"}, {"a", "},\"guard\":{\\\"x\\\""}};
  record.cgroup = R"({"a":"},{\"b\":[","cgroup":{"guard":[{}]}})";
  record.confinement = "[1,{\"confinement\":null}]";
  record.guard = R"("text")";
  const auto again = record_from_json(to_json(record), "f");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->annotations, record.annotations);
  EXPECT_EQ(again->cgroup, record.cgroup);
  EXPECT_EQ(again->confinement, record.confinement);
  EXPECT_EQ(again->guard, record.guard);
  const auto blanks = record_from_json(json::parse(to_json(record)).dump(2), "f");
  ASSERT_TRUE(blanks.ok()) << blanks.error().message;
  EXPECT_EQ(json::parse(blanks->cgroup), json::parse(record.cgroup));
}

TEST(Record, AnnotationsOfAnyBytes) {
  auto record = example();
  record.annotations = {
      {"quote\"", "back\\slash"}, {"lines", "a\n\t\x01\x7f"}, {"\xc3\xa9", "\xf0\x9f\x90\xb3"}};
  auto again = record_from_json(to_json(record), "f");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->annotations, record.annotations);
  record.annotations = {{"k", "\xff"}};
  again = record_from_json(to_json(record), "f");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->annotations["k"], "\xef\xbf\xbd") << "what is no UTF-8 is replaced";
  record.annotations.clear();
  again = record_from_json(to_json(record), "f");
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_TRUE(again->annotations.empty());
}

TEST(Record, CutShortAnywhereItIsRefused) {
  auto record = example();
  record.guard = R"({"a":[{"b":"c"}]})";
  const std::string text = to_json(record);
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(record_from_json(text.substr(0, length), "f").ok()) << length;
  }
}

TEST(Record, EveryMemberIsNeededAndTyped) {
  const json whole = json::parse(to_json(example()));
  for (const auto& [name, value] : whole.items()) {
    if (name == "asksConfig") continue;  // records of older versions lack it
    json without = whole;
    without.erase(name);
    auto missing = record_from_json(without.dump(), "f");
    ASSERT_FALSE(missing.ok()) << name;
    EXPECT_EQ(missing.error().message, "f: " + name + ": is required");
    if (name == "cgroup" || name == "confinement" || name == "guard") continue;
    json wrong = whole;
    wrong[name] = json::array();
    auto mistyped = record_from_json(wrong.dump(), "f");
    ASSERT_FALSE(mistyped.ok()) << name;
    EXPECT_THAT(mistyped.error().message, HasSubstr("f: " + name + ": expected"));
  }
}

TEST(Record, RefusesWhatWouldHurt) {
  json record = json::parse(to_json(example()));
  const auto problem = [&] {
    auto read = record_from_json(record.dump(), "f");
    return read.ok() ? "accepted" : read.error().message;
  };
  record["initPid"] = 1;
  EXPECT_EQ(problem(), "f: initPid: is 1");
  record["initPid"] = 0;
  EXPECT_EQ(problem(), "f: initPid: is 0 in a complete record");
  record["initPid"] = -5;
  EXPECT_THAT(problem(), HasSubstr("is out of range (0 to 2147483647)"));
  record["initPid"] = 5000000000;
  EXPECT_THAT(problem(), HasSubstr("is out of range (0 to 2147483647)"));
  record["initPid"] = 5;
  record["bundle"] = std::string("/a\0b", 4);
  EXPECT_EQ(problem(), "f: bundle: contains a NUL byte");
  for (const char* text : {"", "{", "[]", "null", "1"}) {
    EXPECT_THAT(record_from_json(text, "f").error().message, StartsWith("f: ")) << text;
  }
  const std::string deep(100000, '[');
  EXPECT_EQ(record_from_json("{\"guard\":" + deep, "f").error().message,
            "f: guard: nested deeper than 64 levels");
  EXPECT_EQ(record_from_json("{\"foreign\":" + deep, "f").error().message,
            "f: nested deeper than 64 levels");
}

TEST(ProcessStatus, ParsesTheOddestNames) {
  const std::string rest = " 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 20";
  auto stat = parse_process_stat("12 (a) R (b) Z" + rest);
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(stat->state, 'Z');
  EXPECT_EQ(stat->start_time, 987654U);
  EXPECT_FALSE(parse_process_stat("").has_value());
  EXPECT_FALSE(parse_process_stat("12 (a) ").has_value());
  EXPECT_FALSE(parse_process_stat("12 (a) R 1 2 3").has_value());
  EXPECT_FALSE(parse_process_stat("12 a R" + rest).has_value());
}

TEST(ProcessStatus, KnowsThisProcess) {
  auto start = process_start_time(::getpid());
  ASSERT_TRUE(start.ok()) << start.error().message;
  EXPECT_GT(start.value(), 0U);
  EXPECT_TRUE(is_process_alive(::getpid(), start.value()));
  EXPECT_FALSE(is_process_alive(::getpid(), start.value() + 1));
  EXPECT_FALSE(is_process_alive(0, start.value()));
  EXPECT_FALSE(is_process_alive(-1, start.value()));
}

}  // namespace
}  // namespace langsbx::state
