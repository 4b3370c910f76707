// What install and uninstall make of the files of Docker, containerd, CRI-O and Podman.
#include "cmd/langsbx/clients/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cmd/langsbx/clients/toml_scan.h"

namespace langsbx::clients {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using Files = std::map<std::string, std::string>;

constexpr const char* kDaemon = "/etc/docker/daemon.json";
constexpr const char* kContainerdFile = "/etc/containerd/config.toml";
constexpr const char* kCrioFile = "/etc/crio/crio.conf.d/50-langsbx.conf";
constexpr const char* kPodmanFile = "/etc/containers/containers.conf.d/50-langsbx.conf";
constexpr const char* kLauncher = "/var/lib/langsbx/handlers/containerd/langsbx";

Host host_of(const Files& files) {
  Host host;
  host.read = [&files](const std::string& path) -> Result<std::optional<std::string>> {
    const auto found = files.find(path);
    if (found == files.end()) return std::optional<std::string>();
    return std::optional(found->second);
  };
  host.list = [&files](const std::string& folder) -> Result<std::vector<std::string>> {
    std::vector<std::string> names;
    for (const auto& [path, text] : files) {
      if (path.starts_with(folder)) names.push_back(path.substr(folder.size()));
    }
    return names;
  };
  return host;
}

Handler handler(std::string name = "langsbx", std::string profile = "") {
  Handler made;
  made.name = std::move(name);
  made.binary = "/usr/sbin/langsbx";
  made.profile = std::move(profile);
  return made;
}

// Does what the command does with a plan; the error's text, or nothing.
std::string perform(const Result<Plan>& plan, Files& files) {
  if (!plan.ok()) return plan.error().to_string();
  for (const FileChange& change : plan.value().changes) {
    if (change.text)
      files[change.path] = *change.text;
    else
      files.erase(change.path);
  }
  return "";
}

std::string install(const Client& client, Files& files, const Handler& what = handler()) {
  return perform(client.install(host_of(files), what), files);
}
std::string uninstall(const Client& client, Files& files, const Handler& what = handler()) {
  return perform(client.uninstall(host_of(files), what), files);
}

// Installing twice is installing once, and uninstalling gives back every byte.
void expect_round_trip(const Client& client, const Files& given) {
  Files files = given;
  ASSERT_EQ(install(client, files), "");
  EXPECT_NE(files, given);
  const Files once = files;
  ASSERT_EQ(install(client, files), "");
  EXPECT_EQ(files, once);
  Files second = files;
  ASSERT_EQ(install(client, second, handler("langsbx-strict", "strict")), "");
  ASSERT_EQ(uninstall(client, second, handler("langsbx-strict")), "");
  EXPECT_EQ(second, files);
  ASSERT_EQ(uninstall(client, files), "");
  EXPECT_EQ(files, given);
  ASSERT_EQ(uninstall(client, files), "");
  EXPECT_EQ(files, given);
}

class DockerFiles : public ::testing::TestWithParam<const char*> {};

TEST_P(DockerFiles, RoundTrip) { expect_round_trip(kDocker, {{kDaemon, GetParam()}}); }

TEST_P(DockerFiles, AddsOneRuntimeAndNothingElse) {
  Files files{{kDaemon, GetParam()}};
  ASSERT_EQ(install(kDocker, files), "");
  auto wanted = nlohmann::ordered_json::parse(GetParam());
  wanted["runtimes"]["langsbx"] = {{"path", "/usr/sbin/langsbx"}};
  EXPECT_EQ(nlohmann::ordered_json::parse(files[kDaemon]), wanted);
}

INSTANTIATE_TEST_SUITE_P(
    All, DockerFiles,
    ::testing::Values(
        "{}", "  {}  \n", R"({"debug": true})", "{\n  \"debug\": true\n}\n",
        "{\n\t\"log-driver\": \"json-file\",\n\t\"log-opts\": {\"max-size\": \"10m\"}\n}",
        "{\n    \"runtimes\": {\n        \"nvidia\": {\n            \"path\": \"/usr/bin/n\",\n"
        "            \"runtimeArgs\": []\n        }\n    },\n    \"zz\": 1.50\n}\n",
        R"({"runtimes":{"kata":{"runtimeType":"io.containerd.kata.v2"}},"a":[1,{"b":"}"}]})",
        R"({"text": "a \" } { \\", "number": 1.0e+2})"));

