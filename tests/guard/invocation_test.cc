// From argv to the source.
#include "runtime/guard/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace langsbx::guard {
namespace {

using Args = std::vector<std::string>;
using testing::HasSubstr;

// A "#!" line of so many bytes, without its line feed.
std::string first_line(std::size_t size) {
  const std::string start = "#!/usr/bin/python3";
  return start + std::string(size - start.size() - 2, ' ') + "-u\n";
}

const std::map<std::string, std::string> kFiles{
    {"/bin/longest", first_line(254)},
    {"/bin/too-long", first_line(255)},
    {"/bin/with-nul", std::string("#!/usr/bin/python3 -u\0x\n", 25)},
    {"/bin/run", "#!/usr/bin/python3 -u\nprint(1)\n"},
    {"/bin/through-env", "#!/usr/bin/env -S python3 -u\n"},
    {"/bin/quoted", "#!/usr/bin/env -S python3 -c 'x'\n"},
    {"/bin/loop", "#!/bin/loop\n"},
    {"/bin/relative", "#!python3\n"},
    {"/usr/bin/shim", "#!/bin/bash\nexec x\n"},
};

Interpreted follow(const Args& args) {
  const Surroundings around{[](const std::string& path) -> std::optional<std::string> {
                              const auto place = kFiles.find(path);
                              if (place == kFiles.end())
                                return std::string(
                                    "\x7f"
                                    "ELF");
                              return place->second;
                            },
                            [](const std::string& name) { return "/usr/bin/" + name; }};
  const bool path = args[0].find('/') != std::string::npos;
  return interpret(path ? args[0] : "/usr/bin/" + args[0], args, around);
}

std::string language_of(const Interpreted& found) {
  return found.language == nullptr ? "" : std::string(found.language->name);
}

struct Case {
  Args args;
  std::string language;
  std::string path;
  std::string text;
};

class Understood : public testing::TestWithParam<Case> {};

TEST_P(Understood, GivesTheSource) {
  const auto found = follow(GetParam().args);
  EXPECT_EQ(found.problem, "");
  EXPECT_EQ(language_of(found), GetParam().language);
  EXPECT_EQ(found.path, GetParam().path);
  EXPECT_EQ(found.text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Invocation, Understood,
    testing::Values(
        Case{{"python3", "main.py", "-c", "x"}, "python", "main.py", ""},
        Case{{"python3.11", "-uB", "-W", "ignore", "main.py"}, "python", "main.py", ""},
        Case{{"python3", "-Wignore", "-uc", "print(1)"}, "python", "", "print(1)"},
        Case{{"python3", "-cprint(1)"}, "python", "", "print(1)"},
        Case{{"python3", "-Xutf8", "-X", "dev", "-W", "error::DeprecationWarning", "x.py"},
             "python",
             "x.py",
             ""},
        Case{{"bash", "-euo", "pipefail", "x.sh"}, "bash", "x.sh", ""},
        Case{{"bash", "-oo", "pipefail", "errexit", "x.sh"}, "bash", "x.sh", ""},
        Case{{"bash", "-O", "extglob", "+O", "nullglob", "x.sh"}, "bash", "x.sh", ""},
        Case{{"sh", "-ec", "ls", "name"}, "bash", "", "ls"},
        Case{{"sh", "-c", "-e", "ls"}, "bash", "", "ls"},
        Case{{"bash", "--norc", "--", "-x"}, "bash", "-x", ""},
        Case{{"node", "--no-warnings", "a.js"}, "javascript", "a.js", ""},
        Case{{"node", "-e", "1"}, "javascript", "", "1"},
        Case{{"Rscript", "--vanilla", "x.R", "--args"}, "r", "x.R", ""},
        Case{{"Rscript", "-e", "1"}, "r", "", "1"},
        Case{{"R", "--no-echo", "--file=x.R", "--args", "a"}, "r", "x.R", ""},
        Case{{"R", "-q", "-f", "x.R"}, "r", "x.R", ""},
        Case{{"node", "-p", "1", "--no-warnings", "a", "-r"}, "javascript", "", "1"},
        Case{{"node", "-p", "1", "--", "-r"}, "javascript", "", "1"},
        Case{{"node", "--no-warnings", "--", "-x.js"}, "javascript", "-x.js", ""},
        Case{{"/bin/longest"}, "python", "/bin/longest", ""},
        Case{{"env", "HOME=/x", "python3", "x.py"}, "python", "x.py", ""},
        Case{{"java", "-Xmx64m", "Main.java", "x"}, "java", "Main.java", ""},
        Case{{"go", "run", "x.go", "arg"}, "go", "x.go", ""},
        Case{{"deno", "run", "--allow-read", "x.ts"}, "typescript", "x.ts", ""},
        Case{{"env", "A=b", "-u", "X", "python3", "x.py"}, "python", "x.py", ""},
        Case{{"timeout", "-k", "1", "5", "nice", "-n", "5", "sh", "x"}, "bash", "x", ""},
        Case{{"/sbin/docker-init", "--", "python3", "x.py"}, "python", "x.py", ""},
        Case{{"busybox", "sh", "-c", "ls"}, "bash", "", "ls"},
        Case{{"busybox", "env", "sh", "x"}, "bash", "x", ""},
        Case{{"/bin/run", "a"}, "python", "/bin/run", ""},
        Case{{"/bin/through-env"}, "python", "/bin/through-env", ""},
        Case{{"env", "shim"}, "bash", "/usr/bin/shim", ""}));

class NotUnderstood : public testing::TestWithParam<Args> {};

TEST_P(NotUnderstood, SaysWhy) { EXPECT_NE(follow(GetParam()).problem, ""); }

INSTANTIATE_TEST_SUITE_P(
    Invocation, NotUnderstood,
    testing::Values(Args{"R"}, Args{"R", "x.R"}, Args{"Rscript", "-e", "1", "-e", "2"},
                    Args{"Rscript", "--default-packages=x", "x.R"}, Args{"R", "-d", "gdb"},
                    Args{"R", "--file=x.R", "--file=y.R"}, Args{"python3"}, Args{"python3", "-"},
                    Args{"python3", "-m", "http.server"}, Args{"python3", "-i", "x.py"},
                    Args{"python3", "-x", "x.py"}, Args{"python3", "-c"}, Args{"sh"},
                    Args{"sh", "-s", "a"}, Args{"bash", "-l"}, Args{"bash", "--rcfile", "x", "y"},
                    Args{"bash", "-i", "x.sh"}, Args{"python3", "-X", "pycache_prefix=/x", "x.py"},
                    Args{"python3", "-Xpresite=evil", "x.py"}, Args{"python3", "-X"},
                    Args{"python3", "-W", "ignore::evil.Warning", "x.py"},
                    Args{"python3", "-uWerror:x:evil.W:y", "x.py"}, Args{"bash", "-k", "x.sh"},
                    Args{"bash", "-eo", "keyword", "x.sh"}, Args{"bash", "-o"},
                    Args{"bash", "-O", "expand_aliases", "x.sh"},
                    Args{"bash", "-oo", "pipefail", "x.sh"}, Args{"bash", "-c"},
                    Args{"node", "-r", "./x", "a.js"}, Args{"node"},
                    Args{"node", "--import=./x.mjs", "a.js"}, Args{"java", "-jar", "x.jar"},
                    Args{"java", "Main"}, Args{"java", "-javaagent:x.jar", "Main.java"},
                    Args{"go", "build"}, Args{"deno", "eval", "x"}, Args{"tcc", "-run", "x.c"},
                    Args{"env", "LD_PRELOAD=/x.so", "python3", "x.py"},
                    Args{"env", "PATH=/x", "python3", "x.py"}, Args{"env", "-i", "python3", "x"},
                    Args{"env", "-C", "/x", "python3", "x.py"}, Args{"env"}, Args{"/bin/quoted"},
                    Args{"/bin/loop"}, Args{"/bin/relative"}, Args{"perl", "x.pl"},
                    Args{"/usr/sbin/nginx"}, Args{"busybox"},
                    // Node: -p takes no value where an option follows; options go on behind -e.
                    Args{"node", "-p", "-e", "x"}, Args{"node", "--print", "-e", "x"},
                    Args{"node", "-pe", "-r"}, Args{"node", "-e", "--", "x"}, Args{"node", "-e"},
                    Args{"node", "-e", "1", "-r", "./x"}, Args{"node", "-p", "1", "-e", "2"},
                    Args{"node", "--eval=1"}, Args{"java", "@x.java"},
                    // What the guard gives the interpreter stays.
                    Args{"env", "-i", "/usr/bin/python3", "x.py"},
                    Args{"env", "-", "/usr/bin/python3", "x.py"},
                    Args{"env", "-u", "PYTHONNOUSERSITE", "python3", "x.py"},
                    Args{"env", "-u", "PYTHONSAFEPATH", "python3", "x.py"},
                    Args{"env", "HOME=/x", "node", "x.js"}, Args{"env", "-u", "HOME", "node", "x"},
                    Args{"busybox", "env", "SHLVL=0", "bash", "x.sh"}, Args{"env", "-u"},
                    // The kernel reads 255 bytes of a "#!" line.
                    Args{"/bin/too-long"}, Args{"/bin/with-nul"}));

TEST(Invocation, NamesEveryProgramOnTheWay) {
  EXPECT_EQ(follow({"/bin/through-env"}).programs,
            (Args{"/bin/through-env", "/usr/bin/env", "/usr/bin/python3"}));
  EXPECT_EQ(follow({"nice", "-n", "5", "sh", "x"}).programs,
            (Args{"/usr/bin/nice", "/usr/bin/sh"}));
  EXPECT_EQ(follow({"/bin/busybox", "sh", "x"}).programs, (Args{"/bin/busybox"}));
}

// What sh reads otherwise than Bash is judged so also where the file's first line says bash.
TEST(Invocation, TellsWhetherShReadsIt) {
  for (const Args& args : {Args{"sh", "x"}, Args{"dash", "-c", "ls"}, Args{"busybox", "ash", "x"},
                           Args{"nice", "sh", "x"}}) {
    EXPECT_TRUE(follow(args).by_sh) << args[0];
  }
  for (const Args& args : {Args{"bash", "x"}, Args{"python3", "x.py"}}) {
    EXPECT_FALSE(follow(args).by_sh) << args[0];
  }
}

TEST(Invocation, NamesTellTheParentTheLanguage) {
  EXPECT_EQ(language_by_name({"/usr/bin/python3", "x"})->name, "python");
  EXPECT_EQ(language_by_name({"env", "A=1", "sh", "x"})->name, "bash");
  EXPECT_EQ(language_by_name({"/app/start.sh"})->name, "bash");
  EXPECT_EQ(language_by_name({"python3"})->name, "python");
  EXPECT_EQ(language_by_name({"nginx", "-g", "daemon off;"}), nullptr);
  EXPECT_EQ(language_by_name({}), nullptr);
}

}  // namespace
}  // namespace langsbx::guard
