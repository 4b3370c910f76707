// Judging inside the container.
#include "runtime/guard/source_gate.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "languages/closure.h"
#include "languages/report.h"
#include "runtime/confine/environment.h"
#include "runtime/guard/container_files.h"
#include "runtime/guard/invocation.h"
#include "runtime/guard/ip_sockets.h"
#include "runtime/guard/launch_environment.h"
#include "runtime/guard/pin.h"
#include "runtime/guard/programs.h"
#include "runtime/guard/shortened.h"
#include "runtime/guard/verdict_lines.h"
#include "runtime/guard/verdict_log.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::guard {
namespace {

constexpr std::size_t kMostList = 1U << 20U;
constexpr const char* kCommandLine = "<command line>";

class SourceGate final : public Gate {
 public:
  explicit SourceGate(GateDecision decision) : decision_(std::move(decision)) {}

  Result<void> record_into(int state_directory, const VerdictFacts& facts, bool user) override {
    record_ = TRY(open_at(state_directory, kVerdictFile, O_WRONLY | O_CREAT | O_APPEND, 0600));
    facts_ = facts;
    auto log = VerdictLog::open(decision_.verdicts, verdict_folder(user));
    if (log.ok()) {
      log_ = log.release_value();
    } else if (needs_log()) {
      return log.release_error().with_context(std::string("guard: required by ") + kConfigFile);
    } else if (decision_.asked && decision_.warnings != nullptr) {
      decision_.warnings->push_back(log.error().to_string() +
                                    "; the verdict is in the container's state only");
    }
    return {};
  }

  void stop_recording() override {
    record_.reset();
    log_.close();
  }

  Result<void> resume_recording(std::vector<UniqueFd> records) override {
    if (records.empty()) {
      return make_error(ErrorKind::kInternal, "guard: `start` says not where the verdict goes");
    }
    record_ = std::move(records[0]);
    if (records.size() > 1) log_.reopen(std::move(records[1]));
    return {};
  }

  Result<void> pin(const plan::ProgramPlan& program, int procfs) const override {
    if (decision_.mode != Mode::kEnforce) return {};
    const auto paths = TRY_CONTEXT(list_source(program, procfs), "guard");
    device_ = TRY_CONTEXT(pin_files(paths, program.cwd, decision_.policy.max_bytes), "guard");
    return {};
  }

  [[nodiscard]] std::string settings() const override { return decision_.settings; }
  [[nodiscard]] const languages::Limits& limits() const override { return decision_.limits; }

  Result<void> foresee(const std::string& executable, const std::vector<std::string>& args,
                       const std::string& cwd, const std::vector<std::string>& env) const override {
    if (decision_.mode != Mode::kEnforce) return {};
    auto given = env;
    const auto verdict = TRY(look(executable, args, cwd, given));
    // What is fine now is recorded at `start`, when it is judged again.
    return refuses(verdict) ? conclude(verdict) : Result<void>();
  }

  [[nodiscard]] std::optional<Fitted> fit(const plan::ProgramPlan& planned) const override {
    if (!unconfined_) return {};
    Fitted fitted{planned.landlock, planned.seccomp};
    std::erase_if(fitted.seccomp.filters,
                  [](const auto& filter) { return is_ip_sockets(filter.name); });
    std::erase_if(fitted.landlock.layers,
                  [](const auto& layer) { return layer.name == "program"; });
    return fitted;
  }

  Result<confine::LandlockPrograms> judge(const std::string& executable,
                                          const std::vector<std::string>& args,
                                          const std::string& cwd,
                                          std::vector<std::string>& env) const override {
    const auto verdict = TRY(look(executable, args, cwd, env));
    TRY(conclude(verdict));
    if (decision_.mode != Mode::kEnforce) return confine::LandlockPrograms();
    return programs_of(verdict, cwd);
  }

 private:
  Result<Verdict> look(const std::string& executable, const std::vector<std::string>& args,
                       const std::string& cwd, std::vector<std::string>& env) const {
    const bool enforce = decision_.mode == Mode::kEnforce;
    Verdict verdict;
    if (enforce && !device_) return make_error(ErrorKind::kInternal, "guard: nothing is pinned");
    if (enforce) {
      verdict.removed_environment = confine::sanitize_environment(env);
      give_variables(*decision_.language, env);
    }
    auto judged = judge_source(executable, args, cwd, env, verdict);
    if (!judged.ok()) verdict.problem = judged.error().to_string();
    // What libraries import is then not looked for beside the program either.
    const bool alone = verdict.judgement.files.empty();
    if (enforce && alone) give_variables_alone(*decision_.language, env);
    return verdict;
  }

