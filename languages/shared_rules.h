// The rules that belong to no language: bytes, names, limits, a profile's patterns, the files that
// a program pulls in, and languages without a judge.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages {

inline constexpr Rule kSharedRules[] = {
    {.id = "source-too-large",
     .type = FindingType::kLimit,
     .message = "the source is larger than the profile's limit of {} bytes",
     .why = "Judging is linear in the size of the source; a limit keeps hostile input from taking "
            "time and memory before anything runs.",
     .instead = "Split the file, keep data out of the code, or raise the profile's max_bytes."},
    {.id = "source-too-many-references",
     .type = FindingType::kLimit,
     .message = "the source names more than {} other files",
     .why = "The files a program pulls in are judged with it. One that is named behind thousands "
            "of others would run without having been judged.",
     .instead = "Split the file, or name fewer files in it."},
    {.id = "source-binary",
     .type = FindingType::kEncoding,
     .message = "this is {}, not source text",
     .why = "Interpreters run more than text: Python takes a zip archive or bytecode under any "
            "name, the kernel takes ELF. What cannot be read as source cannot be judged.",
     .instead = "Give the program's source."},
    {.id = "source-nul",
     .type = FindingType::kEncoding,
     .message = "a NUL byte",
     .why = "Some readers stop at NUL, some drop it (bash reads e<NUL>nv as env), some refuse it: "
            "what is judged would not be what runs.",
     .instead = "Remove the byte; write an escape inside strings."},
    {.id = "source-invalid-utf8",
     .type = FindingType::kEncoding,
     .message = "bytes that are not UTF-8",
     .why = "In another encoding the same bytes are other characters, quotes and line ends among "
            "them.",
     .instead = "Save the file as UTF-8."},
    {.id = "source-bare-cr",
     .type = FindingType::kEncoding,
     .message = "a carriage return without a line feed",
     .why = "Python ends a line at a bare CR, editors and many parsers do not: code can stand in "
            "what looks like a comment.",
     .instead = "Use LF or CR LF line ends; write \\r inside strings."},
    {.id = "source-byte-order-mark",
     .type = FindingType::kEncoding,
     .message = "a byte-order mark",
     .why = "A mark inside the text is invisible, and at the start it hides a \"#!\" line from the "
            "kernel.",
     .instead = "Save the file as UTF-8 without a byte-order mark."},
    {.id = "source-coding-cookie",
     .type = FindingType::kEncoding,
     .message = "the source declares the encoding '{}'",
     .why = "The interpreter decodes the file with that codec before it reads a line (utf-7 and "
            "raw_unicode_escape turn comments into code), so only UTF-8 and ASCII mean what they "
            "show.",
     .instead = "Save the file as UTF-8 and drop the declaration."},
    {.id = "source-bidi-control",
     .type = FindingType::kEncoding,
     .message = "a bidirectional control character",
     .why = "It makes an editor show the text in another order than the interpreter reads it "
            "(Trojan Source), also inside comments and strings.",
     .instead = "Remove it, or write it as an escape."},
    {.id = "source-line-separator",
     .type = FindingType::kEncoding,
     .message = "a Unicode line or paragraph separator",
     .why = "The language ends a line, and with it a comment, at U+2028 and U+2029; most readers "
            "do not.",
     .instead = "Write it as an escape."},
    {.id = "identifier-disguised",
     .type = FindingType::kEncoding,
     .message = "the name '{}' is not what it seems: it has characters that read or look like "
                "ASCII letters",
     .why = "Python folds such characters to ASCII (a mathematical e, x, e, c is exec), and "
            "letters of other scripts or invisible ones make two names look the same.",
     .instead = "Use ASCII, or letters of one script, in names."},
    {.id = "profile-pattern",
     .message = "{}",
     .why = "The profile lists this text under `patterns`, with its own message. The administrator "
            "who wrote the profile does not want it in programs run under it.",
     .instead = "See the profile (`langsbx profiles NAME`)."},
    {.id = "language-unknown",
     .type = FindingType::kSyntax,
     .capability = Capability::kDynamicCode,
     .message = "no judge for this language: {}",
     .why = "Only languages with a scanner of their own are understood. For others the patterns of "
            "the profile are all there is, which refuses or allows but does not understand.",
     .instead = "Allow dynamic-code in the profile for this language if patterns are enough."},
    {.id = "closure-missing",
     .type = FindingType::kBlockedModule,
     .message = "'{}' is not there to be judged",
     .why = "The program pulls in a file that cannot be read now. If it appears later it would run "
            "without having been judged.",
     .instead = "Put the file next to the program, or name the module in the profile."},
    {.id = "closure-other-directory",
     .type = FindingType::kBlockedFunction,
     .capability = Capability::kDynamicCode,
     .message = "'{}' may be another file by then: the script changes its directory",
     .why = "A relative path means another file once the directory has changed. What would run is "
            "not the file that was judged.",
     .instead =
         "Source the file before the first cd, or by a path that was made absolute before it."},
    {.id = "closure-too-large",
     .type = FindingType::kLimit,
     .message = "'{}' is beyond what is judged for one program",
     .why = "The files a program pulls in are judged with it, up to a number and a size, so that "
            "judging stays fast whatever the program names.",
     .instead = "Pull in fewer files."},
    {.id = "closure-foreign-module",
     .type = FindingType::kBlockedModule,
     .capability = Capability::kNativeCode,
     .message = "'{}' decides what is loaded, or is native code",
     .why =
         "Node takes a .node file or what a package.json says before the files that can be judged.",
     .instead = "Name the file itself."},
    {.id = "closure-foreign-file",
     .type = FindingType::kSystemCall,
     .capability = Capability::kNativeCode,
     .message = "'{}' would be compiled into the program",
     .why = "Go takes assembly, C and object files of a package's folder into the program without "
            "a word in any Go file. Nobody judges them.",
     .instead = "Remove the file from the package."},
    {.id = "generic-pattern",
     .message = "text that reaches out in many languages: {}",
     .why = "There is no scanner for this language; what the text looks like is all there is to go "
            "by. Comments and strings are not told apart from code.",
     .instead =
         "Use a language that is understood, or name the pattern's capability in the profile."},
};

// "source-nul"_rule is the row of that id. An id without a row does not compile.
consteval const Rule& operator""_rule(const char* id, std::size_t size) {
  return row_of(kSharedRules, {id, size});
}

}  // namespace langsbx::languages
