// The rules of Java, a row each. Beside them, under rules/, stands a fixture named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::java {

inline constexpr Rule kRules[] = {
    {.id = "java-blocked-class",
     .type = FindingType::kBlockedFunction,
     .message = "'{}'",
     .why = "Classes of java.lang need no import: Runtime and ProcessBuilder start programs, "
            "ClassLoader and ModuleLayer load code, ProcessHandle sees and ends other programs. A "
            "variable, a method reference or a class literal is as good as a call.",
     .instead = "Do without; Runtime.getRuntime() may be asked for memory and processors."},
    {.id = "java-blocked-function",
     .type = FindingType::kBlockedFunction,
     .message = "'{}'",
     .why = "This method reaches for what the profile does not allow: native libraries, properties "
            "of the virtual machine, the environment, streams of the process.",
     .instead = "Do without, or use a profile that allows the capability."},
    {.id = "java-blocked-module",
     .type = FindingType::kBlockedModule,
     .message = "'{}'",
     .why = "A class of the JDK stands for what it reaches for: java.net opens connections, "
            "java.lang.invoke and java.lang.reflect call anything by name, javax.script and "
            "javax.tools run text as code, sun.misc touches raw memory. Imports, static imports, "
            "wildcards and fully qualified names are all seen.",
     .instead = "Use the classes that compute (java.util, java.math, java.time, java.text), or a "
                "profile that allows the capability."},
    {.id = "java-encoding",
     .type = FindingType::kEncoding,
     .message = "readers may disagree here: {}",
     .why = "Odd blanks and bytes are read differently by different readers.",
     .instead = "Use plain blanks and UTF-8."},
    {.id = "java-file-path",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "the path '{}' is outside the work area",
     .why = "Programs may read and write where they work; other paths belong to the system or to "
            "others. Constants and concatenations are followed.",
     .instead = "Use relative paths, or list the directory under paths in the profile."},
    {.id = "java-native-method",
     .capability = Capability::kNativeCode,
     .message = "a native method",
     .why = "Its body is machine code from a library that can't be judged as source.",
     .instead = "Write it in Java."},
    {.id = "java-not-understood",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "What the guard can't read the way the compiler does, it refuses.",
     .instead = "Check the file with javac."},
    {.id = "java-profile-name",
     .type = FindingType::kBlockedFunction,
     .message = "the profile blocks '{}'",
     .why = "The administrator listed this name in the profile.",
     .instead = "See the profile."},
    {.id = "java-reflection",
     .capability = Capability::kIntrospection,
     .message = "'{}' reaches classes and members by name",
     .why = "What is reached by reflection is named by strings, which can be put together at run "
            "time: every class of the JDK is one forName away. Class literals, "
            "getClass().getName() and comparisons are fine.",
     .instead =
         "Call methods directly; use interfaces, enums or a map of lambdas to choose at run time."},
    {.id = "java-module-declaration",
     .capability = Capability::kIntrospection,
     .message = "a module declaration that {}",
     .why =
         "opens, uses and provides wire classes together by name, outside the code that is judged.",
     .instead = "Compile without module-info.java."},
    {.id = "java-too-deep",
     .type = FindingType::kLimit,
     .message = "nested too deep or too large",
     .why = "Judging is bounded in time and memory.",
     .instead = "Split the expression or the file, or raise the limits of the profile."},
    {.id = "java-unicode-escape",
     .type = FindingType::kEncoding,
     .message = "a \\u escape that changes what the source is",
     .why = "The compiler translates \\u before it looks for comments, strings and names: a "
            "comment can end and code begin where no reader sees it.",
     .instead = "Write the character itself, or use the escape inside a string only."},
    {.id = "java-unknown-module",
     .type = FindingType::kBlockedModule,
     .message = "the package of '{}' is not known",
     .why = "A library can reach for anything and its code is not judged with the program.",
     .instead = "Add the package under modules.additional in the profile, or carry its source "
                "beside the program."},
};

// "java-blocked-class"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::java
