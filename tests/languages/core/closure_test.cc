// Which files a program is made of: names, links, files that name each other.
#include "languages/closure.h"

#include <gtest/gtest.h>

#include <map>

#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

using Texts = std::map<std::string, std::string>;

// A disk: files by their real names below "/w/", links to folders and files by theirs.
struct Disk {
  Texts files;
  Texts links;

  // As the kernel walks, from "/w".
  [[nodiscard]] std::string real(const std::string& path) const {
    std::string at = path.starts_with('/') ? "" : "/w";
    std::string rest = path + "/";
    for (int steps = 0; !rest.empty() && steps < 100; ++steps) {
      const std::size_t slash = rest.find('/');
      const std::string part = rest.substr(0, slash);
      rest.erase(0, slash + 1);
      if (part.empty() || part == ".") continue;
      if (part == "..") {
        at.resize(at.rfind('/'));
        continue;
      }
      at += "/" + part;
      const auto link = links.find(at);
      if (link == links.end()) continue;
      rest.insert(0, link->second + "/");
      at.clear();
    }
    const std::string folder = at + "/";
    const auto below = files.lower_bound(folder);
    const bool there = files.contains(at) || at.empty() || at == "/w" ||
                       (below != files.end() && below->first.starts_with(folder));
    return there ? at : std::string();
  }
};

ClosureJudgement judged(const char* language, const std::string& entry, const Disk& disk,
                        bool knows_links = true) {
  const Language& found = *find_language(language);
  const Policy policy = make_policy(*load_profile(found, "default"));
  const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
    const auto file = disk.files.find(disk.real(path));
    if (path.ends_with('/') || file == disk.files.end()) return std::nullopt;
    return file->second;
  };
  ClosureLimits limits;
  if (knows_links) limits.real_path = [&](const std::string& path) { return disk.real(path); };
  const std::string bytes = reader(entry).value_or("");
  return judge_closure(found, {entry, bytes}, policy, reader, limits);
}

std::string rules_of(const ClosureJudgement& judgement) {
  std::string rules;
  for (const Finding& finding : judgement.report.violations) {
    rules += finding.file + " " + std::string(finding.rule) + "\n";
  }
  return rules;
}

TEST(ClosureNames, AreTakenWithoutDotsAsFarAsANameStandsBefore) {
  EXPECT_EQ(without_dots("a/./b"), "a/b");
  EXPECT_EQ(without_dots("a/../b/../c"), "c");
  EXPECT_EQ(without_dots("../a/../../b"), "../../b");
  EXPECT_EQ(without_dots("a../x/../b"), "a../b");
  EXPECT_EQ(without_dots("/../../a//b"), "/a/b");
  EXPECT_EQ(without_dots("a/.."), "");
  EXPECT_EQ(without_dots("..."), "...");
  EXPECT_EQ(without_dots(""), "");
}

TEST(Closure, FilesThatNameEachOtherAcrossFoldersAreJudgedOnce) {
  const struct {
    const char* language;
    const char* entry;
    Texts files;
  } programs[] = {
      {"javascript",
       "a/x.js",
       {{"/w/a/x.js", "require('../b/y.js')"}, {"/w/b/y.js", "require('../a/x.js')"}}},
      {"typescript",
       "a/x.ts",
       {{"/w/a/x.ts", "import {b} from '../b/y';"}, {"/w/b/y.ts", "import {a} from '../a/x';"}}},
      {"c",
       "a/x.c",
       {{"/w/a/x.c", "#include \"../b/y.h\"\n"},
        {"/w/b/y.h", "#include \"../a/x.h\"\n"},
        {"/w/a/x.h", "#include \"../b/y.h\"\n"}}},
      {"python",
       "main.py",
       {{"/w/main.py", "import p.a.x\n"},
        {"/w/p/__init__.py", ""},
        {"/w/p/a/__init__.py", ""},
        {"/w/p/b/__init__.py", ""},
        {"/w/p/a/x.py", "from ..b import y\n"},
        {"/w/p/b/y.py", "from ..a import x\n"}}},
  };
  for (const auto& program : programs) {
    for (const bool knows_links : {true, false}) {
      const auto found = judged(program.language, program.entry, {program.files, {}}, knows_links);
      EXPECT_EQ(rules_of(found), "") << program.language;
      EXPECT_EQ(found.files.size(), program.files.size() - 1) << program.language;
    }
  }
}

