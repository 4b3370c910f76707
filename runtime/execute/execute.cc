// From a request to its record.
#include "runtime/execute/execute.h"

#include <algorithm>
#include <chrono>

#include "languages/elf/judge.h"
#include "runtime/execute/artifacts.h"
#include "runtime/execute/case.h"
#include "runtime/execute/compile.h"
#include "runtime/execute/events.h"
#include "runtime/execute/light_base.h"
#include "runtime/execute/light_folder.h"
#include "runtime/execute/limits.h"
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
Result<std::shared_ptr<const Prepared>> take_prepared(WorkDirectory work, std::uint64_t disk) {
  auto listed = list_all(work.directory.get(), bounds_of_disk(disk));
  if (listed.left_out.count > 0) {
    const auto& first = listed.left_out.files.front();
    return make_error(ErrorKind::kInvalidInput, "--setup: " + first.name + ": " + first.reason);
  }
  return std::make_shared<const Prepared>(Prepared{std::move(work), std::move(listed.files)});
}

Result<Step> prepare(const Request& request, const Case& made, const Isolation& isolation,
                     std::shared_ptr<const Prepared>& prepared, Record& record) {
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
  program.inputs = request.inputs;
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
  prepared = TRY(take_prepared(std::move(run.work), record.limits.disk));
  judge_outcome(run.outcome, limits, record);
  add_run(std::move(run), record);
  if (record.status != Status::kCompleted) record.warnings.emplace_back("--setup did not succeed");
  return Step{record.status != Status::kCompleted, {}};
}

// Leaves the program's bytes in `compiled`, or the record says why there are none.
Result<Step> compile_source(const Request& request, const Case& made, const Isolation& isolation,
                            const std::string& name, std::optional<Compiled>& compiled,
                            Record& record) {
  const auto begin = Clock::now();
  auto program = base_program(request, made, isolation);
  TRY(place(program, compile_limits().disk, "-compile"));
  program.source = {program.places.source + "/" + name, request.source};
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

void list_results(const Request& request, WorkDirectory work, Record& record) {
  const auto bounds = bounds_of_disk(record.limits.disk);
  auto artifacts = list_matching(work.directory.get(), request.artifacts, bounds);
  record.artifacts = std::move(artifacts.files);
  record.left_out.add(std::move(artifacts.left_out));
  if (request.keep) {
    auto kept = list_all(work.directory.get(), bounds);
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
                         const std::string& name, std::string bytes,
                         std::shared_ptr<const Prepared> prepared, Clearance& clearance,
                         Record& record) {
  auto program = base_program(request, made, isolation);
  TRY(place(program, record.limits.disk));
  program.limits = record.limits;
  program.wants_exact_cpus = request.limits[limit_index("cpus")].has_value();
  const bool compiled = made.tool.toolchain->compiled;
  const bool native = made.tool.toolchain->is_native();
  const std::string inside = native ? "program" : compiled ? "main.cjs" : name;
  const std::string path = program.places.source + "/" + inside;
  RunCommand command{made.tool.toolchain, path, program.places, record.limits, made.tool.version,
                     made.tool.program};
  command.without_site = made.language->launch->has_site && !needs_site(bytes) &&
                         site_is_ordinary(request.rootfs, made.tool.program);
  program.args = run_command(command, request.args);
  program.env = run_environment(command);
  program.env.insert(program.env.end(), request.env.begin(), request.env.end());
  program.source = {path, std::move(bytes), static_cast<mode_t>(native ? 0555 : 0444), 0, false};
  if (const auto& startup = made.tool.toolchain->startup; !startup.name.empty()) {
    program.startup = {program.places.source + "/" + std::string(startup.name),
                       std::string(startup.content), 0444, 0, false};
  }
  // What --setup was given is among what it left.
  if (!prepared) program.inputs = request.inputs;
  program.prepared = std::move(prepared);
  program.seccomp = seccomp_name(made);
  program.network = made.network;
  program.landlock = TRY(program_landlock(made.profile, program));
  const auto begin = Clock::now();
  auto options = options_of(request);
  options.cleared = [&] { return clearance.start(); };
  auto run = TRY(run_sandboxed(std::move(program), options));
  if (run.rejected || run.refused) return Step{true, std::move(run.refused)};
  record.phases.run_ms = since<std::chrono::milliseconds>(begin) - run.setup_us / 1000;
  judge_outcome(run.outcome, record.limits, record);
  list_results(request, std::move(run.work), record);
  add_run(std::move(run), record);
  return Step{true, {}};
}

void judge_only(Clearance& clearance, Record& record) {
  record.isolation = {Tier::kContainer, "nothing was run"};
  const bool passes = clearance.given();
  record.status = passes ? Status::kCompleted : Status::kRejected;
  record.exit_code = passes ? 0 : kExitRefused;
}

void refuse(Record& record) {
  record.isolation = {Tier::kContainer, "nothing was run"};
  record.status = Status::kRejected;
  record.exit_code = kExitRefused;
}

// All phases in one tier.
Result<Step> run_phases(const Request& request, const Case& made, const Isolation& isolation,
                        Clearance& clearance, Record& record) {
  std::shared_ptr<const Prepared> prepared;
  const bool has_more = !request.setup.empty() || made.tool.toolchain->compiled;
  if (has_more && !clearance.given()) return Step{true, {}};
  if (!request.setup.empty()) {
    auto step = TRY(prepare(request, made, isolation, prepared, record));
    if (step.ended) return step;
  }
  const std::string name = inside_name(*made.tool.toolchain, request.file);
  if (!made.tool.toolchain->compiled) {
    return run_program(request, made, isolation, name, request.source, std::move(prepared),
                       clearance, record);
  }
  std::optional<Compiled> compiled;
  auto step = TRY(compile_source(request, made, isolation, name, compiled, record));
  if (step.ended) return step;
  if (!judge_object(made, compiled->object, record)) return Step{true, {}};
  return run_program(request, made, isolation, name, std::move(compiled->program),
                     std::move(prepared), clearance, record);
}

Result<void> run_in_tier(const Request& request, Case& made, Clearance& clearance, Record& record) {
  made.tool = TRY(find_tool(made.language->name, request.rootfs, request.state_root));
  const auto named = TRY(parse_tier(request.isolation));
  record.isolation = first_choice(named);
  auto step = TRY(run_phases(request, made, record.isolation, clearance, record));
  if (!step.refused || !clearance.given()) return {};
  if (named || !request.rootfs.empty() || made.network == Network::kProxy) {
    return std::move(*step.refused).with_context("--isolation container");
  }
  record.isolation = after_refusal(*step.refused);
  record.warnings.push_back("isolation light, " + record.isolation.reason);
  TRY(run_phases(request, made, record.isolation, clearance, record));
  return {};
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
  record.limits = merge_limits(TRY(preset_limits(request.preset)), made.profile.limits,
                               *made.toolchain, request.limits);
  lower_to(request.ceilings, record.limits);
  if (!enforces(made, "landlock", true)) {
    record.warnings.emplace_back("stages.landlock: observe: what is run here keeps its layer");
  }
  if (request.events != nullptr) request.events->lifecycle("created");
  Clearance clearance(request, made, record);
  if (request.only_judge) {
    judge_only(clearance, record);
    finish(record, begin);
    return record;
  }
  const auto ran = run_in_tier(request, made, clearance, record);
  // Whatever is missing or failed, a program that may not run is refused first.
  if (clearance.given()) {
    TRY(ran);
  } else {
    refuse(record);
  }
  finish(record, begin);
  tell_violations(record, request.events);
  return record;
}

}  // namespace langsbx::execute