  [[nodiscard]] bool needs_log() const {
    return decision_.verdicts.required && decision_.mode == Mode::kEnforce;
  }

  Result<void> conclude(const Verdict& verdict) const {
    auto logged = log(verdict);
    auto recorded = record(verdict, logged);
    if (decision_.mode != Mode::kEnforce) return {};  // looking on stops nobody
    if (!recorded.ok())
      return recorded.release_error().with_context("guard: recording the verdict");
    if (!logged.ok() && needs_log()) {
      return logged.release_error().with_context(std::string("guard: required by ") + kConfigFile);
    }
    return refuses(verdict) ? Result<void>(refusal(verdict)) : Result<void>();
  }

  Result<void> judge_source(const std::string& executable, const std::vector<std::string>& args,
                            const std::string& cwd, const std::vector<std::string>& env,
                            Verdict& verdict) const {
    const auto files = TRY(ContainerFiles::open(cwd, decision_.policy.max_bytes, device_));
    const Surroundings around{[&](const std::string& path) { return files.start_of(path); },
                              [&](const std::string& name) { return find_in_path(name, env); }};
    const auto found = interpret(executable, args, around);
    verdict.programs = found.programs;
    if (found.is_program && decision_.exec.value_or(ExecPolicy::kEnforce) != ExecPolicy::kEnforce) {
      verdict.source = found.programs.back();
      verdict.is_program = true;
      unconfined_ = decision_.exec == ExecPolicy::kOff;
      return {};
    }
    verdict.source = found.path.empty() ? kCommandLine : found.path;
    if (!found.problem.empty()) return refuse_to_judge(found.problem);
    if (found.language != decision_.language) {
      return refuse_to_judge(
          "it is " + std::string(found.language->title) +
          ", not the language it was to be judged as: " + std::string(decision_.language->title));
    }
    const std::string bytes = found.path.empty() ? found.text : TRY(files.read(found.path));
    const std::string entry =
        found.path.empty() ? kCommandLine : entry_path(*found.language, found.path);
    judge_bytes(files, {entry, bytes, false, found.by_sh}, verdict);
    return {};
  }

  // What leads to the source, and the profile's commands; or a program of `exec` alone. The layer
  // is the container's, so libraries of what `exec` starts may be nothing that it reads.
  [[nodiscard]] Result<confine::LandlockPrograms> programs_of(const Verdict& verdict,
                                                              const std::string& cwd) const {
    const auto files = TRY(ContainerFiles::open(cwd, decision_.policy.max_bytes, {}));
    auto programs =
        files_of(verdict.programs, cwd, decision_.exec ? Needs::kLibraries : Needs::kLoader,
                 [&](const auto& path, const auto& show) { return files.view(path, show); });
    programs.alone = verdict.is_program;
    if (verdict.is_program) return programs;
    auto commands = installed_commands(
        decision_.policy, [&](const std::string& folder) { return files.names_in(folder); });
    std::move(commands.begin(), commands.end(), std::back_inserter(programs.executed));
    return programs;
  }

  static Error refuse_to_judge(const std::string& problem) {
    return make_error(ErrorKind::kRefused, problem);
  }

  void judge_bytes(const ContainerFiles& files, const languages::Source& entry,
                   Verdict& verdict) const {
    const auto slash = entry.path.rfind('/');
    const std::string folder(slash == std::string_view::npos ? std::string_view()
                                                             : entry.path.substr(0, slash + 1));
    const bool shell = decision_.language->references == languages::References::kEverywhere;
    const auto reader = [&](const std::string& path) -> std::optional<std::string> {
      if (path.ends_with('/')) return files.names_in(path);
      auto bytes = files.read(path);
      if (shell && !folder.empty() && path.starts_with(folder)) {
        // `source x` reads from the working directory, `source "$(dirname "$0")/x"` next to the
        // script, and below itself once more when the script has gone to its folder: with
        // different files in two of the places nobody knows which will run.
        const bool relative = folder[0] != '/';
        for (const auto& elsewhere :
             {path.substr(folder.size()), relative ? folder + path : path}) {
          auto other = files.read(elsewhere);
          if (!other.ok()) continue;
          if (bytes.ok() && *bytes != *other) return std::nullopt;
          if (!bytes.ok()) bytes = std::move(other);
        }
      }
      if (!bytes.ok()) return std::nullopt;
      return bytes.release_value();
    };
    const languages::ClosureLimits limits{.real_path = real_path};
    verdict.judgement =
        languages::judge_closure(*decision_.language, entry, decision_.policy, reader, limits);
    const auto lookup = [&](std::string_view path) {
      return path == entry.path ? entry.bytes : std::string_view();
    };
    verdict.text = languages::to_text(verdict.judgement.report, lookup);
  }

