// The rules of C and C++, a row each. Beside them, under rules/, stands a fixture named after the
// id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::c {

inline constexpr Rule kRules[] = {
    {.id = "c-syntax",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "Trigraphs, glued tokens, literals that end elsewhere under another standard, or bytes "
            "that are no part of C: what the judge reads would not be what the compiler reads.",
     .instead = "Write the source so that every C compiler reads it the same way."},
    {.id = "c-blocked-function",
     .type = FindingType::kBlockedFunction,
     .message = "uses {}",
     .why = "The function starts programs, opens connections or files, loads code or changes the "
            "system. Mentioning it is enough: a pointer, a macro or a declaration of one's own "
            "calls it as well.",
     .instead = "Do without it, or allow its capability in the profile."},
    {.id = "c-blocked-header",
     .type = FindingType::kBlockedModule,
     .message = "includes <{}>",
     .why = "The header declares functions for something the profile does not allow, or belongs to "
            "a library that is not one of the language's own and cannot be judged.",
     .instead = "Use the standard library, or name the header under modules.additional."},
    {.id = "c-disguised-include",
     .type = FindingType::kFileAccess,
     .message = "takes in a file in a way that cannot be followed: {}",
     .why = "An #include that names a macro, stands inside an expression, asks whether a file "
            "exists or takes in something that is no C source can read any file of the machine "
            "into the program.",
     .instead = "Include headers by name, at the top level, from the program's own folder."},
    {.id = "c-path-outside",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "names {}, which is outside the work area",
     .why = "The path leads to the system's or another program's files.",
     .instead = "Use paths relative to the work directory, or list the directory in the profile."},
    {.id = "c-inline-assembly",
     .capability = Capability::kNativeCode,
     .message = "has assembly: {}",
     .why = "Assembly can hold system calls, other names for functions (asm labels) and whole "
            "files (.incbin).",
     .instead = "Write it in the language, or use compiler intrinsics."},
    {.id = "c-attribute",
     .capability = Capability::kNativeCode,
     .message = "has the attribute '{}'",
     .why = "Constructors run before main, ifunc and alias call under another name, section places "
            "data among the code. Only attributes known to do none of that pass.",
     .instead = "Leave the attribute out."},
    {.id = "c-pragma",
     .capability = Capability::kNativeCode,
     .message = "has the pragma '{}'",
     .why = "redefine_extname and weak give a function another name for the linker, others read "
            "files or load plug-ins. Only pragmas known to be harmless pass.",
     .instead = "Leave the pragma out."},
    {.id = "c-pasted-name",
     .capability = Capability::kDynamicCode,
     .message = "puts a name together: {}",
     .why = "Token pasting can spell a function's name out of parts, so that it stands nowhere in "
            "the source.",
     .instead = "Write names in full."},
    {.id = "c-entry-point",
     .capability = Capability::kNativeCode,
     .message = "replaces the program's start or library symbol: {}",
     .why = "main as an array, _start and library internals defined by the program run bytes as "
            "code or run before anything else.",
     .instead = "Define int main() as a function."},
};

// "c-syntax"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::c
