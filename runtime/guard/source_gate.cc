// Judging inside the container.
#include "runtime/guard/source_gate.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>

#include "languages/closure.h"
#include "languages/report.h"
#include "oci/state.h"
#include "runtime/confine/environment.h"
#include "runtime/guard/container_files.h"
#include "runtime/guard/invocation.h"
#include "runtime/guard/pin.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::guard {
namespace {

using languages::ClosureJudgement;

constexpr std::size_t kMostText = 32U << 10U;     // of findings in an error, which crosses a socket
constexpr std::size_t kMostRecord = 256U << 10U;  // of a verdict in the state directory
constexpr std::size_t kMostList = 1U << 20U;
constexpr const char* kCommandLine = "<command line>";

struct Verdict {
  std::string source;
  std::string problem;  // why it could not be judged
  ClosureJudgement judgement;
  std::string text;  // the findings
  std::vector<std::string> removed_environment;
};

// As many whole lines as fit; the rest is counted, not cut silently.
std::string shortened(std::string text) {
  if (text.size() <= kMostText) return text;
  const auto end = text.rfind('\n', kMostText);
  const auto lines = std::count(text.begin() + static_cast<std::ptrdiff_t>(end), text.end(), '\n');
  text.resize(end);
  return text + "\n... and " + std::to_string(lines) + " more lines; see `langsbx inspect`";
}

class SourceGate final : public Gate {
 public:
  explicit SourceGate(GateDecision decision) : decision_(std::move(decision)) {}

  Result<void> record_into(int state_directory) override {
    record_ = TRY(open_at(state_directory, kVerdictFile, O_WRONLY | O_CREAT | O_APPEND, 0600));
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

  Result<void> judge(const std::string& executable, const std::vector<std::string>& args,
                     const std::string& cwd, std::vector<std::string>& env) const override {
    const bool enforce = decision_.mode == Mode::kEnforce;
    Verdict verdict;
    if (enforce && !device_) return make_error(ErrorKind::kInternal, "guard: nothing is pinned");
    if (enforce) {
      verdict.removed_environment = confine::sanitize_environment(env);
      // Compiled files that claim to need no check would run instead of the source.
      if (decision_.language->name == "python") env.emplace_back("PYTHONPYCACHEPREFIX=/dev/null");
    }
    auto judged = judge_source(executable, args, cwd, env, verdict);
    if (!judged.ok()) verdict.problem = judged.error().to_string();
    auto recorded = record(verdict);
    if (!enforce) return {};  // looking on stops nobody, whatever goes wrong
    if (!recorded.ok())
      return recorded.release_error().with_context("guard: recording the verdict");
    return answer(verdict);
  }

 private:
  Result<void> judge_source(const std::string& executable, const std::vector<std::string>& args,
                            const std::string& cwd, const std::vector<std::string>& env,
                            Verdict& verdict) const {
    const auto files = TRY(ContainerFiles::open(cwd, decision_.policy.max_bytes, device_));
    const Surroundings around{[&](const std::string& path) { return files.start_of(path); },
                              [&](const std::string& name) { return find_in_path(name, env); }};
    const auto found = interpret(executable, args, around);
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
    judge_bytes(files, {entry, bytes}, verdict);
    return {};
  }

  static Error refuse_to_judge(const std::string& problem) {
    return make_error(ErrorKind::kRefused, problem);
  }

  void judge_bytes(const ContainerFiles& files, const languages::Source& entry,
                   Verdict& verdict) const {
    const auto slash = entry.path.rfind('/');
    const std::string folder(slash == std::string_view::npos ? std::string_view()
                                                             : entry.path.substr(0, slash + 1));
    const bool shell = decision_.language->name == "bash";
    const auto reader = [&](const std::string& path) -> std::optional<std::string> {
      if (path.ends_with('/')) return files.names_in(path);
      auto bytes = files.read(path);
      if (shell && !folder.empty() && path.starts_with(folder)) {
        // `source x` reads from the working directory, `source "$(dirname "$0")/x"` next to the
        // script: with different files in both places nobody knows which will run.
        auto other = files.read(path.substr(folder.size()));
        if (bytes.ok() && other.ok() && *bytes != *other) return std::nullopt;
        if (!bytes.ok() && other.ok()) return other.release_value();
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

  Result<void> answer(const Verdict& verdict) const {
    const std::string who = "the language guard refuses the program (language " +
                            std::string(decision_.language->name) + ", profile " +
                            decision_.policy.profile + ")";
    if (!verdict.problem.empty()) {
      return make_error(ErrorKind::kRefused,
                        who + ": it cannot be judged: " + languages::printable(verdict.problem));
    }
    if (verdict.judgement.report.safe()) return {};
    return make_error(ErrorKind::kRefused, who + "\n" + shortened(verdict.text));
  }

  Result<void> record(const Verdict& verdict) const {
    if (!record_.valid()) return {};
    const auto& report = verdict.judgement.report;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    const bool unjudged = !verdict.problem.empty();
    nlohmann::ordered_json line = {{"time", oci::rfc3339_nano(now)},
                                   {"mode", to_string(decision_.mode)},
                                   {"verdict", unjudged        ? "unjudged"
                                               : report.safe() ? "clean"
                                                               : "findings"},
                                   {"language", decision_.language->name},
                                   {"profile", decision_.policy.profile},
                                   {"source", verdict.source},
                                   {"files", verdict.judgement.files}};
    if (unjudged) line["problem"] = verdict.problem;
    if (!verdict.removed_environment.empty()) {
      line["removed_environment"] = verdict.removed_environment;
    }
    if (!unjudged) {
      line["findings"] = report.violations.size();
      line["report"] = nlohmann::ordered_json::parse(languages::to_json(report), nullptr, false);
    }
    constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
    std::string text = line.dump(-1, ' ', false, kReplace);
    if (text.size() > kMostRecord) {
      line.erase("report");
      line.erase("files");
      text = line.dump(-1, ' ', false, kReplace);
    }
    return write_fd(record_.get(), text + "\n", kVerdictFile);
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
    if (verdict.source != kCommandLine) list += verdict.source + std::string(1, '\0');
    for (const std::string& path : verdict.judgement.files) list += path + std::string(1, '\0');
    return list;
  }

  GateDecision decision_;
  UniqueFd record_;
  // Of the pinned files; written once, in the child.
  mutable std::optional<dev_t> device_;
};

}  // namespace

std::unique_ptr<Gate> make_source_gate(GateDecision decision) {
  return std::make_unique<SourceGate>(std::move(decision));
}

}  // namespace langsbx::guard
