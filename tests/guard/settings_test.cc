// Who may say what about the guard.
#include "runtime/guard/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace langsbx::guard {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

Request asks(Origin origin, std::optional<Mode> mode, std::optional<std::string> profile) {
  return {origin, mode, std::move(profile), {}};
}

Administrator administrator(const char* yaml) {
  auto read = read_administrator(yaml, "config.yaml");
  EXPECT_TRUE(read.ok()) << read.error().to_string();
  return read.ok() ? read.release_value() : Administrator();
}

Result<Settings> settled(const Administrator& chief, const std::vector<Request>& requests) {
  std::vector<std::string> warnings;
  return settle(chief, requests, warnings);
}

TEST(Settings, NobodyAsks) {
  const auto settings = settled({}, {});
  ASSERT_TRUE(settings.ok());
  EXPECT_FALSE(settings->asked);
  EXPECT_FALSE(settings->mode.has_value());
}

TEST(Settings, AnAnnotationAsks) {
  const auto request = request_of(std::map<std::string, std::string>{
      {"io.langsbx.guard", "enforce"}, {"io.langsbx.profile", "strict"}});
  ASSERT_TRUE(request.ok());
  const auto settings = settled({}, {*request});
  ASSERT_TRUE(settings.ok());
  EXPECT_TRUE(settings->asked);
  EXPECT_EQ(settings->mode, Mode::kEnforce);
  EXPECT_EQ(settings->profile, "strict");
}

Request asks_exec(Origin origin, ExecPolicy policy) {
  Request request{origin, {}, {}, {}};
  request.exec = policy;
  return request;
}

TEST(Settings, TheLogOfVerdictsIsTheAdministrators) {
  const auto chief = administrator(
      "verdicts: {to: journald, max_bytes: 1000, keep: 0, required: true, socket: /run/j}");
  EXPECT_EQ(chief.verdicts.to, VerdictTarget::kJournal);
  EXPECT_EQ(chief.verdicts.most_bytes, 1000U);
  EXPECT_EQ(chief.verdicts.keep, 0U);
  EXPECT_TRUE(chief.verdicts.required);
  EXPECT_EQ(chief.verdicts.socket, "/run/j");
  EXPECT_TRUE(chief.request.empty());
  for (const char* const wrong :
       {"verdicts: {to: printer}", "verdicts: {keep: 1000}", "verdicts: {keep: -1}",
        "verdicts: {max_bytes: 1k}", "verdicts: {required: maybe}", "verdicts: {where: here}",
        "verdicts: {socket: run/j}"}) {
    EXPECT_FALSE(read_administrator(wrong, "config.yaml").ok()) << wrong;
  }
}

TEST(Settings, ExecPolicyAsksForNoGuard) {
  const auto settings = settled({}, {asks_exec(Origin::kAnnotation, ExecPolicy::kEnforce)});
  ASSERT_TRUE(settings.ok());
  EXPECT_FALSE(settings->asked);
  EXPECT_EQ(settings->exec, ExecPolicy::kEnforce);
}

TEST(Settings, TheAdministratorBoundsExecPolicy) {
  const auto chief = administrator("guard: {exec: confine}");
  EXPECT_FALSE(settled(chief, {asks_exec(Origin::kAnnotation, ExecPolicy::kOff)}).ok());
  EXPECT_TRUE(settled(chief, {asks_exec(Origin::kAnnotation, ExecPolicy::kEnforce)}).ok());
  const auto loose = administrator("guard: {exec: confine, loosen: [annotation]}");
  EXPECT_TRUE(settled(loose, {asks_exec(Origin::kAnnotation, ExecPolicy::kOff)}).ok());
  EXPECT_FALSE(read_administrator("guard: {exec: maybe}", "config.yaml").ok());
}

