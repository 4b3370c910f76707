// Profiles: every field read, inheritance, and refusals that say where and what was expected.
#include "languages/profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "languages/registry.h"
#include "languages/yaml.h"

namespace langsbx::languages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr BuiltinProfile kShipped[] = {
    {"base",
     "name: base\nlanguage: test\ncapabilities: {allow: [files.read, threads]}\n"
     "modules: {allowed: [math]}\nlimits: {memory: 64Mi}\n"},
    {"child",
     "name: child\nextends: base\ncapabilities: {allow: [files.write], deny: [threads]}\n"
     "modules: {additional: [json]}\nlimits: {memory: 128Mi, cpu: 0.5}\n"},
    {"loop", "name: loop\nextends: pool\n"},
    {"pool", "name: pool\nextends: loop\n"},
    {"foreign", "name: foreign\nlanguage: cobol\n"},
};
constexpr Language kTest = {.name = "test",
                            .title = "Test",
                            .aliases = {},
                            .extensions = {},
                            .interpreters = {},
                            .rules = {},
                            .builtin_profiles = kShipped,
                            .preflight = {},
                            .judge = nullptr};

std::string refusal(std::string_view yaml) {
  auto profile = read_profile(yaml, "p.yaml");
  return profile.ok() ? "accepted" : profile.error().message;
}

TEST(Profile, ReadsEveryKindOfField) {
  auto profile = read_profile(R"(
name: all
description: "everything"
capabilities: {allow: [files.read], deny: [network.connect]}
imports: {allowed: [math], additional: [json], blocked: [os], exclusive: true}
commands: {allowed: [ls]}
functions: {allowed: [os.getcwd], blocked: [os.listdir]}
attributes: {blocked: [_x]}
patterns:
  - {what: "TODO*", where: comment, message: no todo, severity: warning}
paths: {read: [/data], write: [/out]}
limits: {memory: 256Mi, cpu: 500m, cpu_time: 1.5s, wall_time: 2m, processes: 4, files: 32, disk: 1G, output: 50k, source_bytes: 1M, source_nesting: 50}
landlock:
  read: [/usr]
  connect_tcp: [443]
  bind_tcp: []
  scopes: [signal]
  best_effort: false
seccomp: python
network: none
stages: {guard: observe, objects: enforce}
)",
                              "p.yaml");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(profile->limits.memory, 256U << 20U);
  EXPECT_EQ(profile->limits.cpu, 500U);
  EXPECT_EQ(profile->limits.cpu_time, 1500U);
  EXPECT_EQ(profile->limits.wall_time, 120000U);
  EXPECT_EQ(profile->limits.output, 50000U);
  EXPECT_THAT(profile->landlock.connect_tcp, ElementsAre(443));
  EXPECT_EQ(profile->landlock.best_effort, false);
  EXPECT_EQ(profile->stages.at("guard"), StageMode::kObserve);
  EXPECT_EQ(profile->network, "none");
  const Policy policy = make_policy(*profile);
  EXPECT_TRUE(policy.allows(Capability::kFilesRead));
  EXPECT_FALSE(policy.allows(Capability::kNetworkConnect));
  EXPECT_TRUE(policy.modules_exclusive);
  EXPECT_TRUE(policy.modules_allowed.contains("json"));
  EXPECT_TRUE(policy.functions_blocked.contains("os.listdir"));
  EXPECT_EQ(policy.max_nesting, 50U);
  ASSERT_EQ(policy.patterns.size(), 1U);
  EXPECT_EQ(policy.patterns[0].where, Pattern::Where::kComment);
}

TEST(Profile, RefusalsSayWhereAndWhatWasExpected) {
  EXPECT_EQ(refusal("name: x\nlimits:\n  memry: 1\n"),
            "p.yaml:3:3: unknown field 'limits.memry', expected one of: memory, cpu, cpu_time, "
            "wall_time, processes, files, disk, output, source_bytes, source_nesting");
  EXPECT_EQ(refusal("name: x\nlimits: {memory: lots}\n"),
            "p.yaml:2:18: limits.memory: expected a size such as 256Mi, got 'lots'");
  EXPECT_EQ(refusal("name: x\ncapabilities: {allow: [files]}\n"),
            "p.yaml:2:24: capabilities.allow: expected a capability (files.read, process.spawn, "
            "...), got 'files'");
  EXPECT_EQ(refusal("name: x\nmodules: math\n"),
            "p.yaml:2:10: modules: expected a mapping of fields, got 'math'");
  EXPECT_EQ(refusal("name: x\nmodules: {allowed: math}\n"),
            "p.yaml:2:20: modules.allowed: expected a list, got 'math'");
  EXPECT_EQ(refusal("name: [x]\n"), "p.yaml:1:8: name: expected text, got a list");
  EXPECT_EQ(refusal("name: x\nstages: {guard: maybe}\n"),
            "p.yaml:2:17: stages.guard: expected enforce or observe, got 'maybe'");
  EXPECT_EQ(refusal("name: x\nlandlock: {bind_tcp: [70000]}\n"),
            "p.yaml:2:23: landlock.bind_tcp: expected a port from 0 to 65535, got '70000'");
  EXPECT_EQ(refusal("name: x\nlandlock: {best_effort: yes}\n"),
            "p.yaml:2:25: landlock.best_effort: expected true or false, got 'yes'");
  EXPECT_EQ(refusal("description: x\n"), "p.yaml:1:1: name: expected text, got nothing");
  EXPECT_THAT(refusal("name: x\npatterns: [{where: code}]\n"), HasSubstr("a 'what'"));
  EXPECT_THAT(refusal("- a\n"), HasSubstr("expected a mapping of fields, got a list"));
  EXPECT_THAT(refusal("name: &a x\nseccomp: *a\n"), HasSubstr("got an alias"));
  EXPECT_THAT(refusal("name: x\nname: y\n"), HasSubstr("p.yaml:2:1: not valid YAML"));
  EXPECT_THAT(refusal("name: [x\n"), HasSubstr("not valid YAML"));
  EXPECT_THAT(refusal(""), HasSubstr("p.yaml:1:1"));
  EXPECT_THAT(refusal(std::string(5000, '[')), HasSubstr("p.yaml:"));
}

