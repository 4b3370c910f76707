// How Rust is compiled.
#include "languages/launch.h"
#include "languages/gcc_parts.h"

namespace langsbx::languages::rust {
namespace {

CompilerCall compile(const Build& build) {
  return {{build.program, "--edition=2021", "-C", "opt-level=1", "-C", "linker=/usr/bin/gcc", "-o",
           std::string(kMadeProgram), build.source}};
}

// rustc behind rustup's, and the linkers that it brings.
constexpr std::string_view kRustParts[] = {
    "/usr/bin/gcc",
    "/usr/lib/rustlib/*/bin/rust-lld",
    "/usr/lib/rustlib/*/bin/gcc-ld/ld.lld",
    "~/lib/rustlib/*/bin/rust-lld",
    "~/lib/rustlib/*/bin/gcc-ld/ld.lld",
    "/usr/local/rustup/toolchains/*/bin/rustc",
    "/usr/local/rustup/toolchains/*/lib/rustlib/*/bin/rust-lld",
    "/usr/local/rustup/toolchains/*/lib/rustlib/*/bin/gcc-ld/ld.lld"};
constexpr CompilerParts kParts[] = {{.patterns = kRustParts},
                                    {.patterns = kGccParts, .home = "/usr/local/"}};
constexpr Toolchain kToolchains[] = {{.program = "/usr/bin/rustc",
                                      .package = "rustc",
                                      .extension = ".rs",
                                      .compiled = true,
                                      .compile = compile,
                                      .parts = kParts}};

}  // namespace

extern const Launch kLaunch;
const Launch kLaunch = {.toolchains = kToolchains, .seccomp = "rust", .compiler = "rustc"};

}  // namespace langsbx::languages::rust
