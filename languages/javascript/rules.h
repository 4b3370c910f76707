// The rules of JavaScript and TypeScript, a row each. Beside them, under rules/, stands a fixture
// named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::javascript {

inline constexpr Rule kRules[] = {
    {.id = "javascript-blocked-function",
     .type = FindingType::kBlockedFunction,
     .message = "'{}'",
     .why = "What a function of a module reaches for is not allowed by the profile.",
     .instead = "Do without, or use a profile that allows the capability."},
    {.id = "javascript-blocked-module",
     .type = FindingType::kBlockedModule,
     .message = "the module '{}'",
     .why = "A module of Node.js stands for what it reaches for: child_process starts programs, "
            "net and http open connections, vm, module and worker_threads run text as code. Static "
            "and dynamic imports, require, re-exports and aliases are all seen.",
     .instead = "Use the parts of the standard library that compute, or a profile that allows the "
                "capability."},
    {.id = "javascript-code-in-string",
     .capability = Capability::kDynamicCode,
     .message = "a string that holds code: {}",
     .why = "Text such as 'return process' or 'child_process' has no other use than to be run or "
            "required.",
     .instead = "Write code as code."},
    {.id = "javascript-computed-module",
     .capability = Capability::kDynamicCode,
     .message = "a module whose name is not in the source: {}",
     .why = "require() and import() of a computed name load whatever the name becomes at run time.",
     .instead = "Write the module's name as one string."},
    {.id = "javascript-constructor",
     .capability = Capability::kDynamicCode,
     .message = "a constructor taken from a value ({})",
     .why = "The constructor of any function is Function, which runs text as code: "
            "({}).constructor.constructor('...')(). Class bodies, comparisons, .constructor.name "
            "and new this.constructor() are fine.",
     .instead = "Name the class."},
    {.id = "javascript-dynamic-code",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kDynamicCode,
     .message = "'{}' runs text as code",
     .why = "eval, the Function constructor, timers given strings and Node's compile functions run "
            "text that no one has judged.",
     .instead = "Call functions; parse data with JSON.parse."},
    {.id = "javascript-encoding",
     .type = FindingType::kEncoding,
     .message = "readers may disagree here: {}",
     .why = "Escapes in names, HTML-like comments and odd blanks are read differently by different "
            "readers.",
     .instead = "Write plain names and // comments."},
    {.id = "javascript-file-path",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "the path '{}' is outside the work area",
     .why = "Programs may read and write where they work; other paths belong to the system or to "
            "others. Paths are followed through concatenation, templates, path.join, URLs and "
            "constants.",
     .instead = "Use relative paths, or list the directory under paths in the profile."},
    {.id = "javascript-global-object",
     .capability = Capability::kIntrospection,
     .message = "the global object as a value ({})",
     .why = "Every global, process and require's relatives among them, can be reached from it "
            "under computed names.",
     .instead = "Name the global you need; use parameters for configuration."},
    {.id = "javascript-hidden-name",
     .capability = Capability::kDynamicCode,
     .message = "a name put together at run time: {}",
     .why = "A member or module name is assembled from pieces although it could be written out; "
            "this is how naive checks are passed.",
     .instead = "Write the member's name."},
    {.id = "javascript-module-internals",
     .capability = Capability::kIntrospection,
     .message = "the module system's own parts: '{}'",
     .why = "module.constructor, require.cache, import.meta and the arguments of the module "
            "wrapper give a require that takes any name.",
     .instead = "Use exports and plain imports."},
    {.id = "javascript-native-code",
     .capability = Capability::kNativeCode,
     .message = "native code: '{}'",
     .why = "WebAssembly and .node files run machine code that can't be judged as source.",
     .instead = "Write it in JavaScript."},
    {.id = "javascript-network-global",
     .type = FindingType::kNetworkAccess,
     .capability = Capability::kNetworkConnect,
     .message = "'{}' opens a connection",
     .why = "fetch, WebSocket and their kind are globals: no import gives them away.",
     .instead = "Read data from standard input or from files."},
    {.id = "javascript-not-understood",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "What the guard can't read the way the interpreter does, it refuses.",
     .instead = "Check the file with node --check; split ambiguous lines."},
    {.id = "javascript-process-member",
     .type = FindingType::kSystemCall,
     .message = "'{}'",
     .why = "process reaches the operating system: environment, signals, identities, native "
            "modules. Arguments, standard streams, exit and timing are fine.",
     .instead = "Use argv, stdin and stdout."},
    {.id = "javascript-process-value",
     .capability = Capability::kIntrospection,
     .message = "'process' used as a value ({})",
     .why = "Handed on or asked for a computed member, process gives native bindings and every "
            "module.",
     .instead = "Use the members you need: process.argv, process.stdin."},
    {.id = "javascript-profile-name",
     .type = FindingType::kBlockedFunction,
     .message = "the profile blocks '{}'",
     .why = "The administrator listed this name in the profile.",
     .instead = "See the profile."},
    {.id = "javascript-prototype",
     .capability = Capability::kIntrospection,
     .message = "'{}' reaches into objects behind the program",
     .why = "__proto__, property descriptors, stack hooks and callers lead from a harmless value "
            "to Function, to module internals or to other code's data.",
     .instead = "Use classes, Object.keys and Object.create."},
    {.id = "javascript-reference-path",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "a compiler or debugger directive names the path '{}'",
     .why = "/// <reference path> and //# sourceMappingURL make tools read that file.",
     .instead = "Remove the line or use a relative path."},
    {.id = "javascript-require-value",
     .capability = Capability::kDynamicCode,
     .message = "'require' used as a value ({})",
     .why = "Once require is stored, passed, bound or asked for members, the modules it loads can "
            "no longer be told from the source.",
     .instead = "Call require('name') directly."},
    {.id = "javascript-too-deep",
     .type = FindingType::kLimit,
     .message = "nested too deep or too large",
     .why = "Judging is bounded in time and memory.",
     .instead = "Split the expression or the file, or raise the limits of the profile."},
    {.id = "javascript-unknown-module",
     .type = FindingType::kBlockedModule,
     .message = "the module '{}' is not known",
     .why = "A package that is not part of Node.js can reach for anything, and its code is not "
            "judged with the program.",
     .instead = "Add the package under modules.additional in the profile, or carry its source as "
                "local files, which are judged."},
    {.id = "javascript-with-statement",
     .capability = Capability::kDynamicCode,
     .message = "a 'with' statement",
     .why =
         "Inside it every name may be a member of the object: names no longer mean what they say.",
     .instead = "Name the object."},
};

// "javascript-blocked-function"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::javascript
