// How C and C++ are compiled: in two steps, so that the object is judged before it is linked.
#include <algorithm>

#include "languages/gcc_parts.h"
#include "languages/launch.h"

namespace langsbx::languages::c {
namespace {

constexpr std::string_view kEndings[] = {".c"};
constexpr std::string_view kCppEndings[] = {".cc", ".cpp", ".cxx", ".c++", ".C"};

// What is linked is judged before, so both are wanted: two calls of the compiler. The objects of
// several files become one.
CompilerCall in_two_steps(const Build& build, const std::string& options,
                          const std::string& libraries, std::span<const std::string_view> endings) {
  std::vector<std::string> sources = {build.source};
  for (const std::string& source : build.sources) {
    const bool compiled = std::ranges::any_of(
        endings, [&](std::string_view ending) { return source.ends_with(ending); });
    if (compiled && source != build.source) sources.push_back(source);
  }
  const std::string& compiler = build.program;
  const std::string step = compiler + " " + options + "-O1 -pipe -c -o ";
  const std::string link = "exec " + compiler + " -o program object" + libraries;
  const std::string script = sources.size() == 1
                                 ? step + "object \"$1\" && " + link
                                 : "n=0; for file; do n=$((n + 1)); " + step +
                                       "part$n.o \"$file\" || exit; done; " + compiler +
                                       " -r -nostdlib -o object part*.o && " + link;
  CompilerCall call{{"/bin/sh", "-c", script, "sh"}};
  call.args.insert(call.args.end(), sources.begin(), sources.end());
  return call;
}

CompilerCall compile_c(const Build& build) { return in_two_steps(build, "", " -lm", kEndings); }

CompilerCall compile_cpp(const Build& build) {
  return in_two_steps(build, "-std=gnu++20 ", "", kCppEndings);
}

constexpr std::string_view kShell[] = {"/bin/sh"};  // two calls of the compiler are one of it
constexpr CompilerParts kParts[] = {{.patterns = kShell}, {.patterns = kGccParts}};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/gcc",
                                      .package = "gcc libc6-dev",
                                      .extension = ".c",
                                      .compiled = true,
                                      .compile = compile_c,
                                      .parts = kParts}};
constexpr Toolchain kCppToolchains[] = {{.program = "/usr/bin/g++",
                                         .package = "g++",
                                         .extension = ".cpp",
                                         .compiled = true,
                                         .compile = compile_cpp,
                                         .parts = kParts}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains,
                        .seccomp = "c",
                        .compiler = "cc",
                        .together = Together::kHeaders,
                        .source_endings = kEndings};
extern const Launch kCppLaunch;
const Launch kCppLaunch = {.toolchains = kCppToolchains,
                           .seccomp = "cpp",
                           .compiler = "c++",
                           .together = Together::kHeaders,
                           .source_endings = kCppEndings};

}  // namespace langsbx::languages::c
