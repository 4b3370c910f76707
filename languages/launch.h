// How programs of a language are started: where the source stands in a command line, what its
// interpreter is given, and the tools that compile or run it.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace langsbx::languages {

// A variable that the interpreter is started with, so that it takes in no code which nobody judged.
struct GivenVariable {
  std::string_view name;
  std::string_view value;
};

// What a command line runs: a file, a text, or why neither can be told.
struct SourceArgument {
  std::string path = {};
  std::string text = {};
  std::string problem = {};
};

struct Language;

// What the command line runs: `args` with the interpreter at [0], which is called `program`.
[[nodiscard]] SourceArgument source_argument(const Language& language, std::string_view program,
                                             const std::vector<std::string>& args);

// For the functions that read command lines.
[[nodiscard]] SourceArgument file_argument(const std::string& path);
[[nodiscard]] SourceArgument text_argument(const std::string& code);
[[nodiscard]] SourceArgument problem_argument(const std::string& why);
[[nodiscard]] SourceArgument interactive_argument();
[[nodiscard]] SourceArgument unknown_option(const std::string& option);
[[nodiscard]] SourceArgument missing_value(const std::string& option);

struct Version {
  int major = 0;
  int minor = 0;
  auto operator<=>(const Version&) const = default;  // NOLINT(modernize-use-nullptr)
};

// One start of a program.
struct Start {
  std::string program;        // where the interpreter is
  std::string source;         // where the source, or what was made of it, is
  std::string folder;         // the folder of sources, which nobody writes
  std::string entry;          // the source's name below it, where the program is several files
  std::string work;           // the folder it may write
  std::uint64_t memory = 0;   // bytes it may use
  Version version = {};       // of the interpreter; 0.0 when it was not asked
  bool without_site = false;  // see Launch::has_site
};

// One run of a compiler.
struct Build {
  std::string program;               // the compiler
  std::string source;                // the file that starts the program
  std::vector<std::string> sources;  // this one and the program's others
  std::string folder;                // where they are
  std::string work;                  // the folder for what is made, where the compiler starts
  std::string_view text;             // of the file that starts the program
};

struct CompilerCall {
  std::vector<std::string> args;
  std::string folder = {};  // where the compiler starts instead
  std::vector<std::string> env = {};
};

inline constexpr std::uint64_t kMiB = 1U << 20U;
inline constexpr std::string_view kMadeProgram = "program";  // what a compiler makes

// Programs that a compiler starts, as shell patterns of absolute paths. "~/" at the beginning
// stands for the folder above the compiler's own bin/, or for `home`.
struct CompilerParts {
  std::span<const std::string_view> patterns;
  std::string_view home = {};
};

struct StartupFile {
  std::string_view name;  // begins with a '.', as no source's name does
  std::string_view content;
  bool of_several = false;  // only where the program is several files
};

// From where an interpreter takes a program's files, so that it runs what was judged.
enum class CodePlace : std::uint8_t {
  kSource,  // the folder of sources, which nobody writes
  // There, too; a copy in the work directory gives the files their names. A single file is read
  // whole before its first line runs, and is started there.
  kCopied,
  // The work directory, where the program can't change them: it reads them while it runs, by paths
  // that begin there.
  kFixed,
};

struct Toolchain {
  std::string_view program;    // interpreter or compiler, absolute on the host and inside
  std::string_view package;    // of Debian, for the message when it is missing
  std::string_view extension;  // of the file inside when the given name has no fitting one
  bool compiled = false;
  // Runtimes that start helper threads or reserve a heap can't do with less.
  std::uint64_t least_pids = 1;
  std::uint64_t least_memory = 0;
  std::uint64_t least_files = 0;
  std::span<const std::string_view> host_paths = {};  // read-only, beside /usr
  // Where else the program may be, in this order; empty: under its name in the usual folders.
  std::span<const std::string_view> places = {};
  std::string_view starts = {};  // what is executed instead: tsc is a script of Node
  Version least_version = {};
  bool asks_version = false;  // true: its command line depends on its version
  // argv before the caller's arguments; nullptr: what was compiled is the program.
  std::vector<std::string> (*command)(const Start& start) = nullptr;
  // What compiles the sources into kMadeProgram of the work directory.
  CompilerCall (*compile)(const Build& build) = nullptr;
  // What an interpreter runs is called so; of several files it may be made as a JSON object of
  // their texts by name instead.
  std::string_view made_name = kMadeProgram;
  bool makes_files = false;
  bool of_several = false;  // only for programs of several files, and before the others there
  // A file for the source's folder that the interpreter reads first; without a name: none.
  StartupFile startup = {};
  CodePlace code_place = CodePlace::kSource;
  bool links_data = false;  // kCopied: programs look for data beside the code, in both folders
  // What compiling may execute beside the compiler.
  std::span<const CompilerParts> parts = {};
  // Variables that the interpreter wants.
  std::vector<std::string> (*environment)(const Start& start) = nullptr;

  // What is compiled runs by itself.
  [[nodiscard]] bool is_native() const { return compiled && command == nullptr; }
};

// Files that are one program with the one that starts it, without being named by it.
enum class Together : std::uint8_t {
  kNothing,
  kFolder,     // all of its folder, where a manifest makes it part of a module
  kHeaders,    // x.c of a header x.h that the program includes
  kManifests,  // no code, but what says how it is read: the manifests of its folders
};

struct Launch {
  std::span<const Toolchain> toolchains = {};  // in the order of preference
  // `args` with the interpreter at [0]; nullptr: no command line of it is known.
  SourceArgument (*source_argument)(std::string_view program,
                                    const std::vector<std::string>& args) = nullptr;
  std::span<const GivenVariable> environment = {};
  // For a program that takes nothing from its own folder.
  std::span<const GivenVariable> alone = {};
  std::string_view seccomp = "default";  // the shipped profile for it
  std::string_view compiler = {};        // what `langsbx languages` looks for first
  std::string_view version_option = "--version";
  Together together = Together::kNothing;
  std::string_view manifest = {};                         // of kFolder and kManifests
  std::span<const std::string_view> source_endings = {};  // of what is compiled together
  // Python's: what the interpreter does at start can be left out (runtime/execute/python_site.h).
  bool has_site = false;
};

}  // namespace langsbx::languages
