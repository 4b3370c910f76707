// How Java is started: a source file, by the launcher.
#include "languages/launch.h"

namespace langsbx::languages::java {
namespace {

using Args = std::vector<std::string>;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

SourceArgument source_argument(std::string_view program, const Args& args) {
  if (program != "java") return problem_argument("its command line is not known to the guard");
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string& arg = args[i];
    // The launcher reads options from such a file, whatever its name ends in.
    if (arg.starts_with('@')) return unknown_option(arg);
    if (arg.ends_with(".java")) return file_argument(arg);
    if (arg == "--version" || arg == "-version" || arg == "--help") return text_argument("");
    if (arg == "--source") {
      ++i;
      continue;
    }
    const bool sizes =
        arg.starts_with("-Xmx") || arg.starts_with("-Xms") || arg.starts_with("-Xss");
    if (sizes || arg == "--enable-preview") continue;
    if (arg.starts_with("-")) return unknown_option(arg);
    return problem_argument("it runs compiled classes, which are no source");
  }
  return problem_argument("it names no source file");
}

std::vector<std::string> command(const Start& start) {
  return {start.program,
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:-UsePerfData",
          "-Xshare:auto",
          "-Xmx" + std::to_string(start.memory / kMiB / 2) + "m",
          start.source};
}

// "shop" of "package shop;": what stands before it are comments and annotations.
std::string package_of(std::string_view text) {
  while (!text.empty()) {
    const bool line = text.starts_with("//");
    if (line || text.starts_with("/*")) {
      const auto end = text.find(line ? "\n" : "*/", 2);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + (line ? 1 : 2));
    } else if (text.starts_with("package") && text.size() > 7 && is_blank(text[7])) {
      std::string name(text.substr(7, text.find(';') - 7));
      std::erase_if(name, is_blank);
      return name;
    } else if (is_blank(text.front())) {
      text.remove_prefix(1);
    } else {
      return {};
    }
  }
  return {};
}

// Classes in an archive that says which of them starts.
CompilerCall compile(const Build& build) {
  const std::string tools = build.program.substr(0, build.program.rfind('/') + 1);
  std::string start = build.source.substr(build.source.rfind('/') + 1);
  start = start.substr(0, start.find('.'));
  const std::string package = package_of(build.text);
  if (!package.empty()) start = package + "." + start;
  const std::string machine =
      " -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -J-XX:-UsePerfData -J-Xmx512m ";
  CompilerCall call{
      {"/bin/sh", "-c",
       "start=$1; shift; \"" + tools + "javac\"" + machine +
           "-proc:none -encoding UTF-8 -d classes \"$@\" && exec \"" + tools + "jar\"" + machine +
           "--create --no-compress --file program --main-class \"$start\" -C classes .",
       "sh", start}};
  for (const std::string& source : build.sources) {
    if (source.ends_with(".java")) call.args.push_back(source);
  }
  return call;
}

std::vector<std::string> archive_command(const Start& start) {
  Start machine = start;
  machine.program = start.program.substr(0, start.program.rfind('/') + 1) + "java";
  auto args = command(machine);
  args.insert(args.end() - 1, "-jar");
  return args;
}

constexpr std::string_view kHostPaths[] = {"/etc/java-11-openjdk", "/etc/java-17-openjdk",
                                           "/etc/java-21-openjdk", "/etc/java-25-openjdk"};
constexpr std::string_view kJavaParts[] = {"/bin/sh",    "~/bin/javac", "~/bin/jar",
                                           "~/bin/java", "~/lib/jexec", "~/lib/jspawnhelper"};
constexpr CompilerParts kParts[] = {{.patterns = kJavaParts}};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/javac",
                                      .package = "default-jdk-headless",
                                      .extension = ".java",
                                      .compiled = true,
                                      .least_pids = 48,
                                      .least_memory = 256 * kMiB,
                                      .host_paths = kHostPaths,
                                      .command = archive_command,
                                      .compile = compile,
                                      .made_name = "program.jar",
                                      .of_several = true,
                                      .parts = kParts},
                                     {.program = "/usr/bin/java",
                                      .package = "default-jdk-headless",
                                      .extension = ".java",
                                      .least_pids = 48,
                                      .least_memory = 256 * kMiB,
                                      .host_paths = kHostPaths,
                                      .command = command}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {
    .toolchains = kToolchains, .source_argument = source_argument, .seccomp = "java"};

}  // namespace langsbx::languages::java
