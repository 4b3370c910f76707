// Tables of cases, a line each: ways around a judge are refused, ordinary code passes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace langsbx::languages {
namespace {

struct Judged {
  const Language* language = nullptr;
  std::map<std::string, Policy> policies;
};

Judged load(const std::string& name) {
  Judged judged;
  judged.language = find_language(name);
  if (judged.language == nullptr) {
    ADD_FAILURE() << "no language " << name;
    return judged;
  }
  for (const char* profile : {"default", "minimal", "strict"}) {
    const auto loaded = load_profile(*judged.language, profile);
    EXPECT_TRUE(loaded.ok()) << loaded.error().to_string();
    if (loaded.ok()) judged.policies.emplace(profile, make_policy(*loaded));
  }
  return judged;
}

using Files = std::map<std::string, std::string>;

Report report_of(const Judged& judged, const std::string& source, const char* profile,
                 const Files& files = {}) {
  const auto reader = [&](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  const std::string name = "Main" + std::string(judged.language->extensions[0]);
  return judge_closure(*judged.language, {name, source}, judged.policies.at(profile), reader)
      .report;
}

void replace_all(std::string& text, std::string_view from, std::string_view with) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + with.size())) {
    text.replace(at, from.size(), with);
  }
}

// Of a table: "%% refuse: why" and "%% pass: why" begin a part, "%% wrap a@b" puts each case
// between a and b, "␤" is a line's end. A line that is refused begins with the rule that refuses
// it: "go-cgo: import \"C\"".
class Table {
 public:
  explicit Table(const std::filesystem::path& path)
      : name_(path.stem().string()), file_(path), judged_(load(language())) {}

  void check() {
    std::string line;
    for (int number = 1; std::getline(file_, line); ++number) {
      SCOPED_TRACE(name_ + ".txt:" + std::to_string(number) + ": " + line);
      if (line.starts_with("%% ")) {
        begin(line.substr(3));
      } else if (!line.empty()) {
        ask(line);
      }
    }
  }
  [[nodiscard]] int cases() const { return cases_; }

 private:
  [[nodiscard]] std::string language() const { return name_.substr(0, name_.find('_')); }

  void begin(const std::string& head) {
    if (head.starts_with("wrap ")) {
      wrap_ = head.substr(5);
    } else {
      ASSERT_TRUE(head.starts_with("refuse: ") || head.starts_with("pass: ")) << head;
      pass_ = head.starts_with("pass: ");
      wrap_ = "@";
    }
  }

  void ask(const std::string& line) {
    ++cases_;
    const std::size_t named = pass_ ? 0 : line.find(": ");
    ASSERT_NE(named, std::string::npos) << "begin the line with the rule that refuses it";
    const std::string rule = line.substr(0, named);
    std::string source = wrap_;
    source.replace(source.find('@'), 1, pass_ ? line : line.substr(named + 2));
    replace_all(source, "␤", "\n");
    if (pass_) {
      for (const Finding& finding : report_of(judged_, source, "default").violations) {
        // What a table's line pulls in is not there to be judged.
        if (finding.rule != "closure-missing")
          ADD_FAILURE() << finding.rule << ": " << finding.reason;
      }
      return;
    }
    expect_rule(report_of(judged_, source, "default"), rule, source);
  }

  static void expect_rule(const Report& report, const std::string& rule,
                          const std::string& source) {
    std::string found;
    for (const Finding& finding : report.violations) {
      if (finding.rule == rule) return;
      found.append(" ").append(finding.rule);
    }
    ADD_FAILURE() << "refused by:" << found << "\n" << source;
  }

  std::string name_;
  std::ifstream file_;
  Judged judged_;
  std::string wrap_ = "@";
  bool pass_ = false;
  int cases_ = 0;
};

TEST(Cases, OfEveryTable) {
  int tables = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(LANGSBX_SOURCE_DIR "/tests/languages/cases")) {
    const auto file = entry.path().filename();
    if (file.extension() != ".txt" || file == "CMakeLists.txt") continue;
    Table table(entry.path());
    table.check();
    EXPECT_GE(table.cases(), 15) << entry.path();
    ++tables;
  }
  EXPECT_GE(tables, 14);
}

void check_collected(const char* file, const char* language, bool pass, int least) {
  std::ifstream lines(std::string(LANGSBX_SOURCE_DIR "/tests/languages/data/") + file);
  std::map<std::string, Judged> judges;
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const auto item = nlohmann::json::parse(line);
    SCOPED_TRACE(item.at("id").get<std::string>());
    const std::string name = item.value("language", language);
    auto place = judges.find(name);
    if (place == judges.end()) place = judges.emplace(name, load(name)).first;
    const Files files = item.value("extra_files", Files());
    const auto source = item.at("source").get<std::string>();
    if (pass) {
      const Report report = report_of(place->second, source, "default", files);
      EXPECT_TRUE(report.safe()) << report.violations[0].reason;
      continue;
    }
    for (const char* profile : {"default", "minimal", "strict"}) {
      EXPECT_FALSE(report_of(place->second, source, profile, files).safe()) << profile << source;
    }
  }
  EXPECT_GE(count, least) << file;
}

