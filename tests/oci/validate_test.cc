// The rules between values of config.json: each refusal with its JSON path.
#include "oci/validate.h"

#include <gtest/gtest.h>

#include "oci/reader.h"

namespace langsbx::oci {
namespace {

// The answer to a minimal config.json with these properties added.
std::string answer(const std::string& process, const std::string& linux_config = "",
                   const std::string& top = "") {
  std::string json = R"({"ociVersion":"1.3.0","root":{"path":"rootfs"},)" + top;
  json += R"("process":{"args":["sh"],"cwd":"/")" + (process.empty() ? "" : "," + process) + "},";
  json += R"("linux":{)" + linux_config + "}}";
  auto spec = read_spec(json, "config.json");
  if (!spec.ok()) return "reader: " + spec.error().message;
  auto valid = validate(*spec);
  return valid.ok() ? "ok" : valid.error().message;
}
std::string for_linux(const std::string& property) { return answer("", property); }
std::string for_top(const std::string& property) { return answer("", "", property + ","); }

TEST(Validate, Versions) {
  EXPECT_TRUE(is_supported_version("1.0.0"));
  EXPECT_TRUE(is_supported_version("1.3.0+dev"));
  EXPECT_TRUE(is_supported_version("1.99.0"));
  EXPECT_FALSE(is_supported_version("2.0.0"));
  EXPECT_FALSE(is_supported_version("1."));
  EXPECT_FALSE(is_supported_version("1"));
  EXPECT_FALSE(is_supported_version(""));
  EXPECT_FALSE(is_supported_version("10.0.0"));
}

TEST(Validate, TopLevel) {
  EXPECT_EQ(answer(""), "ok");
  Spec spec;
  spec.oci_version = "0.9.0";
  // Whoever starts it warns; runc and crun run what says so, too.
  EXPECT_EQ(validate(spec).error().message, "process: is required");
  spec.oci_version = "1.0.0";
  EXPECT_EQ(validate(spec).error().message, "process: is required");
  spec.process.emplace().args = {"a"};
  EXPECT_EQ(validate(spec).error().message, "process.cwd: is required");
  spec.process->cwd = "/";
  EXPECT_EQ(validate(spec).error().message, "root: is required");
  EXPECT_EQ(for_top(R"("hostname":"x")"), "hostname: needs a uts namespace");
  EXPECT_EQ(for_top(R"("domainname":"x")"), "domainname: needs a uts namespace");
  EXPECT_EQ(for_top(R"("mounts":[{"destination":""}])"), "mounts[0].destination: is empty");
  EXPECT_EQ(for_top(R"("mounts":[{"destination":"/a","uidMappings":
      [{"containerID":0,"hostID":0,"size":1}]}])"),
            "mounts[0]: uidMappings and gidMappings are needed together");
}

TEST(Validate, Process) {
  EXPECT_EQ(answer(R"("args":[])"), "process.args: is empty");
  EXPECT_EQ(answer(R"("cwd":"tmp")"), "process.cwd: is not absolute: \"tmp\"");
  EXPECT_EQ(answer(R"("env":["A=","B"])"), "process.env[1]: expected NAME=value, found \"B\"");
  EXPECT_EQ(answer(R"("env":["=x"])"), "process.env[0]: expected NAME=value, found \"=x\"");
  EXPECT_EQ(answer(R"("rlimits":[{"type":"RLIMIT_CORE","soft":1,"hard":1},
                                 {"type":"RLIMIT_CORE","soft":1,"hard":1}])"),
            "process.rlimits[1].type: duplicate RLIMIT_CORE");
  EXPECT_EQ(answer(R"("rlimits":[{"type":"RLIMIT_CORE","soft":2,"hard":1}])"),
            "process.rlimits[0].soft: is above the hard limit");
  EXPECT_EQ(answer(R"("landlock":{})"), "process.landlock: needs noNewPrivileges");
  EXPECT_EQ(answer(R"("landlock":{},"noNewPrivileges":true)"), "ok");
  auto alone = read_process(R"({"args":["a"],"cwd":"x"})", "p");
  ASSERT_TRUE(alone.ok());
  EXPECT_EQ(validate(*alone, "").error().message, "cwd: is not absolute: \"x\"");
}

TEST(Validate, Hooks) {
  EXPECT_EQ(for_top(R"("hooks":{"createRuntime":[{"path":"a"}]})"),
            "hooks.createRuntime[0].path: is not absolute: \"a\"");
  EXPECT_EQ(for_top(R"("hooks":{"poststop":[{"path":"/a"},{"path":"/b","timeout":0}]})"),
            "hooks.poststop[1].timeout: must be greater than zero");
  EXPECT_EQ(for_top(R"("hooks":{"prestart":[{"path":"/a","env":["x"]}]})"),
            "hooks.prestart[0].env[0]: expected NAME=value, found \"x\"");
}