TEST(Docker, AFileOfItsOwn) {
  Files files;
  ASSERT_EQ(install(kDocker, files, handler("langsbx", "strict")), "");
  EXPECT_EQ(files[kDaemon],
            "{\n    \"runtimes\": {\n        \"langsbx\": {\n"
            "            \"path\": \"/usr/sbin/langsbx\",\n            \"runtimeArgs\": [\n"
            "                \"--profile\",\n                \"strict\"\n            ]\n"
            "        }\n    }\n}\n");
}

TEST(Docker, OtherArgumentsStayWhenTheProfileChanges) {
  Files files{{kDaemon,
               R"({"runtimes": {"langsbx": {"path": "/opt/langsbx", "runtimeArgs": ["--debug", )"
               R"("--profile", "a"]}}})"}};
  ASSERT_EQ(install(kDocker, files, handler("langsbx", "b")), "");
  EXPECT_EQ(nlohmann::json::parse(files[kDaemon])["runtimes"]["langsbx"],
            nlohmann::json::parse(
                R"({"path": "/usr/sbin/langsbx", "runtimeArgs": ["--debug", "--profile", "b"]})"));
  ASSERT_EQ(install(kDocker, files), "");
  EXPECT_THAT(files[kDaemon], Not(HasSubstr("--profile")));
}

TEST(Docker, RefusesWhatItDoesNotUnderstand) {
  for (const char* text :
       {"", "[]", "null", "{\"a\": 1,}", "{\"a\": 1} x", "// comment\n{}", "{\"runtimes\": []}",
        "{\"runtimes\": {}, \"runtimes\": {}}", "{\"runtimes\": {\"langsbx\": \"x\"}}",
        "{\"runtimes\": {\"langsbx\": {\"path\": \"/usr/bin/other\"}}}", "{\"a\": \"\x80\"}"}) {
    Files files{{kDaemon, text}};
    EXPECT_THAT(install(kDocker, files), HasSubstr(kDaemon)) << text;
    EXPECT_EQ(files[kDaemon], text);
  }
}

// What is wrong, and where, in words.
TEST(Docker, SaysWhatIsWrong) {
  const std::string deep = "{\"a\": " + std::string(100000, '[') + std::string(100000, ']') + "}";
  const std::vector<std::pair<std::string, std::string>> given{
      {"", "is empty"},
      {" \n", "is empty"},
      {"\xef\xbb\xbf{}", "byte order mark"},
      {std::string("{}\0", 3), "NUL"},
      {deep, "deeper than"},
      {R"({"runtimes": {"langsbx": {"path": "/usr/sbin/langsbx", "runtimeArgs": "x"}}})",
       "runtimes.langsbx.runtimeArgs"}};
  for (const auto& [text, problem] : given) {
    Files files{{kDaemon, text}};
    const std::string said = install(kDocker, files);
    EXPECT_THAT(said, AllOf(HasSubstr(kDaemon), HasSubstr(problem)));
    EXPECT_EQ(files[kDaemon], text);
  }
}

TEST(Docker, UninstallLeavesTheDefaultRuntimeAlone) {
  const std::string text =
      R"({"default-runtime": "langsbx", "runtimes": {"langsbx": {"path": "/usr/sbin/langsbx"}}})";
  Files files{{kDaemon, text}};
  EXPECT_THAT(uninstall(kDocker, files), HasSubstr("default-runtime"));
  EXPECT_EQ(files[kDaemon], text);
}

TEST(Docker, AUserHasAFileBelowTheHomeFolder) {
  Files files;
  Host host = host_of(files);
  host.user_config = "/home/u/.config";
  ASSERT_EQ(perform(kDocker.install(host, handler()), files), "");
  EXPECT_TRUE(files.contains("/home/u/.config/docker/daemon.json"));
}

