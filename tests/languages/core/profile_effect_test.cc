// What a profile says takes effect: each list, path and bound by a source that shows it.
#include <gtest/gtest.h>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

struct Row {
  const char* language;
  const char* field;
  const char* source;
  bool refused;
};

// clang-format off
constexpr Row kRows[] = {
    {"javascript", "modules: {blocked: [util]}", "const u=require('util');\n", true},
    {"typescript", "modules: {blocked: [util]}", "import u from 'util';\n", true},
    {"java", "modules: {blocked: [java.util.List]}", "import java.util.List; class A{}\n", true},
    {"java", "modules: {blocked: [java.util.*]}", "import java.util.List; class A{}\n", true},
    {"go", "imports: {blocked: [fmt]}", "package main\nimport \"fmt\"\nfunc main(){fmt.Println()}\n", true},
    {"rust", "modules: {allowed: [rand]}", "use rand::x; fn main(){}\n", false},
    {"rust", "modules: {blocked: [rand]}", "use rand::x; fn main(){}\n", true},
    {"rust", "modules: {blocked: [std]}", "use std::collections::HashMap; fn main(){}\n", true},
    {"rust", "modules: {blocked: [std::collections]}", "use std::collections::HashMap; fn main(){}\n", true},
    {"c", "modules: {blocked: [math.h]}", "#include <math.h>\nint main(void){return 0;}\n", true},
    {"cpp", "modules: {blocked: [map]}", "#include <map>\nint main(){return 0;}\n", true},
    {"javascript", "modules: {additional: [left-pad]}", "const u=require('left-pad');\n", false},
    {"java", "modules: {additional: [org.x.*]}", "import org.x.Y; class A{}\n", false},
    {"go", "imports: {additional: [x.com/y]}", "package main\nimport \"x.com/y\"\nfunc main(){y.X()}\n", false},
    {"c", "modules: {additional: [gmp.h]}", "#include <gmp.h>\nint main(void){return 0;}\n", false},
    {"cpp", "modules: {additional: ['boost/*']}", "#include <boost/x.hpp>\nint main(){return 0;}\n", false},
    {"javascript", "modules: {exclusive: true, allowed: [fs]}", "const u=require('util');\n", true},
    {"java", "modules: {exclusive: true, allowed: [java.io.*]}", "import java.util.List; class A{}\n", true},
    {"go", "modules: {exclusive: true, allowed: [os]}", "package main\nimport \"fmt\"\nfunc main(){fmt.Println()}\n", true},
    {"rust", "modules: {exclusive: true, allowed: [rand]}", "use std::collections::HashMap; fn main(){}\n", true},
    {"c", "modules: {exclusive: true, allowed: [stdio.h]}", "#include <math.h>\nint main(void){return 0;}\n", true},
    {"cpp", "modules: {exclusive: true, allowed: [vector]}", "#include <map>\nint main(){return 0;}\n", true},
    {"javascript", "functions: {blocked: [Math.random]}", "Math.random();\n", true},
    {"javascript", "functions: {blocked: [parseInt]}", "parseInt('1');\n", true},
    {"javascript", "functions: {blocked: [fs.readFileSync]}", "const fs=require('fs'); fs.readFileSync('a');\n", true},
    {"javascript", "functions: {blocked: [fs.readFileSync]}", "import {readFileSync as r} from 'fs'; r('a');\n", true},
    {"typescript", "functions: {blocked: [Math.random]}", "Math.random();\n", true},
    {"java", "functions: {blocked: [Math.random]}", "class A{double d=Math.random();}\n", true},
    {"java", "functions: {blocked: [System.gc]}", "class A{void f(){System.gc();}}\n", true},
    {"java", "functions: {blocked: [g]}", "class A{void f(){g();} void g(){}}\n", true},
    {"go", "functions: {blocked: [fmt.Println]}", "package main\nimport \"fmt\"\nfunc main(){fmt.Println()}\n", true},
    {"rust", "functions: {blocked: ['process::exit']}", "fn main(){ std::process::exit(1); }\n", true},
    {"rust", "functions: {blocked: ['std::process::exit']}", "fn main(){ std::process::exit(1); }\n", true},
    {"c", "functions: {blocked: [puts]}", "#include <stdio.h>\nint main(void){puts(\"\");return 0;}\n", true},
    {"cpp", "functions: {blocked: ['std::sort']}", "#include <algorithm>\nint main(){std::sort(1,2);return 0;}\n", true},
    {"javascript", "functions: {allowed: [process.kill]}", "process.kill(1);\n", false},
    {"javascript", "functions: {allowed: [os.userInfo]}", "const o=require('os'); o.userInfo();\n", false},
    {"java", "functions: {additional: [System.getenv]}", "class A{void f(){System.getenv();}}\n", false},
    {"go", "functions: {allowed: [os.Getenv]}", "package main\nimport \"os\"\nfunc main(){os.Getenv(\"A\")}\n", false},
    {"rust", "functions: {allowed: ['std::env::set_var']}", "fn main(){ std::env::set_var(\"a\",\"b\"); }\n", false},
    {"c", "functions: {allowed: [fork]}", "#include <unistd.h>\nint main(void){fork();return 0;}\n", false},
    {"javascript", "paths: {read: [/data]}", "require('fs').readFileSync('/data/x');\n", false},
    {"javascript", "paths: {read: [/data]}", "require('fs').writeFileSync('/data/x','');\n", true},
    {"javascript", "paths: {write: [/data]}", "require('fs').writeFileSync('/data/x','');\n", false},
    {"java", "paths: {read: [/data]}", "class A{void f() throws Exception{ new java.io.FileReader(\"/data/x\"); }}\n", false},
    {"go", "paths: {read: [/etc]}", "package main\nimport \"os\"\nfunc main(){os.ReadFile(\"/etc/x\")}\n", false},
    {"rust", "paths: {read: [/etc]}", "fn main(){ std::fs::read(\"/etc/x\"); }\n", false},
    {"c", "paths: {read: [/etc]}", "#include <stdio.h>\nint main(void){fopen(\"/etc/x\",\"r\");return 0;}\n", false},
    {"cpp", "paths: {read: [/etc]}", "#include <fstream>\nint main(){std::ifstream f(\"/etc/x\");return 0;}\n", false},
    {"javascript", "capabilities: {allow: [process.spawn]}", "require('child_process').exec('x');\n", false},
    {"java", "capabilities: {deny: [threads]}", "class A{Thread t;}\n", true},
    {"go", "capabilities: {deny: [files.read]}", "package main\nimport \"os\"\nfunc main(){os.ReadFile(\"x\")}\n", true},
    {"rust", "capabilities: {allow: [native-code]}", "fn main(){ unsafe {} }\n", false},
    {"c", "capabilities: {deny: [files.read]}", "#include <stdio.h>\nint main(void){fopen(\"x\",\"r\");return 0;}\n", true},
    {"javascript", "limits: {source_bytes: 10}", "let a=1;let b=2;let c=3;\n", true},
    {"javascript", "limits: {source_nesting: 3}", "f(((((1)))));\n", true},
    {"java", "limits: {source_nesting: 3}", "class A{int a=((((1))));}\n", true},
    {"c", "limits: {source_nesting: 3}", "int a=((((1))));\n", true},
    {"cpp", "limits: {source_nesting: 3}", "int a=((((1))));\n", true},
    {"go", "limits: {source_nesting: 3}", "package main\nvar a=((((1))))\n", true},
    {"rust", "limits: {source_nesting: 3}", "fn main(){let a=((((1))));}\n", true},
    {"javascript", "attributes: {blocked: [zap]}", "a.zap;\n", true},
    {"javascript", "attributes: {blocked: [zap]}", "a?.zap;\n", true},
    {"javascript", "attributes: {blocked: [zap]}", "a['zap'];\n", true},
    {"typescript", "attributes: {blocked: [zap]}", "a.zap;\n", true},
    {"java", "attributes: {blocked: [zap]}", "class A{int f(B b){return b.zap();}}\n", true},
    {"go", "attributes: {blocked: [zap]}", "package main\nfunc main(){x.zap()}\n", true},
    {"rust", "attributes: {blocked: [zap]}", "fn main(){x.zap();}\n", true},
    {"c", "attributes: {blocked: [zap]}", "int main(void){return x.zap;}\n", true},
    {"cpp", "attributes: {blocked: [zap]}", "int main(){return x->zap();}\n", true},
    {"javascript", "patterns: [{what: foozle, where: code, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"javascript", "patterns: [{what: barzle, where: string, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"javascript", "patterns: [{what: bazzle, where: comment, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"javascript", "patterns: [{what: barzle, where: anywhere, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"javascript", "patterns: [{what: barzle, where: comment, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", false},
    {"java", "patterns: [{what: foozle, where: code, message: no}]", "class A { int foozle; String b = \"barzle\"; } // bazzle\n", true},
    {"java", "patterns: [{what: barzle, where: string, message: no}]", "class A { int foozle; String b = \"barzle\"; } // bazzle\n", true},
    {"java", "patterns: [{what: bazzle, where: comment, message: no}]", "class A { int foozle; String b = \"barzle\"; } // bazzle\n", true},
    {"java", "patterns: [{what: barzle, where: anywhere, message: no}]", "class A { int foozle; String b = \"barzle\"; } // bazzle\n", true},
    {"java", "patterns: [{what: barzle, where: comment, message: no}]", "class A { int foozle; String b = \"barzle\"; } // bazzle\n", false},
    {"go", "patterns: [{what: foozle, where: code, message: no}]", "package main\nvar foozle = \"barzle\" // bazzle\n", true},
    {"go", "patterns: [{what: barzle, where: string, message: no}]", "package main\nvar foozle = \"barzle\" // bazzle\n", true},
    {"go", "patterns: [{what: bazzle, where: comment, message: no}]", "package main\nvar foozle = \"barzle\" // bazzle\n", true},
    {"go", "patterns: [{what: barzle, where: anywhere, message: no}]", "package main\nvar foozle = \"barzle\" // bazzle\n", true},
    {"go", "patterns: [{what: barzle, where: comment, message: no}]", "package main\nvar foozle = \"barzle\" // bazzle\n", false},
    {"rust", "patterns: [{what: foozle, where: code, message: no}]", "fn main() { let foozle = \"barzle\"; } // bazzle\n", true},
    {"rust", "patterns: [{what: barzle, where: string, message: no}]", "fn main() { let foozle = \"barzle\"; } // bazzle\n", true},
    {"rust", "patterns: [{what: bazzle, where: comment, message: no}]", "fn main() { let foozle = \"barzle\"; } // bazzle\n", true},
    {"rust", "patterns: [{what: barzle, where: anywhere, message: no}]", "fn main() { let foozle = \"barzle\"; } // bazzle\n", true},
    {"rust", "patterns: [{what: barzle, where: comment, message: no}]", "fn main() { let foozle = \"barzle\"; } // bazzle\n", false},
    {"c", "patterns: [{what: foozle, where: code, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"c", "patterns: [{what: barzle, where: string, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"c", "patterns: [{what: bazzle, where: comment, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"c", "patterns: [{what: barzle, where: anywhere, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"c", "patterns: [{what: barzle, where: comment, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", false},
    {"typescript", "patterns: [{what: foozle, where: code, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"typescript", "patterns: [{what: barzle, where: string, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"typescript", "patterns: [{what: bazzle, where: comment, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"typescript", "patterns: [{what: barzle, where: anywhere, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", true},
    {"typescript", "patterns: [{what: barzle, where: comment, message: no}]", "let foozle = 1; const b = \"barzle\"; // bazzle\n", false},
    {"cpp", "patterns: [{what: foozle, where: code, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"cpp", "patterns: [{what: barzle, where: string, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"cpp", "patterns: [{what: bazzle, where: comment, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"cpp", "patterns: [{what: barzle, where: anywhere, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", true},
    {"cpp", "patterns: [{what: barzle, where: comment, message: no}]", "int foozle; const char *b = \"barzle\"; // bazzle\n", false},
    {"go", "capabilities: {deny: [threads]}", "package main\nfunc main() { go f() }\n", true},
    {"java", "capabilities: {deny: [threads]}", "import java.util.concurrent.*; class A { ExecutorService e = Executors.newFixedThreadPool(2); }\n", true},
    {"java", "capabilities: {deny: [threads]}", "class A { void f() throws Exception { Thread.sleep(10); } }\n", false},
    {"rust", "capabilities: {deny: [threads]}", "fn main() { std::thread::spawn(|| 1); }\n", true},
    {"cpp", "capabilities: {deny: [threads]}", "#include <thread>\nint main() {}\n", true},
    {"go", "functions: {blocked: [fmt.Println]}", "package main\nimport f \"fmt\"\nfunc main() { f.Println() }\n", true},
    {"javascript", "functions: {blocked: [Math.random]}", "Math['random']();\n", true},
    {"javascript", "functions: {blocked: [Math.random]}", "dice.random();\n", false},
    {"rust", "functions: {blocked: [\"std::process::exit\"]}", "use std::process::exit; fn main() { exit(1) }\n", true},
    {"rust", "modules: {exclusive: true, allowed: [\"std::collections\"]}", "use std::collections::HashMap; fn main() {}\n", false},
    {"python", "modules: {blocked: [json]}", "import json\n", true},
    {"python", "modules: {additional: [numpy]}", "import numpy\n", false},
    {"python", "modules: {exclusive: true, allowed: [math]}", "import json\n", true},
    {"python", "functions: {blocked: [json.loads]}", "import json\njson.loads(\"1\")\n", true},
    {"python", "attributes: {blocked: [zap]}", "a.zap\n", true},
    {"python", "capabilities: {deny: [files.read]}", "open(\"x\")\n", true},
    {"python", "capabilities: {allow: [process.spawn]}", "import os\nos.system(\"id\")\n", false},
    {"python", "paths: {read: [/data]}", "open(\"/data/x\")\n", false},
    {"python", "limits: {source_bytes: 4}", "a = 1\n", true},
    {"python", "limits: {source_nesting: 3}", "a = ((((1))))\n", true},
    {"python", "patterns: [{what: foozle, where: code, message: no}]", "foozle = 1\n", true},
    {"bash", "commands: {blocked: [ls]}", "ls\n", true},
    {"bash", "commands: {additional: [frobnicate]}", "frobnicate\n", false},
    {"bash", "commands: {allowed: [frobnicate]}", "ls\n", true},
    {"bash", "patterns: [{what: foozle, where: command, message: no}]", "echo foozle\n", true},
    {"bash", "paths: {read: [/data]}", "cat /data/x\n", false},
    {"bash", "limits: {source_bytes: 2}", "echo a\n", true},
    {"bash", "limits: {source_nesting: 3}", "{ { { { { :; }; }; }; }; }\n", true},
    {"bash", "capabilities: {deny: [files.read]}", "cat x\n", true},
};
// clang-format on

Result<Profile> profile_with(const Language& language, const std::string& field) {
  const ProfileFinder finder = [&](std::string_view,
                                   std::string_view name) -> Result<std::optional<ProfileText>> {
    if (name != "mine") return std::optional<ProfileText>();
    return std::optional(ProfileText{"mine.yaml", "name: mine\nextends: default\n" + field + "\n"});
  };
  return load_profile(language, "mine", finder);
}

TEST(ProfileEffects, EveryListAndBoundCounts) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(std::string(row.language) + ": " + row.field + ": " + row.source);
    const Language* language = find_language(row.language);
    ASSERT_NE(language, nullptr);
    const auto profile = profile_with(*language, row.field);
    ASSERT_TRUE(profile.ok()) << profile.error().message;
    const Report report =
        judge_closure(*language, {"Main", row.source}, make_policy(*profile), {}).report;
    EXPECT_EQ(!report.safe(), row.refused) << (report.safe() ? "" : report.violations[0].reason);
  }
}

TEST(ProfileEffects, ListsThatALanguageHasNotAreRefused) {
  const auto refusal = [](const char* language, const char* field) {
    const auto profile = profile_with(*find_language(language), field);
    return profile.ok() ? "accepted" : profile.error().message;
  };
  EXPECT_EQ(refusal("bash", "modules: {blocked: [x]}"),
            "mine.yaml:3:1: bash has no 'modules', expected commands");
  EXPECT_EQ(refusal("bash", "attributes: {blocked: [x]}"),
            "mine.yaml:3:1: bash has no 'attributes', expected commands");
  EXPECT_EQ(refusal("rust", "commands: {allowed: [ls]}"),
            "mine.yaml:3:1: rust has no 'commands', expected modules, functions or attributes");
}

TEST(ProfileEffects, AnObservedClosureWarns) {
  const Language& language = *find_language("python");
  const auto reader = [](const std::string& path) -> std::optional<std::string> {
    if (path == "helper.py") return "import os\nos.system('id')\n";
    return std::nullopt;
  };
  const Source entry{"main.py", "import helper\n"};
  const auto enforced = judge_closure(
      language, entry, make_policy(*profile_with(language, "stages: {closure: enforce}")), reader);
  EXPECT_FALSE(enforced.report.safe());
  const Policy observing = make_policy(*profile_with(language, "stages: {closure: observe}"));
  const auto observed = judge_closure(language, entry, observing, reader);
  EXPECT_TRUE(observed.report.safe());
  ASSERT_FALSE(observed.report.warnings.empty());
  EXPECT_EQ(observed.report.warnings[0].file, "helper.py");
  const Source harmful{"main.py", "import helper\nimport os\nos.system('id')\n"};
  EXPECT_FALSE(judge_closure(language, harmful, observing, reader).report.safe());
}

}  // namespace
}  // namespace langsbx::languages
