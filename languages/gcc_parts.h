// The programs that GCC starts: its own parts, the assembler and the linker. What links with GCC
// has them too.
#pragma once

#include <string_view>

namespace langsbx::languages {

inline constexpr std::string_view kGccParts[] = {
    "/usr/lib/gcc/*/*/cc1", "/usr/lib/gcc/*/*/cc1plus", "/usr/lib/gcc/*/*/collect2",
    "/usr/lib/gcc/*/*/lto1", "/usr/lib/gcc/*/*/lto-wrapper", "/usr/libexec/gcc/*/*/cc1",
    "/usr/libexec/gcc/*/*/cc1plus", "/usr/libexec/gcc/*/*/collect2", "/usr/libexec/gcc/*/*/lto1",
    "/usr/libexec/gcc/*/*/lto-wrapper", "~/lib/gcc/*/*/cc1", "~/lib/gcc/*/*/cc1plus",
    "~/lib/gcc/*/*/collect2", "~/lib/gcc/*/*/lto1", "~/lib/gcc/*/*/lto-wrapper",
    "~/libexec/gcc/*/*/cc1", "~/libexec/gcc/*/*/cc1plus", "~/libexec/gcc/*/*/collect2",
    "~/libexec/gcc/*/*/lto1", "~/libexec/gcc/*/*/lto-wrapper",
    // A compiler for one machine has these in a folder named after it: /usr/x86_64-linux-gnu/bin.
    "/usr/*-linux-*/bin/as", "/usr/*-linux-*/bin/ld", "/usr/*-linux-*/bin/ld.bfd",
    "/usr/*-linux-*/bin/ld.gold", "/usr/bin/as", "/usr/bin/ld", "/usr/bin/ld.bfd",
    "/usr/bin/ld.gold", "~/bin/as", "~/bin/ld", "~/bin/ld.bfd", "~/bin/ld.gold"};

}  // namespace langsbx::languages
