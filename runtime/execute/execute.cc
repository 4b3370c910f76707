// From a request to its record.
#include "runtime/execute/execute.h"

#include <sys/wait.h>

#include <chrono>

#include "languages/closure.h"
#include "languages/elf/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "runtime/confine/seccomp.h"
#include "runtime/execute/limits.h"
#include "runtime/execute/sandbox.h"
#include "runtime/execute/toolchain.h"
#include "runtime/execute/verdict.h"

namespace langsbx::execute {
namespace {

using Clock = std::chrono::steady_clock;

template <typename Unit>
std::uint64_t since(Clock::time_point begin) {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<Unit>(Clock::now() - begin).count());
}

Result<const languages::Language*> language_of(const Request& request) {
  if (!request.language.empty()) {
    const auto* found = languages::find_language(request.language);
    if (found != nullptr) return found;
    return make_error(ErrorKind::kInvalidInput,
                      "--language: \"" + request.language + "\" is not known");
  }
  const auto* found = languages::language_of_file(request.file, request.source);
  if (found != nullptr) return found;
  return make_error(
      ErrorKind::kInvalidInput,
      request.file + ": neither its extension nor its \"#!\" says the language; use --language");
}

// Everything that is decided before the first process.
struct Case {
  const languages::Language* language = nullptr;
  const Toolchain* toolchain = nullptr;
  languages::Profile profile;
  languages::Policy policy;
};

Result<Case> open_case(const Request& request) {
  Case made;
  made.language = TRY(language_of(request));
  made.toolchain = TRY(find_toolchain(made.language->name));
  made.profile = TRY(languages::load_profile(*made.language, request.profile));
  made.policy = languages::make_policy(made.profile);
  // What the work directory is called inside is the work area too.
  for (auto* paths : {&made.policy.paths_read, &made.policy.paths_write}) {
    paths->emplace_back(kWorkFolder);
  }
  return made;
}

languages::Report judge(const Request& request, const Case& made) {
  const auto reader = [&](const std::string& path) -> std::optional<std::string> {
    const auto name = path.substr(path.rfind('/') + 1);
    for (const auto& input : request.inputs) {
      if (input.name == name) return input.content;
    }
    return {};
  };
  return languages::judge_closure(*made.language, {request.file, request.source}, made.policy,
                                  reader)
      .report;
}

bool judges_objects(const Case& made) {
  const auto stage = made.profile.stages.find("objects");
  return stage != made.profile.stages.end() && stage->second == languages::StageMode::kEnforce;
}

std::string seccomp_name(const Case& made) {
  if (made.profile.seccomp) return *made.profile.seccomp;
  const std::string name(made.language->name == "typescript" ? "javascript" : made.language->name);
  return confine::builtin_seccomp_profile(name) ? name : "default";
}

void finish(Record& record, Clock::time_point begin) {
  ::clock_gettime(CLOCK_REALTIME, &record.end);
  record.duration_ms = since<std::chrono::milliseconds>(begin);
}

void add_run(SandboxRun run, Record& record) {
  record.out += run.outcome.out;
  record.err += run.outcome.err;
  record.usage = run.outcome.usage;
  record.enforced = std::move(run.enforced);
  record.warnings.insert(record.warnings.end(), run.warnings.begin(), run.warnings.end());
  record.artifacts = std::move(run.artifacts);
  record.phases.setup_us += run.setup_us;
}

// The compiler's result, or nothing: then the record says why there is none.
Result<std::optional<Compiled>> compile(const Request& request, const Case& made,
                                        const std::string& name, Record& record) {
  const auto begin = Clock::now();
  const std::string source = std::string(kSourceFolder) + "/" + name;
  Program program;
  program.id = request.id + "-compile";
  program.toolchain = made.toolchain;
  program.limits = compile_limits();
  program.args = compile_command(*made.toolchain, source);
  program.env = {"GOCACHE=/work/cache", "GOPATH=/work/go",   "GO111MODULE=off",
                 "CGO_ENABLED=0",       "GOFLAGS=-trimpath", "GOTELEMETRY=off"};
  program.files = {{source, request.source}};
  program.seccomp = "default";
  program.landlock = compiler_landlock();
  auto run =
      TRY_CONTEXT(run_sandboxed(std::move(program), {true, -1, {}, request.state_root}), "compile");
  record.phases.compile_ms = since<std::chrono::milliseconds>(begin);
  const auto& end = run.outcome.end;
  if (run.outcome.cut == KillReason::kNone && end && WIFEXITED(end->wait_status) &&
      WEXITSTATUS(end->wait_status) == 0) {
    record.err += run.outcome.err;  // the compiler's warnings
    return std::optional(TRY(split_compiled(run.outcome.out)));
  }
  judge_outcome(run.outcome, compile_limits(), record);
  run.outcome.out.clear();
  add_run(std::move(run), record);
  if (record.status == Status::kFailed) record.status = Status::kCompileError;
  return std::optional<Compiled>();
}

// False when what the compiler made may not run.
bool judge_object(const Case& made, const std::string& bytes, Record& record) {
  const auto language = made.language->name;
  if (!judges_objects(made) || (language != "c" && language != "cpp")) return true;
  const languages::Source object{"object", bytes};
  languages::Findings findings(object, made.policy);
  languages::elf::judge_object(bytes, made.policy, findings);
  record.guard.violations = findings.take_violations();
  for (auto& finding : record.guard.violations) finding.file = "object";
  return record.guard.safe();
}

Result<void> run_program(const Request& request, const Case& made, const std::string& name,
                         std::string bytes, Record& record) {
  Program program;
  program.id = request.id;
  program.toolchain = made.toolchain;
  program.limits = record.limits;
  const bool native = made.toolchain->compiled && made.language->name != "typescript";
  std::string path = std::string(kSourceFolder) + "/" + name;
  if (native) path = std::string(kSourceFolder) + "/program";
  if (made.language->name == "typescript") path = std::string(kSourceFolder) + "/main.cjs";
  program.args = run_command(*made.toolchain, path, record.limits, request.args);
  program.env = request.env;
  program.files.push_back(
      {path, std::move(bytes), static_cast<mode_t>(native ? 0555 : 0444), 0, false});
  for (const auto& input : request.inputs) {
    program.files.push_back({std::string(kWorkFolder) + "/" + input.name, input.content});
  }
  program.seccomp = seccomp_name(made);
  program.landlock = program_landlock(made.profile, *made.toolchain, request.host_network);
  program.host_network = request.host_network;
  const auto begin = Clock::now();
  auto run = TRY(run_sandboxed(std::move(program), {request.capture, request.stdin_fd,
                                                    request.artifacts, request.state_root}));
  record.phases.run_ms = since<std::chrono::milliseconds>(begin) - run.setup_us / 1000;
  judge_outcome(run.outcome, record.limits, record);
  add_run(std::move(run), record);
  return {};
}

void refuse(Record& record) {
  record.status = Status::kRejected;
  record.exit_code = kExitRefused;
}

Result<void> compile_and_run(const Request& request, const Case& made, Record& record) {
  const std::string name = inside_name(*made.toolchain, request.file);
  if (!made.toolchain->compiled) {
    return run_program(request, made, name, request.source, record);
  }
  auto compiled = TRY(compile(request, made, name, record));
  if (!compiled) return {};
  if (!judge_object(made, compiled->object, record)) {
    refuse(record);
    return {};
  }
  return run_program(request, made, name, std::move(compiled->program), record);
}

}  // namespace

Result<Record> execute(const Request& request) {
  const auto begin = Clock::now();
  const auto made = TRY(open_case(request));
  Record record;
  ::clock_gettime(CLOCK_REALTIME, &record.start);
  record.id = request.id;
  record.language = made.language->name;
  record.profile = made.profile.name;
  record.limits = merge_limits(TRY(preset_limits(request.preset)), made.profile.limits,
                               *made.toolchain, request.limits);
  record.guard = judge(request, made);
  record.phases.guard_us = since<std::chrono::microseconds>(begin);
  if (!record.guard.safe()) {
    refuse(record);
    finish(record, begin);
    return record;
  }
  TRY(check_installed(*made.toolchain));
  TRY(compile_and_run(request, made, record));
  finish(record, begin);
  return record;
}

}  // namespace langsbx::execute
