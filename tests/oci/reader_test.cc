// The reader of config.json: what it takes, what it refuses and how it says so.
#include "oci/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace langsbx::oci {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(std::string_view json) {
  auto spec = read_spec(json, "config.json");
  return spec.ok() ? "accepted" : spec.error().to_string();
}
std::string in_process(const std::string& property) {
  return R"({"ociVersion":"1.0.2","process":{)" + property + "}}";
}
std::string in_linux(const std::string& property) {
  return R"({"ociVersion":"1.0.2","linux":{)" + property + "}}";
}

TEST(Reader, ReadsEveryLevel) {
  auto spec = read_spec(R"({
    "ociVersion": "1.3.0",
    "root": {"path": "rootfs", "readonly": true},
    "process": {"terminal": true, "consoleSize": {"height": 24, "width": 80},
      "user": {"uid": 1, "gid": 2, "umask": 18, "additionalGids": [3, 4]},
      "args": ["sh", "-c", "a\u0041\n"], "env": ["A=b"], "cwd": "/",
      "rlimits": [{"type": "RLIMIT_CORE", "soft": 0, "hard": 18446744073709551615}],
      "oomScoreAdj": 0},
    "annotations": {"a": "b"},
    "mounts": [{"destination": "/proc"}, {"destination": "/x", "uidMappings":
      [{"containerID": 0, "hostID": 1000, "size": 4294967295}]}],
    "hooks": {"poststop": [{"path": "/bin/true", "env": [], "timeout": 3}]},
    "linux": {"namespaces": [{"type": "time", "path": "/proc/1/ns/time"}],
      "timeOffsets": {"boottime": {"secs": -5, "nanosecs": 7}},
      "resources": {"pids": {"limit": -1}, "unified": {"memory.high": "1"},
        "memory": {"limit": -1, "disableOOMKiller": false},
        "blockIO": {"throttleReadIOPSDevice": [{"major": 8, "minor": 0, "rate": 9}]}}}
  })",
                        "config.json");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  ASSERT_TRUE(spec->process && spec->root && spec->linux_ && spec->linux_->resources);
  EXPECT_TRUE(spec->root->readonly);
  EXPECT_EQ(spec->process->console_size->width, 80);
  EXPECT_EQ(spec->process->user.umask, 18U);
  EXPECT_THAT(spec->process->user.additional_gids, ElementsAre(3U, 4U));
  EXPECT_THAT(spec->process->args, ElementsAre("sh", "-c", "aA\n"));
  EXPECT_EQ(spec->process->rlimits.at(0).hard, UINT64_MAX);
  EXPECT_EQ(spec->process->oom_score_adj, 0);
  EXPECT_EQ(spec->annotations.at("a"), "b");
  EXPECT_EQ(spec->mounts.at(1).uid_mappings.at(0).size, UINT32_MAX);
  ASSERT_TRUE(spec->hooks.poststop.at(0).env.has_value());
  EXPECT_EQ(spec->hooks.poststop.at(0).timeout, 3);
  EXPECT_EQ(spec->linux_->namespaces.at(0).type, NamespaceType::kTime);
  EXPECT_EQ(spec->linux_->time_offsets.at("boottime").secs, -5);
  EXPECT_EQ(spec->linux_->resources->pids_limit, -1);
  EXPECT_EQ(spec->linux_->resources->memory->disable_oom_killer, false);
  EXPECT_EQ(spec->linux_->resources->block_io->throttle_read_iops.at(0).rate, 9U);
}

