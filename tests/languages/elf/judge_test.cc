// What the object shows of tricks that the source can hide.
#include "languages/elf/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "languages/profile.h"
#include "languages/registry.h"
#include "tests/languages/elf/compiled.h"

namespace langsbx::languages::elf {
namespace {

using ::testing::HasSubstr;

std::string judged(const std::string& object, std::string_view language,
                   const NameSet& elsewhere = {}, std::string_view profile_name = "default") {
  const auto profile = load_profile(*find_language(language), profile_name);
  const Policy policy = make_policy(*profile);
  const Source source{"a.o", object};
  Findings findings(source, policy);
  judge_object(object, policy, findings, elsewhere);
  std::string out;
  for (const Finding& finding : findings.take_violations()) {
    out += std::string(finding.rule) + " " + finding.reason + "\n";
  }
  return out;
}

struct Case {
  const char* source;
  const char* expected;
};

class ObjectJudge : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!compiled("int x;\n", ".c")) GTEST_SKIP() << "no C compiler here";
  }
};

TEST_F(ObjectJudge, SeesThroughTheSource) {
  const Case cases[] = {
      {"int s(const char*) __asm__(\"sys\" \"tem\"); int main(){ return s(\"id\"); }",
       "uses system"},
      {"#define C(a,b) a##b\nint main(){ return C(sys,tem)(\"id\"); }", "uses system"},
      {"_Pragma(\"redefine_extname foo system\") int foo(const char*); int main(){ foo(\"x\"); }",
       "uses system"},
      {"int main(){ __asm__(\"syscall\"); }", "object-system-call"},
      {"int main(){ __asm__(\"int $0x80\"); }", "object-system-call"},
      {"__attribute__((constructor)) static void f(void){} int main(){}", "object-start"},
      {"__attribute__((section(\".text#\"))) const unsigned char m[]={0x0f,0x05}; int main(){}",
       "object-"},
      {"__attribute__((section(\".mine\"))) int x=1; int main(){}", "object-section"},
      {"static void*r(void){return 0;} void f(void) __attribute__((ifunc(\"r\"))); int main(){}",
       "object-ifunc"},
      {"extern int nobody_knows(void); int main(){ return nobody_knows(); }",
       "object-unknown-symbol"},
      {"const char main[]=\"x\";", "object-data-in-code"},
      {"void _start(void){}", "object-start"},
      {"int g(int (*f)(int)); int h(int a){ int k(int b){ return a+b; } return g(k); } int "
       "main(){}",
       "object-executable-stack"},
      {"unsigned f(void){ return 0x050f; } int main(){}", "object-system-call"}};
  for (const Case& item : cases) {
    const auto object = compiled(item.source, ".c");
    ASSERT_TRUE(object) << item.source;
    EXPECT_THAT(judged(*object, "c"), HasSubstr(item.expected)) << item.source;
  }
}

TEST_F(ObjectJudge, OrdinaryObjectsPass) {
  const char* source =
      "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n"
      "#include <time.h>\n#include <ctype.h>\nint main(void){ char b[9]; FILE*f=fopen(\"x\",\"r\");"
      "fgets(b,9,f); printf(\"%f %d\", sqrtf(strlen(b)), toupper(rand())); srand(time(0));"
      "free(malloc(3)); exit(0); }";
  for (const char* options : {"-O0", "-O2", "-O2 -D_FORTIFY_SOURCE=2", "-O1 -fPIC", "-O3 -g"}) {
    const auto object = compiled(source, ".c", options);
    ASSERT_TRUE(object);
    EXPECT_EQ(judged(*object, "c"), "") << options;
    EXPECT_THAT(judged(*object, "c", {}, "minimal"), HasSubstr("uses fopen"));
  }
}

TEST_F(ObjectJudge, CppLibraryPassesButNotItsFiles) {
  const auto object = compiled(
      "#include <fstream>\n#include <iostream>\n#include <map>\n#include <string>\n"
      "int main(){ std::map<std::string,int> m; m[\"a\"]=1; std::cout<<m.size(); std::ifstream "
      "f(\"x\");"
      "int x; f>>x; throw x; }",
      ".cc");
  if (!object) GTEST_SKIP() << "no C++ compiler here";
  EXPECT_EQ(judged(*object, "cpp"), "");
  EXPECT_THAT(judged(*object, "cpp", {}, "minimal"), HasSubstr("basic_"));
}

TEST_F(ObjectJudge, OtherObjectsOfTheProgramCount) {
  const auto one = compiled("int two(void); int main(){ return two(); }", ".c");
  const auto two = compiled("int two(void){ return 2; }", ".c");
  ASSERT_TRUE(one && two);
  EXPECT_THAT(judged(*one, "c"), HasSubstr("uses two"));
  const auto object = read_object(*two);
  ASSERT_TRUE(object.ok());
  EXPECT_EQ(judged(*one, "c", defined_symbols(*object)), "");
}

TEST_F(ObjectJudge, BrokenObjectsAreRefused) {
  EXPECT_THAT(judged("\x7f"
                     "ELF",
                     "c"),
              HasSubstr("object-broken"));
  const auto object = compiled("int x;", ".c");
  ASSERT_TRUE(object);
  EXPECT_THAT(judged(object->substr(0, object->size() / 2), "c"), HasSubstr("object-broken"));
}

}  // namespace
}  // namespace langsbx::languages::elf
