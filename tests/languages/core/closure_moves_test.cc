// `cd sub; . ./lib.sh` runs another file than the one beside the script.
#include <gtest/gtest.h>

#include <map>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

using Texts = std::map<std::string, std::string>;

std::string judged(Texts files) {
  files.insert({{"lib.sh", "echo lib\n"}, {"b.sh", "echo b\n"}});
  const Language& bash = *find_language("bash");
  const Policy policy = make_policy(*load_profile(bash, "default"));
  const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
    const auto file = files.find(path);
    if (file == files.end()) return std::nullopt;
    return file->second;
  };
  const auto judgement = judge_closure(bash, {"main.sh", files.at("main.sh")}, policy, reader, {});
  std::string refused;
  for (const Finding& finding : judgement.report.violations) {
    refused +=
        finding.file + ":" + std::to_string(finding.line) + " " + std::string(finding.rule) + "\n";
  }
  return refused;
}

std::string alone(const std::string& text) { return judged({{"main.sh", text}}); }

TEST(ClosureMoves, AFileSourcedBehindAMoveIsRefused) {
  for (const char* const text : {
           "cd sub; . ./lib.sh\n",
           "cd sub && source lib.sh\n",
           "pushd sub > /dev/null; . ./lib.sh\n",
           "cd; . ./lib.sh\n",
           "cd -; . ./lib.sh\n",
           "command cd sub; . ./lib.sh\n",
           "builtin cd sub\n. ./lib.sh\n",
           "cd sub; . \"$PWD/lib.sh\"\n",
           "cd sub; . \"$(pwd)/lib.sh\"\n",
           "cd sub; . \"$(dirname \"$0\")/lib.sh\"\n",
           "if true; then cd sub; fi; . ./lib.sh\n",
           "{ cd sub; }; . ./lib.sh\n",
           "go() { cd sub; }; go; . ./lib.sh\n",
           "load() { . ./lib.sh; }; cd sub; load\n",
           "for i in 1 2; do . ./lib.sh; cd sub; done\n",
           "trap '. ./lib.sh' EXIT; cd sub\n",
           "(cd sub; . ./lib.sh)\n",
           "x=$(cd sub; . ./lib.sh); echo \"$x\"\n",
           "x=`cd sub; . ./lib.sh`; echo \"$x\"\n",
           "here=$(dirname \"$0\"); cd sub; . \"$here/lib.sh\"\n",
           "cd sub; here=$(cd \"$(dirname \"$0\")\" && pwd); . \"$here/lib.sh\"\n",
           "cd \"$(dirname \"$0\")/..\"; . ./lib.sh\n",
           "cd \"$(dirname \"$0\")\"/sub; . ./lib.sh\n",
       }) {
    EXPECT_NE(alone(text).find("closure-other-directory"), std::string::npos)
        << text << alone(text);
  }
}

TEST(ClosureMoves, AFileSourcedWhereTheScriptBeganIsFine) {
  for (const char* const text : {
           ". ./lib.sh\ncd sub\n",
           ". ./lib.sh; . ./b.sh; cd sub; echo x > y\n",
           "cd \"$(dirname \"$0\")\"; . ./lib.sh\n",
           "cd \"$(dirname \"$0\")\" || exit 1\nsource ./lib.sh\n",
           "(cd sub; echo x > y); . ./lib.sh\n",
           "x=$(cd sub && pwd); . ./lib.sh; echo \"$x\"\n",
           "here=$(cd \"$(dirname \"$0\")\" && pwd)\ncd sub\n. \"$here/lib.sh\"\n",
           "here=$(cd \"$(dirname \"$0\")\" && pwd)\ncd sub\nload() { . \"${here}/lib.sh\"; "
           "}\nload\n",
           "load() { . ./lib.sh; }; load\n",
       }) {
    EXPECT_EQ(alone(text), "") << text;
  }
}

TEST(ClosureMoves, AWordMoreIsAnotherFolder) {
  for (const char* const text : {
           ". \"$(cd \"$(dirname \"$0\")/sub\" && pwd)/lib.sh\"\n",
           ". \"$(dirname \"$0\"/sub/x)/lib.sh\"\n",
           ". \"$(cd \"$(dirname \"$0\")\" && cd sub && pwd)/lib.sh\"\n",
           "here=$(dirname \"$0\"x/sub/y); . \"$here/lib.sh\"\n",
           ". \"$(dirname \"$(dirname \"$0\")\")/lib.sh\"\n",
           ". \"$(dirname \"${0%/*}\")/lib.sh\"\n",
           ". \"$(dirname \"$0\" && pwd)/lib.sh\"\n",
           ". \"$(dirname \"$0\" pwd)/lib.sh\"\n",
           ". \"$(cd \"$(dirname \"$0\")\")/lib.sh\"\n",
           ". \"$(cd -f \"$(dirname \"$0\")\" && pwd)/lib.sh\"\n",
           ". \"$(readlink \"$0\")/lib.sh\"\n",
           ". \"$(readlink -f \"$0\")/lib.sh\"\n",
       }) {
    EXPECT_NE(alone(text), "") << text;
  }
  for (const char* const text : {
           ". \"$(dirname -- \"$0\")/lib.sh\"\n",
           ". \"$(cd -P -- \"$(dirname -- \"${BASH_SOURCE[0]}\")\" && pwd -P)/lib.sh\"\n",
           ". \"$(dirname \"$(readlink -f \"$0\")\")/lib.sh\"\n",
           ". \"$(cd $(dirname $0) && pwd)/lib.sh\"\n",
           ". \"$(cd \"$(dirname \"$0\")/.\" && pwd)/lib.sh\"\n",
           ". \"$(readlink -f \"$(dirname \"$0\")\")/lib.sh\"\n",
       }) {
    EXPECT_EQ(alone(text), "") << text;
  }
}

TEST(ClosureMoves, AMoveInOneFileCountsInTheOthers) {
  const std::string moves = "cd sub\n";
  EXPECT_NE(judged({{"main.sh", ". ./lib.sh; . ./b.sh\n"}, {"lib.sh", moves}}), "");
  EXPECT_NE(judged({{"main.sh", "cd sub; . ./lib.sh\n"}}), "");
  EXPECT_NE(
      judged({{"main.sh", ". ./lib.sh\ncd sub\nload\n"}, {"lib.sh", "load() { . ./b.sh; }\n"}}),
      "");
  EXPECT_EQ(judged({{"main.sh", ". ./lib.sh\ncd sub\n"}, {"lib.sh", ". ./b.sh\n"}}), "");
  EXPECT_EQ(judged({{"main.sh", ". ./b.sh\n. ./lib.sh\n"}, {"lib.sh", "echo 1\n"}}), "");
  EXPECT_EQ(judged({{"main.sh", ". ./lib.sh\n"}, {"lib.sh", "(cd sub && echo 1)\n. ./b.sh\n"}}),
            "");
}

}  // namespace
}  // namespace langsbx::languages