TEST(Reader, NamesThePathOfAWrongType) {
  EXPECT_EQ(refusal(in_linux(R"("resources":{"memory":{"limit":"1"}})")),
            "config.json: linux.resources.memory.limit: expected an integer, found a string");
  EXPECT_EQ(refusal(in_linux(R"("resources":{"memory":[]})")),
            "config.json: linux.resources.memory: expected an object, found an array");
  EXPECT_EQ(refusal(in_process(R"("args":["a",1])")),
            "config.json: process.args[1]: expected a string, found a number");
  EXPECT_EQ(refusal(in_process(R"("args":["a",null])")),
            "config.json: process.args[1]: expected a string, found null");
  EXPECT_EQ(refusal(in_process(R"("terminal":"yes")")),
            "config.json: process.terminal: expected true or false, found a string");
  EXPECT_EQ(refusal(R"({"annotations":{"a/b":1}})"),
            "config.json: annotations[\"a/b\"]: expected a string, found a number");
  EXPECT_EQ(refusal("[]"), "config.json: expected an object, found an array");
  EXPECT_EQ(refusal("null"), "config.json: expected an object, found null");
  EXPECT_EQ(refusal(in_linux(R"("seccomp":{"defaultAction":"x","syscalls":[{"names":["a"]},1]})")),
            "config.json: linux.seccomp.syscalls[0].action: is required");
  EXPECT_EQ(refusal(in_linux(R"("namespaces":[{"path":"/x"}])")),
            "config.json: linux.namespaces[0].type: is required");
  EXPECT_EQ(refusal(in_linux(R"("namespaces":[{"type":"net"}])")),
            "config.json: linux.namespaces[0].type: unknown namespace \"net\"");
}

TEST(Reader, ChecksRanges) {
  EXPECT_EQ(refusal(in_process(R"("user":{"uid":4294967295})")),
            "config.json: process.user.uid: 4294967295 is out of range (0 to 4294967294)");
  EXPECT_EQ(refusal(in_process(R"("user":{"uid":4294967294})")), "accepted");
  EXPECT_THAT(refusal(in_process(R"("user":{"gid":-1})")),
              HasSubstr("process.user.gid: -1 is out"));
  EXPECT_THAT(refusal(in_process(R"("user":{"umask":512})")), HasSubstr("user.umask: 512 is out"));
  EXPECT_THAT(refusal(in_process(R"("oomScoreAdj":1001)")), HasSubstr("(-1000 to 1000)"));
  EXPECT_THAT(refusal(in_linux(R"("resources":{"memory":{"limit":9223372036854775808}})")),
              HasSubstr("memory.limit: 9223372036854775808 is out of range"));
  EXPECT_THAT(refusal(in_linux(R"("resources":{"memory":{"limit":1.0}})")),
              HasSubstr("memory.limit: expected an integer"));
  EXPECT_THAT(refusal(in_linux(R"("resources":{"memory":{"limit":1e3}})")),
              HasSubstr("memory.limit: expected an integer"));
}

TEST(Reader, IgnoresUnknownProperties) {
  auto spec = read_spec(R"({"ociVersion":"1.9.0","new":{"deep":[{"args":[1]},[[]]]},
    "process":{"arg":1,"args":["x"],"argsx":2,"extra":null,"cwd":"/"},"x":1e999})",
                        "f");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  EXPECT_THAT(spec->process->args, ElementsAre("x"));
}

// As Go reads: {"CPU": {"Cpus": "0"}} in a file for `update`; the last spelling counts.
TEST(Reader, TakesNamesInAnotherLetterCase) {
  auto resources = read_resources(R"({"CPU":{"Cpus":"0-1","SHARES":2},"Memory":{"limit":3}})", "f");
  ASSERT_TRUE(resources.ok()) << resources.error().message;
  EXPECT_EQ(resources->cpu->cpus, "0-1");
  EXPECT_EQ(resources->cpu->shares, 2U);
  EXPECT_EQ(resources->memory->limit, 3);
  auto process = read_process(R"({"args":["x"],"Args":["y"],"CWD":"/","noNewPrivileges":false,
                       "NoNewPrivileges":true})",
                              "f");
  ASSERT_TRUE(process.ok()) << process.error().message;
  EXPECT_THAT(process->args, ElementsAre("y"));
  EXPECT_EQ(process->cwd, "/");
  EXPECT_TRUE(process->no_new_privileges);
  // Names of a map are values: they stay as they are.
  auto spec = read_spec(in_process(R"("args":["x"])"), "f");
  ASSERT_TRUE(spec.ok());
  spec = read_spec(R"({"ociVersion":"1.0.0","Annotations":{"Key":"Value"}})", "f");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  EXPECT_EQ(spec->annotations.at("Key"), "Value");
}