class ContainerdFiles : public ::testing::TestWithParam<const char*> {};

TEST_P(ContainerdFiles, RoundTrip) {
  expect_round_trip(kContainerd, {{kContainerdFile, GetParam()}});
}

TEST_P(ContainerdFiles, TheOldTextStaysAsItIs) {
  Files files{{kContainerdFile, GetParam()}};
  ASSERT_EQ(install(kContainerd, files), "");
  EXPECT_TRUE(files[kContainerdFile].starts_with(GetParam()));
  const auto statements = scan_toml(files[kContainerdFile]);
  ASSERT_TRUE(statements.ok());
  const bool three = find_toml(statements.value(), {"version"})->value == "3";
  const TomlStatement* const binary =
      find_toml(statements.value(),
                {"plugins", three ? "io.containerd.cri.v1.runtime" : "io.containerd.grpc.v1.cri",
                 "containerd", "runtimes", "langsbx", "options", "BinaryName"});
  ASSERT_NE(binary, nullptr);
  EXPECT_EQ(binary->value, "\"/usr/sbin/langsbx\"");
}

INSTANTIATE_TEST_SUITE_P(
    All, ContainerdFiles,
    ::testing::Values(
        "version = 2\n", "version = 3\n", "# head\nversion = 2 # two\r\n\r\n[debug]\r\n",
        "version = 2\nroot = '''/a'''\ntext = \"\"\"\n[plugins]\nversion = 7\n\"\"\"\n",
        "version = 3\nlist = [ 1, # one\n  [\"]\", '\\'], { a = 1, \"b c\" = [ 2 ] },\n]\n"
        "when = 1979-05-27 07:32:00Z\nfloat = -1.5e+3\n[[array]]\nx = 1\n[[array]]\n",
        "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd]\n"
        "default_runtime_name = \"runc\"\n"
        "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc]\n"
        "runtime_type = \"io.containerd.runc.v2\"\n"
        "[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.runc.options]\n"
        "SystemdCgroup = true\n"));

TEST(Containerd, TheCgroupDriverIsThatOfTheDefaultHandler) {
  Files files{{kContainerdFile,
               "version = 3\n[plugins.'io.containerd.cri.v1.runtime'.containerd.runtimes.runc"
               ".options]\nSystemdCgroup = true\n"}};
  ASSERT_EQ(install(kContainerd, files), "");
  EXPECT_THAT(files[kContainerdFile],
              HasSubstr("BinaryName = \"/usr/sbin/langsbx\"\nSystemdCgroup = true\n"));
  EXPECT_THAT(files[kContainerdFile], Not(HasSubstr("begin runc")));
}

TEST(Containerd, RuncIsNamedBecauseContainerdWouldForgetIt) {
  Files files;
  ASSERT_EQ(install(kContainerd, files), "");
  EXPECT_THAT(files[kContainerdFile], HasSubstr("runtimes.runc]\n"));
  ASSERT_EQ(uninstall(kContainerd, files), "");
  EXPECT_EQ(files[kContainerdFile], "version = 2\n");
}

TEST(Containerd, AProfileIsALauncher) {
  Files files{{kContainerdFile, "version = 2\n"}};
  ASSERT_EQ(install(kContainerd, files, handler("langsbx", "strict")), "");
  EXPECT_THAT(files[kContainerdFile], HasSubstr(std::string("BinaryName = \"") + kLauncher));
  EXPECT_THAT(files[kLauncher], HasSubstr("exec /usr/sbin/langsbx --profile strict \"$@\"\n"));
  ASSERT_EQ(install(kContainerd, files), "");
  EXPECT_FALSE(files.contains(kLauncher));
  EXPECT_THAT(files[kContainerdFile], HasSubstr("BinaryName = \"/usr/sbin/langsbx\""));
}

