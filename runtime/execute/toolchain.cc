// The table of languages.
#include "runtime/execute/toolchain.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::execute {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

constexpr Version kStripsTypes{22, 6};

const std::array<Toolchain, 12>& table() {
  static const std::array<Toolchain, 12> rows = {{
      {"python", "/usr/bin/python3", "python3", false, ".py", 1, 0, {"/etc/matplotlibrc"}},
      {"bash", "/usr/bin/bash", "bash", false, ".sh", 1, 0, {}},
      {"javascript", "/usr/bin/node", "nodejs", false, ".js", 16, 128 * kMiB, {}},
      {"javascript", "/usr/bin/deno", "nodejs", false, ".js", 16, 128 * kMiB, {}},
      {"typescript",
       "/usr/bin/tsc",
       "node-typescript nodejs",
       true,
       ".ts",
       16,
       128 * kMiB,
       {},
       "/usr/bin/node"},
      {"typescript", "/usr/bin/node", "nodejs", false, ".ts", 16, 128 * kMiB, {}, {}, kStripsTypes},
      {"typescript", "/usr/bin/deno", "nodejs", false, ".ts", 16, 128 * kMiB, {}},
      {"java",
       "/usr/bin/java",
       "default-jdk-headless",
       false,
       ".java",
       48,
       256 * kMiB,
       {"/etc/java-11-openjdk", "/etc/java-17-openjdk", "/etc/java-21-openjdk",
        "/etc/java-25-openjdk"}},
      {"c", "/usr/bin/gcc", "gcc libc6-dev", true, ".c", 1, 0, {}},
      {"cpp", "/usr/bin/g++", "g++", true, ".cpp", 1, 0, {}},
      {"go", "/usr/bin/go", "golang-go", true, ".go", 16, 64 * kMiB, {}},
      {"rust", "/usr/bin/rustc", "rustc", true, ".rs", 1, 0, {}},
  }};
  return rows;
}

bool is_harmless(std::string_view name) {
  return !name.empty() && name.size() <= 100 && name.front() != '-' && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  c == '_' || c == '-' || c == '.';
         });
}

std::string node_heap(const Limits& limits) {
  // Room for what is not JavaScript heap: code, buffers, node itself.
  const std::uint64_t mib = limits.memory / kMiB;
  return "--max-old-space-size=" + std::to_string(mib > 128 ? mib - 96 : mib / 2);
}

// The permission model (Node 20: experimental, with a warning) refuses child processes, addons and
// files outside; what may be read is Landlock's to say.
std::vector<std::string> node_command(const RunCommand& wanted) {
  constexpr Version kExperimental{20, 0};
  constexpr Version kStable{24, 0};
  constexpr Version kTransformsTypes{22, 7};
  constexpr Version kStripsUnasked{25, 0};
  std::vector<std::string> command = {wanted.program, "--disallow-code-generation-from-strings",
                                      "--no-addons", "--v8-pool-size=1", node_heap(wanted.limits)};
  const Version version = wanted.version.value_or(Version{});
  if (version >= kExperimental) {
    const bool stable = version >= kStable;
    command.insert(command.end(),
                   {stable ? "--permission" : "--experimental-permission", "--allow-fs-read=*",
                    "--allow-worker", "--allow-fs-write=" + wanted.places.work + "/*"});
    if (!stable) command.emplace_back("--no-warnings");
  }
  if (wanted.toolchain->language == "typescript" && !wanted.toolchain->compiled &&
      version < kStripsUnasked) {
    command.emplace_back(version >= kTransformsTypes ? "--experimental-transform-types"
                                                     : "--experimental-strip-types");
  }
  command.push_back(wanted.source);
  return command;
}

// Deno refuses what is not allowed here, and asks nobody; it fetches nothing.
std::vector<std::string> deno_command(const RunCommand& wanted) {
  return {wanted.program,
          "run",
          "--quiet",
          "--no-prompt",
          "--no-config",
          "--no-lock",
          "--no-remote",
          "--no-npm",
          "--allow-read",
          "--allow-env",
          "--allow-write=" + wanted.places.work,
          "--v8-flags=" + node_heap(wanted.limits) + ",--disallow-code-generation-from-strings",
          wanted.source};
}

// Types are taken out, not checked: without the packages that declare them every program would
// fail. Syntax errors are the compiler's own.
constexpr std::string_view kTranspile =
    R"js(const fs = require("fs");
let ts;
for (const place of ["/usr/share/nodejs", "/usr/lib/node_modules", "/usr/local/lib/node_modules"]) {
  try { ts = require(place + "/typescript"); break; } catch {}
}
const file = process.argv[1];
const options = {target: "ES2022", module: "CommonJS"};
const made = ts.transpileModule(fs.readFileSync(file, "utf8"),
                                {reportDiagnostics: true, fileName: file, compilerOptions: options});