TEST(Validate, Namespaces) {
  EXPECT_EQ(for_linux(R"("namespaces":[{"type":"pid"},{"type":"pid"}])"),
            "linux.namespaces[1].type: duplicate pid namespace");
  EXPECT_EQ(for_linux(R"("namespaces":[{"type":"pid","path":"ns"}])"),
            "linux.namespaces[0].path: is not absolute: \"ns\"");
  EXPECT_EQ(for_linux(R"("netDevices":{"eth0":{}})"),
            "linux.netDevices: needs a network namespace");
  EXPECT_EQ(for_linux(R"("timeOffsets":{"monotonic":{"secs":1}})"),
            "linux.timeOffsets: needs a new time namespace");
  EXPECT_EQ(for_linux(R"("namespaces":[{"type":"time","path":"/x"}],
                         "timeOffsets":{"monotonic":{"secs":1}})"),
            "linux.timeOffsets: needs a new time namespace");
  EXPECT_EQ(for_linux(R"("namespaces":[{"type":"time"}],"timeOffsets":{"real":{}})"),
            "linux.timeOffsets: unknown clock \"real\"");
}

TEST(Validate, Mappings) {
  const auto with = [](const std::string& mappings) {
    return for_linux(R"("namespaces":[{"type":"user"}],"uidMappings":[)" + mappings + "]");
  };
  EXPECT_EQ(for_linux(R"("gidMappings":[{"containerID":0,"hostID":0,"size":1}])"),
            "linux.gidMappings: needs a user namespace");
  EXPECT_EQ(with(R"({"containerID":0,"hostID":0,"size":0})"),
            "linux.uidMappings[0].size: must be greater than zero");
  EXPECT_EQ(with(R"({"containerID":0,"hostID":2,"size":4294967295})"),
            "linux.uidMappings[0].size: goes beyond the highest id");
  EXPECT_EQ(with(R"({"containerID":2,"hostID":0,"size":4294967295})"),
            "linux.uidMappings[0].size: goes beyond the highest id");
  EXPECT_EQ(with(R"({"containerID":1,"hostID":1,"size":4294967295})"), "ok");
  EXPECT_EQ(with(R"({"containerID":10,"hostID":100,"size":5},
                    {"containerID":0,"hostID":0,"size":11})"),
            "linux.uidMappings[0]: overlaps linux.uidMappings[1]");
  EXPECT_EQ(with(R"({"containerID":0,"hostID":5,"size":5},{"containerID":5,"hostID":9,"size":1})"),
            "linux.uidMappings[1]: overlaps linux.uidMappings[0]");
  EXPECT_EQ(with(R"({"containerID":0,"hostID":5,"size":5},{"containerID":5,"hostID":0,"size":5})"),
            "ok");
}

TEST(Validate, DevicesAndInterfaces) {
  EXPECT_EQ(for_linux(R"("devices":[{"path":"null","type":"c"}])"),
            "linux.devices[0].path: is not absolute: \"null\"");
  EXPECT_EQ(for_linux(R"("devices":[{"path":"/n","type":"a"}])"),
            "linux.devices[0].type: expected c, b, u or p, found \"a\"");
  EXPECT_EQ(for_linux(R"("devices":[{"path":"/n","type":"c","major":-1}])"),
            "linux.devices[0].major: is out of range");
  EXPECT_EQ(for_linux(R"("devices":[{"path":"/n","type":"p"}])"), "ok");
  EXPECT_EQ(for_linux(R"("namespaces":[{"type":"network"}],"netDevices":{"a/b":{}})"),
            "linux.netDevices[\"a/b\"]: is not the name of a network interface");
  EXPECT_EQ(for_linux(R"("namespaces":[{"type":"network"}],
                         "netDevices":{"eth0":{"name":"sixteen-letters-"}})"),
            "linux.netDevices[\"eth0\"].name: is not the name of a network interface");
  EXPECT_EQ(for_linux(R"("resources":{"devices":[{"allow":true,"type":"x"}]})"),
            "linux.resources.devices[0].type: expected a, b or c, found \"x\"");
  EXPECT_EQ(for_linux(R"("resources":{"devices":[{"allow":true,"access":"xa"}]})"),
            "linux.resources.devices[0].access: expected letters of rwm, found \"xa\"");
  EXPECT_EQ(for_linux(R"("resources":{"devices":[{"allow":true,"access":"rwa"}]})"), "ok");
}

TEST(Validate, SmallerObjects) {
  EXPECT_EQ(for_linux(R"("maskedPaths":["/a","b"],"readonlyPaths":["c"])"), "ok");
  EXPECT_EQ(for_linux(R"("rootfsPropagation":"all")"),
            "linux.rootfsPropagation: unknown propagation \"all\"");
  EXPECT_EQ(for_linux(R"("personality":{"domain":"BSD"})"),
            "linux.personality.domain: expected LINUX or LINUX32, found \"BSD\"");
  EXPECT_EQ(for_linux(R"("intelRdt":{"closID":"a/b"})"),
            "linux.intelRdt.closID: is not the name of a directory: \"a/b\"");
  for (const std::string name : {".", ".."}) {
    EXPECT_EQ(for_linux("\"intelRdt\":{\"closID\":\"" + name + "\"}"),
              "linux.intelRdt.closID: is not the name of a directory: \"" + name + "\"");
  }
  EXPECT_EQ(for_linux(R"("intelRdt":{"closID":"..."})"), "ok");
  EXPECT_EQ(for_linux(R"("intelRdt":{"closID":"/"})"), "ok");
  EXPECT_EQ(for_linux(R"("seccomp":{"defaultAction":"x","listenerMetadata":"m"})"),
            "linux.seccomp.listenerMetadata: needs listenerPath");
  EXPECT_EQ(for_linux(R"("seccomp":{"defaultAction":"x","syscalls":[{"names":[],"action":"y"}]})"),
            "ok");  // as runc and crun
}

}  // namespace
}  // namespace langsbx::oci
