// The rules of Rust, a row each. Beside them, under rules/, stands a fixture named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::rust {

inline constexpr Rule kRules[] = {
    {.id = "rust-syntax",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "Bytes that are no Rust, a literal or comment without end, a bracket without partner: "
            "the judge would not read what the compiler reads.",
     .instead = "Run rustfmt over the file."},
    {.id = "rust-blocked-path",
     .type = FindingType::kBlockedFunction,
     .message = "uses {}",
     .why = "This part of the standard library starts programs, opens connections or files or "
            "reads the environment. It counts under any alias and inside macro calls.",
     .instead = "Do without it, or allow its capability in the profile."},
    {.id = "rust-blocked-crate",
     .type = FindingType::kBlockedModule,
     .capability = Capability::kNativeCode,
     .message = "uses the crate {}",
     .why = "The crate calls the C library or the system directly, runs at compile time, or is not "
            "judged with the program.",
     .instead = "Keep to the standard library, or name the crate under modules.additional."},
    {.id = "rust-glob-import",
     .type = FindingType::kBlockedModule,
     .message = "imports everything of {}",
     .why = "After a glob import of std or of a module that reaches outside, its names stand in "
            "the program without their path.",
     .instead = "Import names one by one."},
    {.id = "rust-unsafe",
     .capability = Capability::kNativeCode,
     .message = "has unsafe code",
     .why = "Unsafe code can call any address, read any memory and undo every other rule.",
     .instead = "Write it in safe Rust."},
    {.id = "rust-foreign-code",
     .capability = Capability::kNativeCode,
     .message = "declares foreign code: {}",
     .why = "extern binds functions of the C library, or offers one to it in place of its own.",
     .instead = "Use the standard library."},
    {.id = "rust-blocked-macro",
     .type = FindingType::kBlockedFunction,
     .message = "uses the macro {}!",
     .why = "The macro holds assembly, or reads files or the environment while the program is "
            "compiled.",
     .instead = "Read files at run time; leave assembly out."},
    {.id = "rust-attribute",
     .capability = Capability::kNativeCode,
     .message = "has the attribute {}",
     .why = "no_mangle, export_name and link_section replace library functions or run code before "
            "main, path takes in other files, procedural macros run at compile time. Only "
            "attributes known to do none of that pass.",
     .instead = "Leave the attribute out."},
    {.id = "rust-assembled-path",
     .capability = Capability::kDynamicCode,
     .message = "a macro puts a name together: {}",
     .why = "A path, macro name or attribute made of macro parameters can reach anything while its "
            "name stands nowhere.",
     .instead = "Write names in full in macro bodies."},
    {.id = "rust-path-outside",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "names {}, which is outside the work area",
     .why = "The path leads to the system's or another program's files.",
     .instead = "Use paths relative to the work directory, or list the directory in the profile."},
};

// "rust-syntax"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::rust
