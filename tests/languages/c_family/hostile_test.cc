// Input made to be slow or deep: linear, bounded, and never passed when not understood.
#include <gtest/gtest.h>

#include <ctime>
#include <string>

#include "languages/scanner/scanner.h"
#include "tests/languages/c_family/judged.h"

namespace langsbx::languages {
namespace {

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string out;
  while (out.size() < bytes) out += text;
  return out;
}

constexpr const char* kPieces[] = {"(",
                                   "{[(",
                                   "/*",
                                   "//\\\n",
                                   "\"",
                                   "'",
                                   "R\"(",
                                   "`",
                                   "`${",
                                   "r#\"",
                                   "\\\n",
                                   "a::",
                                   "$a::",
                                   "std::",
                                   "#[",
                                   "use a::{",
                                   "#define a(b) b##c\n",
                                   "#if 0\n",
                                   "remove(",
                                   "int kill;",
                                   "import(",
                                   "func ",
                                   "?\?/",
                                   "__attribute__((",
                                   "[[",
                                   "'a",
                                   "\xC3\xA9",
                                   "\xFF",
                                   "mod a{",
                                   "std::fs::File::open(",
                                   "fopen(",
                                   "\"a\" ",
                                   "include_str!(",
                                   "asm ",
                                   "fork() ",
                                   "1'1",
                                   "a.b.c.",
                                   "((void (*)(void))a)();int a[1];",
                                   "(F)1;typedef int (*F)(int);",
                                   "goto *(a);",
                                   "reinterpret_cast<a (*)()>(",
                                   "getenv(\"a\" \"b\"",
                                   "filepath.Join(\"a\",\"b\",",
                                   "std::fs::read([\"a\",\"b\",",
                                   "std::env::var(\"a\");",
                                   "\"\\x0f\\x05\\x01\" ",
                                   "//\n",
                                   "/**/",
                                   "import a.B;",
                                   "String a=a+a;",
                                   "Runtime r;",
                                   "let k=\"b\";x[k];",
                                   "x[k](b)",
                                   "require(\"./a\");",
                                   "/a/;",
                                   "const {a}=process;",
                                   "typedef int (*F)(int);F(a)",
                                   "\"/etc/x\";"};

TEST(CompiledHostile, TimeGrowsWithSize) {
  for (const char* language : {"c", "cpp", "go", "rust", "java", "javascript", "typescript"}) {
    for (const char* piece : kPieces) {
      const std::string text = repeated(piece, 1U << 18U);
      const std::clock_t start =
          std::clock();  // processor time: other work on the machine is no fault
      (void)judged(language, text);
      const double taken = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
      // 256 kB: a quadratic walk takes minutes, a linear one in a debug build well below this.
      EXPECT_LT(taken, 2.0) << language << " " << piece;
    }
  }
}

TEST(CompiledHostile, NestingIsCapped) {
  for (const char* language : {"go", "rust"}) {
    EXPECT_NE(violations(language, repeated("(", 5000) + repeated(")", 5000)), "") << language;
  }
}

TEST(CompiledHostile, EveryPrefixOfAProgramEndsCleanly) {
  const std::string text =
      "package main\nuse std::{a as b};\n#include <x>\nR\"x(a)x\" 'c' `q` r#\"z\"# /* c */ a ## b "
      "__attribute__((x)) fopen(\"a\", \"r\") $m!(x) #[a(b)] mod c; _Pragma(\"x\") import (\"a\")";
  for (const char* language : {"c", "cpp", "go", "rust"}) {
    for (std::size_t i = 0; i <= text.size(); ++i) {
      (void)judged(language, std::string_view(text).substr(0, i));
      (void)judged(language, std::string_view(text).substr(i));
    }
  }
}

}  // namespace
}  // namespace langsbx::languages