TEST(Containerd, RefusesWhatItDoesNotUnderstand) {
  const std::string runtimes =
      "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes";
  for (const std::string& text :
       {std::string(), std::string("version = 1\n"), std::string("version = 4\n"),
        std::string("version = 2\nbad\n"), std::string("version = 2\na = \"open\n"),
        std::string("version = 2\na = [1\n"), std::string("version = 2\n[a\n"),
        std::string("version = 2\na = 1 2\n"), std::string("version = 2\na = {b = 1\n"),
        std::string("version = 2\nplugins = {}\n"), runtimes + ".langsbx]\n",
        runtimes + "]\nlangsbx = { runtime_type = \"x\" }\n",
        std::string("version = 2\n# langsbx install: begin langsbx\n"),
        "version = 2\n# langsbx install: begin langsbx\n[debug]\n# langsbx install: end langsbx\n" +
            std::string()}) {
    Files files{{kContainerdFile, text}};
    EXPECT_THAT(install(kContainerd, files), HasSubstr(kContainerdFile)) << text;
    EXPECT_EQ(files[kContainerdFile], text);
  }
}

TEST(Containerd, SaysWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> given{
      {"", "is empty"},
      {"# nothing\n", "is empty"},
      {"\xef\xbb\xbfversion = 2\n", "byte order mark"},
      {"version = 2\n[a]\nb = 1\n\"b\" = 2\n", "line 4: \"b\" stands there twice"},
      {"version = 2\n[a]\n[b]\n[a]\n", "line 4: \"a\" stands there twice"}};
  for (const auto& [text, problem] : given) {
    Files files{{kContainerdFile, text}};
    EXPECT_THAT(install(kContainerd, files), AllOf(HasSubstr(kContainerdFile), HasSubstr(problem)));
    EXPECT_EQ(files[kContainerdFile], text);
  }
}

TEST(Containerd, TheTablesOfAnArrayMaySayTheSame) {
  Files files{
      {kContainerdFile, "version = 2\n[[a]]\nb = 1\n[a.c]\nd = 1\n[[a]]\nb = 2\n[a.c]\nd = 2\n"}};
  EXPECT_EQ(install(kContainerd, files), "");
}

TEST(Containerd, UninstallLeavesAHandlerOfOthersAlone) {
  Files files{
      {kContainerdFile,
       "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd.runtimes.langsbx]\n"}};
  EXPECT_THAT(uninstall(kContainerd, files), HasSubstr("was not written by"));
}

TEST(Containerd, SaysThatTheCriPluginIsOff) {
  const Files files{{kContainerdFile, "version = 2\ndisabled_plugins = [\"cri\"]\n"}};
  const auto plan = kContainerd.install(host_of(files), handler());
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(plan.value().notes, ::testing::Contains(HasSubstr("disabled_plugins")));
}

TEST(Crio, ADropInOfItsOwn) {
  expect_round_trip(kCrio, {});
  Files files;
  ASSERT_EQ(install(kCrio, files), "");
  EXPECT_THAT(files[kCrioFile], HasSubstr("[crio.runtime.runtimes.langsbx]\n"
                                          "runtime_path = \"/usr/sbin/langsbx\"\n"));
  files[kCrioFile] = "[crio]\n";
  EXPECT_THAT(install(kCrio, files), HasSubstr("was not written by"));
  EXPECT_THAT(uninstall(kCrio, files), HasSubstr("was not written by"));
}

TEST(Podman, ADropInThatKeepsTheListsOfOthers) {
  expect_round_trip(kPodman, {});
  const Files given{
      {"/usr/share/containers/containers.conf", "[engine]\nruntime_supports_json = [\"a\"]\n"},
      {"/etc/containers/containers.conf",
       "[engine]\nruntime_supports_json = [\n \"b\", # two\n 'c']\n[engine.runtimes]\nx = "
       "[\"/x\"]\n"}};
  expect_round_trip(kPodman, given);
  Files files = given;
  ASSERT_EQ(install(kPodman, files), "");
  const auto statements = scan_toml(files[kPodmanFile]);
  ASSERT_TRUE(statements.ok());
  EXPECT_THAT(
      *toml_strings(find_toml(statements.value(), {"engine", "runtime_supports_json"})->value),
      ElementsAre("b", "c", "langsbx"));
  EXPECT_THAT(
      *toml_strings(find_toml(statements.value(), {"engine", "runtime_supports_nocgroup"})->value),
      ElementsAre("crun", "krun", "langsbx"));
}