TEST(Closure, AFileAboveTheFirstOnesFolderIsJudgedOnceUnderEitherName) {
  const Disk disk{{{"/w/x.js", "require('../v/y.js')"}, {"/v/y.js", "require('../w/x.js')"}}, {}};
  const auto found = judged("javascript", "x.js", disk);
  EXPECT_EQ(rules_of(found), "");
  EXPECT_EQ(found.files, std::vector<std::string>{"../v/y.js"});
}

// Node takes "./l/../h" for "./h"; a compiler goes through the link.
TEST(Closure, GoesUpAsTheLanguageDoes) {
  const Texts links = {{"/w/l", "/w/far/off"}};
  const Texts js = {{"/w/x.js", "require('./l/../h.js')"}, {"/w/far/off/o", ""}};
  const Texts c = {{"/w/x.c", "#include \"l/../h.h\"\n"}, {"/w/far/off/o", ""}};
  const auto with = [](Texts files, const Texts& more) {
    files.insert(more.begin(), more.end());
    return files;
  };
  const Texts js_near = {{"/w/h.js", "eval('1')"}, {"/w/far/h.js", ""}};
  const Texts js_far = {{"/w/h.js", ""}, {"/w/far/h.js", "eval('1')"}};
  EXPECT_NE(rules_of(judged("javascript", "x.js", {with(js, js_near), links})), "");
  EXPECT_EQ(rules_of(judged("javascript", "x.js", {with(js, js_far), links})), "");
  const Texts c_near = {{"/w/h.h", "int a = system(\"x\");\n"}, {"/w/far/h.h", "int b;\n"}};
  const Texts c_far = {{"/w/h.h", "int b;\n"}, {"/w/far/h.h", "int a = system(\"x\");\n"}};
  EXPECT_EQ(rules_of(judged("c", "x.c", {with(c, c_near), links})), "");
  EXPECT_NE(rules_of(judged("c", "x.c", {with(c, c_far), links})), "");
}

// What a linked file names, Node looks for where the file is; so with the program's first file.
TEST(Closure, NodesFilesNameFromWhereTheyAre) {
  const Texts links = {{"/w/m.js", "/w/sub/m.js"}, {"/w/d", "/w/sub"}};
  const Disk disk{{{"/w/x.js", "require('./m.js')"},
                   {"/w/h.js", ""},
                   {"/w/sub/m.js", "require('./h.js')"},
                   {"/w/sub/h.js", "eval('1')"},
                   {"/w/sub/f.js", "require('../h.js')"}},
                  links};
  EXPECT_EQ(rules_of(judged("javascript", "x.js", disk)), "/w/sub/h.js javascript-dynamic-code\n");
  EXPECT_EQ(rules_of(judged("javascript", "m.js", disk)), "/w/sub/h.js javascript-dynamic-code\n");
  EXPECT_EQ(rules_of(judged("javascript", "d/f.js", disk)), "");
}

// Before an index comes what a package.json names, and what is no JavaScript at all.
TEST(Closure, NodesFoldersAreWhatTheirManifestSays) {
  const Texts program = {{"/w/x.js", "require('./lib')"}, {"/w/lib/index.js", ""}};
  const auto verdict = [&](const Texts& more) {
    Texts files = program;
    for (const auto& [name, text] : more) files[name] = text;
    return rules_of(judged("javascript", "x.js", {files, {}}));
  };
  const char* evil = "eval('1')";
  const std::string refused = "lib/evil.js javascript-dynamic-code\n";
  EXPECT_EQ(verdict({}), "");
  EXPECT_EQ(verdict({{"/w/lib/package.json", "{\"name\": \"x\"}"}}), "");
  EXPECT_EQ(verdict({{"/w/lib/package.json", "{\"main\": \"./a\"}"}, {"/w/lib/a.js", ""}}), "");
  for (const char* main : {"evil.js", "./evil", "evil", "../lib/evil"}) {
    const std::string manifest = std::string("{\"main\" :\n \"") + main + "\"}";
    EXPECT_EQ(verdict({{"/w/lib/package.json", manifest}, {"/w/lib/evil.js", evil}}), refused)
        << main;
  }
  EXPECT_NE(verdict({{"/w/lib/package.json", "{\"main\": \"e\"}"}, {"/w/lib/e/index.js", evil}}),
            "");
  EXPECT_NE(verdict({{"/w/lib/package.json", "{\"\\u006dain\": \"evil.js\"}"}}), "");
  EXPECT_NE(verdict({{"/w/lib/package.json", "{\"main\": \"a.js\", \"main\": \"b.js\"}"}}), "");
  EXPECT_NE(verdict({{"/w/lib/package.json", "{\"main\": \"a.node\"}"}}), "");
  EXPECT_NE(verdict({{"/w/lib.node", "x"}}), "");
  EXPECT_EQ(verdict({{"/w/lib.mjs", ""}, {"/w/lib.js", ""}}), "");
  EXPECT_NE(verdict({{"/w/lib.mjs", ""}, {"/w/lib/index.js", evil}}), "");
  const Disk data{{{"/w/x.js", "require('./d.json')"}, {"/w/d.json.js", evil}}, {}};
  EXPECT_NE(rules_of(judged("javascript", "x.js", data)), "");
  const Disk file{{{"/w/x.js", "require('./d.json')"}, {"/w/d.json", "{}"}}, {}};
  EXPECT_EQ(rules_of(judged("javascript", "x.js", file)), "");
}

