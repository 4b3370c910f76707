// From a request to its record.
#include "runtime/execute/execute.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "languages/elf/judge.h"
#include "runtime/execute/artifacts.h"
#include "runtime/execute/case.h"
#include "runtime/execute/compile.h"
#include "runtime/execute/events.h"
#include "runtime/execute/judged_program.h"
#include "runtime/execute/light_base.h"
#include "runtime/execute/light_folder.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/placing.h"
#include "runtime/execute/python_site.h"
#include "runtime/execute/sandbox.h"
#include "runtime/execute/tiers.h"
#include "runtime/execute/tool_search.h"
#include "runtime/execute/toolchain.h"
#include "runtime/execute/verdict.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;

template <typename Unit>
std::uint64_t since(Clock::time_point begin) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Unit>(Clock::now() - begin).count());
}

void finish(Record& record, Clock::time_point begin) {
  ::clock_gettime(CLOCK_REALTIME, &record.end);
  record.duration_ms = since<std::chrono::milliseconds>(begin);
}

// What each program of the request has in common.
Program base_program(const Request& request, const Case& made, const Isolation& isolation) {
  Program program;
  program.id = request.id;
  program.tier = isolation.tier;
  program.toolchain = made.tool.toolchain;
  program.tool = made.tool.program;
  program.rootfs = request.rootfs;
  program.allowed_hosts = &request.allowed_hosts;
  program.landlock_required = request.landlock_required;
  return program;
}

Result<void> place(Program& program, std::uint64_t disk, const std::string& suffix = {}) {
  const bool on_host = program.tier == Tier::kLight || program.tier == Tier::kOff;
  if (!on_host) return {};
  program.base = TRY(light_base(disk));
  program.places = light_places(program.base, program.id + suffix);
  return {};
}

PlacingInputs placing_of(const Request& request, const Case& made, const JudgedProgram& judged,
                         const Program& program) {
  PlacingInputs inputs;
  inputs.toolchain = made.tool.toolchain;
  inputs.program = &judged;
  inputs.entry = request.source;
  inputs.places = program.places;
  inputs.can_fix = program.base.empty() || may_change_user();
  return inputs;
}

SandboxOptions options_of(const Request& request) {
  SandboxOptions options;
  options.capture = request.capture;
  options.stdin_fd = request.stdin_fd;
  options.explain = request.explain;
  options.tty = request.tty;
  options.state_root = request.state_root;
  options.oci_runtime = request.oci_runtime;
  options.events = request.events;
  return options;
}

void add_run(SandboxRun run, Record& record) {
  record.out += run.outcome.out;
  record.err += run.outcome.err;
  record.usage = run.outcome.usage;
  record.enforced = std::move(run.enforced);
  record.warnings.insert(record.warnings.end(), run.warnings.begin(), run.warnings.end());
  if (run.explained) record.refused = std::move(run.explained);
  record.phases.setup_us += run.setup_us;
}

// What a phase gives: the recipe goes on, the record says how it ended, or the host refuses the
// tier.
struct Step {
  bool ended = false;
  std::optional<Error> refused;
};

// --setup: a shell with the network; its files are what the program finds in its work directory.
// All of them: a program that lacks some would run on something else than was asked for.
// What became of the program's own files does not matter: those that were judged are what runs.
Result<std::shared_ptr<const Prepared>> take_prepared(WorkDirectory work, std::uint64_t disk,
                                                      const JudgedProgram& judged) {
  auto listed = list_all(work.directory.get(), bounds_of_disk(disk),
                         [&](const std::string& file) { return is_of(judged, file); });
  if (listed.left_out.count > 0) {
    const auto& first = listed.left_out.files.front();
    return make_error(ErrorKind::kInvalidInput, "--setup: " + first.name + ": " + first.reason);
  }
  return std::make_shared<const Prepared>(Prepared{std::move(work), std::move(listed.files)});
}

Result<Step> prepare(const Request& request, const Case& made, const Isolation& isolation,
                     const JudgedProgram& judged, std::shared_ptr<const Prepared>& prepared,
                     Record& record) {
  const auto begin = Clock::now();
  auto program = base_program(request, made, isolation);
  program.id += "-setup";
  program.toolchain = TRY(find_toolchain("bash"));
  const auto shell = TRY(find_tool("bash", request.rootfs, request.state_root));
  program.limits = compile_limits();
  program.limits.disk = std::max(record.limits.disk, program.limits.disk);
  TRY(place(program, program.limits.disk));
  program.args = {shell.program, "--noprofile", "--norc", "-c", request.setup};
  program.env = request.env;
  auto wanted = placing_of(request, made, judged, program);
  wanted.inputs = request.inputs;
  program.files = TRY(place_for_setup(wanted));
  program.seccomp = "default";
  program.is_tool = true;
  // A program that may only ask the proxy is not prepared by one that may do more.
  program.network = made.network == Network::kProxy ? Network::kProxy : Network::kHost;
  program.landlock = tool_landlock(program.places, program.tier, program.network);
  const Limits limits = program.limits;
  auto options = options_of(request);
  options.stdin_fd = -1;
  options.explain = false;
  options.events = nullptr;
  options.tty = false;
  auto run = TRY_CONTEXT(run_sandboxed(std::move(program), options), "--setup");
  if (run.refused) return Step{true, std::move(run.refused)};
  record.phases.prepare_ms = since<std::chrono::milliseconds>(begin);
  prepared = TRY(take_prepared(std::move(run.work), record.limits.disk, judged));
  judge_outcome(run.outcome, limits, record);
  add_run(std::move(run), record);
  if (record.status != Status::kCompleted) record.warnings.emplace_back("--setup did not succeed");
  return Step{record.status != Status::kCompleted, {}};
}