TEST(Podman, TwoHandlersShareTheFile) {
  Files files;
  ASSERT_EQ(install(kPodman, files), "");
  ASSERT_EQ(install(kPodman, files, handler("tight", "strict")), "");
  EXPECT_THAT(files[kPodmanFile],
              HasSubstr("langsbx = [\"/usr/sbin/langsbx\"]\n"
                        "tight = [\"/var/lib/langsbx/handlers/podman/tight\"]\n"));
  EXPECT_THAT(files[kPodmanFile], HasSubstr("\"langsbx\", \"tight\"]"));
  ASSERT_EQ(uninstall(kPodman, files, handler("tight")), "");
  EXPECT_THAT(files[kPodmanFile], Not(HasSubstr("tight")));
}

TEST(Podman, RefusesWhatItDoesNotUnderstand) {
  const std::string mark = "# Written by langsbx install\n";
  for (const auto& [path, text] :
       Files{{kPodmanFile, "[engine]\n"},
             {kPodmanFile, mark + "[engine]\nother = 1\n"},
             {"/etc/containers/containers.conf", "[engine\n"},
             {"/etc/containers/containers.conf.d/9.conf",
              "[engine]\nruntime_supports_json = [\"a\", {append=true}]\n"}}) {
    Files files{{path, text}};
    EXPECT_THAT(install(kPodman, files), HasSubstr(path)) << text;
  }
}

TEST(Podman, SaysWhichLaterFileReplacesTheList) {
  const Files files{{"/etc/containers/containers.conf.d/90-site.conf",
                     "[engine]\nruntime_supports_nocgroup = [\"crun\"]\n"}};
  const auto plan = kPodman.install(host_of(files), handler());
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(plan.value().notes, ::testing::Contains(HasSubstr("90-site.conf")));
}

TEST(Handler, EachClientHasALauncherOfItsOwn) {
  Files files;
  for (const Client* const client : {&kContainerd, &kCrio, &kPodman})
    ASSERT_EQ(install(*client, files, handler("langsbx", "strict")), "");
  ASSERT_TRUE(files.contains(kLauncher));
  ASSERT_EQ(uninstall(kCrio, files), "");
  ASSERT_EQ(install(kPodman, files), "");
  EXPECT_THAT(files[kLauncher], HasSubstr("--profile strict"));
}

TEST(Handler, NamesAndPathsMeanNothingInTheFiles) {
  EXPECT_TRUE(check_handler(handler("langsbx-2", "build-tool")).ok());
  for (const char* name : {"", "runc", "crun", "-a", "a-", "A", "a.b", "a b", "a\"", "a]"})
    EXPECT_FALSE(check_handler(handler(name)).ok()) << name;
  for (const char* profile : {"a b", "$(x)", "\"", "../a", "-x", ".hidden", "a\n"})
    EXPECT_FALSE(check_handler(handler("a", profile)).ok()) << profile;
  for (const char* path : {"", "langsbx", "/a b", "/a\"", "/a'", "/a\\", "/$HOME"}) {
    Handler made = handler();
    made.binary = path;
    EXPECT_FALSE(check_handler(made).ok()) << path;
  }
}

TEST(Kubernetes, NoPlaceholderIsLeft) {
  Handler made = handler("sandbox", "strict");
  made.image = "registry.example/installer:1";
  const auto plan = kKubernetes.install(Host{}, made);
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(plan.value().print, HasSubstr("handler: sandbox\n"));
  EXPECT_THAT(plan.value().print, HasSubstr("\"--name\", \"sandbox\", \"--profile\", \"strict\"]"));
  EXPECT_THAT(plan.value().print, Not(HasSubstr("@")));
}

}  // namespace
}  // namespace langsbx::clients
