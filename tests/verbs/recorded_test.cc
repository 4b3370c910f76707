// What exec puts in force: what create recorded, and never less.
#include "runtime/verbs/recorded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtime/confine/report.h"

namespace langsbx::runtime {
namespace {

using confine::LandlockLayer;

namespace fs = confine::fs;

LandlockLayer layer(const char* name, const char* path) {
  LandlockLayer made;
  made.name = name;
  made.origin = "test";
  made.handled_fs = fs::kReadFile | fs::kWriteFile;
  made.paths = {{path, fs::kReadFile | fs::kWriteFile, false}};
  return made;
}

state::Record record_of(std::vector<LandlockLayer> layers) {
  confine::ConfinementReport report;
  report.landlock.abi = 7;
  report.landlock.layers = std::move(layers);
  report.no_new_privileges = true;
  state::Record record;
  record.confinement = confine::report_json(report);
  return record;
}

oci::Process only_write(const char* path) {
  oci::Process process;
  process.landlock.emplace();
  process.landlock->handled_access_fs = {"write_file"};
  process.landlock->path_beneath = {{{"write_file"}, {path}}};
  return process;
}

TEST(Recorded, IsInForceWhateverTheNewPlanSays) {
  plan::ProgramPlan program;
  program.landlock.layers = {layer("container", "/elsewhere")};
  const auto record = record_of({layer("container", "/"), layer("program", "/tmp")});
  ASSERT_TRUE(apply_recorded(record, {}, program).ok());
  ASSERT_EQ(program.landlock.layers.size(), 2U);
  EXPECT_EQ(program.landlock.layers[0], layer("container", "/"));
  EXPECT_EQ(program.landlock.layers[1], layer("program", "/tmp"));
  EXPECT_TRUE(program.no_new_privileges);
}

TEST(Recorded, ExecMayAskForMoreInTheSameTwoLayers) {
  plan::ProgramPlan program;
  const auto record = record_of({layer("container", "/"), layer("program", "/tmp")});
  ASSERT_TRUE(apply_recorded(record, only_write("/tmp/own"), program).ok());
  ASSERT_EQ(program.landlock.layers.size(), 2U);
  const LandlockLayer& tight = program.landlock.layers[1];
  ASSERT_EQ(tight.paths.size(), 2U);
  EXPECT_EQ(tight.paths[0].path, "/tmp");
  EXPECT_EQ(tight.paths[0].access, fs::kReadFile);
  EXPECT_EQ(tight.paths[1].path, "/tmp/own");
  EXPECT_EQ(tight.paths[1].access, fs::kReadFile | fs::kWriteFile);
}

TEST(Recorded, WithoutAProgramsLayerExecBringsIt) {
  plan::ProgramPlan program;
  ASSERT_TRUE(
      apply_recorded(record_of({layer("container", "/")}), only_write("/tmp"), program).ok());
  ASSERT_EQ(program.landlock.layers.size(), 2U);
}

}  // namespace
}  // namespace langsbx::runtime