// Leaves the program's bytes in `compiled`, or the record says why there are none.
Result<Step> compile_source(const Request& request, const Case& made, const Isolation& isolation,
                            const JudgedProgram& judged, std::optional<Compiled>& compiled,
                            Record& record) {
  const auto begin = Clock::now();
  auto program = base_program(request, made, isolation);
  TRY(place(program, compile_limits().disk, "-compile"));
  auto placed = place_for_compiler(placing_of(request, made, judged, program));
  program.source = std::move(placed.started);
  program.files = std::move(placed.files);
  auto compilation = TRY(compile(std::move(program), options_of(request), request.use_cache));
  record.phases.compile_ms = since<std::chrono::milliseconds>(begin);
  record.phases.compile_cached = !compilation.run;
  if (compilation.run && compilation.run->refused) {
    return Step{true, std::move(compilation.run->refused)};
  }
  if (compilation.made) {
    record.err += compilation.messages;
    compiled = std::move(compilation.made);
    return Step{};
  }
  auto& run = *compilation.run;
  judge_compiler(run.outcome, compile_limits(), record);
  run.outcome.out.clear();
  if (run.outcome.err.size() > record.limits.output) {
    run.outcome.err.resize(record.limits.output);
    record.truncated = true;
  }
  add_run(std::move(run), record);
  return Step{true, {}};
}

// The program's own files are none of its results.
void list_results(const Request& request, const JudgedProgram& judged, WorkDirectory work,
                  Record& record) {
  const auto bounds = bounds_of_disk(record.limits.disk);
  const Skip is_program = [&](const std::string& file) { return is_of(judged, file); };
  auto artifacts = list_matching(work.directory.get(), request.artifacts, bounds, is_program);
  record.artifacts = std::move(artifacts.files);
  record.left_out.add(std::move(artifacts.left_out));
  if (request.keep) {
    auto kept = list_all(work.directory.get(), bounds, is_program);
    record.kept = std::move(kept.files);
    record.left_out.add(std::move(kept.left_out));
  }
  record.work = std::move(work);
}

// False when what the compiler made may not run.
bool judge_object(const Case& made, const std::string& bytes, Record& record) {
  if (!enforces(made, "objects", false) || !made.language->judges_objects) return true;
  const languages::Source object{"object", bytes};
  languages::Findings findings(object, made.policy);
  languages::elf::judge_object(bytes, made.policy, findings);
  record.guard.violations = findings.take_violations();
  for (auto& finding : record.guard.violations) finding.file = "object";
  return record.guard.safe();
}

Result<Step> run_program(const Request& request, const Case& made, const Isolation& isolation,
                         const JudgedProgram& judged, std::string bytes, std::vector<Input> inputs,
                         std::shared_ptr<const Prepared> prepared, Record& record) {
  auto program = base_program(request, made, isolation);
  TRY(place(program, record.limits.disk));
  program.limits = record.limits;
  program.wants_exact_cpus = request.limits[limit_index("cpus")].has_value();
  auto wanted = placing_of(request, made, judged, program);
  wanted.entry = std::move(bytes);
  // What --setup was given is among what it left.
  if (!prepared) wanted.inputs = std::move(inputs);
  auto placed =
      TRY(made.tool.toolchain->is_native() ? place_native(wanted) : place_interpreted(wanted));
  RunCommand command{made.tool.toolchain, placed.started, placed.several ? judged.entry : "",
                     program.places,      record.limits,  made.tool.version,
                     made.tool.program};
  command.without_site = made.language->launch->has_site && !placed.several &&
                         !needs_site(request.source) &&
                         site_is_ordinary(request.rootfs, made.tool.program);
  program.args = run_command(command, request.args);
  program.env = run_environment(command);
  program.env.insert(program.env.end(), request.env.begin(), request.env.end());
  program.source = std::move(placed.started);
  program.files = std::move(placed.files);
  program.own_bytes = placed.own_bytes;
  program.own_files = placed.own_files;
  program.prepared = std::move(prepared);
  program.seccomp = seccomp_name(made);
  program.network = made.network;
  program.landlock = TRY(program_landlock(made.profile, program));
  const auto begin = Clock::now();
  auto options = options_of(request);
  options.cleared = [&] {
    if (request.events != nullptr) request.events->lifecycle("started");
    return true;
  };
  auto run = TRY(run_sandboxed(std::move(program), options));
  if (run.refused) return Step{true, std::move(run.refused)};
  record.phases.run_ms = since<std::chrono::milliseconds>(begin) - run.setup_us / 1000;
  judge_outcome(run.outcome, record.limits, record);
  list_results(request, judged, std::move(run.work), record);
  add_run(std::move(run), record);
  return Step{true, {}};
}

