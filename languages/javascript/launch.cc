// How JavaScript and TypeScript are started.
#include "languages/launch.h"

#include <algorithm>
#include <array>
#include <optional>

namespace langsbx::languages::javascript {
namespace {

using Args = std::vector<std::string>;

bool is_node_code(std::string_view option) {
  constexpr std::array<std::string_view, 5> kKnown{"-e", "--eval", "-p", "--print", "-pe"};
  return std::find(kKnown.begin(), kKnown.end(), option) != kKnown.end();
}

// Options behind the code are Node's as well, up to the first word that is none.
SourceArgument node_argument(std::string_view /*program*/, const Args& args) {
  constexpr std::array<std::string_view, 6> kFlags{"--no-warnings",    "--enable-source-maps",
                                                   "--trace-warnings", "--no-deprecation",
                                                   "--trace-uncaught", "--throw-deprecation"};
  constexpr std::array<std::string_view, 3> kPrefixes{
      "--max-old-space-size=", "--stack-size=", "--unhandled-rejections="};
  std::optional<std::string> code;
  const auto end = [&](std::size_t at) {
    if (code) return text_argument(*code);
    return at < args.size() ? file_argument(args[at]) : interactive_argument();
  };
  std::size_t i = 1;
  for (; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (arg == "--") return end(i + 1);
    if (arg.size() < 2 || arg[0] != '-') break;
    if (arg == "--version" || arg == "-v" || arg == "--help" || arg == "-h")
      return text_argument("");
    if (is_node_code(arg)) {
      if (code) return problem_argument("more than one option gives code");
      if (++i >= args.size()) return missing_value(arg);
      // An option again: -p goes without a value, and the code is somewhere else.
      if (args[i].starts_with('-')) return missing_value(arg);
      code = args[i];
      continue;
    }
    const bool known =
        std::find(kFlags.begin(), kFlags.end(), arg) != kFlags.end() ||
        std::any_of(kPrefixes.begin(), kPrefixes.end(),
                    [&](std::string_view prefix) { return arg.starts_with(prefix); });
    if (!known) return unknown_option(arg);
  }
  return end(i);
}

// ts-node FILE, tsx FILE, deno run FILE, bun [run] FILE: no options but deno's permissions.
SourceArgument typescript_argument(std::string_view program, const Args& args) {
  std::size_t i = 1;
  const bool deno = program == "deno";
  if (i < args.size() && args[i] == "run" && (deno || program == "bun")) {
    ++i;
  } else if (deno) {
    return problem_argument("only `deno run` is looked through");
  }
  while (deno && i < args.size() &&
         (args[i].starts_with("--allow-") || args[i].starts_with("--deny-") ||
          args[i] == "--no-prompt")) {
    ++i;
  }
  if (i >= args.size()) return interactive_argument();
  if (args[i][0] == '-' && args[i] != "-") return unknown_option(args[i]);
  return file_argument(args[i]);
}

std::string node_heap(std::uint64_t memory) {
  // Room for what is not JavaScript heap: code, buffers, node itself.
  const std::uint64_t mib = memory / kMiB;
  return "--max-old-space-size=" + std::to_string(mib > 128 ? mib - 96 : mib / 2);
}

// The permission model (Node 20: experimental, with a warning) refuses child processes, addons and
// files outside; what may be read is Landlock's to say.
std::vector<std::string> node_options(const Start& start) {
  constexpr Version kExperimental{20, 0};
  constexpr Version kStable{24, 0};
  std::vector<std::string> command = {start.program, "--disallow-code-generation-from-strings",
                                      "--no-addons", "--v8-pool-size=1", node_heap(start.memory)};
  const Version version = start.version;
  if (version >= kExperimental) {
    const bool stable = version >= kStable;
    command.insert(command.end(),
                   {stable ? "--permission" : "--experimental-permission", "--allow-fs-read=*",
                    "--allow-worker", "--allow-fs-write=" + start.work + "/*"});
    if (!stable) command.emplace_back("--no-warnings");
  }
  return command;
}

// A program of several files runs in the folder that nobody writes, so that it takes in nothing
// that it wrote itself; modules of CommonJS are told the names of the copies in the work directory.
constexpr StartupFile kStartup = {.name = ".start.cjs",
                                  .content = R"js("use strict";
const Module = require("module");
const source = __dirname + "/";
const work = process.cwd() + "/";
const named = (path) => path.startsWith(source) ? work + path.slice(source.length) : path;
const text = JSON.stringify;
const told = (name) => `(${name}.startsWith(${text(source)}) ? ${text(work)} + ` +
                       `${name}.slice(${source.length}) : ${name})`;
const begin = "(function (exports, require, module, $file, $folder) { " +
              "return (function (__filename, __dirname) { ";
const end = `\n}).call(this, ${told("$file")}, ${told("($folder + '/')")}.slice(0, -1)); });`;
Module.wrap = (code) => {
  // Node has found the program by now, and it is CommonJS.
  if (process.mainModule !== undefined) process.argv[1] = named(process.argv[1]);
  return begin + code + end;
};
)js",
                                  .of_several = true};

void add_source(const Start& start, std::vector<std::string>& command) {
  if (!start.entry.empty()) {
    command.insert(command.end(), {"--require", start.folder + "/" + std::string(kStartup.name)});
  }
  command.push_back(start.source);
}

std::vector<std::string> node_command(const Start& start) {
  std::vector<std::string> command = node_options(start);
  add_source(start, command);
  return command;
}

// Types are taken out by Node itself.
std::vector<std::string> types_command(const Start& start) {
  constexpr Version kTransformsTypes{22, 7};
  constexpr Version kStripsUnasked{25, 0};
  std::vector<std::string> command = node_options(start);
  if (start.version < kStripsUnasked) {
    command.emplace_back(start.version >= kTransformsTypes ? "--experimental-transform-types"
                                                           : "--experimental-strip-types");
  }
  add_source(start, command);
  return command;
}

// Deno refuses what is not allowed here, and asks nobody; it fetches nothing.
std::vector<std::string> deno_command(const Start& start) {
  return {start.program,
          "run",
          "--quiet",
          "--no-prompt",
          "--no-config",
          "--no-lock",
          "--no-remote",
          "--no-npm",
          "--allow-read",
          "--allow-env",
          "--allow-write=" + start.work,
          "--v8-flags=" + node_heap(start.memory) + ",--disallow-code-generation-from-strings",
          start.source};
}

// Types are taken out, not checked: without the packages that declare them every program would
// fail. Syntax errors are the compiler's own.
constexpr std::string_view kTranspile =
    R"js(const fs = require("fs");
let ts;
for (const place of ["/usr/share/nodejs", "/usr/lib/node_modules", "/usr/local/lib/node_modules"]) {
  try { ts = require(place + "/typescript"); break; } catch {}
}
const [folder, ...files] = process.argv.slice(1);
const options = {target: "ES2022", module: "CommonJS", esModuleInterop: true};
const all = {};
let faults = 0;
for (const file of files) {
  if (file.endsWith(".json")) continue;
  const made = ts.transpileModule(fs.readFileSync(file, "utf8"),
                                  {reportDiagnostics: true, fileName: file, compilerOptions: options});
  for (const fault of made.diagnostics) {
    const at = fault.file.getLineAndCharacterOfPosition(fault.start);
    console.error(`${file}(${at.line + 1},${at.character + 1}): error TS${fault.code}: ` +
                  ts.flattenDiagnosticMessageText(fault.messageText, "\n"));
  }
  faults += made.diagnostics.length;
  // By the name that an import has: without an ending, with that of JavaScript, with its own.
  const name = file.slice(folder.length + 1);
  all[name] = made.outputText;
  all[name.replace(/\.[cm]?tsx?$/, ".js")] = made.outputText;
}
if (faults > 0) process.exit(1);
fs.writeFileSync("program", files.length > 1 ? JSON.stringify(all) : Object.values(all)[0]);)js";