// As Go reads: U+FFFD stands for each byte that is no UTF-8 and for half a surrogate pair.
TEST(Reader, ReplacesWhatIsNoText) {
  const auto env = [](const std::string& text) {
    auto process = read_process(R"({"args":["x"],"cwd":"/","env":[")" + text + R"("]})", "f");
    return process.ok() ? process->env.at(0) : process.error().message;
  };
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(env("a=\xff\xfe"), "a=" + mark + mark);
  EXPECT_EQ(env("a=\xc3"), "a=" + mark);
  EXPECT_EQ(env("a=\xed\xa0\x80"), "a=" + mark + mark + mark);
  EXPECT_EQ(env("a=\xc0\xaf"), "a=" + mark + mark);
  EXPECT_EQ(env("a=\xf4\x90\x80\x80"), "a=" + mark + mark + mark + mark);
  EXPECT_EQ(env("a=\xe2\x82z"), "a=" + mark + mark + "z");
  EXPECT_EQ(env("a=\xe2\x82\xac\xf0\x9f\x98\x80"), "a=\xe2\x82\xac\xf0\x9f\x98\x80");
  EXPECT_EQ(env(R"(a=\ud800)"), "a=" + mark);
  EXPECT_EQ(env(R"(a=\uDC00z)"), "a=" + mark + "z");
  EXPECT_EQ(env(R"(a=\ud83d\u0041)"), "a=" + mark + "A");
  EXPECT_EQ(env(R"(a=\ud83d\ud83d\ude00)"), "a=" + mark + "\xf0\x9f\x98\x80");
  EXPECT_EQ(env(R"(a=\ud83d\ude00)"), "a=\xf0\x9f\x98\x80");
  EXPECT_EQ(env(R"(a=\\ud800)"), R"(a=\ud800)");
}

TEST(Reader, LastDuplicateCountsAndNullIsAbsent) {
  auto spec = read_spec(R"({"ociVersion":"1.0.0","ociVersion":"1.1.0",
    "process":{"args":["a","b"],"args":["c"],"cwd":"/x","oomScoreAdj":1,"oomScoreAdj":null},
    "root":{"path":"r"},"root":null,"mounts":null,
    "linux":{"seccomp":{"defaultAction":"a","flags":[]},"resources":null}})",
                        "f");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  EXPECT_EQ(spec->oci_version, "1.1.0");
  EXPECT_THAT(spec->process->args, ElementsAre("c"));
  EXPECT_FALSE(spec->process->oom_score_adj.has_value());
  EXPECT_FALSE(spec->root.has_value());
  EXPECT_TRUE(spec->linux_->seccomp->flags_present);
  EXPECT_FALSE(spec->linux_->resources.has_value());
}