  [[nodiscard]] Error refusal(const Verdict& verdict) const {
    const std::string who = "the language guard refuses the program (language " +
                            std::string(decision_.language->name) + ", profile " +
                            decision_.policy.profile + ")";
    if (!verdict.problem.empty()) {
      return make_error(ErrorKind::kRefused,
                        who + ": it cannot be judged: " + languages::printable(verdict.problem));
    }
    return make_error(ErrorKind::kRefused, who + "\n" + shortened(verdict.text));
  }

  // The line of the log that outlives the container.
  [[nodiscard]] Result<void> log(const Verdict& verdict) const {
    return log_.write(log_line(decision_, facts_, verdict));
  }

  Result<void> record(const Verdict& verdict, const Result<void>& logged) const {
    if (!record_.valid()) return {};
    const auto not_logged = logged.ok() ? std::string() : logged.error().to_string();
    const std::string line = record_line(decision_, verdict, not_logged);
    return write_fd(record_.get(), line + "\n", kVerdictFile);
  }

  // The files that the program is made of, found by a process without privileges: parsing is no
  // work for the container's root. What it leaves out is not pinned, and judge() refuses that.
  Result<std::vector<std::string>> list_source(const plan::ProgramPlan& program, int procfs) const {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return system_error("pipe2");
    const UniqueFd reading(ends[0]);
    UniqueFd writing(ends[1]);
    auto child = TRY(fork_child({}, [&]() -> int {
      const auto written = write_source_list(program, procfs, writing.get());
      return written.ok() ? 0 : 1;
    }));
    writing.reset();
    const std::string text = TRY(read_fd(reading.get(), kMostList, "list of source files"));
    if (TRY(child.wait()) != 0) {
      return make_error(ErrorKind::kRefused, "the source files cannot be listed: " + text);
    }
    std::vector<std::string> paths;
    for (std::size_t at = 0; at < text.size();) {
      const auto end = std::min(text.find('\0', at), text.size());
      paths.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    return paths;
  }

  // Each path with a NUL behind it; or, failing, why.
  Result<void> write_source_list(const plan::ProgramPlan& program, int procfs, int fd) const {
    const auto listed = list_paths(program, procfs);
    if (!listed.ok()) {
      TRY(write_fd(fd, listed.error().to_string(), "pipe"));
      return listed.error();
    }
    return write_fd(fd, *listed, "pipe");
  }

  Result<std::string> list_paths(const plan::ProgramPlan& program, int procfs) const {
    TRY(confine::apply_identity(program.identity, procfs));
    if (::chdir(program.cwd.c_str()) != 0) return std::string();  // judge() will say why
    std::string executable = program.args.empty() ? std::string() : program.args[0];
    if (executable.find('/') == std::string::npos) {
      executable = find_in_path(executable, program.env);
    }
    Verdict verdict;
    const auto judged = judge_source(executable, program.args, program.cwd, program.env, verdict);
    // What cannot be judged now cannot later: there is nothing to pin.
    if (!judged.ok()) return std::string();
    std::string list;
    if (verdict.is_program) return list;
    if (verdict.source != kCommandLine) list += verdict.source + std::string(1, '\0');
    for (const std::string& path : verdict.judgement.files) list += path + std::string(1, '\0');
    return list;
  }

  GateDecision decision_;
  UniqueFd record_;
  VerdictLog log_;
  VerdictFacts facts_;
  // Of the pinned files; written once, in the child.
  mutable std::optional<dev_t> device_;
  mutable bool unconfined_ = false;  // what was judged, in the child
};

}  // namespace

std::unique_ptr<Gate> make_source_gate(GateDecision decision) {
  return std::make_unique<SourceGate>(std::move(decision));
}

}  // namespace langsbx::guard
