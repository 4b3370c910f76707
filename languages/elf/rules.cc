// The rules about object files.
#include "languages/elf/rules.h"

#include <array>

#include "languages/elf/judge.h"

namespace langsbx::languages::elf {

const Rule kBrokenObject = {
    "object-broken",
    FindingType::kSyntax,
    Capability::kNone,
    Severity::kError,
    "{}",
    "A table that does not fit the file is read differently by the linker and the judge.",
    "Compile it again."};

const Rule kBlockedSymbol = {
    "object-blocked-symbol",
    FindingType::kBlockedFunction,
    Capability::kNone,
    Severity::kError,
    "the compiled code uses {}",
    "The symbol is what the linker will bind, whatever name the source gave it.",
    "Do without it, or allow its capability in the profile."};

const Rule kUnknownSymbol = {
    "object-unknown-symbol",
    FindingType::kBlockedFunction,
    Capability::kNativeCode,
    Severity::kError,
    "the compiled code uses {}, which is on no list",
    "Only functions of the C and C++ libraries that are known to be harmless pass.",
    "Define it in the program, or name it under functions.additional."};

const Rule kIndirect = {"object-ifunc",
                        FindingType::kDangerousPattern,
                        Capability::kNativeCode,
                        Severity::kError,
                        "{} is an indirect function",
                        "The loader calls its resolver before main.",
                        "Leave the ifunc attribute out."};

const Rule kSystemCall = {"object-system-call",
                          FindingType::kSystemCall,
                          Capability::kNativeCode,
                          Severity::kError,
                          "a system call instruction in {}",
                          "Compiled C and C++ call the C library; an own instruction goes around "
                          "every list of functions.",
                          "Leave assembly and code bytes out."};

const Rule kWritableCode = {"object-writable-code",
                            FindingType::kDangerousPattern,
                            Capability::kNativeCode,
                            Severity::kError,
                            "{} is both writable and executable",
                            "Data written there is code.",
                            "Leave section attributes out."};

const Rule kExecutableStack = {"object-executable-stack",
                               FindingType::kDangerousPattern,
                               Capability::kNativeCode,
                               Severity::kError,
                               "asks for an executable stack ({})",
                               "Data on the stack is code then. Nested functions whose address is "
                               "taken and assembly files cause it.",
                               "Do without nested functions."};

const Rule kStrangeSection = {"object-section",
                              FindingType::kDangerousPattern,
                              Capability::kNativeCode,
                              Severity::kError,
                              "has the section {}",
                              "Compilers do not make it; section attributes and assembly do.",
                              "Leave section attributes out."};

const Rule kObjectStart = {"object-start",
                           FindingType::kDangerousPattern,
                           Capability::kNativeCode,
                           Severity::kError,
                           "runs code before main: {}",
                           "Constructors and start symbols run before the program.",
                           "Call it from main."};

const Rule kDataInCode = {
    "object-data-in-code",          FindingType::kDangerousPattern,
    Capability::kNativeCode,        Severity::kError,
    "{} is data where code is",     "Bytes of an array that stand among the code can be called.",
    "Leave section attributes out."};

namespace {

constexpr auto kRules = std::to_array<const Rule*>({
    &kBrokenObject,
    &kBlockedSymbol,
    &kUnknownSymbol,
    &kIndirect,
    &kSystemCall,
    &kWritableCode,
    &kExecutableStack,
    &kStrangeSection,
    &kObjectStart,
    &kDataInCode,
});

}  // namespace

std::span<const Rule* const> object_rules() { return kRules; }

}  // namespace langsbx::languages::elf