TEST(Reader, RefusesMalformedText) {
  EXPECT_THAT(refusal(""), HasSubstr("config.json: line 1, column 1: "));
  EXPECT_THAT(refusal("{\n \"ociVersion\": ,"), HasSubstr("line 2, column"));
  EXPECT_THAT(refusal(R"({"ociVersion":"1.0.0"} x)"), HasSubstr("trailing garbage"));
  EXPECT_THAT(refusal(R"({"ociVersion":"1.0.0)"), HasSubstr("line 1"));
  EXPECT_THAT(refusal("{\"ociVersion\":\xff\"}"), HasSubstr("line 1, column 16: lexical error"));
  EXPECT_THAT(refusal(in_process(R"("args":["a\u0000b"])")),
              HasSubstr("process.args[0]: contains a NUL byte"));
  EXPECT_THAT(refusal(R"({"annotations":{"a\u0000":"b"}})"), HasSubstr("contains a NUL byte"));
}

TEST(Reader, LimitsDepthSizeAndElements) {
  const std::string deep(100, '[');
  EXPECT_THAT(refusal(R"({"x":)" + deep), HasSubstr("nested deeper than 64 levels"));
  EXPECT_THAT(refusal(std::string((16U << 20U) + 1, ' ')), HasSubstr("larger than 16777216 bytes"));
  std::string many = R"({"process":{"args":[)";
  for (int i = 0; i < (1 << 20); ++i) many += R"("",)";
  EXPECT_THAT(refusal(many + R"(""]}})"), HasSubstr("too many elements"));
}

TEST(Reader, PartsByThemselves) {
  auto process = read_process(R"({"cwd":"/","args":["a"]})", "process.json");
  ASSERT_TRUE(process.ok());
  EXPECT_EQ(process->cwd, "/");
  auto resources = read_resources(R"({"cpu":{"shares":2}})", "-");
  ASSERT_TRUE(resources.ok());
  EXPECT_EQ(resources->cpu->shares, 2U);
  auto broken = read_resources(R"({"cpu":{"shares":-2}})", "stdin");
  ASSERT_FALSE(broken.ok());
  EXPECT_THAT(broken.error().message, HasSubstr("stdin: cpu.shares: -2 is out of range (0 to"));
}

TEST(Reader, SeccompProfilesAreNoTemplates) {
  const std::string plain = R"({"defaultAction":"SCMP_ACT_ERRNO","syscalls":[
    {"names":["read"],"action":"SCMP_ACT_ALLOW","comment":"x"}]})";
  EXPECT_TRUE(read_seccomp(plain, "p").ok());
  auto with_condition = read_seccomp(R"({"defaultAction":"SCMP_ACT_ERRNO","syscalls":[
    {"names":["bpf"],"action":"SCMP_ACT_ALLOW","includes":{"caps":["CAP_BPF"]}}]})",
                                     "p");
  ASSERT_FALSE(with_condition.ok());
  EXPECT_THAT(with_condition.error().message,
              HasSubstr("p: syscalls[0].includes: expected nothing"));
}

TEST(Reader, LandlockInBothSpellings) {
  auto proposal = read_process(R"({"landlock":{
    "ruleset":{"handledAccessFS":["execute",4],"handledAssessNetwork":["bind"]},
    "rules":{"pathBeneath":[{"allowedAccess":["execute"],"paths":["/usr"]}],
             "portBeneath":[{"allowedAccess":["bind"],"ports":[80]}]},
    "disableBestEffort":false}})",
                               "p");
  ASSERT_TRUE(proposal.ok()) << proposal.error().message;
  const Landlock& one = *proposal->landlock;
  EXPECT_THAT(one.handled_access_fs, ElementsAre("execute", "4"));
  EXPECT_THAT(one.handled_access_net, ElementsAre("bind"));
  EXPECT_THAT(one.path_beneath.at(0).paths, ElementsAre("/usr"));
  EXPECT_THAT(one.port_beneath.at(0).ports, ElementsAre(80U));
  EXPECT_TRUE(one.best_effort);

  auto document = read_landlock(R"({"abi":6,
    "ruleset":[{"handledAccessFs":["execute"]},{"handledAccessFs":["refer"],"scoped":["signal"]}],
    "pathBeneath":[{"allowedAccess":["execute"],"parent":["/usr"]}],
    "netPort":[{"allowedAccess":["bind_tcp"],"port":[443]}]})",
                                "l");
  ASSERT_TRUE(document.ok()) << document.error().message;
  EXPECT_THAT(document->handled_access_fs, ElementsAre("execute", "refer"));
  EXPECT_THAT(document->scoped, ElementsAre("signal"));
  EXPECT_EQ(document->abi, 6);
  EXPECT_FALSE(document->best_effort);
  EXPECT_THAT(document->port_beneath.at(0).ports, ElementsAre(443U));
}

TEST(Reader, LandlockDropsNothing) {
  EXPECT_EQ(refusal(in_process(R"("landlock":{"rules":{"pathsBeneath":[]}})")),
            "config.json: process.landlock.rules: unknown property \"pathsBeneath\"");
  EXPECT_EQ(refusal(in_process(R"("landlock":{"ruleset":[{},{"x":1}]})")),
            "config.json: process.landlock.ruleset[1]: unknown property \"x\"");
  EXPECT_EQ(refusal(in_process(R"("landlock":{"ruleset":{"scoped":[true]}})")),
            "config.json: process.landlock.ruleset.scoped[0]: expected a right's name or number, "
            "found a boolean");
}

}  // namespace
}  // namespace langsbx::oci
