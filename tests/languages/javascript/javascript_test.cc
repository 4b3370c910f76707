// What the judge of JavaScript refers to, and hostile input; evasions and ordinary code: ../cases.
#include <gtest/gtest.h>

#include <string>

#include "languages/javascript/javascript.h"
#include "languages/judge.h"
#include "languages/profile.h"

namespace langsbx::languages::javascript {
namespace {

std::string judged(const std::string& source, const char* profile_name) {
  const auto profile = load_profile(kLanguage, profile_name);
  if (!profile.ok()) return profile.error().message;
  const auto judgement = judge(kLanguage, {"case.js", source}, make_policy(*profile));
  return judgement.report.safe() ? "" : judgement.report.violations[0].reason;
}

TEST(JavaScriptCases, MinimalAllowsNoFiles) {
  const std::string source = "require('fs').readFileSync('in.txt')";
  EXPECT_EQ(judged(source, "default"), "");
  EXPECT_NE(judged(source, "minimal"), "");
}

TEST(JavaScriptCases, LocalFilesAreReferred) {
  Policy policy;
  const Source source{"main.js",
                      "import './a.js'; const b = require('../b'); export * from './c';"};
  Findings findings(source, policy);
  kLanguage.judge(source, policy, findings);
  ASSERT_EQ(findings.references().size(), 3U);
  EXPECT_EQ(findings.references()[0].candidates.front(), "./a.js");
  EXPECT_EQ(findings.references()[1].candidates[1], "../b.js");
  EXPECT_TRUE(findings.references()[2].required);
}

// Linear in the size whatever is repeated: a quadratic step would take minutes here.
TEST(JavaScriptCases, HostileRepetitionEnds) {
  Policy policy;
  policy.max_bytes = 64U << 20U;
  for (const char* piece :
       {"process;", "f(process){process}", "a['x'+", "let process=1;", "k+='a';", "x[k](",
        "import{a}from'fs';", "const{a}=fs;", "Object.getPrototypeOf(a);", "`${",
        "var fs=require('fs').promises;fs[a](b);", "{process:", "(process=>", "{this.fetch;",
        "(function(){return this.process})();", "let{process:p}=this;", "a.process.env;"}) {
    std::string text;
    while (text.size() < (1U << 18U)) text += piece;
    const Source source{"main.js", text};
    Findings findings(source, policy);
    kTypeScript.judge(source, policy, findings);
    SUCCEED() << piece;
  }
}

}  // namespace
}  // namespace langsbx::languages::javascript
