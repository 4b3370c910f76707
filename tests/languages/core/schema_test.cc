// The JSON schema and the reader know the same fields, capabilities included.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "languages/profile.h"

namespace langsbx::languages {
namespace {

void collect(const nlohmann::json& object, const std::string& prefix, std::set<std::string>& out) {
  for (const auto& [name, value] : object["properties"].items()) {
    const std::string path = prefix.empty() ? name : prefix + "." + name;
    if (value.contains("properties")) {
      EXPECT_EQ(value["additionalProperties"], false) << path;
      collect(value, path, out);
    } else {
      out.insert(path);
    }
  }
}

nlohmann::json schema() {
  std::ifstream file(std::string(LANGSBX_SOURCE_DIR) + "/oci/schema/profile.schema.json");
  return nlohmann::json::parse(file);
}

TEST(ProfileSchema, HasTheFieldsOfTheReader) {
  std::set<std::string> in_schema;
  collect(schema(), "", in_schema);
  std::set<std::string> in_reader;
  for (const ProfileField& field : profile_fields()) in_reader.insert(std::string(field.path));
  EXPECT_EQ(in_schema, in_reader);
}

TEST(ProfileSchema, HasTheCapabilities) {
  const auto names = schema()["properties"]["capabilities"]["properties"]["allow"]["items"]["enum"];
  EXPECT_EQ(names.size(), static_cast<std::size_t>(Capability::kCount) - 1);
  for (const auto& name : names) EXPECT_TRUE(capability_from(name.get<std::string>())) << name;
}

}  // namespace
}  // namespace langsbx::languages
