// Running the compiler, keeping what it made.
#include "runtime/execute/compile.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <map>

#include "oci/decode.h"
#include "runtime/execute/artifacts.h"
#include "runtime/execute/host_files.h"
#include "runtime/kernel/kept_files.h"

namespace langsbx::execute {
namespace {

KeptFiles kept_programs(const std::string& state_root) {
  constexpr std::uint64_t kLargest = 32U << 20U;
  constexpr std::uint64_t kInAll = 256U << 20U;
  return {state_root + "/.cache/compiled", 64, kLargest, kInAll};
}

languages::CompilerCall call_of(const Program& program, const Places& places) {
  languages::Build build;
  build.program = program.tool;
  build.folder = places.source;
  build.work = places.work;
  const auto placed = [&](const std::string& path) {
    return places.source + path.substr(program.places.source.size());
  };
  build.source = placed(program.source);
  for (const auto& file : program.files) {
    build.sources.push_back(placed(file.path));
    if (file.path == program.source) build.text = file.content;
  }
  return program.toolchain->compile(build);
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
  const auto call = call_of(program, Places());
  for (const auto* words : {&call.args, &call.env}) {
    for (const auto& word : *words) key += "\n" + word;
  }
  for (const auto& file : program.files) {
    key += "\n" + std::to_string(file.path.size()) + " " + std::to_string(file.content.size()) +
           "\n" + file.path.substr(program.places.source.size()) + file.content;
  }
  return key;
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
  auto call = call_of(program, program.places);
  program.id += "-compile";
  program.limits = compile_limits();
  program.args = std::move(call.args);
  program.env = std::move(call.env);
  program.cwd = std::move(call.folder);
  program.seccomp = "default";
  program.is_tool = true;
  program.landlock = TRY(compiler_landlock(program));
  program.network = Network::kNone;
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

Result<JudgedProgram> made_program(const Toolchain& toolchain, const JudgedProgram& judged,
                                   std::string& bytes) {
  JudgedProgram program;
  program.entry = toolchain.made_name;
  if (!toolchain.makes_files || judged.others.empty()) return program;
  std::map<std::string, std::string> files;
  TRY(oci::decode::decode(bytes, oci::decode::kMapOf<std::string>, &files, "compiled"));
  program.entry = judged.entry.substr(0, judged.entry.rfind('.')) + ".js";
  bool has_entry = false;
  for (auto& [name, text] : files) {
    if (!is_plain_name(name)) return make_error(ErrorKind::kInternal, "compiled: " + name);
    if (name == program.entry) {
      has_entry = true;
      bytes = std::move(text);
    } else {
      program.others.push_back({name, std::move(text)});
    }
  }
  if (!has_entry) return make_error(ErrorKind::kInternal, "compiled: no " + program.entry);
  return program;
}

}  // namespace langsbx::execute