void refuse(Record& record) {
  record.isolation = {Tier::kContainer, "nothing was run"};
  record.status = Status::kRejected;
  record.exit_code = kExitRefused;
}

void judge_only(Record& record) {
  refuse(record);
  if (!record.guard.safe()) return;
  record.status = Status::kCompleted;
  record.exit_code = 0;
}

// All phases in one tier.
Result<Step> run_phases(const Request& request, const Case& made, const Isolation& isolation,
                        const JudgedProgram& judged, Record& record) {
  std::shared_ptr<const Prepared> prepared;
  if (!request.setup.empty()) {
    auto step = TRY(prepare(request, made, isolation, judged, prepared, record));
    if (step.ended) return step;
  }
  if (!made.tool.toolchain->compiled) {
    return run_program(request, made, isolation, judged, request.source, request.inputs,
                       std::move(prepared), record);
  }
  std::optional<Compiled> compiled;
  auto step = TRY(compile_source(request, made, isolation, judged, compiled, record));
  if (step.ended) return step;
  if (!judge_object(made, compiled->object, record)) return Step{true, {}};
  auto program = TRY(made_program(*made.tool.toolchain, judged, compiled->program));
  // Sources that were inputs have become that program.
  auto inputs = request.inputs;
  if (!made.tool.toolchain->is_native()) {
    std::erase_if(inputs, [&](const Input& input) { return is_of(judged, input.name); });
  }
  return run_program(request, made, isolation, program, std::move(compiled->program),
                     std::move(inputs), std::move(prepared), record);
}

Result<void> run_in_tier(const Request& request, Case& made, const JudgedProgram& judged,
                         Record& record) {
  made.tool = TRY(
      find_tool(made.language->name, request.rootfs, request.state_root, !judged.others.empty()));
  const auto named = TRY(parse_tier(request.isolation));
  record.isolation = first_choice(named);
  auto step = TRY(run_phases(request, made, record.isolation, judged, record));
  if (!step.refused) return {};
  if (named || !request.rootfs.empty() || made.network == Network::kProxy) {
    return std::move(*step.refused).with_context("--isolation container");
  }
  record.isolation = after_refusal(*step.refused);
  record.warnings.push_back("isolation light, " + record.isolation.reason);
  TRY(run_phases(request, made, record.isolation, judged, record));
  return {};
}

// The guard's word, and the files that it is about.
JudgedProgram judge(const Request& request, const Case& made, Record& record) {
  const auto begin = Clock::now();
  auto judged = judge_program(request, made);
  record.phases.guard_us = since<std::chrono::microseconds>(begin);
  record.guard = std::move(judged.report);
  record.texts = std::move(judged.texts);
  if (enforces(made, "guard", true)) return judged;
  // The profile only wants to know.
  auto& found = record.guard.violations;
  std::move(found.begin(), found.end(), std::back_inserter(record.guard.warnings));
  found.clear();
  return judged;
}

void tell_violations(const Record& record, Events* events) {
  if (events == nullptr) return;
  for (const auto& finding : record.guard.violations) {
    events->violation("guard", finding.rule, finding.reason);
  }
  for (const auto& violation : record.violations) {
    events->violation(event_source(violation.type), violation.type, violation.message);
  }
  for (const auto& denial : record.refused.value_or(std::vector<explain::Denial>())) {
    const auto source = denial.layer.substr(0, denial.layer.find(' '));
    events->violation(source, denial.syscall, explain::denial_text(denial));
  }
  events->ended(record);
}

}  // namespace

Result<Record> execute(const Request& request) {
  const auto begin = Clock::now();
  auto made = TRY(open_case(request));
  Record record;
  ::clock_gettime(CLOCK_REALTIME, &record.start);
  record.id = request.id;
  record.language = made.language->name;
  record.profile = made.profile.name;
  record.warnings = request.warnings;
  const bool chose_profile = request.preset.empty() && request.profile != "default";
  record.limits = merge_limits(
      TRY(preset_limits(request.preset.empty() ? "default" : request.preset)), made.profile.limits,
      *made.toolchain, request.limits, chose_profile ? Stronger::kProfile : Stronger::kStricter);
  lower_to(request.ceilings, record.limits);
  if (!enforces(made, "landlock", true)) {
    record.warnings.emplace_back("stages.landlock: observe: what is run here keeps its layer");
  }
  if (request.events != nullptr) request.events->lifecycle("created");
  const auto judged = judge(request, made, record);
  if (request.only_judge) {
    judge_only(record);
    finish(record, begin);
    return record;
  }
  if (record.guard.safe()) TRY(run_in_tier(request, made, judged, record));
  if (!record.guard.safe()) refuse(record);
  finish(record, begin);
  tell_violations(record, request.events);
  return record;
}

}  // namespace langsbx::execute
