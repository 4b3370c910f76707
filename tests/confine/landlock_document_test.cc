// landlockconfig documents: what only they have; and what becomes of links when layers are one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <string>
#include <utility>

#include "oci/reader.h"
#include "runtime/confine/landlock.h"

namespace langsbx::confine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<LandlockPlan> plan_of(const std::string& document, const std::string& cwd = "/job") {
  oci::Spec spec;
  spec.annotations["io.langsbx.landlock.config"] = document;
  spec.process.emplace();
  spec.process->cwd = cwd;
  return plan_landlock({&spec, {}, 7, false});
}

std::string error_of(const std::string& document) {
  const auto plan = plan_of(document);
  return plan.ok() ? "no error" : plan.error().to_string();
}

std::vector<std::string> paths_of(const LandlockLayer& layer) {
  std::vector<std::string> paths;
  for (const auto& grant : layer.paths) paths.push_back(grant.path);
  return paths;
}

TEST(LandlockDocument, PathsStartAtTheWorkingDirectory) {
  const auto plan = plan_of(R"({"abi": 5, "ruleset": [{"handledAccessFs": ["abi.all"]}],
      "pathBeneath": [{"allowedAccess": ["abi.read_write"], "parent": [".", "./out", "in", "/x"]}]})");
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_THAT(paths_of(plan->layers.at(1)), ElementsAre("/job", "/job/out", "/job/in", "/x"));
}

TEST(LandlockDocument, WhatARuleAllowsIsHandled) {
  const auto plan = plan_of(R"({"abi": 5, "ruleset": [{"handledAccessFs": ["execute"]}],
      "pathBeneath": [{"allowedAccess": ["read_file"], "parent": ["/usr"]}]})");
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->layers.at(1).handled_fs, fs::kExecute | fs::kReadFile);
  EXPECT_THAT(error_of(R"({"ruleset": [{"handledAccessFs": ["execute"]}],
      "pathBeneath": [{"allowedAccess": ["resolve_unix"], "parent": ["/usr"]}]})"),
              HasSubstr(".pathBeneath: resolve_unix is not in the kernel's Landlock ABI 7"));
}

TEST(LandlockDocument, VariablesStandForEachOfTheirValues) {
  const auto plan = plan_of(R"({"abi": 5, "variable": [{"name": "top", "literal": ["/a", "/b"]},
        {"name": "end", "literal": ["x"]}, {"name": "end", "literal": ["y"]}],
      "ruleset": [{"handledAccessFs": ["read_file"]}],
      "pathBeneath": [{"allowedAccess": ["read_file"], "parent": ["${top}/${end}", "/$$/${end}"]}]})");
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_THAT(paths_of(plan->layers.at(1)),
              ElementsAre("/a/x", "/a/y", "/b/x", "/b/y", "/$/x", "/$/y"));
}

TEST(LandlockDocument, FaultsOfVariablesNameThePath) {
  const auto with = [](const std::string& parent) {
    return R"({"ruleset": [{"handledAccessFs": ["read_file"]}],
        "pathBeneath": [{"allowedAccess": ["read_file"], "parent": ["/ok", ")" +
           parent + R"("]}]})";
  };
  EXPECT_THAT(error_of(with("${no}")),
              HasSubstr(".pathBeneath[0].parent[1]: unknown variable \"no\""));
  EXPECT_THAT(error_of(with("${no")), HasSubstr(".pathBeneath[0].parent[1]: \"${\" without"));
  EXPECT_THAT(error_of(R"({"variable": [{"literal": ["/x"]}]})"), HasSubstr("variable[0]"));
  std::string many = R"({"variable": [{"name": "v", "literal": [)";
  for (int i = 0; i < 100; ++i) many += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\"";
  many += R"(]}], "pathBeneath": [{"allowedAccess": ["read_file"], "parent": ["/${v}${v}${v}"]}]})";
  EXPECT_THAT(error_of(many), HasSubstr("too many paths"));
}

