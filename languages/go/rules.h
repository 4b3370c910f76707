// The rules of Go, a row each. Beside them, under rules/, stands a fixture named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::go {

inline constexpr Rule kRules[] = {
    {.id = "go-syntax",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "Bytes that are no Go, a literal or comment without end, a bracket without partner: "
            "the judge would not read what the compiler reads.",
     .instead = "Run gofmt over the file."},
    {.id = "go-blocked-import",
     .type = FindingType::kBlockedModule,
     .message = "imports {}",
     .why = "The package gives something the profile does not allow. The import counts under any "
            "alias, also _ and the dot.",
     .instead = "Use another package, or allow its capability in the profile."},
    {.id = "go-blocked-function",
     .type = FindingType::kBlockedFunction,
     .message = "uses {}",
     .why = "The package is fine, this part of it is not: os opens files and also starts "
            "processes, reads the environment and changes owners.",
     .instead = "Do without it, or allow its capability in the profile."},
    {.id = "go-unknown-import",
     .type = FindingType::kBlockedModule,
     .capability = Capability::kNativeCode,
     .message = "imports {}, which is not in the standard library",
     .why = "Code of other modules is not judged with the program and may use anything, also cgo "
            "and assembly.",
     .instead = "Keep to the standard library, or name the module under modules.additional."},
    {.id = "go-linkname",
     .capability = Capability::kNativeCode,
     .message = "has {}",
     .why = "go:linkname binds a function to any private one of the runtime or syscall package, "
            "whatever the imports say.",
     .instead = "Leave it out."},
    {.id = "go-embed",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "embeds {}",
     .why = "go:embed takes files into the program while it is built.",
     .instead = "Open the file at run time, or name a plain file beside the source."},
    {.id = "go-cgo",
     .capability = Capability::kNativeCode,
     .message = "has {}",
     .why = "cgo compiles C from a comment into the program and links any library.",
     .instead = "Write it in Go."},
    {.id = "go-generate",
     .capability = Capability::kProcessSpawn,
     .message = "has {}",
     .why = "go generate runs the command in the comment.",
     .instead = "Leave it out."},
    {.id = "go-line-directive",
     .message = "has {}",
     .why = "A line directive falsifies the file and line of everything after it, findings too.",
     .instead = "Leave it out."},
    {.id = "go-bodyless-function",
     .capability = Capability::kNativeCode,
     .message = "has no body: {}",
     .why =
         "A function without a body is made of assembly or linked to a private one of the runtime.",
     .instead = "Give it a body."},
    {.id = "go-path-outside",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "names {}, which is outside the work area",
     .why = "The path leads to the system's or another program's files.",
     .instead = "Use paths relative to the work directory, or list the directory in the profile."},
};

// "go-syntax"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::go
