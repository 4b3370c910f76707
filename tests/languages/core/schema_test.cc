// The JSON schema and the reader know the same fields, capabilities included.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
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

bool is_of(const nlohmann::json& value, const std::string& type) {
  if (type == "string") return value.is_string();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  return type == "object" && value.is_object();
}

bool has_type(const nlohmann::json& rule, const nlohmann::json& value) {
  if (!rule.contains("type")) return true;
  if (rule["type"].is_string()) return is_of(value, rule["type"]);
  return std::any_of(rule["type"].begin(), rule["type"].end(),
                     [&](const auto& type) { return is_of(value, type); });
}

// As much of JSON Schema as ours uses.
bool accepts(const nlohmann::json& rule, const nlohmann::json& value) {
  if (!has_type(rule, value)) return false;
  if (rule.contains("enum") &&
      std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end()) {
    return false;
  }
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (text.size() < rule.value("minLength", 0U)) return false;
    if (rule.contains("pattern")) {
      return std::regex_search(text, std::regex(rule["pattern"].get<std::string>()));
    }
  }
  if (value.is_number()) {
    return value.get<double>() >= rule.value("minimum", -1e300) &&
           value.get<double>() <= rule.value("maximum", 1e300);
  }
  if (value.is_array() && rule.contains("items")) {
    return std::all_of(value.begin(), value.end(),
                       [&](const auto& item) { return accepts(rule["items"], item); });
  }
  if (!value.is_object()) return true;
  for (const auto& [name, member] : value.items()) {
    if (!rule["properties"].contains(name)) return false;
    if (!accepts(rule["properties"][name], member)) return false;
  }
  return !rule.contains("required") ||
         std::all_of(rule["required"].begin(), rule["required"].end(), [&](const auto& name) {
           return value.contains(name.template get<std::string>());
         });
}

struct Samples {
  std::vector<nlohmann::json> good;
  std::vector<nlohmann::json> wrong;
};

Samples samples_of(std::string_view type) {
  using J = nlohmann::json;
  const J list = J::array({"a"});
  const J map = J::object({{"a", 1}});
  static const std::map<std::string, Samples, std::less<>> kSamples = {
      {"text", {{"x"}, {list, map, ""}}},
      {"optional-text", {{"x"}, {list, map, ""}}},
      {"list", {{list, J::array()}, {"a", map, J::array({map}), J::array({list}), J::array({""})}}},
      {"capabilities", {{J::array({"files.read"})}, {"files.read", J::array({"files"}), map}}},
      {"size", {{"256Mi", "1.5G", 4096, "0"}, {"lots", "1 Gi", -1, list, map, true, "1Q"}}},
      {"duration", {{"1.5s", "500ms", 30, "2h"}, {"soon", "1d", -1, list, map}}},
      {"cpu", {{"500m", 2, 0.5, "1.25"}, {"half", -1, "1x", list, map}}},
      {"count", {{3, 0}, {"many", -1, 1.5, list, map}}},
      {"boolean", {{true, false}, {"yes", 1, list, map}}},
      {"ports",
       {{J::array({443, 0, 65535}), J::array()}, {443, J::array({70000}), J::array({-1})}}},
      {"scopes", {{J::array({"signal"})}, {"signal", J::array({"all"}), map}}},
      {"network", {{"none", "proxy"}, {"lan", list, map, true}}},
      {"mode", {{"observe", "enforce"}, {"maybe", list, map, true}}},
      {"exec", {{"enforce", "confine", "off"}, {"observe", list, map, true}}},
      {"patterns",
       {{J::array({{{"what", "x"}}}),
         J::array(
             {{{"what", "x"}, {"where", "string"}, {"message", "m"}, {"severity", "warning"}}})},
        {"x", map, J::array({{{"where", "code"}}}), J::array({{{"what", "x"}, {"where", "there"}}}),
         J::array({{{"what", "x"}, {"severity", "fatal"}}}),
         J::array({{{"what", "x"}, {"how", "y"}}})}}}};
  const auto found = kSamples.find(type);
  if (found == kSamples.end()) {
    ADD_FAILURE() << "no samples of " << type;
    return {};
  }
  return found->second;
}

nlohmann::json document_with(std::string_view path, const nlohmann::json& value) {
  nlohmann::json document = {{"name", "x"}};
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    document[std::string(path)] = value;
  } else {
    document[std::string(path.substr(0, dot))][std::string(path.substr(dot + 1))] = value;
  }
  return document;
}

// JSON is YAML: both read the same text.
TEST(ProfileSchema, AgreesWithTheReaderOnEveryField) {
  const nlohmann::json rules = schema();
  const std::regex place("^p\\.yaml:[1-9][0-9]*:[1-9][0-9]*: .*expected .*", std::regex::extended);
  for (const ProfileField& field : profile_fields()) {
    const Samples samples = samples_of(field.type);
    for (const auto& value : samples.good) {
      const nlohmann::json document = document_with(field.path, value);
      const auto profile = read_profile(document.dump(1), "p.yaml");
      EXPECT_TRUE(profile.ok()) << document << profile.error().message;
      EXPECT_TRUE(accepts(rules, document)) << document;
    }
    for (const auto& value : samples.wrong) {
      const nlohmann::json document = document_with(field.path, value);
      const auto profile = read_profile(document.dump(1), "p.yaml");
      EXPECT_FALSE(accepts(rules, document)) << document;
      ASSERT_FALSE(profile.ok()) << document;
      EXPECT_TRUE(std::regex_match(profile.error().message, place)) << profile.error().message;
    }
  }
}

}  // namespace
}  // namespace langsbx::languages
