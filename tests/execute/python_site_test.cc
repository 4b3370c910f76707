// Which Python programs can do without `site`, and on which hosts.
#include "runtime/execute/python_site.h"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is not in <cstdlib>

#include <filesystem>
#include <fstream>

namespace langsbx::execute {
namespace {

namespace fs = std::filesystem;

TEST(PythonSite, IsNotNeededByTheStandardLibraryAlone) {
  for (const char* source : {
           "pass\n",
           "",
           "import json, math\nprint(json.dumps({'a': math.pi}))\n",
           "from collections import Counter\nfrom os.path import join\n",
           "import sys\nsys.exit(int(sys.argv[1]))\n",
           "import os, sys\nprint(os.path.join('a', 'b'), sys.version_info)\n",
           "import asyncio as a\nasync def f():\n  import re\n  return re.compile('exit')\n",
           "import argparse\np = argparse.ArgumentParser()\np.add_argument('-x', help='license')\n",
           "class A:\n  def __init__(self):\n    self.exit = 'import numpy'\n  def __len__(self):\n"
           "    return 1\nif __name__ == '__main__':\n  A().exit\n",
           "# import numpy; exit()\n\"\"\"help\"\"\"\nprint(f'{1 + 1} quit')\n",
           "try:\n  raise ValueError from None\nexcept ValueError:\n  pass\n",
       }) {
    EXPECT_FALSE(needs_site(source)) << source;
  }
}

TEST(PythonSite, IsNeededByWhatItBrings) {
  for (const char* source : {
           "exit(3)\n",
           "quit()\n",
           "f = exit\n",
           "print(f'{exit}')\n",
           "help == 1\n",
           "print(license)\n",
           "import numpy\n",
           "import json, numpy\n",
           "import json as j, numpy\n",
           "def f():\n  from numpy import array\n",
           "if True: import yaml\n",
           "x = 1; import yaml\n",
           "from . import a\n",
           "import os.path, site\n",
           "import importlib\nimportlib.import_module('numpy')\n",
           "from importlib import import_module\n",
           "import logging.config\n",
           "from logging import config\n",
           "import logging\nlogging.config.dictConfig({})\n",
           "from os import sys as s\ns.path\n",
           "import typing\ntyping.sys.path\n",
           "import unittest\n",
           "import pickle\n",
           "import distutils\n",
           "__import__('numpy')\n",
           "eval('exit()')\n",
           "exec('import numpy')\n",
           "compile('', '', 'exec')\n",
           "__builtins__.exit()\n",
           "globals()['__builtins__']\n",
           "import inspect\n",
           "import os\nos.sys.modules\n",
           "import sys\nsys.path.insert(0, '.')\n",
           "import sys\nsys.modules\n",
           "import sys\nsys . flags\n",
           "import sys\ngetattr(sys, 'path')\n",
           "import sys as s\ns.path\n",
           "import sys\ns = sys\n",
           "from sys import path\n",
           "from sys import *\n",
           "print.__self__.exit\n",
           "\xEF\xBD\x85xit(0)\n",
           "print('not closed\n",
       }) {
    EXPECT_TRUE(needs_site(source)) << source;
  }
}

class Host : public testing::Test {
 protected:
  Host() {
    std::string pattern = testing::TempDir() + "python-site-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    make("usr/bin/python3.11");
    fs::create_symlink("python3.11", root_ / "usr/bin/python3");
    make("usr/lib/python3/dist-packages/distutils-precedence.pth");
    make("usr/lib/python3/dist-packages/matplotlib-3.6.3-nspkg.pth");
    make("usr/lib/python3/dist-packages/numpy/__init__.py");
    fs::create_directories(root_ / "usr/lib/python3.11");
    fs::create_symlink("/etc/python3.11/sitecustomize.py",
                       root_ / "usr/lib/python3.11/sitecustomize.py");
  }

  ~Host() override { fs::remove_all(root_); }

  void make(const fs::path& file) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << "pass\n";
  }

  [[nodiscard]] bool is_ordinary(const std::string& program = "/usr/bin/python3") const {
    return site_is_ordinary(root_.string(), program);
  }

  fs::path root_;
};

TEST_F(Host, WithPackagesIsOrdinary) { EXPECT_TRUE(is_ordinary()); }

TEST_F(Host, CodeOfTheAdministratorRunsAtEveryStart) {
  for (const char* file :
       {"usr/lib/python3/dist-packages/coverage.pth",
        "usr/lib/python3/dist-packages/sitecustomize.py", "usr/lib/python3.11/site-packages/a.pth",
        "usr/local/lib/python3.11/dist-packages/sitecustomize/__init__.py"}) {
    make(file);
    EXPECT_FALSE(is_ordinary()) << file;
    const fs::path made = root_ / file;
    fs::remove_all(made.filename() == "__init__.py" ? made.parent_path() : made);
    EXPECT_TRUE(is_ordinary()) << file;
  }
  fs::remove(root_ / "usr/lib/python3.11/sitecustomize.py");
  make("usr/lib/python3.11/sitecustomize.py");
  EXPECT_FALSE(is_ordinary());
}

TEST_F(Host, AnotherInterpreterHasOtherFolders) {
  EXPECT_FALSE(is_ordinary("/usr/local/bin/python3"));
  fs::remove(root_ / "usr/bin/python3");
  fs::create_symlink("/opt/python3.11", root_ / "usr/bin/python3");
  EXPECT_FALSE(is_ordinary());
}

TEST_F(Host, AFolderThatCannotBeReadIsNotOrdinary) {
  fs::remove_all(root_ / "usr/lib/python3/dist-packages");
  make("usr/lib/python3/dist-packages");
  EXPECT_FALSE(is_ordinary());
}

}  // namespace
}  // namespace langsbx::execute
