// Judges files under a profile and sums up: for measuring false refusals over a corpus.
// Usage: judge_files LANGUAGE PROFILE ROOT FILE...   (local imports are looked for under ROOT too)
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::stringstream text;
  text << file.rdbuf();
  if (file.bad() || (text.str().empty() && file.fail())) return std::nullopt;
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  using namespace langsbx::languages;  // NOLINT: a tool of one function
  if (argc < 4) return 2;
  const Language* language = find_language(argv[1]);
  if (language == nullptr) return 2;
  auto profile = load_profile(*language, argv[2]);
  if (!profile.ok()) {
    std::fprintf(stderr, "%s\n", profile.error().message.c_str());
    return 2;
  }
  const Policy policy = make_policy(*profile);
  const std::string root = argv[3];
  int refused = 0;
  std::map<std::string, int> rules;
  for (int n = 4; n < argc; ++n) {
    const std::string path = argv[n];
    const std::string folder = path.substr(0, path.rfind('/') + 1);
    const std::optional<std::string> bytes = read_file(path);
    if (!bytes) continue;
    const FileReader reader = [&](const std::string& name) {
      if (name.ends_with('/')) {
        return std::filesystem::is_directory(name) ? std::optional<std::string>("") : std::nullopt;
      }
      auto found = read_file(name);
      if (name.ends_with("go.mod") || name.ends_with("Cargo.toml")) return found;
      if (!found && name.starts_with(folder)) {
        found = read_file(root + "/" + name.substr(folder.size()));
      }
      return found ? std::optional<std::string>("") : std::nullopt;  // each file by itself
    };
    const ClosureJudgement judged = judge_closure(*language, {path, *bytes}, policy, reader);
    if (judged.report.safe()) continue;
    ++refused;
    for (const Finding& finding : judged.report.violations) {
      ++rules[std::string(finding.rule)];
      std::printf("%s:%u:%u: %s [%s] %s\n", finding.file.c_str(), finding.line, finding.column,
                  finding.reason.c_str(), std::string(finding.rule).c_str(), finding.code.c_str());
    }
  }
  for (const auto& [rule, count] : rules) std::printf("%6d %s\n", count, rule.c_str());
  std::printf("refused %d of %d\n", refused, argc - 4);
  return 0;
}
