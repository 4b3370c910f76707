// Rules that belong to no language: bytes, identifiers, limits, a profile's own patterns.
#pragma once

#include "languages/rule.h"

namespace langsbx::languages::shared {

inline constexpr Rule kTooLarge = {
    "source-too-large",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "the source is larger than the profile's limit of {} bytes",
    "Judging is linear in the size of the source; a limit keeps hostile input from taking time and "
    "memory before anything runs.",
    "Split the file, keep data out of the code, or raise the profile's max_bytes."};

inline constexpr Rule kTooManyReferences = {
    "source-too-many-references",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "the source names more than {} other files",
    "The files a program pulls in are judged with it. One that is named behind thousands of others "
    "would run without having been judged.",
    "Split the file, or name fewer files in it."};

inline constexpr Rule kBinary = {
    "source-binary",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "this is {}, not source text",
    "Interpreters run more than text: Python takes a zip archive or bytecode under any name, the "
    "kernel takes ELF. What cannot be read as source cannot be judged.",
    "Give the program's source."};

inline constexpr Rule kNul = {
    "source-nul",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "a NUL byte",
    "Some readers stop at NUL, some drop it (bash reads e<NUL>nv as env), some refuse it: what "
    "is judged would not be what runs.",
    "Remove the byte; write an escape inside strings."};

inline constexpr Rule kInvalidUtf8 = {
    "source-invalid-utf8",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "bytes that are not UTF-8",
    "In another encoding the same bytes are other characters, quotes and line ends among them.",
    "Save the file as UTF-8."};

inline constexpr Rule kBareCarriageReturn = {
    "source-bare-cr",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "a carriage return without a line feed",
    "Python ends a line at a bare CR, editors and many parsers do not: code can stand in what "
    "looks like a comment.",
    "Use LF or CR LF line ends; write \\r inside strings."};

inline constexpr Rule kByteOrderMark = {
    "source-byte-order-mark",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "a byte-order mark",
    "A mark inside the text is invisible, and at the start it hides a \"#!\" line from the kernel.",
    "Save the file as UTF-8 without a byte-order mark."};

inline constexpr Rule kCodingCookie = {
    "source-coding-cookie",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "the source declares the encoding '{}'",
    "The interpreter decodes the file with that codec before it reads a line (utf-7 and "
    "raw_unicode_escape turn comments into code), so only UTF-8 and ASCII mean what they show.",
    "Save the file as UTF-8 and drop the declaration."};

inline constexpr Rule kBidiControl = {
    "source-bidi-control",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "a bidirectional control character",
    "It makes an editor show the text in another order than the interpreter reads it (Trojan "
    "Source), also inside comments and strings.",
    "Remove it, or write it as an escape."};

inline constexpr Rule kLineSeparator = {
    "source-line-separator",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "a Unicode line or paragraph separator",
    "The language ends a line, and with it a comment, at U+2028 and U+2029; most readers do not.",
    "Write it as an escape."};

inline constexpr Rule kDisguisedIdentifier = {
    "identifier-disguised",
    FindingType::kEncoding,
    Capability::kNone,
    Severity::kError,
    "the name '{}' is not what it seems: it has characters that read or look like ASCII letters",
    "Python folds such characters to ASCII (a mathematical e, x, e, c is exec), and letters of "
    "other scripts or invisible ones make two names look the same.",
    "Use ASCII, or letters of one script, in names."};

inline constexpr Rule kPattern = {
    "profile-pattern",
    FindingType::kDangerousPattern,
    Capability::kNone,
    Severity::kError,
    "{}",
    "The profile lists this text under `patterns`, with its own message. The administrator who "
    "wrote the profile does not want it in programs run under it.",
    "See the profile (`langsbx profiles NAME`)."};

inline constexpr Rule kUnjudged = {
    "language-unknown",
    FindingType::kSyntax,
    Capability::kDynamicCode,
    Severity::kError,
    "no judge for this language: {}",
    "Only languages with a scanner of their own are understood. For others the patterns of the "
    "profile are all there is, which refuses or allows but does not understand.",
    "Allow dynamic-code in the profile for this language if patterns are enough."};

}  // namespace langsbx::languages::shared
