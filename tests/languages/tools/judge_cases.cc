// Judges every case of tables in JSON lines and tells which pass: for measuring a set of attacks.
// Usage: judge_cases PROFILE FILE.jsonl...   (id, language, source or source_base64, extra_files)
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "languages/closure.h"
#include "languages/profile.h"
#include "languages/registry.h"

namespace {

using namespace langsbx::languages;  // NOLINT: a tool of one file

std::string decode_base64(const std::string& text) {
  static const std::string kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string::npos) continue;
    bits = bits << 6U | static_cast<unsigned>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return out;
}

Report judge_case(const nlohmann::json& item, const std::string& profile_name) {
  const Language* language = find_language(item.at("language").get<std::string>());
  if (language == nullptr) return {};
  auto profile = load_profile(*language, profile_name);
  if (!profile.ok()) return {};
  const Policy policy = make_policy(*profile);
  const auto files = item.value("extra_files", std::map<std::string, std::string>());
  const FileReader reader = [&](const std::string& path) {
    const auto found = files.find(path);
    return found == files.end() ? std::nullopt : std::optional<std::string>(found->second);
  };
  const std::string source = item.contains("source_base64")
                                 ? decode_base64(item.at("source_base64").get<std::string>())
                                 : item.at("source").get<std::string>();
  const std::string name = "Main" + std::string(language->extensions[0]);
  Report report = judge_closure(*language, {name, source}, policy, reader).report;
  for (const Finding& finding : report.violations) {
    std::printf("  %u:%u %s: %s\n", finding.line, finding.column, std::string(finding.rule).c_str(),
                finding.reason.c_str());
  }
  return report;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  int cases = 0;
  int passed = 0;
  for (int n = 2; n < argc; ++n) {
    std::ifstream lines(argv[n]);
    for (std::string line; std::getline(lines, line); ++cases) {
      const auto item = nlohmann::json::parse(line);
      const bool safe = judge_case(item, argv[1]).safe();
      passed += safe ? 1 : 0;
      std::printf("%s %s %s: %s\n", safe ? "PASSES " : "refused",
                  item.at("language").get<std::string>().c_str(),
                  item.at("id").get<std::string>().c_str(),
                  item.value("technique", item.value("title", "")).c_str());
    }
  }
  std::printf("%d of %d pass\n", passed, cases);
  return 0;
}
