// The rules of Python, a row each. Beside them, under rules/, stands a fixture named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::python {

inline constexpr Rule kRules[] = {
    {.id = "python-blocked-module",
     .type = FindingType::kBlockedModule,
     .message = "imports {}",
     .why = "The module gives a capability that the profile does not allow: subprocess starts "
            "programs, socket reaches the network, ctypes runs native code. Importing it is the "
            "earliest place to say so.",
     .instead = "Do without it, or choose a profile that allows the capability."},
    {.id = "python-unknown-module",
     .type = FindingType::kBlockedModule,
     .message = "imports {}, which is neither known nor a file of the program",
     .why = "What a package that nobody listed can do is unknown: any package can start programs "
            "or open sockets. Files of the program itself are judged with it.",
     .instead = "Put the file next to the program, or add the package to modules.additional in the "
                "profile."},
    {.id = "python-unlisted-module",
     .type = FindingType::kBlockedModule,
     .message = "imports {}, which the profile does not list",
     .why = "The profile is exclusive: only the modules it names may be imported, whatever they "
            "can do.",
     .instead = "Use a listed module, or add it to modules.additional in a profile of your own."},
    {.id = "python-leaked-module",
     .type = FindingType::kBlockedModule,
     .capability = Capability::kIntrospection,
     .message = "reaches another module through {}",
     .why = "Modules keep what they import as attributes: random._os is os. The table of such "
            "attributes is computed from the interpreter's own standard library.",
     .instead = "Import the module itself, so that it can be judged."},
    {.id = "python-private-member",
     .capability = Capability::kIntrospection,
     .message = "reaches into what a library keeps to itself: {}",
     .why = "Names that begin with an underscore are a module's own tools: they remove trees, load "
            "modules by their names, hold sockets. None of them is judged one by one.",
     .instead = "Use the public function, or give your own objects the attribute in this file."},
    {.id = "python-library-store",
     .capability = Capability::kIntrospection,
     .message = "changes what a library module does: {}",
     .why = "The module's other functions use what stands there: another reindent makes timeit run "
            "other text, another tempdir makes files elsewhere.",
     .instead = "Keep the value in a variable of your own, or pass it as an argument."},
    {.id = "python-module-as-value",
     .capability = Capability::kIntrospection,
     .message = "hands the module {} around as a value",
     .why = "Under another name, in a list or as an argument the module's members can no longer be "
            "followed. A plain `alias = module` is understood.",
     .instead = "Call the function you need where you are, or pass that function."},
    {.id = "python-star-import",
     .type = FindingType::kBlockedModule,
     .capability = Capability::kIntrospection,
     .message = "imports every name of {}",
     .why = "A star import brings names in that stand nowhere in the source, among them some that "
            "reach out.",
     .instead = "Import the names you use."},
    {.id = "python-blocked-function",
     .type = FindingType::kBlockedFunction,
     .message = "uses {}",
     .why = "The function does what the profile does not allow: administers the system, sends "
            "signals, loads native code, or is listed under functions.blocked.",
     .instead = "Do without it, or choose a profile that allows the capability."},
    {.id = "python-blocked-attribute",
     .type = FindingType::kBlockedFunction,
     .message = "uses the attribute {}, which the profile blocks",
     .why = "The profile lists the name under attributes.blocked, for any object.",
     .instead = "See the profile (`langsbx profiles NAME`)."},
    {.id = "python-dynamic-code",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kDynamicCode,
     .message = "runs text as code: {}",
     .why = "What eval, exec, compile, __import__ and their kin run is made while the program runs "
            "and has been judged by nobody. Mentioning them is enough, because a mention can be "
            "called later.",
     .instead = "Use ast.literal_eval for data, a dictionary of functions for choices."},
    {.id = "python-introspection",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kIntrospection,
     .message = "looks into the interpreter: {}",
     .why = "Namespaces, frames and module tables lead from any object to every module that is "
            "loaded, and so to everything the profile does not allow.",
     .instead = "Keep what you need in variables or a dictionary of your own."},
    {.id = "python-special-name",
     .capability = Capability::kIntrospection,
     .message = "uses the special name {}",
     .why = "Special names lead from any object to its class, from there to every class, to "
            "functions' globals and to the builtins. Those that ordinary programs use are allowed: "
            "__init__, __name__, __class__, operators.",
     .instead = "Use the function or operator that the special name stands for."},
    {.id = "python-frame-attribute",
     .capability = Capability::kIntrospection,
     .message = "reaches frames or code objects through {}",
     .why = "Generators, coroutines, tracebacks and the errors that were caught keep frames and "
            "objects alive; a frame holds every name of its caller, the builtins among them.",
     .instead = "Use traceback.format_exc() to print an error."},
    {.id = "python-computed-attribute",
     .capability = Capability::kIntrospection,
     .message = "asks for an attribute by a name that is computed: {}",
     .why = "A name that is put together while the program runs can be any name, __globals__ and "
            "system among them. A literal name is judged as if it stood behind a dot.",
     .instead = "Write the attribute, or use a dictionary."},
    {.id = "python-unseen-template",
     .capability = Capability::kIntrospection,
     .message = "formats a template that cannot be seen",
     .why = "str.format follows attributes: '{0.__class__}'. A template that is put together while "
            "the program runs can name any of them.",
     .instead = "Use an f-string, or %-formatting, or a literal template."},
    {.id = "python-format-field",
     .capability = Capability::kIntrospection,
     .message = "a format field reads the attribute {}",
     .why = "Fields of str.format follow attributes, so '{0.__init__.__globals__}' reads what is "
            "behind the object.",
     .instead = "Format the value itself."},
    {.id = "python-class-from-text",
     .capability = Capability::kIntrospection,
     .message = "makes a class from names that are computed",
     .why = "type(name, bases, namespace) defines special names that stand nowhere in the source, "
            "so that patterns and lookups can be steered to any attribute.",
     .instead =
         "Write the class statement, or use dataclasses.make_dataclass or collections.namedtuple."},
    {.id = "python-file-access",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesRead,
     .message = "accesses files: {}",
     .why = "The profile does not allow this use of files: reading, writing or deleting, each is a "
            "capability of its own.",
     .instead = "Read from standard input and write to standard output, or choose a profile that "
                "allows files."},
    {.id = "python-outside-path",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "a path outside the work directory: {}",
     .why =
         "Programs read and write next to themselves. Absolute paths, '~' and '..' lead to what "
         "belongs to the system or to others. Paths that are computed are the kernel's to bound.",
     .instead =
         "Use a relative path, or add the directory to paths.read or paths.write in the profile."},
    {.id = "python-process",
     .type = FindingType::kSystemCall,
     .capability = Capability::kProcessSpawn,
     .message = "starts a program: {}",
     .why = "A started program is judged by nobody: it does what its own code does, and a shell "
            "does what its text says.",
     .instead = "Do the work in the program itself."},
    {.id = "python-network",
     .type = FindingType::kNetworkAccess,
     .capability = Capability::kNetworkConnect,
     .message = "reaches the network: {}",
     .why = "The profile allows no connections; data could leave, and code come in.",
     .instead = "Read the data from a file or standard input."},
    {.id = "python-environment",
     .capability = Capability::kEnvironment,
     .message = "reads the environment: {}",
     .why = "Environments carry passwords and keys. One variable asked for by name is fine, unless "
            "the name speaks of a secret; the whole environment is not.",
     .instead = "Ask for the one variable you need, by name."},
    {.id = "python-deserialise",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kDeserialise,
     .message = "builds objects from bytes: {}",
     .why = "pickle and its kin call whatever function the bytes name.",
     .instead = "Use json, csv, or numpy files without objects."},
    {.id = "python-text-as-code",
     .capability = Capability::kDynamicCode,
     .message = "text that is run as code: {}",
     .why = "timeit, profile and doctest run strings. A string that can be seen is judged as the "
            "code it is; one that can't is refused.",
     .instead = "Pass a function to timeit; keep doctest examples plain."},
    {.id = "python-syntax",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "What the scanner cannot read it cannot judge, and an interpreter of another version "
            "may read it differently.",
     .instead = "Correct the source."},
    {.id = "python-nesting",
     .type = FindingType::kLimit,
     .message = "{}",
     .why = "Judging keeps a stack of open brackets and strings; its depth is limited so that "
            "hostile input cannot exhaust memory.",
     .instead = "Nest less deeply, or raise limits.source_nesting in the profile."},
};

// "python-blocked-module"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::python
