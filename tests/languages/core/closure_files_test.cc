// What a walk asks of the disk, and how often.
#include "languages/closure_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

// Files by their paths; counts what it is asked for.
struct Counting {
  std::map<std::string, std::string> files;
  bool lists = true;
  std::map<std::string, int> asked = {};

  std::optional<std::string> operator()(const std::string& path) {
    ++asked[path];
    if (path.ends_with('/')) return lists ? names_in(path == "./" ? "" : path) : std::nullopt;
    const auto file = files.find(path);
    return file == files.end() ? std::nullopt : std::optional(file->second);
  }

  [[nodiscard]] std::optional<std::string> names_in(const std::string& folder) const {
    std::string names;
    for (const auto& [path, content] : files) {
      if (!path.starts_with(folder)) continue;
      const std::string name =
          path.substr(folder.size(), path.find('/', folder.size()) - folder.size());
      if (!names.ends_with("\n" + name + "\n") && names != name + "\n") names += name + "\n";
    }
    return names.empty() ? std::nullopt : std::optional(names);
  }

  [[nodiscard]] int most() const {
    int most = 0;
    for (const auto& [path, times] : asked) most = std::max(most, times);
    return most;
  }
  [[nodiscard]] std::size_t opened() const {
    return static_cast<std::size_t>(std::count_if(
        asked.begin(), asked.end(), [](const auto& item) { return !item.first.ends_with('/'); }));
  }
};

ClosureJudgement judged(const char* language, const std::string& entry, Counting& disk,
                        const ClosureLimits& limits = {}) {
  const Language& found = *find_language(language);
  const Policy policy = make_policy(*load_profile(found, "default"));
  const auto file = disk.files.find(entry);
  const std::string bytes = file == disk.files.end() ? "import main\n" : file->second;
  return judge_closure(found, {entry, bytes}, policy, std::ref(disk), limits);
}

Counting package_of(int count) {
  Counting disk;
  disk.files["w/p/__init__.py"] = "";
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    disk.files["w/main.py"] += "import p.m" + number + "\n";
    disk.files["w/p/m" + number + ".py"] =
        "import math, json, os.path\nfrom fractions import Fraction\n"
        "from p.m0 import a, b, c\nfrom . import m1\n";
  }
  return disk;
}

TEST(ClosureFiles, AskOnceForWhatIsNotThere) {
  Counting disk{{{"a", "x"}, {"d/b", ""}}};
  const FileReader reader = std::ref(disk);
  ClosureFiles files(reader);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(files.read("no"), std::nullopt);
    EXPECT_EQ(files.read("a"), "x");
    EXPECT_NE(files.names_in(""), nullptr);
    EXPECT_EQ(files.names_in("e/"), nullptr);
  }
  EXPECT_EQ(disk.asked["no"], 1);
  EXPECT_EQ(disk.asked["./"], 1);
  EXPECT_EQ(disk.asked["e/"], 1);
  // What is missing stays so: nobody has pinned it.
  disk.files["no"] = "late";
  EXPECT_EQ(files.read("no"), std::nullopt);
}

TEST(ClosureFiles, AreMissingByTheListsAlone) {
  Counting disk{{{"w/a.py", ""}, {"w/p/q/m.py", ""}, {"w/ab", ""}}};
  const FileReader reader = std::ref(disk);
  ClosureFiles files(reader);
  EXPECT_TRUE(files.lists_no("w/", "b.py"));
  EXPECT_TRUE(files.lists_no("w/", "p/m.py"));
  EXPECT_TRUE(files.lists_no("w/", "p/q/n.py"));
  EXPECT_TRUE(files.lists_no("w/", "q/x/y.py"));
  EXPECT_FALSE(files.lists_no("w/", "a.py"));
  EXPECT_FALSE(files.lists_no("w/", "p/q/m.py"));
  EXPECT_FALSE(files.lists_no("w/", "p/q"));
  // Nobody lists these: whether they are there is for the kernel to say.
  EXPECT_FALSE(files.lists_no("v/", "a.py"));
  EXPECT_FALSE(files.lists_no("w/", "a.py/b"));
  EXPECT_FALSE(files.lists_no("w/", "../x.py"));
  EXPECT_FALSE(files.lists_no("w/", "p/../b.py"));
  EXPECT_FALSE(files.lists_no("w/", "p//b.py"));
  EXPECT_TRUE(files.lists_none_of("w/", "b"));
  EXPECT_FALSE(files.lists_none_of("w/", "a"));
  EXPECT_FALSE(files.lists_none_of("w/", "ab"));
  EXPECT_FALSE(files.lists_none_of("w/", "p"));
  EXPECT_FALSE(files.lists_none_of("v/", "b"));
}