// Some bytes of an annotation must not become all the memory of the host.
TEST(LandlockDocument, WhatAPathStandsForIsCountedBeforeItIsMade) {
  const auto list = [](const char* name, int count, const std::string& value) {
    std::string text = std::string(R"({"name": ")") + name + R"(", "literal": [)";
    for (int i = 0; i < count; ++i) text.append(i > 0 ? "," : "").append("\"" + value + "\"");
    return text + "]}";
  };
  const auto document = [](const std::string& variables, const std::string& parents) {
    return R"({"variable": [)" + variables +
           R"(], "pathBeneath": [{"allowedAccess": ["read_file"], "parent": [)" + parents + "]}]}";
  };
  const auto peak_kilobytes = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  std::string parents;
  for (int i = 0; i < 3000; ++i) parents.append(i > 0 ? "," : "").append(R"("${a}")");
  const std::string many = list("a", 4096, "/a");
  const std::pair<std::string, const char*> documents[] = {
      {document(many + "," + list("b", 3000, "b"), R"("${a}${b}")"), "too many paths"},
      {document(many + "," + list("b", 1, std::string(100'000, 'b')), R"("${a}${b}")"),
       "too long a path"},
      {document(many, parents), "too many paths"}};
  for (const auto& [text, wanted] : documents) {
    const auto before = peak_kilobytes();
    EXPECT_THAT(error_of(text), HasSubstr(wanted));
    EXPECT_LT(peak_kilobytes() - before, 100'000) << wanted;
  }
}

TEST(LandlockDocument, TheProposalHasNoVariables) {
  oci::Spec spec;
  spec.process.emplace();
  spec.process->landlock.emplace();
  spec.process->landlock->handled_access_fs = {"read_file"};
  spec.process->landlock->variables = {{"a", {"/b"}}};
  const auto plan = plan_landlock({&spec, {}, 7, false});
  ASSERT_FALSE(plan.ok());
  EXPECT_THAT(plan.error().to_string(), HasSubstr("process.landlock.variable"));
}

// By text /job/out is below /job; what it is once links are resolved is the kernel's to say.
TEST(LandlockIntersection, RemembersWhatAPathMustLieBeneath) {
  LandlockLayer left;
  left.handled_fs = fs::kWriteFile;
  left.paths = {{"/job", fs::kWriteFile, false, {}}};
  LandlockLayer right = left;
  right.paths = {{"/job/out", fs::kWriteFile, false, {}}};
  const auto both = intersect_layers(left, right);
  ASSERT_EQ(both.paths.size(), 1U);
  EXPECT_THAT(both.paths[0].beneath, ElementsAre("/job"));
  LandlockLayer everything = left;
  everything.paths = {{"/", fs::kWriteFile, false, {}}};
  EXPECT_THAT(intersect_layers(both, everything).paths.at(0).beneath, ElementsAre("/job"));
  EXPECT_TRUE(intersect_layers(right, everything).paths.at(0).beneath.empty());
  LandlockLayer deep = left;
  deep.paths = {{"/job/out/deep", fs::kWriteFile, false, {}}};
  EXPECT_THAT(intersect_layers(both, deep).paths.at(0).beneath, ElementsAre("/job", "/job/out"));
}

TEST(LandlockIntersection, TheRecordKeepsIt) {
  LandlockPlan plan;
  plan.abi = 7;
  plan.layers.emplace_back().paths = {{"/job/out", fs::kWriteFile, false, {"/job"}}};
  const auto again = landlock_plan_from_json(to_json(plan));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  EXPECT_EQ(again->layers, plan.layers);
  EXPECT_FALSE(
      landlock_plan_from_json(R"({"layers":[{"paths":[{"path":"/a/b","beneath":["/c"]}]}]})").ok());
  EXPECT_FALSE(
      landlock_plan_from_json(R"({"layers":[{"paths":[{"path":"/a","beneath":["a"]}]}]})").ok());
}

}  // namespace
}  // namespace langsbx::confine
