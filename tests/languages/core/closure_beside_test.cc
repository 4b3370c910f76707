// What is found beside a program without the program naming it.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

using Texts = std::map<std::string, std::string>;

const std::string kPythonHarm = "import os\nos.system('id')\n";
const std::string kNodeHarm = "require('child_process');\n";

// The names in a folder of `files`; nothing when none is below it.
std::optional<std::string> names_below(const Texts& files, std::string folder) {
  if (folder == "./") folder.clear();
  std::set<std::string> names;
  for (const auto& [path, text] : files) {
    if (!path.starts_with(folder)) continue;
    const std::string rest = path.substr(folder.size());
    names.insert(rest.substr(0, rest.find('/')));
  }
  if (names.empty()) return std::nullopt;
  std::string list = ".\n..\n";
  for (const auto& name : names) list += name + "\n";
  return list;
}

std::string judged(const char* language, const std::string& entry, const Texts& files,
                   const std::string& unreadable = {}) {
  const Language& found = *find_language(language);
  const Policy policy = make_policy(*load_profile(found, "default"));
  const FileReader reader = [&](const std::string& path) -> std::optional<std::string> {
    if (path.ends_with('/')) return names_below(files, path);
    const auto file = files.find(path);
    if (file == files.end() || path == unreadable) return std::nullopt;
    return file->second;
  };
  const auto judgement = judge_closure(found, {entry, files.at(entry)}, policy, reader, {});
  std::string refused;
  for (const Finding& finding : judgement.report.violations) {
    refused += finding.file + " " + std::string(finding.rule) + "\n";
  }
  return refused;
}

TEST(ClosureBeside, WhatLibrariesImportIsJudged) {
  const std::string entry = "import random\nprint(random.random())\n";
  for (const char* name : {"bisect.py", "re.py", "codecs.py", "numpy.py", "bisect/__init__.py"}) {
    for (const std::string folder : {"", "/v/"}) {
      const Texts files = {{folder + "main.py", entry}, {folder + name, kPythonHarm}};
      EXPECT_NE(judged("python", folder + "main.py", files), "") << folder << name;
    }
  }
  const Texts part = {
      {"main.py", entry}, {"json/__init__.py", "x = 1\n"}, {"json/deep/decoder.py", kPythonHarm}};
  EXPECT_NE(judged("python", "main.py", part), "");
}

// `copy` and `platform` try these; where no library has such a name, a folder alone is a package.
TEST(ClosureBeside, WhatLibrariesTryInVainIsJudged) {
  const std::string entry = "import copy, platform, helper\n";
  for (const char* name : {"org/python/core.py", "org/__init__.py", "java/lang.py", "vms_lib.py",
                           "tzdata/zoneinfo/__init__.py", "usercustomize.py"}) {
    const Texts files = {{"main.py", entry}, {"helper.py", "x = 1\n"}, {name, kPythonHarm}};
    EXPECT_NE(judged("python", "main.py", files), "") << name;
  }
}

// A folder without an __init__ holds modules, too.
TEST(ClosureBeside, PartsOfAFolderAreImportedFromIt) {
  for (const char* entry :
       {"from helpers import text\n", "from helpers import (\n  text as t,\n)\n",
        "from helpers import name, text\n", "import helpers.text\n"}) {
    const Texts files = {{"main.py", entry}, {"helpers/text.py", "x = 1\n"}};
    EXPECT_EQ(judged("python", "main.py", files), "") << entry;
    const Texts harm = {{"main.py", entry}, {"helpers/text.py", kPythonHarm}};
    EXPECT_EQ(judged("python", "main.py", harm), "helpers/text.py python-process\n") << entry;
  }
  for (const char* entry :
       {"from helpers import other\n", "from helpers import *\n", "from others import text\n"}) {
    EXPECT_EQ(judged("python", "main.py", {{"main.py", entry}, {"helpers/text.py", ""}}),
              "main.py python-unknown-module\n")
        << entry;
  }
}

TEST(ClosureBeside, WhatIsNoSourceUnderALibrarysNameIsRefused) {
  const std::string elf(
      "\x7f"
      "ELF\0\0",
      6);
  for (const char* name : {"bisect.pyc", "bisect.so", "bisect.cpython-311-x86_64-linux-gnu.so"}) {
    EXPECT_NE(judged("python", "main.py", {{"main.py", "import random\n"}, {name, elf}}), "")
        << name;
  }
}

TEST(ClosureBeside, OthersFilesAreNotTheProgram) {
  const Texts files = {{"main.py", "import random\n"},   {"deploy.py", kPythonHarm},
                       {"bisect.txt", kPythonHarm},      {"json/data.py", kPythonHarm},
                       {"random.py.orig", kPythonHarm},  {"heapq.py", "def heappush(): pass\n"},
                       {"re/notes/__init__.py", "x=1\n"}};
  EXPECT_EQ(judged("python", "main.py", files), "");
}

TEST(ClosureBeside, OneThatCannotBeReadIsRefused) {
  const Texts files = {{"main.py", "import random\n"}, {"bisect.py", "x = 1\n"}};
  EXPECT_EQ(judged("python", "main.py", files), "");
  EXPECT_EQ(judged("python", "main.py", files, "bisect.py"), "main.py closure-missing\n");
}

TEST(ClosureBeside, AListedPackageInNodeModulesIsJudged) {
  const std::string entry = "require('lodash');\n";
  for (const char* name :
       {"/v/node_modules/lodash/index.js", "/v/node_modules/lodash.js",
        "/node_modules/lodash/index.js", "/v/app/node_modules/lodash/index.js",
        "/v/node_modules/lodash.json", "/v/node_modules/lodash/build/lodash.node"}) {
    EXPECT_NE(
        judged("javascript", "/v/app/main.js", {{"/v/app/main.js", entry}, {name, kNodeHarm}}), "")
        << name;
  }
  EXPECT_NE(judged("javascript", "/v/main.js",
                   {{"/v/main.js", "import 'lodash/fp';\n"},
                    {"/v/node_modules/lodash/fp.js", kNodeHarm}}),
            "");
  EXPECT_NE(
      judged("javascript", "/v/main.js",
             {{"/v/main.js", entry},
              {"/v/node_modules/lodash/package.json", R"({"main": "a", "exports": "./b.js"})"},
              {"/v/node_modules/lodash/a.js", "exports.x = 1;\n"},
              {"/v/node_modules/lodash/b.js", kNodeHarm}}),
      "");
}

TEST(ClosureBeside, AListedPackageOfTheSystemIsTaken) {
  const Texts files = {{"/v/main.js", "require('lodash');\nrequire('fs');\n"},
                       {"/v/node_modules/fs/index.js", kNodeHarm},
                       {"/v/node_modules/lodash-es/index.js", kNodeHarm}};
  EXPECT_EQ(judged("javascript", "/v/main.js", files), "");
  EXPECT_EQ(judged("javascript", "/v/main.js",
                   {{"/v/main.js", "require('lodash');\n"},
                    {"/v/node_modules/lodash/package.json", R"({"main": "a.js"})"},
                    {"/v/node_modules/lodash/a.js", "exports.x = 1;\n"}}),
            "");
}

}  // namespace
}  // namespace langsbx::languages