TEST(ClosureFiles, OfALargePackageAreOpenedOnce) {
  Counting disk = package_of(100);
  const auto judgement = judged("python", "w/main.py", disk);
  EXPECT_EQ(judgement.files.size(), 101U);
  EXPECT_EQ(disk.most(), 1);
  EXPECT_EQ(disk.opened(), 101U);  // nothing that no list names
}

// A folder may be searched and not listed: then each name is asked for, once.
TEST(ClosureFiles, WithoutListsAreAskedForByName) {
  Counting disk = package_of(20);
  disk.lists = false;
  EXPECT_EQ(judged("python", "w/main.py", disk).files.size(), 21U);
  EXPECT_EQ(disk.most(), 1);
  EXPECT_GT(disk.opened(), 21U);
}

TEST(ClosureFiles, OfOtherLanguagesAreAskedForOnce) {
  Counting c{{{"x.c", "#include \"a.h\"\n#include \"b.h\"\n"},
              {"a.h", "#include \"d/no.h\"\n#include <stdio.h>\n"},
              {"b.h", "#include \"d/no.h\"\n#include <stdio.h>\n"}}};
  (void)judged("c", "x.c", c);
  EXPECT_EQ(c.most(), 1);
  Counting java{{{"Main.java", "class Main { A a; B b; }"},
                 {"A.java", "class A { B b; Other o; }"},
                 {"B.java", "class B { A a; Other o; }"}}};
  EXPECT_EQ(judged("java", "Main.java", java).files.size(), 2U);
  EXPECT_EQ(java.most(), 1);
}

// A program that comes by a pipe stands in no list, and may import itself.
TEST(ClosureFiles, TheFirstFileNeedsNoList) {
  Counting disk{{{"w/other.py", ""}}};
  EXPECT_TRUE(judged("python", "w/main.py", disk).report.safe());
}

TEST(ClosureFiles, AModuleBesideTheProgramIsFoundByItsList) {
  Counting disk{{{"w/main.py", "import random\n"}, {"w/random.py", "eval('1')\n"}}};
  EXPECT_FALSE(judged("python", "w/main.py", disk).report.safe());
  Counting native{{{"w/main.py", "import random\n"},
                   {"w/random.abi3.so",
                    "\x7f"
                    "ELF"}}};
  EXPECT_FALSE(judged("python", "w/main.py", native).report.safe());
  Counting package{{{"w/main.py", "import p.q\n"}, {"w/p/q/__init__.py", "eval('1')\n"}}};
  EXPECT_FALSE(judged("python", "w/main.py", package).report.safe());
}

TEST(ClosureFiles, OnlyIncludedOnesAreJudgedByTheCallersJudge) {
  Counting disk = package_of(3);
  const Language& python = *find_language("python");
  const Policy policy = make_policy(*load_profile(python, "default"));
  std::vector<std::string> seen;
  ClosureLimits limits;
  limits.judge_included = [&](const Source& source) {
    EXPECT_TRUE(source.included);
    seen.emplace_back(source.path);
    auto said = judge(python, {source.path, "eval('1')", true}, policy);
    return std::make_shared<const Judgement>(std::move(said));
  };
  const auto judgement = judged("python", "w/main.py", disk, limits);
  EXPECT_EQ(seen, judgement.files);
  EXPECT_EQ(judgement.report.violations.size(), seen.size());
}

