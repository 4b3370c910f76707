// How Java is started: a source file, by the launcher.
#include "languages/launch.h"

namespace langsbx::languages::java {
namespace {

using Args = std::vector<std::string>;

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

constexpr std::string_view kHostPaths[] = {"/etc/java-11-openjdk", "/etc/java-17-openjdk",
                                           "/etc/java-21-openjdk", "/etc/java-25-openjdk"};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/java",
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
