// What `spec`, `features`, `list` and `ps` print.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cmd/langsbx/columns.h"
#include "cmd/langsbx/features_document.h"
#include "cmd/langsbx/ps_table.h"
#include "cmd/langsbx/spec_template.h"
#include "oci/reader.h"
#include "oci/validate.h"
#include "runtime/confine/seccomp_names.h"

namespace langsbx::cmd {
namespace {

using nlohmann::json;
using ::testing::IsEmpty;

TEST(SpecTemplate, IsAValidConfig) {
  for (const bool rootless : {false, true}) {
    const SpecTemplate what{
        .cgroup_namespace = true, .rootless = rootless, .uid = 1000, .gid = 100};
    auto spec = oci::read_spec(spec_template_json(what), "config.json");
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    auto valid = oci::validate(spec.value());
    EXPECT_TRUE(valid.ok()) << valid.error().message;
    EXPECT_TRUE(spec->process->no_new_privileges);
    EXPECT_THAT(spec->process->capabilities->inheritable, IsEmpty());
    EXPECT_EQ(spec->linux_->uid_mappings.size(), rootless ? 1U : 0U);
    if (rootless) {
      EXPECT_EQ(spec->linux_->gid_mappings.at(0).host_id, 100U);
    }
  }
}

TEST(Features, EveryWordIsKnownToItsPart) {
  for (const auto name : seccomp_actions()) EXPECT_NE(confine::find_action(name), nullptr) << name;
  for (const auto name : seccomp_operators())
    EXPECT_TRUE(confine::find_operator(name).has_value()) << name;
  for (const auto name : seccomp_architectures())
    EXPECT_TRUE(confine::find_architecture(name).has_value()) << name;
  for (const auto name : seccomp_flags()) EXPECT_TRUE(confine::find_flag(name).has_value()) << name;
}

// Everything in the document is in the schema, and all that it demands is in the document.
void check(const json& value, const json& schema, const json& root, const std::string& path) {
  if (schema.contains("$ref")) {
    const json::json_pointer pointer(schema["$ref"].get<std::string>().substr(1));
    return check(value, root.at(pointer), root, path);
  }
  if (!schema.contains("properties")) return;
  for (const auto& [name, member] : value.items()) {
    ASSERT_TRUE(schema["properties"].contains(name)) << path << name;
    check(member, schema["properties"][name], root, path + name + ".");
  }
  for (const auto& name : schema.value("required", json::array()))
    EXPECT_TRUE(value.contains(name.get<std::string>())) << path << name;
}

TEST(Features, FollowTheSchema) {
  std::ifstream file(LANGSBX_SOURCE_DIR "/oci/schema/features.schema.json");
  const json schema = json::parse(file, nullptr, false);
  const json document = json::parse(features_json({.mount_options = {"rro"},
                                                   .capabilities = {"CAP_CHOWN"},
                                                   .libseccomp_version = "2.5.4",
                                                   .landlock_abi = 4}));
  check(document, schema, schema, "");
  EXPECT_EQ(document["linux"].size(), schema["properties"]["linux"]["properties"].size());
  EXPECT_EQ(document["annotations"]["org.langsbx.landlock.abi"], "4");
}

TEST(Columns, AsTabwriterDoes) {
  EXPECT_EQ(in_columns({{"ID", "PID", "OWNER"}, {"a-long-container-id", "1", "root"}}),
            "ID                    PID         OWNER\n"
            "a-long-container-id   1           root\n");
}

TEST(PsTable, PicksByThePidColumn) {
  const std::string output =
      "UID   PID  PPID CMD\nroot    1     0 init 42\nroot   42     1 sh\nann   142    42 42\n";
  EXPECT_EQ(filter_ps(output, {42, 7}).value(), "UID   PID  PPID CMD\nroot   42     1 sh\n");
  EXPECT_FALSE(filter_ps("UID CMD\nroot sh\n", {1}).ok());
  EXPECT_FALSE(filter_ps("", {1}).ok());
}

}  // namespace
}  // namespace langsbx::cmd
