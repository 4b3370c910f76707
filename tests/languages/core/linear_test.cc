// Linear time, by counted steps: twice the hostile input takes no more than twice the steps, and
// what is too large is not read at all. Steps are the bytes, tokens, words and values looked at.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

using Shape = std::function<std::string(int)>;

Shape repeated(std::string head, std::string unit, std::string tail = "") {
  return [=](int n) {
    std::string text = head;
    for (int i = 0; i < n; ++i) text += unit;
    return text + tail;
  };
}

// `#` in the unit is the number, `+` the next one.
Shape numbered(std::string head, std::string unit, std::string tail = "") {
  return [=](int n) {
    std::string text = head;
    for (int i = 0; i < n; ++i) {
      for (const char c : unit) {
        if (c == '#') {
          text += std::to_string(i);
        } else if (c == '+') {
          text += std::to_string(i + 1);
        } else {
          text += c;
        }
      }
    }
    return text + tail;
  };
}

void expect_linear(const std::string& language, const std::string& profile,
                   const std::vector<Shape>& shapes) {
  const Language* judged_by = find_language(language);
  const Policy policy = make_policy(*load_profile(*judged_by, profile));
  constexpr int kCount = 4000;
  for (const Shape& shape : shapes) {
    const std::string once = shape(kCount);
    const std::string twice = shape(2 * kCount);
    const std::size_t first = judge(*judged_by, {"x", once}, policy).steps;
    const std::size_t second = judge(*judged_by, {"x", twice}, policy).steps;
    EXPECT_GT(first, 0U) << once.substr(0, 60);
    EXPECT_LE(second, 2 * first + first / 4 + 10000) << first << " " << once.substr(0, 60);
    EXPECT_LE(first, (4U << 20U) + 128 * once.size()) << once.substr(0, 60);
  }
}

TEST(LinearTime, Python) {
  std::string deep;
  for (int i = 0; i < 190; ++i) deep += "open(";
  deep += "'a'" + std::string(190, ')') + "\n";
  expect_linear("python", "default",
                {numbered("", "name# = #\n"),
                 repeated("", "\"\"\"\"\"\"\n"),
                 repeated("with a as b", ", a as b", ": pass\n"),
                 repeated("x ", "as "),
                 repeated("import a", ".a", "\n"),
                 [](int n) {
                   std::string text =
                       "from " + std::string(static_cast<std::size_t>(n), '.') + " import x";
                   for (int i = 0; i < n; ++i) text += ", x";
                   return text + "\n";
                 },
                 numbered("", "import m#\n"),
                 repeated("from os import a", ", a", "\n"),
                 numbered("import os\na0 = os\n", "a+ = a#\n"),
                 numbered("import os\n", "a# = a+\n"),
                 repeated("import math as m\n", "m.sin(1)\n"),
                 repeated("", "()"),
                 repeated("", "("),
                 [&](int n) { return repeated("", deep)(n / 40); },
                 repeated("open(", "'a' + ", "'b')\n"),
                 repeated("p = 'a'\n", "open(p, 'w')\n"),
                 repeated("t = 'a'\n", "t.format(1)\n"),
                 repeated("t = 'a'\nt.format(1)\n[", "t, ", "]\n"),
                 repeated("'{}'", ".format(1)", "\n"),
                 repeated("f'", "{a:{b}}", "'\n"),
                 repeated("f'", "{f\"{x}\"}", "'\n"),
                 repeated("f'", "\\N{A}", "'\n"),
                 numbered("", "class M#(type): pass\nM#(1)\n"),
                 repeated("vars(x)\ny = ", "parse_args ", "\n"),
                 repeated("import abc\n", "A.register(b)\n"),
                 repeated("class A:\n", " x.__new__(a, b, c, d)\n"),
                 repeated("x(", "style=\"{\", ", ")\n"),
                 repeated("import doctest\n\"\"\"\n", ">>> 1\n", "\"\"\"\n"),
                 repeated("class A:\n", " import os as o\n"),
                 repeated("try: pass\n", "except E as e: e.obj\n"),
                 repeated("from pathlib import Path\np = 'a'\n", "Path(p)\n")});
}