TEST(Settings, TheRecordKeepsExecPolicyAndLanguage) {
  Settings settings;
  settings.asked = true;
  settings.exec = ExecPolicy::kEnforce;
  settings.judged_as = "python";
  const auto request = request_of(record_of(settings));
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->exec, ExecPolicy::kEnforce);
  EXPECT_EQ(request->judged_as, "python");
  EXPECT_FALSE(settled({}, {*request, asks_exec(Origin::kAnnotation, ExecPolicy::kOff)}).ok());
}

TEST(Settings, AnUnknownModeIsRefused) {
  const auto request =
      request_of(std::map<std::string, std::string>{{"io.langsbx.guard", "enforced"}});
  ASSERT_FALSE(request.ok());
  EXPECT_THAT(request.error().message, HasSubstr("io.langsbx.guard"));
}

TEST(Settings, TheAdministratorCannotBeLoosened) {
  const auto chief = administrator("guard: {mode: enforce, profile: default}");
  EXPECT_FALSE(settled(chief, {asks(Origin::kAnnotation, Mode::kOff, {})}).ok());
  EXPECT_FALSE(settled(chief, {asks(Origin::kFlag, Mode::kObserve, {})}).ok());
  EXPECT_FALSE(settled(chief, {asks(Origin::kAnnotation, {}, "loose")}).ok());
  EXPECT_TRUE(settled(chief, {asks(Origin::kAnnotation, Mode::kEnforce, "default")}).ok());
}

TEST(Settings, TheAdministratorMayLetThem) {
  const auto chief =
      administrator("guard: {mode: enforce, profile: default, loosen: [annotation]}");
  const auto settings = settled(chief, {asks(Origin::kAnnotation, Mode::kOff, "loose")});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->mode, Mode::kOff);
  EXPECT_EQ(settings->profile, "loose");
  EXPECT_FALSE(settled(chief, {asks(Origin::kFlag, Mode::kOff, {})}).ok());
}

TEST(Settings, AnImageCannotLoosenAFlag) {
  std::vector<std::string> warnings;
  const auto settings = settle(
      {}, {asks(Origin::kFlag, {}, "strict"), asks(Origin::kEnvironment, {}, "loose")}, warnings);
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->profile, "strict");
  EXPECT_THAT(warnings, SizeIs(1));
}

TEST(Settings, AFlagAloneMeansEnforce) {
  // Its mode comes from the profile; an annotation may not turn that into observing.
  EXPECT_FALSE(settled({}, {asks(Origin::kFlag, {}, "strict"),
                            asks(Origin::kAnnotation, Mode::kObserve, {})})
                   .ok());
}

TEST(Settings, TighterIsWelcome) {
  const auto chief = administrator("guard: {mode: observe}");
  const auto settings = settled(chief, {asks(Origin::kAnnotation, Mode::kEnforce, {})});
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->mode, Mode::kEnforce);
}

TEST(Settings, TheEnvironmentNamesAProfile) {
  const auto request = request_of(
      std::vector<std::string>{"A=b", "LANGSBX_PROFILE=minimal", "LANGSBX_PROFILE=strict"});
  EXPECT_EQ(request.profile, "strict");
  EXPECT_TRUE(request_of(std::vector<std::string>{"LANGSBX_PROFILE="}).empty());
}

TEST(Settings, WrongConfigurationNamesThePlace) {
  for (const char* yaml :
       {"guard: {mode: on}", "guard: {modus: off}", "guard: []", "guard: {loosen: [all]}",
        "guards: {}", "landlock: {mode: on}", "landlock: required", "landlock: {guard: off}",
        "landlock: {mode: []}", "landlock: {loosen: [all]}"}) {
    const auto read = read_administrator(yaml, "config.yaml");
    ASSERT_FALSE(read.ok()) << yaml;
    EXPECT_THAT(read.error().message, HasSubstr("config.yaml:1:")) << yaml;
  }
}

std::string landlock(const Administrator& chief, const std::string& flag,
                     const std::string& annotation) {
  std::map<std::string, std::string> annotations;
  if (!annotation.empty()) annotations["io.langsbx.landlock"] = annotation;
  const auto mode = settle_landlock(chief, flag, annotations);
  return mode.ok() ? std::string(to_string(*mode)) : mode.error().message;
}

