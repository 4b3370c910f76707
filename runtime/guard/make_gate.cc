// In the parent: settings, language, profile; the plan tightened; the gate made.
#include "runtime/guard/make_gate.h"

#include <fcntl.h>

#include <algorithm>

#include "languages/registry.h"
#include "runtime/guard/invocation.h"
#include "runtime/guard/limits.h"
#include "runtime/guard/parent_verdicts.h"
#include "runtime/guard/pause.h"
#include "runtime/guard/source_gate.h"
#include "runtime/guard/tighten.h"
#include "runtime/kernel/file.h"

namespace langsbx::guard {
namespace {

Result<Settings> settings_of(const GateInputs& inputs, const Administrator& administrator) {
  std::vector<std::string> unheard;
  auto& warnings = inputs.warnings != nullptr ? *inputs.warnings : unheard;
  if (!inputs.recorded.empty()) {
    const auto recorded = TRY(request_of(TRY(guard_record_from_json(inputs.recorded))));
    // What `create` settled holds for all programs of the container.
    if (!recorded.empty()) return settle({}, {recorded}, warnings);
  }
  std::vector<Request> requests;
  if (!inputs.profile_flag.empty()) {
    requests.push_back({Origin::kFlag, {}, inputs.profile_flag, {}});
  }
  requests.push_back(TRY(request_of(inputs.spec->annotations)));
  requests.push_back(request_of(inputs.program->env));
  return settle(administrator, requests, warnings);
}

// Annotations about the program's Landlock layer add to the profile's lists, "off" takes the
// container's layer away, and "best-effort" what the kernel lacks. Where somebody stronger than an
// annotation has asked for the profile, that would loosen it.
bool loosens_landlock(const std::string& name, const std::string& value) {
  using confine::LandlockMode;
  if (name == "io.langsbx.landlock") {
    // "auto" takes nothing from an enforced profile.
    const auto mode = confine::landlock_mode_from(value);
    return mode != LandlockMode::kRequired && mode != LandlockMode::kAuto;
  }
  return name.starts_with("io.langsbx.landlock.");
}

// Whether by naming a profile, or by asking to enforce whichever it is.
bool asked_by_stronger(const Settings& settings) {
  const auto stronger = [](std::optional<Origin> origin) {
    return origin == Origin::kAdministrator || origin == Origin::kFlag;
  };
  return stronger(settings.profile_from) || stronger(settings.enforced_from);
}

Result<void> check_landlock_annotations(const GateInputs& inputs, const Settings& settings,
                                        const Administrator& administrator) {
  const bool stronger = asked_by_stronger(settings);
  const auto& loosen = administrator.may_loosen;
  if (!stronger || std::find(loosen.begin(), loosen.end(), Origin::kAnnotation) != loosen.end()) {
    return {};
  }
  for (const auto& [name, value] : inputs.spec->annotations) {
    if (loosens_landlock(name, value)) {
      return make_error(ErrorKind::kInvalidInput,
                        "annotation " + name + " would loosen the guard profile " +
                            settings.profile + "; the administrator may allow it under `loosen`");
    }
  }
  return {};
}

Result<const languages::Language*> language_of(const Settings& settings,
                                               const std::vector<std::string>& args) {
  if (settings.language == "auto") return language_by_name(args);
  const auto* const language = languages::find_language(settings.language);
  if (language == nullptr) {
    return make_error(ErrorKind::kInvalidInput,
                      "guard: language \"" + settings.language + "\" is not known");
  }
  return language;
}

// The profile's own word binds an annotation as the profile itself does.
Result<ExecPolicy> exec_policy_of(const Settings& settings, const languages::Profile& profile,
                                  const Administrator& administrator) {
  const auto by_profile = profile.exec ? exec_policy_from(*profile.exec) : std::nullopt;
  if (!settings.exec) return by_profile.value_or(ExecPolicy::kConfine);
  const auto& loosen = administrator.may_loosen;
  const bool may = std::find(loosen.begin(), loosen.end(), Origin::kAnnotation) != loosen.end();
  const bool given = administrator.request.exec == settings.exec;
  if (by_profile && *settings.exec < *by_profile && asked_by_stronger(settings) && !may && !given) {
    return make_error(ErrorKind::kInvalidInput,
                      "annotation io.langsbx.exec would loosen the guard profile " +
                          settings.profile + "; the administrator may allow it under `loosen`");
  }
  return *settings.exec;
}

Mode mode_of(const Settings& settings, const languages::Profile& profile) {
  if (settings.mode) return *settings.mode;
  if (!settings.asked) return Mode::kObserve;
  const auto stage = profile.stages.find("guard");
  const bool observe =
      stage != profile.stages.end() && stage->second == languages::StageMode::kObserve;
  return observe ? Mode::kObserve : Mode::kEnforce;
}

GuardPlan nothing(std::string reason) { return Nothing{std::move(reason)}; }

// Apart from make_gate, whose pages every launch touches.
[[gnu::noinline]] Result<GuardPlan> gate_for(const languages::Language& language,
                                             const GateInputs& inputs, Settings settings,
                                             const Administrator& administrator) {
  auto loaded =
      languages::load_profile(language, settings.profile, find_in(inputs.profile_directories));
  if (!loaded.ok() && !settings.asked) {
    if (inputs.warnings != nullptr) inputs.warnings->push_back(loaded.error().to_string());
    return nothing("its profile cannot be loaded, and nobody asked for the guard");
  }
  const auto profile = TRY_CONTEXT(std::move(loaded), "guard");
  GateDecision decision;
  decision.mode = mode_of(settings, profile);
  decision.verdicts = administrator.verdicts;
  decision.asked = settings.asked;
  decision.warnings = inputs.warnings;
  decision.language = &language;
  decision.policy = languages::make_policy(profile);
  if (decision.mode == Mode::kEnforce) {
    settings.exec = TRY(exec_policy_of(settings, profile, administrator));
    if (!inputs.joins) settings.judged_as = language.name;
    if (inputs.joins) decision.exec = settings.exec;
  }
  auto record = record_of(settings);
  if (decision.mode == Mode::kEnforce) {
    TRY(check_landlock_annotations(inputs, settings, administrator));
    TRY(tighten(profile, *inputs.spec, inputs.state_root, *inputs.program));
    limit_program(profile.limits, *inputs.program);
    if (inputs.resources != nullptr) limit_resources(profile.limits, *inputs.resources);
    decision.limits = profile.limits;
    record.wall_time = profile.limits.wall_time;
    record.cpu_time = profile.limits.cpu_time;
    const bool timed = record.wall_time || record.cpu_time;
    if (timed) record.facts = {inputs.facts.begin(), inputs.facts.end()};
    decision.unenforced = inputs.program->landlock.unenforced;
  }
  decision.settings = to_json(record);
  return GuardPlan(Judge(make_source_gate(std::move(decision))));
}

Result<GuardPlan> gate_of(const GateInputs& inputs, const Administrator& administrator) {
  const auto settings = TRY(settings_of(inputs, administrator));
  if (settings.mode == Mode::kOff) return nothing("the guard is off");
  const bool enforces = settings.asked && settings.mode != Mode::kObserve;
  if (enforces && claims_to_be_sandbox(*inputs.spec, *inputs.program) &&
      language_by_name(inputs.program->args) == nullptr) {
    TRY(confine_as_pause(*inputs.spec, inputs.state_root, *inputs.program));
    return nothing("a pod's sandbox, confined to its pause program");
  }
  const auto* language = TRY(language_of(settings, inputs.program->args));
  // A program that is none: its fate and its limits are the container's program's profile's.
  if (language == nullptr && inputs.joins) language = languages::find_language(settings.judged_as);
  if (language == nullptr) {
    if (!settings.asked || settings.mode == Mode::kObserve) {
      return nothing("the command is no interpreter by its name");
    }
    return make_error(ErrorKind::kRefused,
                      "the language guard refuses the program: \"" +
                          (inputs.program->args.empty() ? "" : inputs.program->args[0]) +
                          "\" does not tell its language; name it with the annotation "
                          "io.langsbx.language");
  }
  return gate_for(*language, inputs, settings, administrator);
}

// Nobody else will: there is no child yet.
void log_refusal(const GateInputs& inputs, const Administrator& administrator,
                 const Error& problem) {
  if (inputs.facts.empty()) return;  // nobody's
  const auto& args = inputs.program->args;
  ParentVerdict verdict{"unjudged", "", inputs.profile_flag, args.empty() ? "" : args[0],
                        problem.to_string()};
  const auto logged = log_from_parent(administrator.verdicts, inputs.user, inputs.facts, verdict);
  if (!logged.ok() && inputs.warnings != nullptr) {
    inputs.warnings->push_back(logged.error().to_string());
  }
}

}  // namespace

Result<GuardPlan> make_gate(const GateInputs& inputs) {
  const auto administrator = inputs.administrator != nullptr
                                 ? *inputs.administrator
                                 : TRY(administrator_of(inputs.config_file));
  auto gate = gate_of(inputs, administrator);
  if (!gate.ok()) log_refusal(inputs, administrator, gate.error());
  return gate;
}

Result<std::vector<UniqueFd>> open_records(int state_directory, const std::string& recorded,
                                           bool user, const std::string& config_file) {
  const auto settings = TRY(administrator_of(config_file)).verdicts;
  std::vector<UniqueFd> records;
  records.push_back(
      TRY(open_at(state_directory, kVerdictFile, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK)));
  auto log = VerdictLog::open(settings, verdict_folder(user));
  if (!log.ok() && settings.required &&
      TRY(request_of(TRY(guard_record_from_json(recorded)))).mode !=
          std::optional(Mode::kObserve)) {
    return log.release_error().with_context("guard: required by " + config_file);
  }
  if (!log.ok()) return records;
  if (auto fd = log->take(); fd.valid()) records.push_back(std::move(fd));
  return records;
}

}  // namespace langsbx::guard
