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
      {"__asm__(\".section .text.w,\\\"awx\\\",@progbits\\nnop\"); int main(){}",
       "object-writable-code"},
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

// A program without sections: one segment of code, nothing else that tells what it does.
std::string program_of(std::string_view code, std::uint32_t type = 1) {
  std::string file(
      "\x7f"
      "ELF\x02\x01\x01",
      7);
  file.resize(64 + 2 * 56);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) file[at + i] = static_cast<char>(value >> (8 * i));
  };
  put(16, 2, 2);
  put(18, 62, 2);
  put(32, 64, 8);
  put(54, 56, 2);
  put(56, 2, 2);
  put(64, type, 4);
  put(68, 5, 4);
  put(64 + 8, file.size(), 8);
  put(64 + 32, code.size(), 8);
  put(120, kStackSegment, 4);
  put(124, 6, 4);
  return file + std::string(code);
}

TEST(ObjectJudgeOfPrograms, GoesByWhatTheLoaderMaps) {
  EXPECT_EQ(judged(program_of("\xc3"), "c"), "");
  EXPECT_THAT(judged(program_of("\x31\xc0\x0f\x05"), "c"), HasSubstr("object-system-call"));
  // A dynamic segment whose symbols no section shows.
  EXPECT_THAT(judged(program_of(std::string(16, '\0'), 2), "c"), HasSubstr("object-broken"));
}

// Of an object's first symbol or section of that kind, one field changed.
TEST_F(ObjectJudge, LiesOfAnObjectAreRefused) {
  const auto object =
      compiled("extern int puts(const char*); int f(void){ return puts(\"\"); }", ".c");
  ASSERT_TRUE(object);
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
      value = value << 8U | static_cast<unsigned char>((*object)[at + i]);
    }
    return static_cast<std::size_t>(value);
  };
  const std::size_t sections = number(40, 8);
  ASSERT_EQ(judged(*object, "c"), "");
  for (std::size_t i = 0; i < number(60, 2); ++i) {
    const std::size_t at = sections + i * 64;
    const std::size_t offset = number(at + 24, 8);
    const std::size_t size = number(at + 32, 8);
    const auto with = [&](std::size_t where, std::string_view bytes) {
      std::string changed = *object;
      changed.replace(where, bytes.size(), bytes);
      return judged(changed, "c");
    };
    if (number(at + 4, 4) == 2) {  // symbols: the last is puts
      EXPECT_THAT(with(offset + size - 18, "\xff\xff"), HasSubstr("object-broken"));
      EXPECT_THAT(with(offset + size - 18, "\xf1\xff"), HasSubstr("object-data-in-code"));
    }
    if (number(at + 4, 4) == 3) {  // names that do not end
      EXPECT_THAT(with(offset + size - 1, "x"), HasSubstr("object-"));
    }
    if ((number(at + 8, 8) & kExecutable) != 0 && size > 2) {  // code that is not called so
      std::string hidden = *object;
      hidden[at + 8] = 2;
      hidden.replace(offset, 2, "\x0f\x05");
      EXPECT_THAT(judged(hidden, "c"), HasSubstr("object-system-call"));
      EXPECT_THAT(with(at + 9, "\x08"), HasSubstr("object-section"));
    }
  }
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
