// How Go is compiled and started.
#include <algorithm>

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

// ~/.config/go/env, a go.work above the program, another toolchain.
constexpr GivenVariable kEnvironment[] = {
    {"GOENV", "off"}, {"GOWORK", "off"}, {"GOTOOLCHAIN", "local"}};

constexpr std::string_view kManifest = "go.mod";
constexpr std::string_view kEndings[] = {".go"};

// No -trimpath and nothing else that differs from how the distribution's packages of Go were built:
// they would be compiled anew, which takes a hundred times as long.
CompilerCall compile(const Build& build) {
  CompilerCall call;
  call.env = {"GOCACHE=" + build.work + "/cache",
              "GOPATH=" + build.work + "/go",
              "CGO_ENABLED=0",
              "GOTELEMETRY=off",
              "GOFLAGS=-buildvcs=false",
              "GOPROXY=off"};
  for (const GivenVariable& variable : kEnvironment) {
    call.env.push_back(std::string(variable.name) + "=" + std::string(variable.value));
  }
  const bool module = std::ranges::any_of(
      build.sources, [](const std::string& source) { return source.ends_with("/go.mod"); });
  call.env.emplace_back(module ? "GO111MODULE=on" : "GO111MODULE=off");
  call.args = {build.program, "build", "-o", build.work + "/" + std::string(kMadeProgram)};
  if (module) {
    call.folder = build.source.substr(0, build.source.rfind('/'));
    call.args.emplace_back(".");
    return call;
  }
  for (const std::string& source : build.sources) call.args.push_back(source);
  return call;
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

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .source_argument = source_argument,
                        .environment = kEnvironment,
                        .seccomp = "go",
                        .version_option = "version",
                        .together = Together::kFolder,
                        .manifest = kManifest,
                        .source_endings = kEndings};

}  // namespace langsbx::languages::go
