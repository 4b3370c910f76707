// Every known way past a guard of C, C++, Go and Rust is refused by the source alone.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/languages/c_family/judged.h"

namespace langsbx::languages {
namespace {

TEST(CompiledEvasion, EveryCaseIsRefusedUnderEveryProfile) {
  std::ifstream file(LANGSBX_SOURCE_DIR "/tests/languages/data/compiled_evasion.jsonl");
  std::map<std::string, int> counted;
  std::string line;
  while (std::getline(file, line)) {
    const auto item = nlohmann::json::parse(line);
    const auto language = item.at("language").get<std::string>();
    SCOPED_TRACE(item.at("id").get<std::string>() + " " + item.at("title").get<std::string>());
    ++counted[language];
    for (const char* profile : {"default", "minimal", "strict"}) {
      EXPECT_NE(violations(language, item.at("source").get<std::string>(), profile), "") << profile;
    }
  }
  for (const char* language : {"c", "cpp", "go", "rust"})
    EXPECT_GE(counted[language], 13) << language;
}

}  // namespace
}  // namespace langsbx::languages
