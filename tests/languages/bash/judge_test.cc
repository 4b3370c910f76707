// Whole scripts under the shipped profiles: what must be refused, by which rule, and what must
// pass.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "languages/closure.h"
#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "tests/support/case_lines.h"

namespace langsbx::languages {
namespace {

Judgement judge_with(const std::string& profile, const std::string& text) {
  const Language* language = find_language("bash");
  auto read = load_profile(*language, profile);
  EXPECT_TRUE(read.ok()) << profile;
  const Policy policy = make_policy(*read);
  return judge(*language, {"x.sh", text}, policy);
}

std::string rules_of(const Judgement& judgement) {
  std::string out;
  for (const Finding& finding : judgement.report.violations) {
    out += std::string(finding.rule) + " ";
  }
  return out;
}

// Cases are blocks of a file: "### refused RULE" or "### passes PROFILE", then the script.
void run_cases(const std::string& name) {
  std::ifstream file(std::string(LANGSBX_SOURCE_DIR) + "/tests/languages/bash/" + name);
  ASSERT_TRUE(file.good());
  std::string line;
  std::string header;
  std::string script;
  std::size_t count = 0;
  const auto finish = [&] {
    if (header.empty()) return;
    ++count;
    std::istringstream words(header);
    std::string verdict;
    std::string what;
    std::string profile = "default";
    words >> verdict >> what >> profile;
    if (verdict == "passes") {
      const Judgement judged = judge_with(what, script);
      EXPECT_TRUE(judged.report.safe()) << header << "\n" << script << rules_of(judged);
    } else {
      const std::string rules = rules_of(judge_with(profile, script));
      EXPECT_NE(rules.find(what + " "), std::string::npos) << header << "\n" << script << rules;
    }
  };
  while (std::getline(file, line)) {
    if (line.starts_with("### ")) {
      finish();
      header = line.substr(4);
      script.clear();
    } else {
      script += line + "\n";
    }
  }
  finish();
  EXPECT_GT(count, 20U);
}

std::string repeated(const std::string& unit, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += unit;
  return text;
}

// Bytes that judging takes at most from the heap at one time.
std::size_t heap_of(const std::string& text) {
  // The highest mark of a child is its own.
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    rusage before{};
    ::getrusage(RUSAGE_SELF, &before);
    const bool safe = judge_with("build-tool", text).report.safe();
    rusage after{};
    ::getrusage(RUSAGE_SELF, &after);
    const long kilobytes = after.ru_maxrss - before.ru_maxrss + (safe ? 0 : 1);
    ::_exit(::write(ends[1], &kilobytes, sizeof kilobytes) == sizeof kilobytes ? 0 : 1);
  }
  long kilobytes = -1;
  EXPECT_EQ(::read(ends[0], &kilobytes, sizeof kilobytes), ssize_t{sizeof kilobytes});
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  ::close(ends[0]);
  ::close(ends[1]);
  return static_cast<std::size_t>(kilobytes) << 10U;
}

TEST(BashJudge, CommandsInCommandsStaySmall) {
  constexpr std::size_t kSize = 1U << 20U;
#if defined(__has_feature)
  constexpr std::size_t kKept = __has_feature(address_sanitizer) ? 3 : 1;  // what is freed stays
#else
  constexpr std::size_t kKept = 1;
#endif
  for (const char* unit : {"xargs ", "env ", "nice ", "sudo ", "command ", "find . -exec ", "eval ",
                           "bash -c ", "timeout 1 ", "nohup "}) {
    EXPECT_LT(heap_of(repeated(unit, kSize)), 48 * kSize * kKept) << unit;
  }
  EXPECT_LT(heap_of(repeated("${a:-b}", kSize)), 64 * kSize * kKept);
  std::string nested;
  for (int i = 0; i < 15; ++i) nested += "xargs ";
  for (const char* unit : {"a ", "$a ", "<a ", "a=b ", "\"$x\"/", "${a@P} ", "(( "}) {
    EXPECT_LT(heap_of(nested + repeated(unit, 4 * kSize)), 128 * kSize * kKept) << unit;
  }
  std::string evals;
  for (int i = 0; i < 12; ++i) evals += "eval ";
  EXPECT_LT(heap_of(evals + repeated("\"a\" ", kSize)), 128 * kSize * kKept);
}

TEST(BashJudge, RefusesEveryEvasion) { run_cases("evasions.txt"); }

TEST(BashJudge, PassesOrdinaryScripts) { run_cases("ordinary.txt"); }

TEST(BashJudge, EveryTechniqueIsRefused) {
  const auto cases = test::case_lines("bash/cases/refused.txt");
  const Policy policy = make_policy(*load_profile(*find_language("bash"), "default"));
  EXPECT_GT(cases.size(), 900U);
  for (const std::string& script : cases) {
    // With what it sources: a file that is not there yet counts against it.
    const auto judged = judge_closure(*find_language("bash"), {"x.sh", script}, policy, nullptr);
    EXPECT_FALSE(judged.report.safe()) << script;
  }
}

TEST(BashJudge, LookAlikesPass) {
  const auto cases = test::case_lines("bash/cases/passes.txt");
  EXPECT_GT(cases.size(), 50U);
  for (const std::string& script : cases) {
    const Judgement judged = judge_with("default", script);
    EXPECT_TRUE(judged.report.safe()) << script << rules_of(judged);
  }
}

TEST(BashJudge, LocalSourceIsAReference) {
  const Judgement judged = judge_with("default", ". ./lib.sh\nsource \"$(dirname \"$0\")/b.sh\"\n");
  EXPECT_TRUE(judged.report.safe()) << rules_of(judged);
  ASSERT_EQ(judged.references.size(), 2U);
  EXPECT_EQ(judged.references[0].candidates[0], "./lib.sh");
  EXPECT_EQ(judged.references[1].candidates[0], "b.sh");
  EXPECT_TRUE(judged.references[0].required);
}

TEST(BashJudge, MinimalAllowsBuiltinsOnly) {
  EXPECT_TRUE(judge_with("minimal", "x=1; echo $((x+1)); f() { printf %s x; }; f\n").report.safe());
  EXPECT_FALSE(judge_with("minimal", "cat\n").report.safe());
  EXPECT_FALSE(judge_with("minimal", "echo x > file\n").report.safe());
  EXPECT_FALSE(judge_with("minimal", "read -r x < file\n").report.safe());
}

TEST(BashJudge, FindingsPointAtTheCommand) {
  const Judgement judged = judge_with("default", "echo a\n  curl -s x\n");
  ASSERT_EQ(judged.report.violations.size(), 1U);
  EXPECT_EQ(judged.report.violations[0].line, 2U);
  EXPECT_EQ(judged.report.violations[0].column, 3U);
  EXPECT_EQ(judged.report.violations[0].code, "curl");
}

TEST(BashJudge, ManyFindingsAndLongChainsEnd) {
  std::string chain = "x0=a\n";
  for (int i = 1; i < 3000; ++i) {
    chain += "x" + std::to_string(i) + "=$x" + std::to_string(i - 1) + "$x" +
             std::to_string(i - 1) + "\n$x" + std::to_string(i) + "\n";
  }
  EXPECT_FALSE(judge_with("default", chain).report.safe());
  std::string braces = "echo ";
  for (int i = 0; i < 500000; ++i) braces += "{a,";
  judge_with("default", "cat " + braces);
  std::string evals;
  for (int i = 0; i < 3000; ++i) evals += "eval 'eval \"x" + std::to_string(i) + "=1\"'\n";
  EXPECT_FALSE(judge_with("default", evals).report.safe());
}

}  // namespace
}  // namespace langsbx::languages
