// Running the compiler, keeping what it made.
#include "runtime/execute/compile.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include "runtime/execute/artifacts.h"
#include "runtime/kernel/kept_files.h"

namespace langsbx::execute {
namespace {

KeptFiles kept_programs(const std::string& state_root) {
  constexpr std::uint64_t kLargest = 32U << 20U;
  constexpr std::uint64_t kInAll = 256U << 20U;
  return {state_root + "/.cache/compiled", 64, kLargest, kInAll};
}

// Everything that the result depends on: the source, how it is compiled, and by which compiler
// (another version is another file, whatever its name).
std::string cache_key(const Program& program) {
  std::string key;
  for (const auto tool : {std::string_view(program.tool), program.toolchain->program}) {
    struct stat file {};
    const std::string path = program.rootfs + std::string(tool);
    if (::stat(path.c_str(), &file) != 0 && tool == program.tool) return {};
    key += path;
    for (const auto part :
         {static_cast<std::int64_t>(file.st_dev), static_cast<std::int64_t>(file.st_ino),
          static_cast<std::int64_t>(file.st_size), static_cast<std::int64_t>(file.st_mtim.tv_sec),
          static_cast<std::int64_t>(file.st_mtim.tv_nsec)}) {
      key += "\n" + std::to_string(part);
    }
  }
  // The places differ with the tier and the run: the command is the one of a container.
  const auto name = program.source.path.substr(program.places.source.size());
  for (const auto& word :
       program.toolchain->compile(program.tool, std::string(kSourceFolder) + name)) {
    key += "\n" + word;
  }
  return key + "\n" + program.source.content;
}

bool succeeded(const Outcome& outcome) {
  return outcome.cut == KillReason::kNone && outcome.end && WIFEXITED(outcome.end->wait_status) &&
         WEXITSTATUS(outcome.end->wait_status) == 0;
}

Result<Compiled> take_compiled(int work) {
  constexpr std::size_t kLargest = 64U << 20U;
  Compiled made;
  made.object = TRY_CONTEXT(read_left(work, std::string(kObjectFile), kLargest), "compile");
  made.program = TRY_CONTEXT(read_left(work, std::string(kProgramFile), kLargest), "compile");
  if (made.program.empty()) return make_error(ErrorKind::kInternal, "the compiler made no program");
  return made;
}

Result<void> prepare(Program& program) {
  const std::string& work = program.places.work;
  program.id += "-compile";
  program.limits = compile_limits();
  program.args = program.toolchain->compile(program.tool, program.source.path);
  // No -trimpath and nothing else that differs from how the distribution's packages of Go were
  // built: they would be compiled anew, which takes a hundred times as long.
  program.env = {"GOCACHE=" + work + "/cache", "GOPATH=" + work + "/go", "GO111MODULE=off",
                 "CGO_ENABLED=0", "GOTELEMETRY=off"};
  program.seccomp = "default";
  program.is_tool = true;
  program.landlock = TRY(compiler_landlock(program));
  program.network = Network::kNone;
  program.inputs.clear();
  return {};
}

}  // namespace

Result<Compilation> compile(Program program, const SandboxOptions& options, bool use_cache) {
  Compilation compilation;
  const auto kept = kept_programs(options.state_root);
  const auto key = use_cache ? cache_key(program) : std::string();
  if (!key.empty()) {
    if (const auto bytes = read_kept(kept, key)) {
      auto split = split_compiled(*bytes);
      if (split.ok()) {
        compilation.made = split.release_value();
        return compilation;
      }
    }
  }
  TRY_CONTEXT(prepare(program), "compile");
  SandboxOptions quiet;
  quiet.capture = true;
  quiet.state_root = options.state_root;
  quiet.oci_runtime = options.oci_runtime;
  auto run = TRY_CONTEXT(run_sandboxed(std::move(program), quiet), "compile");
  if (!run.refused && succeeded(run.outcome)) {
    compilation.made = TRY(take_compiled(run.work.directory.get()));
    compilation.messages = std::move(run.outcome.err);
    // What came with warnings is compiled anew, so that they are seen again.
    if (!key.empty() && compilation.messages.empty()) {
      write_kept(kept, key, join_compiled(*compilation.made));
    }
  }
  compilation.run = std::move(run);
  return compilation;
}

}  // namespace langsbx::execute
