// How C and C++ are compiled: in two steps, so that the object is judged before it is linked.
#include "languages/launch.h"
#include "languages/gcc_parts.h"

namespace langsbx::languages::c {
namespace {

// What is linked is judged before, so both are wanted: two calls of the compiler.
std::vector<std::string> in_two_steps(const std::string& compiler, const std::string& libraries,
                                      const std::string& source) {
  return {"/bin/sh", "-c",
          compiler + " -O1 -pipe -c -o object \"$1\" && exec " + compiler + " -o program object" +
              libraries,
          "sh", source};
}

std::vector<std::string> compile_c(const std::string& program, const std::string& source) {
  return in_two_steps(program, " -lm", source);
}

std::vector<std::string> compile_cpp(const std::string& program, const std::string& source) {
  return in_two_steps(program, "", source);
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
const Launch kLaunch = {.toolchains = kToolchains, .seccomp = "c", .compiler = "cc"};
extern const Launch kCppLaunch;
const Launch kCppLaunch = {.toolchains = kCppToolchains, .seccomp = "cpp", .compiler = "c++"};

}  // namespace langsbx::languages::c
