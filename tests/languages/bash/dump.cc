// Development tool of the differential and corpus tests: what the parser and the judge make of
// files.
//   bash_dump syntax FILE...          "FILE ok" or "FILE LINE MESSAGE"
//   bash_dump commands FILE...        every command's first word when it is plain text
//   bash_dump judge PROFILE FILE...   every finding
//   bash_dump parse FILE...           MB/s of parsing all files, best of five
//   bash_dump speed PROFILE FILE...   MB/s of judging all files, best of five
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "languages/bash/parser.h"
#include "languages/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace {

using namespace langsbx::languages;  // NOLINT: a small program

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

void dump_syntax(const char* path, bool commands) {
  const std::string text = read_file(path);
  bash::Script script;
  const bash::ParserLimits limits;
  bash::Parser parser(script, limits);
  const auto error = parser.parse(text, 0);
  if (!commands || error) {
    if (error) {
      std::printf("%s\t%u\t%s\n", path, position_of(text, error->offset).line,
                  std::string(error->message).c_str());
    } else {
      std::printf("%s\tok\n", path);
    }
    return;
  }
  for (const bash::Command& command : script.commands) {
    const bool plain = command.kind == bash::CommandKind::kSimple && command.words != nullptr &&
                       command.words->plain();
    if (plain) std::printf("%s\t%s\n", path, std::string(command.words->text).c_str());
  }
}

void parse_speed(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  double best = 1e9;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t start = std::clock();
    for (const std::string& text : texts) {
      bash::Script script;
      const bash::ParserLimits limits;
      (void)bash::Parser(script, limits).parse(text, 0);
    }
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%.2f MB, %.1f MB/s\n", static_cast<double>(bytes) / 1e6,
              static_cast<double>(bytes) / 1e6 / best);
}

int speed(const Language& language, const Policy& policy, const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  double best = 1e9;
  std::size_t findings = 0;
  for (int round = 0; round < 5; ++round) {
    const std::clock_t start = std::clock();
    for (const std::string& text : texts) {
      findings += judge(language, {"x", text}, policy).report.violations.size();
    }
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::printf("%zu files, %.2f MB, %.1f MB/s, %.1f us per 5 kB, %zu findings\n", texts.size(),
              static_cast<double>(bytes) / 1e6, static_cast<double>(bytes) / 1e6 / best,
              best / static_cast<double>(bytes) * 5000 * 1e6, findings / 5);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[1] : "";
  if (mode == "syntax" || mode == "commands") {
    for (int i = 2; i < argc; ++i) dump_syntax(argv[i], mode == "commands");
    return 0;
  }
  if (mode == "parse") {
    std::vector<std::string> texts;
    for (int i = 2; i < argc; ++i) texts.push_back(read_file(argv[i]));
    parse_speed(texts);
    return 0;
  }
  if (mode != "judge" && mode != "speed") {
    std::fputs("usage: bash_dump syntax|commands|parse|judge PROFILE|speed PROFILE FILE...\n",
               stderr);
    return 2;
  }
  const Language* language = find_language("bash");
  auto profile = load_profile(*language, argv[2]);
  if (!profile.ok()) {
    std::fprintf(stderr, "%s\n", profile.error().message.c_str());
    return 2;
  }
  const Policy policy = make_policy(*profile);
  std::vector<std::string> texts;
  for (int i = 3; i < argc; ++i) texts.push_back(read_file(argv[i]));
  if (mode == "speed") return speed(*language, policy, texts);
  for (int i = 3; i < argc; ++i) {
    const auto judged = judge(*language, {argv[i], texts[static_cast<std::size_t>(i) - 3]}, policy);
    for (const Finding& finding : judged.report.violations) {
      std::printf("%s\t%u\t%s\t%s\t%s\n", argv[i], finding.line, std::string(finding.rule).c_str(),
                  finding.code.c_str(), finding.reason.c_str());
    }
  }
  return 0;
}