CompilerCall transpile(const Build& build) {
  CompilerCall call{{build.program, "-e", std::string(kTranspile), build.folder, build.source}};
  for (const std::string& source : build.sources) {
    if (source != build.source) call.args.push_back(source);
  }
  return call;
}

std::vector<std::string> deno_environment(const Start& start) {
  return {"DENO_DIR=" + start.work + "/.deno", "DENO_NO_UPDATE_CHECK=1", "NO_COLOR=1"};
}

constexpr Toolchain on_node(Toolchain rest) {
  rest.least_pids = 16;
  rest.least_memory = 128 * kMiB;
  rest.asks_version = true;
  rest.startup = kStartup;
  rest.code_place = CodePlace::kCopied;
  rest.links_data = true;
  return rest;
}

constexpr Toolchain on_deno(std::string_view extension) {
  return {.program = "/usr/bin/deno",
          .package = "nodejs",
          .extension = extension,
          .least_pids = 16,
          .least_memory = 128 * kMiB,
          .command = deno_command,
          .code_place = CodePlace::kCopied,
          .links_data = true,
          .environment = deno_environment};
}

constexpr Version kStripsTypes{22, 6};
constexpr Toolchain kToolchains[] = {on_node({.program = "/usr/bin/node",
                                              .package = "nodejs",
                                              .extension = ".js",
                                              .command = node_command}),
                                     on_deno(".js")};
constexpr Toolchain kTypeToolchains[] = {on_node({.program = "/usr/bin/tsc",
                                                  .package = "node-typescript nodejs",
                                                  .extension = ".ts",
                                                  .compiled = true,
                                                  .starts = "/usr/bin/node",
                                                  .command = node_command,
                                                  .compile = transpile,
                                                  .made_name = "main.cjs",
                                                  .makes_files = true}),
                                         on_node({.program = "/usr/bin/node",
                                                  .package = "nodejs",
                                                  .extension = ".ts",
                                                  .least_version = kStripsTypes,
                                                  .command = types_command}),
                                         on_deno(".ts")};
constexpr std::string_view kManifest = "package.json";
// ~/.node_modules, ~/.node_libraries, ~/.bunfig.toml.
constexpr GivenVariable kEnvironment[] = {{"HOME", "/nonexistent"}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = node_argument,
                        .environment = kEnvironment,
                        .seccomp = "javascript",
                        .together = Together::kManifests,
                        .manifest = kManifest};
extern const Launch kTypeLaunch;
const Launch kTypeLaunch = {.toolchains = kTypeToolchains,
                            .source_argument = typescript_argument,
                            .environment = kEnvironment,
                            .seccomp = "javascript",
                            .compiler = "tsc",
                            .together = Together::kManifests,
                            .manifest = kManifest};

}  // namespace langsbx::languages::javascript