TEST(LinearTime, PythonScopes) {
  expect_linear(
      "python", "default",
      {repeated("", "def f(type): x = type\n"), repeated("def f(type):\n", " x = type\n"),
       repeated("def f(type):\n", " x = type\n y = eval\n", "eval = 1\n"),
       repeated("def f(eval): return ", "lambda x: ", "eval('1')\n"),
       repeated("t = ", "lambda t: ", "t.format(1)\n"),
       repeated("def f(eval): ", "[eval for x in y]; ", "\n"),
       numbered("", "def f#(a#): return a#.format(1)\nf#('x')\n"),
       numbered("def f(a0): pass\n", "def g#(a): a.format(1)\n"),
       repeated("eval = 1\n", "eval('1')\n"), repeated("", "eval = 1\neval('1')\n"),
       repeated("def f(", "eval, ", "a): pass\n"), repeated("def f(a=[", "eval, ", "1]): pass\n"),
       repeated("", "a = ", "open\n"), repeated("import os\nx: ", "a = ", "os\n"),
       repeated("import timeit\nt = '1'\n", "timeit.timeit('t = 1')\n", "timeit.timeit(t)\n"),
       repeated("import os, sys\ndef f(os, sys):\n", " x = os, sys\n")});
}

TEST(LinearTime, Bash) {
  expect_linear("bash", "build-tool",
                {repeated("", "echo a\n"),
                 numbered("", "v#=#\n"),
                 numbered("a0=x\n", "a+=$a#\n"),
                 numbered("", "a#=$a+\n"),
                 repeated("a=x\n", "a=$a$a\n"),
                 numbered("", "a=/x/#\necho $a\n"),
                 repeated("a=b\necho \"", "$a", "\"\n"),
                 repeated("", "$("),
                 repeated("echo ", "$(:)"),
                 repeated("", "`:` "),
                 repeated("", "`\\`\\\\\\`"),
                 repeated("", "(("),
                 repeated("", "((a) )\n"),
                 repeated("x='a[$(id)]'\necho $((", "a+", "1))\n"),
                 repeated("", "cat <<E\nE\n"),
                 [](int n) {
                   std::string text = "cat ";
                   for (int i = 0; i < n; ++i) text += "<<E ";
                   text += "\n";
                   for (int i = 0; i < n; ++i) text += "E\n";
                   return text;
                 },
                 repeated("cat <<E\n", "$a\n", "E\n"),
                 repeated("if :; then ls() { :; }; fi\n", "if :; then ls() { :; }; fi\nls\n"),
                 [](int n) {
                   std::string text;
                   for (int i = 0; i < n; ++i) text += "v" + std::to_string(i) + "=1\n";
                   for (int i = 0; i < 200; ++i) text += "eval 'echo " + std::to_string(i) + "'\n";
                   return text;
                 },
                 repeated("a=(", "x ", ")\necho ${a[@]}\n"),
                 repeated("", "a+=(x)\n", "echo \"${a[@]}\"\n"),
                 repeated("", "a[1] \n"),
                 repeated("echo ", "{a,b}", "\n"),
                 repeated("echo ", "{a,", "\n"),
                 repeated("a=x; a=y\n", "$a 1\n"),
                 repeated("", "env ", "a\n"),
                 repeated("find . ", "-exec ls {} \\; ", "\n"),
                 repeated("", "trap 'echo a' EXIT\n")});
}

// 100 MB are as much work as 5 MB: none.
TEST(LinearTime, WhatIsTooLargeIsNotRead) {
  const std::string large(std::size_t{100} << 20U, '(');
  for (const char* name : {"python", "bash"}) {
    const Language* language = find_language(name);
    const Policy policy = make_policy(*load_profile(*language, "default"));
    const Judgement judged = judge(*language, {"x", large}, policy);
    EXPECT_EQ(judged.steps, 0U);
    ASSERT_EQ(judged.report.violations.size(), 1U);
    EXPECT_EQ(judged.report.violations[0].rule, "source-too-large");
  }
}

}  // namespace
}  // namespace langsbx::languages
