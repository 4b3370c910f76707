// What is read must be used: every member of the structs of config.json is named in the code that
// plans and applies. A scan of the sources: it shows that a member is used somewhere; that the use
// is right is shown by the other tests.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace {

namespace fs = std::filesystem;

const std::string kSource = LANGSBX_SOURCE_DIR;

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Member {
  std::string owner;
  std::string name;
};

// "  std::vector<Foo> name = 1;  // comment" inside "struct Owner {".
std::vector<Member> members_of(const std::string& header) {
  static const std::regex kStruct("^struct (\\w+) \\{");
  static const std::regex kMember("^  [A-Za-z_][\\w:<>, ]*[ >](\\w+)( = [^;]*)?;");
  std::vector<Member> members;
  std::istringstream lines(text_of(kSource + "/oci/" + header));
  std::string owner;
  std::smatch match;
  for (std::string line; std::getline(lines, line);) {
    if (std::regex_search(line, match, kStruct)) owner = match[1];
    if (line.starts_with("};")) owner.clear();
    if (!owner.empty() && std::regex_search(line, match, kMember)) {
      members.push_back({owner, match[1]});
    }
  }
  return members;
}

// Every name behind "." or "->" or in a pointer to member, in runtime/ and in oci's own checks.
std::set<std::string> used_names() {
  static const std::regex kUse("(\\.|->|::)([a-z]\\w*)");
  std::set<std::string> names;
  const auto scan = [&](const fs::path& path) {
    const std::string text = text_of(path);
    for (std::sregex_iterator it(text.begin(), text.end(), kUse), end; it != end; ++it) {
      names.insert((*it)[2]);
    }
  };
  for (const auto& entry : fs::recursive_directory_iterator(kSource + "/runtime")) {
    if (entry.path().extension() == ".cc") scan(entry.path());
  }
  return names;
}

TEST(ConfigFields, AreUsedByThoseWhoApplyThem) {
  const auto used = used_names();
  std::size_t checked = 0;
  for (const char* header : {"spec.h", "spec_resources.h", "spec_security.h"}) {
    for (const auto& member : members_of(header)) {
      EXPECT_TRUE(used.contains(member.name))
          << member.owner << "::" << member.name << " is read and dropped";
      ++checked;
    }
  }
  EXPECT_GT(checked, 150U) << "the scan of the headers finds too little";
}

TEST(ConfigFields, ADroppedOneWouldBeFound) {
  EXPECT_FALSE(used_names().contains("member_that_nobody_uses"));
}

}  // namespace
