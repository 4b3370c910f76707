// The rules about object files, a row each.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::elf {

inline constexpr Rule kRules[] = {
    {.id = "object-broken",
     .type = FindingType::kSyntax,
     .message = "{}",
     .why = "A table that does not fit the file is read differently by the linker and the judge.",
     .instead = "Compile it again."},
    {.id = "object-blocked-symbol",
     .type = FindingType::kBlockedFunction,
     .message = "the compiled code uses {}",
     .why = "The symbol is what the linker will bind, whatever name the source gave it.",
     .instead = "Do without it, or allow its capability in the profile."},
    {.id = "object-unknown-symbol",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kNativeCode,
     .message = "the compiled code uses {}, which is on no list",
     .why = "Only functions of the C and C++ libraries that are known to be harmless pass.",
     .instead = "Define it in the program, or name it under functions.additional."},
    {.id = "object-ifunc",
     .capability = Capability::kNativeCode,
     .message = "{} is an indirect function",
     .why = "The loader calls its resolver before main.",
     .instead = "Leave the ifunc attribute out."},
    {.id = "object-system-call",
     .type = FindingType::kSystemCall,
     .capability = Capability::kNativeCode,
     .message = "a system call instruction in {}",
     .why = "Compiled C and C++ call the C library; an own instruction goes around every list of "
            "functions.",
     .instead = "Leave assembly and code bytes out."},
    {.id = "object-writable-code",
     .capability = Capability::kNativeCode,
     .message = "{} is both writable and executable",
     .why = "Data written there is code.",
     .instead = "Leave section attributes out."},
    {.id = "object-executable-stack",
     .capability = Capability::kNativeCode,
     .message = "asks for an executable stack ({})",
     .why = "Data on the stack is code then. Nested functions whose address is taken and assembly "
            "files cause it.",
     .instead = "Do without nested functions."},
    {.id = "object-section",
     .capability = Capability::kNativeCode,
     .message = "has the section {}",
     .why = "Compilers do not make it; section attributes and assembly do.",
     .instead = "Leave section attributes out."},
    {.id = "object-start",
     .capability = Capability::kNativeCode,
     .message = "runs code before main: {}",
     .why = "Constructors and start symbols run before the program.",
     .instead = "Call it from main."},
    {.id = "object-data-in-code",
     .capability = Capability::kNativeCode,
     .message = "{} is data where code is",
     .why = "Bytes of an array that stand among the code can be called.",
     .instead = "Leave section attributes out."},
};

// "object-ifunc"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::elf