TEST(Cases, CollectedEvasionsAreRefusedUnderEveryProfile) {
  check_collected("compiled_evasion.jsonl", "c", false, 80);
  check_collected("java_evasion.jsonl", "java", false, 90);
  check_collected("javascript_evasion.jsonl", "javascript", false, 120);
  check_collected("typescript_evasion.jsonl", "typescript", false, 30);
}

TEST(Cases, CollectedProgramsPass) {
  check_collected("java_clean.jsonl", "java", true, 2);
  check_collected("javascript_clean.jsonl", "javascript", true, 5);
  check_collected("typescript_clean.jsonl", "typescript", true, 1);
}

struct Program {
  const char* language;
  const char* source;
  Files files;
  const char* refused_by;  // empty: passes
};

void expect_verdict(const Program& program) {
  const Judged judged = load(program.language);
  const Report report = report_of(judged, program.source, "default", program.files);
  const std::string rule = report.safe() ? "" : std::string(report.violations[0].rule);
  EXPECT_EQ(rule, program.refused_by) << program.source;
}

TEST(Cases, FilesOfTheProgramAreJudgedWithIt) {
  const Files crate = {{"Cargo.toml", "[package]\nname = \"my-list\"\n"},
                       {"src/lib.rs", "pub fn f() {}\n"}};
  const auto with = [](Files files, const char* name, const char* text) {
    files[name] = text;
    return files;
  };
  const char* use = "use my_list::f; fn main() { f(); }";
  const char* import = "package graphs; import heaps.Heap; class M { Heap h; }";
  const char* small = "class M { void f() { helper.run(); } }";  // no import, no capital
  const char* deep = "class M { void f() { util . /* */ Tool.run(); } }";
  const char* evil = "class helper { static native void run(); }";
  const char* asked = "#if defined(HAVE_CONFIG)\n#include \"config.h\"\n#endif\n";
  const char* reference = "/// <reference path=\"../x.d.ts\" />\nlet a = 1;\n";
  const Program programs[] = {
      {"rust", use, {}, "rust-blocked-crate"},
      {"rust", use, crate, ""},
      {"rust", use, with(crate, "src/lib.rs", "pub fn f() { unsafe {} }"), "rust-unsafe"},
      {"rust", use, with(crate, "build.rs", "fn main() {}"), "rust-blocked-crate"},
      {"rust", use,
       with(crate, "Cargo.toml",
            "[package]\nname = \"my-list\"\n[dependencies]\nmy-list = \"1\"\n"),
       "rust-blocked-crate"},
      {"rust", use,
       with(crate, "Cargo.toml", "[package]\nname = \"my-list\"\n[lib]\nproc-macro = true\n"),
       "rust-blocked-crate"},
      {"rust", use, with(crate, "Cargo.toml", "[package]\nname = \"other\"\n"),
       "rust-blocked-crate"},
      {"java", import, {}, "java-unknown-module"},
      {"java", import, {{"../heaps/Heap.java", "package heaps; public class Heap {}"}}, ""},
      {"java",
       import,
       {{"../heaps/Heap.java", "package heaps; public class Heap { native void f(); }"}},
       "java-native-method"},
      {"java",
       small,
       {{"./", "helper.java\nother.java\n"}, {"helper.java", evil}},
       "java-native-method"},
      {"java",
       deep,
       {{"./", "util\nnothing\n"}, {"util/", "Tool.java\n"}, {"util/Tool.java", evil}},
       "java-native-method"},
      {"java", "class M {}", {{"./", "helper.java\n"}, {"helper.java", evil}}, ""},
      {"typescript", reference, {}, "closure-missing"},
      {"typescript", reference, {{"../x.d.ts", "declare var x: any;"}}, ""},
      {"typescript", reference, {{"../x.d.ts", "eval('1')"}}, "javascript-dynamic-code"},
      {"javascript", reference, {}, ""},
      {"c", "#ifdef HAVE_CONFIG\n#include \"config.h\"\n#endif\n", {}, ""},
      {"c", asked, {}, ""},
      {"c",
       asked,
       {{"config.h", "int f(void) { return system(\"id\"); }\n"}},
       "c-blocked-function"},
      {"c", "#ifndef NO_CONFIG\n#include \"config.h\"\n#endif\n", {}, "closure-missing"},
      {"c", "#if HAVE\n#else\n#include \"config.h\"\n#endif\n", {}, "closure-missing"},
      {"c", "#define HAVE\n#ifdef HAVE\n#include \"config.h\"\n#endif\n", {}, "closure-missing"},
      {"c", "#ifdef __linux__\n#include \"config.h\"\n#endif\n", {}, "closure-missing"},
      {"c", "#if defined(A) || 1\n#include \"config.h\"\n#endif\n", {}, "closure-missing"}};
  for (const Program& program : programs) expect_verdict(program);
}

TEST(Cases, FilesThatNameEachOtherAreJudgedOnce) {
  expect_verdict({"javascript",
                  "require('./a')",
                  {{"a.js", "require('./b')"}, {"b.js", "require('./a')"}},
                  ""});
  expect_verdict(
      {"typescript",
       "import {a} from './x/a';",
       {{"x/a.ts", "import {b} from './b';"}, {"x/b.ts", "import {a} from './././a'; eval('1')"}},
       "javascript-dynamic-code"});
}

}  // namespace
}  // namespace langsbx::languages
