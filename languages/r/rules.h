// The rules of R, a row each. Beside them, under rules/, stands a fixture named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::r {

inline constexpr Rule kRules[] = {
    {.id = "r-syntax",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "A literal without end, a bracket without partner, an escape inside a name: the judge "
            "would not read what R reads. R runs a file expression by expression, up to the fault.",
     .instead = "Run the file through parse(file = ...) first."},
    {.id = "r-blocked-function",
     .type = FindingType::kBlockedFunction,
     .message = "uses {}",
     .why = "The function starts programs, opens connections, reads the environment or changes the "
            "system. Mentioning it is enough: R calls a function by any name it is bound to.",
     .instead = "Do without it, or allow its capability in the profile."},
    {.id = "r-dynamic-code",
     .capability = Capability::kDynamicCode,
     .message = "makes code while it runs: {}",
     .why = "eval, parse, call, as.name and body<- build calls from text or from pieces of other "
            "functions: what is called then stands nowhere in the source.",
     .instead = "Write the call, or choose with switch() or a list of functions."},
    {.id = "r-function-by-name",
     .capability = Capability::kDynamicCode,
     .message = "calls a function by a name that is computed: {}",
     .why = "do.call, match.fun, sapply and their kin take a text for a function: "
            "sapply(x, paste0(\"sys\", \"tem\")) starts a program.",
     .instead = "Name the function, or wrap it: function(x) f(x)."},
    {.id = "r-text-as-code",
     .capability = Capability::kDynamicCode,
     .message = "text that is read as a formula: {}",
     .why =
         "as.formula, lm and others parse a text, and the calls in it run when the model is fit.",
     .instead = "Write the formula, y ~ x; a text may hold names and operators only."},
    {.id = "r-introspection",
     .capability = Capability::kIntrospection,
     .message = "reaches into the interpreter: {}",
     .why =
         "Environments, namespaces and frames hold every function of R under its name as a text.",
     .instead = "Use a list, new.env(), or the function itself."},
    {.id = "r-package-internals",
     .capability = Capability::kIntrospection,
     .message = "takes {} out of a package that does not export it",
     .why =
         "What a package keeps to itself is on no list, and base R keeps doors to the system so.",
     .instead = "Use what the package exports, with ::."},
    {.id = "r-native-code",
     .capability = Capability::kNativeCode,
     .message = "calls native code: {}",
     .why =
         ".Internal, .Primitive, .Call and dyn.load reach the interpreter's C functions, the ones "
         "behind system() and file() among them.",
     .instead = "Use R's own functions or a package that the profile allows."},
    {.id = "r-blocked-package",
     .type = FindingType::kBlockedModule,
     .message = "loads the package {}",
     .why = "The package gives a capability that the profile does not allow: parallel starts "
            "processes, httr reaches the network, Rcpp compiles code.",
     .instead = "Do without it, or choose a profile that allows the capability."},
    {.id = "r-unknown-package",
     .type = FindingType::kBlockedModule,
     .capability = Capability::kNativeCode,
     .message = "loads {}, which is on no list",
     .why =
         "A package can do anything, also while it is loaded. One whose name is computed is any.",
     .instead = "Use a known package, or name it under modules.additional in the profile."},
    {.id = "r-options",
     .capability = Capability::kDynamicCode,
     .message = "sets the option {}",
     .why =
         "R runs what these options name: a device or pager by its function's name, an editor or "
         "browser as a program.",
     .instead = "Leave it as it is; digits, width, scipen, warn and the like are free."},
    {.id = "r-path-outside",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "names the path '{}'",
     .why = "Programs work in their own directory; a path that begins with / or ~, or climbs with "
            ".., leaves it.",
     .instead = "Use a path relative to the work directory, or list the directory under paths."},
    {.id = "r-url",
     .type = FindingType::kNetworkAccess,
     .capability = Capability::kNetworkConnect,
     .message = "opens '{}'",
     .why = "read.csv, readLines, file and their kin take a URL for a file and fetch it.",
     .instead = "Put the file into the work directory."},
    {.id = "r-environment",
     .type = FindingType::kDangerousPattern,
     .capability = Capability::kEnvironment,
     .message = "reads the environment: {}",
     .why = "The whole environment, or a variable whose name is computed, may be a secret.",
     .instead = "Ask for one variable by a literal name: Sys.getenv(\"LANG\")."},
    {.id = "r-secret",
     .capability = Capability::kSecrets,
     .message = "reads the variable {}",
     .why = "The variable's name says that it holds a password, a key or a token.",
     .instead = "Give the program what it needs as an argument or a file."},
};

// "r-syntax"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::r
