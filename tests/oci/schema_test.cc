// The schemas against the reader: every property is read, or ignored with a reason; none is read
// and dropped, none is forgotten. And Debian's copy of the official schema against ours.
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "oci/reader.h"
#include "oci/state.h"
#include "tests/oci/schema_walk.h"

namespace langsbx::oci {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kOurs = LANGSBX_SOURCE_DIR "/oci/schema/";
constexpr const char* kOfficial =
    "/usr/share/gocode/src/github.com/opencontainers/runtime-spec/schema/";

json load_from(const std::string& directory, const std::string& file) {
  std::ifstream stream(directory + file);
  return json::parse(stream, nullptr, false);
}
std::vector<Place> our_places() {
  return walk_schema("config.schema.json",
                     [](const std::string& file) { return load_from(kOurs, file); });
}

bool is_ignored(const Place& place) { return place.schema.value("x-langsbx", "") == "ignored"; }

// A value of a type that the schema doesn't allow.
ordered_json wrong_value(const json& schema) {
  const json type = schema.value("type", json());
  const auto allows = [&](const char* name) {
    return type == name ||
           (type.is_array() && std::find(type.begin(), type.end(), name) != type.end());
  };
  if (!allows("boolean")) return true;
  return 7;
}

std::string answer(const Path& path, ordered_json value) {
  ordered_json document = document_with(path, std::move(value));
  if (!document.contains("ociVersion")) document["ociVersion"] = "1.3.0";
  auto spec = read_spec(document.dump(), "config.json");
  return spec.ok() ? "accepted" : spec.error().message;
}

TEST(ConfigSchema, EveryPropertyIsReadOrIgnoredWithAReason) {
  std::size_t enforced = 0;
  std::size_t ignored = 0;
  for (const Place& place : our_places()) {
    const std::string path = to_string(place.path);
    const std::string got = answer(place.path, wrong_value(place.schema));
    if (is_ignored(place)) {
      ++ignored;
      EXPECT_EQ(got, "accepted") << path;
      EXPECT_TRUE(place.schema.contains("description")) << path << ": why is it ignored?";
    } else {
      ++enforced;
      const std::string expected = "config.json: " + path + ": expected";
      EXPECT_EQ(got.substr(0, expected.size()), expected);
    }
  }
  EXPECT_GT(enforced, 200U);
  EXPECT_GT(ignored, 5U);
}

TEST(ConfigSchema, RangesAreThoseOfTheReader) {
  std::size_t checked = 0;
  for (const Place& place : our_places()) {
    if (place.schema.value("type", json()) != "integer") continue;
    const std::string path = to_string(place.path);
    const json& highest = place.schema["maximum"];
    if (highest.is_number_unsigned() && highest.get<std::uint64_t>() < UINT64_MAX) {
      const std::uint64_t above = highest.get<std::uint64_t>() + 1;
      EXPECT_EQ(
          answer(place.path, above)
              .find("config.json: " + path + ": " + std::to_string(above) + " is out of range"),
          0U)
          << path;
      ++checked;
    }
    if (!place.schema.contains("minimum") || place.schema["minimum"] != 0) continue;
    EXPECT_EQ(answer(place.path, -1).find("config.json: " + path + ": -1 is out of range"), 0U)
        << path;
    ++checked;
  }
  EXPECT_GT(checked, 50U);
}

TEST(ConfigSchema, RequiredMembersAreRequired) {
  std::size_t checked = 0;
  for (const Place& place : our_places()) {
    if (!place.schema.contains("required") || to_string(place.path) == "process") continue;
    const std::string first = place.schema["required"][0];
    const std::string got = answer(place.path, ordered_json::object());
    const std::string path = to_string(place.path);
    EXPECT_EQ(got.find("config.json: " + path + "."), 0U) << path << " " << first << ": " << got;
    EXPECT_NE(got.find(": is required"), std::string::npos) << path << ": " << got;
    ++checked;
  }
  EXPECT_GT(checked, 10U);
}

TEST(ConfigSchema, KnowsWhatTheOfficialOneNames) {
  if (!std::ifstream(std::string(kOfficial) + "config-schema.json"))
    GTEST_SKIP() << "golang-github-opencontainers-specs-dev is not installed";
  std::set<std::string> ours;
  std::vector<std::string> ignored;
  for (const Place& place : our_places()) {
    ours.insert(to_string(place.path));
    if (is_ignored(place)) ignored.push_back(to_string(place.path));
  }
  const auto places = walk_schema(
      "config-schema.json", [](const std::string& file) { return load_from(kOfficial, file); });
  const auto is_below_ignored = [&](const std::string& path) {
    return std::any_of(ignored.begin(), ignored.end(), [&](const std::string& one) {
      return path.starts_with(one + ".") || path.starts_with(one + "[");
    });
  };
  EXPECT_GT(places.size(), 200U);
  for (const Place& place : places) {
    const std::string path = to_string(place.path);
    EXPECT_TRUE(ours.contains(path) || is_below_ignored(path)) << path;
  }
}

// Members of a document that the schema doesn't name, or that it demands and are missing.
std::vector<std::string> differences(const json& document, const json& schema) {
  std::vector<std::string> found;
  for (const auto& [name, value] : document.items())
    if (!schema["properties"].contains(name)) found.push_back("not in the schema: " + name);
  for (const json& name : schema["required"])
    if (!document.contains(name)) found.push_back("missing: " + name.get<std::string>());
  return found;
}

TEST(StateSchema, DescribesWhatIsWritten) {
  State state;
  state.id = "box";
  state.pid = 4;
  state.bundle = "/b";
  state.annotations = {{"a", "b"}};
  const json schema = load_from(kOurs, "state.schema.json");
  EXPECT_EQ(differences(json::parse(hook_state_json(state)), schema), std::vector<std::string>{});
  const json full = json::parse(state_json(state));
  EXPECT_EQ(differences(full, schema), std::vector<std::string>{});
  EXPECT_EQ(full.size(), schema["properties"].size());
}

}  // namespace
}  // namespace langsbx::oci
