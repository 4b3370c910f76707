// The rules of Bash, a row each. Beside them, under rules/, stands a fixture named after the id.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::bash {

inline constexpr Rule kRules[] = {
    {.id = "bash-syntax",
     .type = FindingType::kSyntax,
     .message = "not understood: {}",
     .why = "What the parser does not understand cannot be judged, and where shells read the same "
            "text differently nobody can say which reading runs.",
     .instead = "Write it in the plain form; `bash -n` shows most mistakes."},
    {.id = "bash-limit",
     .type = FindingType::kLimit,
     .message = "too much to judge: {}",
     .why = "Nesting, the number of commands and text that is expanded again and again are capped, "
            "so that hostile input costs no more than its length.",
     .instead = "Split the script."},
    {.id = "bash-unknown-command",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kProcessSpawn,
     .message = "'{}' is no command this profile knows",
     .why = "A program that is not in the table may do anything. A function of the script counts "
            "only behind its definition.",
     .instead = "Use a listed command, or add the name under `commands: additional` in a profile "
                "of your own."},
    {.id = "bash-unlisted-command",
     .type = FindingType::kBlockedFunction,
     .message = "'{}' is not among the commands this profile allows",
     .why = "The profile lists the commands that may run. Wrappers (`timeout`, `xargs`, `find "
            "-exec`) and quoting are looked through.",
     .instead = "Use a listed command, or add the name under `commands: additional` in a profile "
                "of your own."},
    {.id = "bash-dynamic-command",
     .capability = Capability::kDynamicCode,
     .message = "the command to run is computed: {}",
     .why = "What runs is decided only while the script runs: a variable from outside, a "
            "substitution, a pattern. Variables that hold constants are followed and judged by "
            "their values.",
     .instead = "Write the command's name, or choose it in a `case`."},
    {.id = "bash-dynamic-code",
     .capability = Capability::kDynamicCode,
     .message = "text is run as code: {}",
     .why = "`eval`, `alias`, callbacks and programs given as variables turn data into commands. "
            "Literal text is judged like the script itself, the rest cannot be.",
     .instead = "Call commands and functions directly; use arrays for argument lists."},
    {.id = "bash-source",
     .capability = Capability::kDynamicCode,
     .message = "runs a file that cannot be judged: {}",
     .why = "`source` runs a file in this shell. A literal path beside the script is judged with "
            "it; a computed one, one outside, or one this script writes can be anything.",
     .instead = "Source a file beside the script by its literal name."},
    {.id = "bash-process-command",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kProcessSpawn,
     .message = "'{}' starts other programs",
     .why = "Interpreters, shells, build tools and wrappers with a context of their own run "
            "whatever they are told; literal commands for them are judged as well.",
     .instead = "Use the shell itself and the listed text and file tools."},
    {.id = "bash-spawn-option",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kProcessSpawn,
     .message = "an option or program text that starts a command: {}",
     .why = "Harmless tools start programs when told so: awk's system() and pipes, sed's e, tar's "
            "checkpoints, sort's compressor, split's filter.",
     .instead = "Put the commands in a pipeline, where each is seen."},
    {.id = "bash-network-command",
     .type = FindingType::kNetworkAccess,
     .capability = Capability::kNetworkConnect,
     .message = "'{}' uses the network",
     .why = "Data can leave and code can arrive through it.",
     .instead =
         "Give the container the data as files, or use a profile that allows network.connect."},
    {.id = "bash-network-redirection",
     .type = FindingType::kNetworkAccess,
     .capability = Capability::kNetworkConnect,
     .message = "a redirection that opens a connection: {}",
     .why = "Bash itself connects for /dev/tcp/HOST/PORT and /dev/udp: no program is needed.",
     .instead = "Use a profile that allows network.connect."},
    {.id = "bash-reverse-shell",
     .type = FindingType::kNetworkAccess,
     .message = "hands a shell to the network: {}",
     .why = "A shell whose input or output is a connection obeys whoever is at the other end. No "
            "ordinary program does this."},
    {.id = "bash-download-execute",
     .capability = Capability::kNativeCode,
     .message = "runs what was just downloaded: {}",
     .why = "The code that arrives was read by nobody here and may be another one tomorrow.",
     .instead = "Download to a file, check its checksum, judge it, then run it."},
    {.id = "bash-file-command",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesWrite,
     .message = "'{}' does to files what the profile does not allow",
     .why = "Reading, writing and deleting are three capabilities; each command needs its own.",
     .instead = "Use a profile that allows it."},
    {.id = "bash-path-outside",
     .type = FindingType::kFileAccess,
     .capability = Capability::kFilesOutside,
     .message = "a path outside the work directory: {}",
     .why = "A script reads and writes beside itself. Paths are judged after quotes and variables "
            "are resolved, redirections and options included.",
     .instead =
         "Use relative paths without '..', or list the directory under `paths` in the profile."},
    {.id = "bash-secret-path",
     .type = FindingType::kFileAccess,
     .capability = Capability::kSecrets,
     .message = "a place where secrets are kept: {}",
     .why = "Password files, keys, tokens and the environment of other processes are worth "
            "stealing and nothing an ordinary script reads.",
     .instead = "Pass the one value that is needed."},
    {.id = "bash-persistence",
     .type = FindingType::kSystemCall,
     .capability = Capability::kPersistence,
     .message = "stays behind after the script has ended: {}",
     .why = "Scheduled jobs, services and start-up files run again when nobody looks.",
     .instead = "Run the work in the foreground."},
    {.id = "bash-system-command",
     .type = FindingType::kSystemCall,
     .capability = Capability::kSystemAdmin,
     .message = "'{}' administers the system",
     .why = "Mounts, users, modules, disks and packages belong to whoever builds the image.",
     .instead = "Do it in the image."},
    {.id = "bash-device-write",
     .type = FindingType::kFileAccess,
     .message = "writes to a device: {}",
     .why =
         "A disk written past its file system is lost; memory and consoles belong to the system.",
     .instead = "Write to a file; /dev/null, /dev/stdout, /dev/stderr and /dev/tty are fine."},
    {.id = "bash-delete-root",
     .type = FindingType::kFileAccess,
     .message = "destroys what the system or the user stands on: {}",
     .why = "A recursive delete or change of the root, a system directory or the home directory is "
            "never meant, also not as \"$UNSET/\"*.",
     .instead = "Name the directory to delete, relative to the work directory."},
    {.id = "bash-fork-bomb",
     .message = "'{}' starts itself again without end",
     .why = "A function that calls itself twice over a pipe or in the background fills the process "
            "table in seconds."},
    {.id = "bash-environment-hook",
     .capability = Capability::kEnvironment,
     .message = "a variable that changes what other commands do: {}",
     .why = "PATH, IFS, LD_PRELOAD, BASH_ENV, PS4 and their like decide which program runs and "
            "what it loads: every name judged afterwards may mean something else.",
     .instead = "Name programs as they are installed; set IFS only before `read`."},
    {.id = "bash-environment-command",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kEnvironment,
     .message = "'{}' reads or changes the environment of programs",
     .why = "`env` starts programs in an environment of its own, and the environment holds tokens.",
     .instead = "Use the variables the script needs by name."},
    {.id = "bash-arithmetic-code",
     .capability = Capability::kDynamicCode,
     .message = "text that arithmetic would run as a command: {}",
     .why = "Arithmetic, [[ -v ]], unset, declare -i and array subscripts evaluate the value of a "
            "variable, and a subscript in it may hold a command substitution.",
     .instead = "Keep substitutions out of strings; check numbers before using them."},
    {.id = "bash-prompt-expansion",
     .capability = Capability::kDynamicCode,
     .message = "expands a value as a prompt: {}",
     .why = "${x@P} runs the command substitutions inside the value of x.",
     .instead = "Use the value itself."},
    {.id = "bash-native-code",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kNativeCode,
     .message = "loads machine code: {}",
     .why =
         "`enable -f`, preloaded libraries and kernel modules run code that no parser here reads."},
    {.id = "bash-signal-command",
     .type = FindingType::kSystemCall,
     .capability = Capability::kSignals,
     .message = "'{}' sends signals to processes",
     .why = "Processes outside the script are not its to stop.",
     .instead = "Use `timeout`, or a profile that allows signals."},
    {.id = "bash-interactive-command",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kInteractive,
     .message = "'{}' is an interactive program",
     .why = "Editors, pagers and debuggers offer a shell to whoever sits in front of them, and to "
            "scripts through their options.",
     .instead = "Use sed, awk or the shell itself."},
    {.id = "bash-secret-command",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kSecrets,
     .message = "'{}' handles keys and secrets",
     .why = "Key stores and password tools have no place in an ordinary script.",
     .instead = "Pass the one value that is needed."},
    {.id = "bash-secret-variable",
     .capability = Capability::kSecrets,
     .message = "reads the secret '{}' from the environment",
     .why = "Whoever started the script keeps tokens and keys in variables of such names; what the "
            "script sets itself is its own.",
     .instead = "Pass the one value that is needed under a name of its own."},
    {.id = "bash-shell-dialect",
     .capability = Capability::kDynamicCode,
     .message = "sh reads this as other commands than bash does: {}",
     .why = "The first line names sh. There [[ is a word like any other, so what follows && inside "
            "it runs as a command, (( )) are two subshells, and $'..' is a dollar before a text "
            "that ends at the next quote.",
     .instead = "Use [ ], $(( )) and printf, or say bash in the first line."},
    {.id = "bash-shadowed-command",
     .capability = Capability::kIntrospection,
     .severity = Severity::kWarning,
     .message = "the function '{}' has the name of a command",
     .why = "A reader takes the call for the command. Calls are judged as the function only behind "
            "a definition that is certain to have run, else as the command.",
     .instead = "Give the function another name."},
};

// "bash-syntax"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kRules, {id, size});
}

}  // namespace langsbx::languages::bash