TEST(Landlock, TheStrongerOneSaysAndAWeakerOneMayOnlyRequire) {
  const Administrator nobody;
  EXPECT_EQ(landlock(nobody, "", ""), "auto");
  EXPECT_EQ(landlock(nobody, "", "off"), "off");
  EXPECT_EQ(landlock(nobody, "off", ""), "off");
  EXPECT_EQ(landlock(nobody, "off", "off"), "off");
  EXPECT_EQ(landlock(nobody, "off", "broad"), "required");
  EXPECT_EQ(landlock(nobody, "auto", "required"), "required");
  for (const char* annotation : {"off", "auto", "best-effort"}) {
    EXPECT_THAT(landlock(nobody, "required", annotation),
                HasSubstr("annotation io.langsbx.landlock"));
  }
  EXPECT_THAT(landlock(nobody, "auto", "off"), HasSubstr("would loosen \"auto\""));
  EXPECT_THAT(landlock(nobody, "", "on"), HasSubstr("none of required, auto, best-effort, off"));
  const auto chief = administrator("landlock: {mode: required}");
  EXPECT_EQ(landlock(chief, "", ""), "required");
  EXPECT_EQ(landlock(chief, "required", "required"), "required");
  EXPECT_THAT(landlock(chief, "off", ""), HasSubstr("--landlock: \"off\" would loosen"));
  EXPECT_THAT(landlock(chief, "", "auto"), HasSubstr("annotation io.langsbx.landlock"));
}

TEST(Landlock, TheAdministratorMayLetThemLoosen) {
  const auto chief = administrator("landlock: {mode: required, loosen: [flag]}");
  EXPECT_EQ(landlock(chief, "auto", ""), "auto");
  EXPECT_THAT(landlock(chief, "auto", "off"), HasSubstr("annotation io.langsbx.landlock"));
  // The guard's list is the guard's.
  EXPECT_THAT(
      landlock(administrator("guard: {loosen: [flag]}\nlandlock: {mode: required}"), "off", ""),
      HasSubstr("--landlock"));
}

Result<Request> read(std::string_view json) {
  return request_of(TRY(guard_record_from_json(json)));
}

TEST(Settings, TheRecordGivesBackWhatWasSettled) {
  const auto settings = settled({}, {asks(Origin::kFlag, Mode::kEnforce, "strict")});
  ASSERT_TRUE(settings.ok());
  const auto again = read(to_json(record_of(*settings)));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->mode, Mode::kEnforce);
  EXPECT_EQ(again->profile, "strict");
  const auto nobody = read(to_json(record_of(*settled({}, {}))));
  EXPECT_TRUE(nobody.ok() && nobody->empty());
  EXPECT_TRUE(read("").ok());
}

TEST(Settings, ARecordThatIsNotOursIsRefused) {
  for (const char* text : {"[1]", "not json", R"({"asked":1})", R"({"asked":true,"profile":[]})",
                           R"({"asked":true,"mode":"loose"})", R"({"asked":true,"exec":"all"})"}) {
    const auto request = read(text);
    ASSERT_FALSE(request.ok()) << text;
    EXPECT_THAT(request.error().message, HasSubstr("state.json: guard"));
  }
}

TEST(Settings, TheRecordKeepsTimeLimitsAndWhoseTheyAre) {
  GuardRecord record;
  EXPECT_FALSE(guard_record_from_json(to_json(record))->wall_time);
  record.wall_time = 2000;
  record.facts = {{"container", "c1"}, {"image", "a \"quoted\" one"}};
  const auto again = guard_record_from_json(to_json(record));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->wall_time, 2000U);
  EXPECT_FALSE(again->cpu_time);
  EXPECT_EQ(again->facts, record.facts);
}

}  // namespace
}  // namespace langsbx::guard
