// What a program's local files can be refused for, beside what stands in them.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages {

inline constexpr Rule kMissing = {
    "closure-missing",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "'{}' is not there to be judged",
    "The program pulls in a file that cannot be read now. If it appears later it would run without "
    "having been judged.",
    "Put the file next to the program, or name the module in the profile."};

inline constexpr Rule kTooMuch = {
    "closure-too-large",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "'{}' is beyond what is judged for one program",
    "The files a program pulls in are judged with it, up to a number and a size, so that judging "
    "stays fast whatever the program names.",
    "Pull in fewer files."};

inline constexpr Rule kForeignModule = {
    "closure-foreign-module",
    FindingType::kBlockedModule,
    Capability::kNativeCode,
    Severity::kError,
    "'{}' decides what is loaded, or is native code",
    "Node takes a .node file or what a package.json says before the "
    "files that can be judged.",
    "Name the file itself."};

inline constexpr Rule kForeignFile = {
    "closure-foreign-file",
    FindingType::kSystemCall,
    Capability::kNativeCode,
    Severity::kError,
    "'{}' would be compiled into the program",
    "Go takes assembly, C and object files of a package's folder into "
    "the program without a word in "
    "any Go file. Nobody judges them.",
    "Remove the file from the package."};

}  // namespace langsbx::languages