// A module's own go.mod and a crate's Cargo.toml decide which files are judged: they are pinned
// too.
TEST(ClosureFiles, ManifestsAreAmongThem) {
  using Names = std::vector<std::string>;
  Counting go{{{"w/main.go", "package main\nimport \"example.com/m/p\"\nfunc main() { p.F() }\n"},
               {"w/go.mod", "module example.com/m\n"},
               {"w/p/p.go", "package p\nfunc F() {}\n"}}};
  EXPECT_EQ(judged("go", "w/main.go", go).files, (Names{"w/go.mod", "w/p/p.go"}));
  Counting rust{{{"w/src/main.rs", "use m::f;\nfn main() { f(); }\n"},
                 {"w/Cargo.toml", "[package]\nname = \"m\"\n"},
                 {"w/src/lib.rs", "pub fn f() {}\n"}}};
  EXPECT_EQ(judged("rust", "w/src/main.rs", rust).files, (Names{"w/Cargo.toml", "w/src/lib.rs"}));
  Counting node{{{"w/x.js", "require('./lib')"},
                 {"w/lib/package.json", "{\"main\": \"a.js\"}"},
                 {"w/lib/a.js", ""}}};
  EXPECT_EQ(judged("javascript", "w/x.js", node).files,
            (Names{"w/lib/package.json", "w/lib/a.js"}));
}

// A known package of another module is trusted by its path: nothing of the program's may take its
// place.
TEST(ClosureFiles, NothingStandsInForAKnownPackage) {
  const std::string program =
      "package main\nimport \"github.com/emirpasic/gods/sets\"\nfunc main() { sets.F() }\n";
  const std::string module = "module example.com/m\nrequire github.com/emirpasic/gods v1.18.1\n";
  Counting plain{{{"w/main.go", program}, {"w/go.mod", module}}};
  EXPECT_TRUE(judged("go", "w/main.go", plain).report.safe());
  Counting replaced{{{"w/main.go", program},
                     {"w/go.mod", module + "replace github.com/emirpasic/gods => ./evil\n"},
                     {"w/evil/sets/s.go", "package sets\nimport \"os/exec\"\n"}}};
  EXPECT_FALSE(judged("go", "w/main.go", replaced).report.safe());
  Counting worked{{{"w/main.go", program}, {"w/go.mod", module}, {"w/go.work", "use ./evil\n"}}};
  EXPECT_FALSE(judged("go", "w/main.go", worked).report.safe());
}

TEST(ClosureFiles, BeyondTheBoundsAreRefused) {
  const std::string code = "a = 1\n";
  Counting disk{{{"m.py", "import a, b\n"}, {"a.py", code}, {"b.py", code}}};
  ClosureLimits limits;
  limits.max_bytes = 2 * code.size();
  EXPECT_TRUE(judged("python", "m.py", disk, limits).report.safe());
  limits.max_bytes = 2 * code.size() - 1;
  const auto bytes = judged("python", "m.py", disk, limits);
  ASSERT_EQ(bytes.report.violations.size(), 1U);
  EXPECT_EQ(bytes.report.violations[0].rule, "closure-too-large");
  EXPECT_EQ(bytes.files, std::vector<std::string>{"a.py"});
  limits = {};
  limits.max_files = 2;
  EXPECT_TRUE(judged("python", "m.py", disk, limits).report.safe());
  limits.max_files = 1;
  const auto files = judged("python", "m.py", disk, limits);
  ASSERT_EQ(files.report.violations.size(), 1U);
  EXPECT_EQ(files.report.violations[0].rule, "closure-too-large");
}

}  // namespace
}  // namespace langsbx::languages