// Python counts packages up by their names, whatever is a link on the way.
TEST(Closure, PythonGoesUpByTheNamesOfPackages) {
  const Disk disk{{{"/w/main.py", "import p.a.m\n"},
                   {"/w/p/__init__.py", ""},
                   {"/w/p/x.py", "eval('1')\n"},
                   {"/w/far/a/__init__.py", ""},
                   {"/w/far/a/m.py", "from ..x import y\n"},
                   {"/w/far/x.py", "y = 1\n"}},
                  {{"/w/p/a", "/w/far/a"}}};
  EXPECT_EQ(rules_of(judged("python", "main.py", disk)), "p/x.py python-dynamic-code\n");
}

TEST(Closure, WhatShSourcesIsReadBySh) {
  const Texts lib = {{"/w/lib.sh", "echo $'\\' b'\n"}};
  const auto rules = [&](const std::string& first, bool by_sh) {
    const Language& bash = *find_language("bash");
    const Policy policy = make_policy(*load_profile(bash, "default"));
    const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
      return path.ends_with("lib.sh") ? std::optional(lib.begin()->second) : std::nullopt;
    };
    const std::string text = first + ". ./lib.sh\n";
    return rules_of(judge_closure(bash, {"m.sh", text, false, by_sh}, policy, reader));
  };
  EXPECT_EQ(rules("#!/bin/bash\n", false), "");
  EXPECT_EQ(rules("", false), "");
  for (const char* first : {"#!/bin/sh\n", "#! /bin/sh\t-e\n", "#!/usr/bin/env -S A=1 dash -e\n",
                            "#!/bin/busybox ash\n"}) {
    EXPECT_EQ(rules(first, false), "lib.sh bash-shell-dialect\n") << first;
  }
  EXPECT_EQ(rules("#!/bin/bash\n", true), "lib.sh bash-shell-dialect\n");
}

// A shell's `source ./y.sh` may mean the one beside the file or the one beside the program.
TEST(Closure, AShellsFileIsJudgedWhereverItMayBe) {
  const char* harm = "reboot\n";
  const Texts near = {{"/w/m.sh", "source ./lib/x.sh\n"},
                      {"/w/lib/x.sh", "source ./y.sh\n"},
                      {"/w/lib/y.sh", "echo a\n"},
                      {"/w/y.sh", harm}};
  EXPECT_NE(rules_of(judged("bash", "m.sh", {near, {}})), "");
  Texts fine = near;
  fine["/w/y.sh"] = "echo b\n";
  EXPECT_EQ(rules_of(judged("bash", "m.sh", {fine, {}})), "");
}

// R runs a file in the same place: either file sees what the other binds.
TEST(Closure, WhatRSourcesIsJudgedWithIt) {
  const auto of = [](const char* main, const char* helper) {
    Disk disk;
    disk.files = {{"/w/main.R", main}};
    if (*helper != '\0') disk.files["/w/lib/x.R"] = helper;
    return judged("r", "main.R", disk).report;
  };
  EXPECT_TRUE(of("source('lib/x.R')\ncat(twice(2))\n", "twice <- function(x) 2 * x\n").safe());
  EXPECT_FALSE(of("source('lib/x.R')\n", "system('id')\n").safe());
  EXPECT_FALSE(of("source('lib/x.R')\n", "").safe());
  EXPECT_FALSE(of("f <- paste0('sys', 'tem')\nsource('lib/x.R')\n", "sapply('id', f)\n").safe());
  EXPECT_FALSE(of("source('lib/x.R')\nsource('lib/x.R')\n", "writeLines(t, f)\n").safe());
}

}  // namespace
}  // namespace langsbx::languages