TEST(Profile, DirectivesAreRefusedBeforeTheLibrarySeesThem) {
  // libfyaml never comes back from the first one.
  for (const std::string_view text : {"%\x06\xcc\xcc\xcc\xcc\xc0", "%YAML 1.2\n---\nname: x\n",
                                      "name: x\n%TAG ! x\n", "\xef\xbb\xbf%x", "a: b\xc2\x85%x"}) {
    const auto document = YamlDocument::parse(text, "p.yaml");
    ASSERT_FALSE(document.ok()) << text;
    EXPECT_THAT(document.error().message, ::testing::HasSubstr(":1: a YAML directive"));
  }
  EXPECT_TRUE(YamlDocument::parse("description: 5 % of\n  caf\xc3\xa9%\n", "p.yaml").ok());
}

TEST(Profile, NumbersAreExactOrRefused) {
  for (const char* bad : {"-1", "1e9", "99999999999999999999", "18446744073709551615Gi", "1.2345Gi",
                          "0.5", "1 Gi", "Gi"}) {
    EXPECT_THAT(refusal("name: x\nlimits: {memory: '" + std::string(bad) + "'}\n"),
                HasSubstr("expected a size"))
        << bad;
  }
}

TEST(Profile, InheritanceAddsListsAndReplacesTheRest) {
  auto profile = load_profile(kTest, "child");
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  const Policy policy = make_policy(*profile);
  EXPECT_TRUE(policy.allows(Capability::kFilesRead));
  EXPECT_TRUE(policy.allows(Capability::kFilesWrite));
  EXPECT_FALSE(policy.allows(Capability::kThreads));
  EXPECT_TRUE(policy.modules_allowed.contains("math"));
  EXPECT_TRUE(policy.modules_allowed.contains("json"));
  EXPECT_EQ(profile->limits.memory, 128U << 20U);
  EXPECT_EQ(profile->limits.cpu, 500U);
  EXPECT_EQ(policy.profile, "child");
}

// Of one profile's lists deny has the last word; of two profiles the child has.
TEST(Profile, DenyBeatsAllowWithinAProfile) {
  Profile profile;
  profile.allow = {"network.connect", "files.read"};
  profile.deny = {"network.connect"};
  const Policy policy = make_policy(profile);
  EXPECT_FALSE(policy.allows(Capability::kNetworkConnect));
  EXPECT_TRUE(policy.allows(Capability::kFilesRead));
}

TEST(Profile, CirclesUnknownNamesAndForeignLanguagesAreRefused) {
  EXPECT_THAT(load_profile(kTest, "loop").error().message, HasSubstr("circle"));
  EXPECT_THAT(load_profile(kTest, "nope").error().message,
              HasSubstr("no profile 'nope' for test (shipped: base, child"));
  EXPECT_THAT(load_profile(kTest, "foreign").error().message, HasSubstr("expected test"));
}

TEST(Profile, AFinderIsAskedFirstAndCanExtendTheShippedOnes) {
  const ProfileFinder finder = [](std::string_view language,
                                  std::string_view name) -> Result<std::optional<ProfileText>> {
    EXPECT_EQ(language, "test");
    if (name == "mine") return std::optional(ProfileText{"mine.yaml", "name: mine\nextends: base"});
    if (name == "lost") return std::optional(ProfileText{"lost.yaml", "name: lost\nextends: gone"});
    return std::optional<ProfileText>();
  };
  auto mine = load_profile(kTest, "mine", finder);
  ASSERT_TRUE(mine.ok()) << mine.error().message;
  EXPECT_EQ(mine->limits.memory, 64U << 20U);
  EXPECT_THAT(load_profile(kTest, "lost", finder).error().message,
              HasSubstr("lost.yaml: no profile 'gone'"));
}

TEST(Profile, EveryShippedProfileLoads) {
  for (const Language* language : all_languages()) {
    for (const BuiltinProfile& builtin : language->builtin_profiles) {
      auto profile = load_profile(*language, builtin.name);
      ASSERT_TRUE(profile.ok()) << profile.error().message;
      EXPECT_EQ(profile->name, builtin.name);
      EXPECT_FALSE(profile->description.empty()) << builtin.name;
    }
  }
}

}  // namespace
}  // namespace langsbx::languages
