// How Go is compiled and started.
#include "languages/launch.h"

namespace langsbx::languages::go {
namespace {

using Args = std::vector<std::string>;

SourceArgument source_argument(std::string_view /*program*/, const Args& args) {
  if (args.size() >= 2 && args[1] == "version") return text_argument("");
  if (args.size() >= 3 && args[1] == "run" && args[2].ends_with(".go")) {
    // More files would belong to the same program.
    if (args.size() == 3 || !args[3].ends_with(".go")) return file_argument(args[2]);
  }
  return problem_argument("only `go run FILE.go` is looked through");
}

std::vector<std::string> compile(const std::string& program, const std::string& source) {
  return {program, "build", "-o", std::string(kMadeProgram), source};
}

constexpr std::string_view kGoParts[] = {"/usr/lib/go*/bin/go", "/usr/lib/go*/pkg/tool/*/*",
                                         "~/bin/go", "~/pkg/tool/*/*"};
constexpr CompilerParts kParts[] = {{.patterns = kGoParts}};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/go",
                                      .package = "golang-go",
                                      .extension = ".go",
                                      .compiled = true,
                                      .least_pids = 16,
                                      .least_memory = 64 * kMiB,
                                      .compile = compile,
                                      .parts = kParts}};
// ~/.config/go/env, a go.work above the program, another toolchain.
constexpr GivenVariable kEnvironment[] = {
    {"GOENV", "off"}, {"GOWORK", "off"}, {"GOTOOLCHAIN", "local"}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = source_argument,
                        .environment = kEnvironment,
                        .seccomp = "go",
                        .version_option = "version"};

}  // namespace langsbx::languages::go