for (const fault of made.diagnostics) {
  const at = fault.file.getLineAndCharacterOfPosition(fault.start);
  console.error(`${file}(${at.line + 1},${at.character + 1}): error TS${fault.code}: ` +
                ts.flattenDiagnosticMessageText(fault.messageText, "\n"));
}
if (made.diagnostics.length > 0) process.exit(1);
fs.writeFileSync("program", made.outputText);)js";

// What is linked is judged before, so both are wanted: two calls of the compiler.
std::vector<std::string> in_two_steps(const std::string& compiler, const std::string& libraries,
                                      const std::string& source) {
  return {"/bin/sh", "-c",
          compiler + " -O1 -pipe -c -o object \"$1\" && exec " + compiler + " -o program object" +
              libraries,
          "sh", source};
}

}  // namespace

std::span<const Toolchain> toolchains() { return table(); }

Result<const Toolchain*> find_toolchain(std::string_view language) {
  for (const auto& toolchain : table()) {
    if (toolchain.language == language) return &toolchain;
  }
  return make_error(ErrorKind::kUnsupported,
                    "language \"" + std::string(language) + "\" can't be executed");
}

std::string inside_name(const Toolchain& toolchain, std::string_view file) {
  const auto slash = file.rfind('/');
  const auto base = slash == std::string_view::npos ? file : file.substr(slash + 1);
  const auto dot = base.rfind('.');
  if (is_harmless(base) && dot != std::string_view::npos && dot > 0) return std::string(base);
  return "main" + std::string(toolchain.extension);
}

std::vector<std::string> run_command(const RunCommand& wanted,
                                     const std::vector<std::string>& args) {
  std::vector<std::string> command;
  const std::string_view language = wanted.toolchain->language;
  if (language == "python") {
    command = {wanted.program, "-I", "-B"};
    if (wanted.without_site) command.emplace_back("-S");
    command.push_back(wanted.source);
  } else if (language == "bash") {
    command = {wanted.program, "--noprofile", "--norc", wanted.source};
  } else if (language == "javascript" || language == "typescript") {
    command = wanted.toolchain->is_node() ? node_command(wanted) : deno_command(wanted);
  } else if (language == "java") {
    command = {wanted.program,
               "-XX:+UseSerialGC",
               "-XX:TieredStopAtLevel=1",
               "-XX:-UsePerfData",
               "-Xshare:auto",
               "-Xmx" + std::to_string(wanted.limits.memory / kMiB / 2) + "m",
               wanted.source};
  } else {
    command = {wanted.source};
  }
  command.insert(command.end(), args.begin(), args.end());
  return command;
}

std::vector<std::string> run_environment(const Toolchain& toolchain, const Places& places) {
  if (!toolchain.program.ends_with("/deno")) return {};
  return {"DENO_DIR=" + places.work + "/.deno", "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1"};
}

std::vector<std::string> compile_command(const Toolchain& toolchain, const std::string& program,
                                         const std::string& source) {
  const std::string_view language = toolchain.language;
  const std::string made(kProgramFile);
  if (language == "c") return in_two_steps(program, " -lm", source);
  if (language == "cpp") return in_two_steps(program, "", source);
  if (language == "go") return {program, "build", "-o", made, source};
  if (language == "rust") {
    return {program, "-C", "opt-level=1", "-C", "linker=/usr/bin/gcc", "-o", made, source};
  }
  return {program, "-e", std::string(kTranspile), source};
}

std::string join_compiled(const Compiled& compiled) {
  return std::to_string(compiled.object.size()) + "\n" + compiled.object + compiled.program;
}

Result<Compiled> split_compiled(std::string_view text) {
  const auto line = text.find('\n');
  std::size_t size = 0;
  const char* const end = text.data() + (line == std::string_view::npos ? 0 : line);
  const auto [stop, error] = std::from_chars(text.data(), end, size);
  if (line == std::string_view::npos || error != std::errc() || stop != end ||
      size > text.size() - line - 1) {
    return make_error(ErrorKind::kInternal, "what was compiled is cut off");
  }
  text.remove_prefix(line + 1);
  return Compiled{std::string(text.substr(0, size)), std::string(text.substr(size))};
}

Limits compile_limits() {
  Limits limits;
  limits.cpu_time_ms = 60'000;
  limits.wall_time_ms = 120'000;
  limits.cpus_milli = 4'000;
  limits.memory = 1024 * kMiB;
  limits.pids = 64;
  limits.files = 256;
  limits.disk = 512 * kMiB;
  limits.output = kMiB;
  return limits;
}

}  // namespace langsbx::execute
