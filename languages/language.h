// A language: its names, how its files are recognised, and the function that judges its source.
// Adding one: a folder of the same shape as the others and one line in registry.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "languages/finding.h"
#include "languages/preflight_options.h"
#include "languages/rule.h"
#include "languages/source.h"

namespace langsbx::languages {

struct Launch;        // launch.h
class PackageSearch;  // package_search.h
struct Policy;        // policy.h

// A local file that the source pulls in (`import helper`, `source ./x.sh`); the caller resolves it
// next to the file and has it judged too.
struct LocalReference {
  std::vector<std::string> candidates;  // relative paths, first that exists wins
  std::size_t offset = 0;
  bool required = false;  // true: a missing file is an error; false: it may be a library module
  // What to report when a required file is missing; `detail` fills the rule's message.
  const Rule* missing = nullptr;
  std::string detail = {};
  // Set: a package of Go by its import path, in the module whose go.mod stands above the source; a
  // crate of Rust by its name in the nearest Cargo.toml; of Java the root of its packages ("." for
  // its own folder), below which any class may stand; of JavaScript a package's name, looked for in
  // node_modules here and above: `candidates` are below that folder.
  std::string package = {};
  // Of a shell: the reference is by a relative path, so the directory of that moment decides, or it
  // is no reference but a place where the script changes its directory.
  enum class Directory : std::uint8_t { kIrrelevant, kDecides, kChanges };
  Directory directory = Directory::kIrrelevant;
  bool late = false;        // runs at any time: in a function, a loop or a trap
  bool apart = false;       // in a subshell, whose directory is its own
  std::size_t settled = 0;  // where in the text it is decided what the path begins with
};

// Where a judge puts what it finds. Offsets, not positions: the collector turns them into lines,
// asks the policy whether the capability is allowed, drops what is, and caps the number kept.
class Findings {
 public:
  Findings(const Source& source, const Policy& policy);

  // Reports `rule` at [offset, offset+length) unless the policy allows its capability. `detail` is
  // the name that was reached for ("os.system"); it goes into the reason.
  void add(const Rule& rule, std::size_t offset, std::size_t length, std::string_view detail);
  // The same with a capability other than the rule's own (rules about modules and commands carry
  // the capability of what was named).
  void add(const Rule& rule, Capability capability, std::size_t offset, std::size_t length,
           std::string_view detail);
  // The same with a severity and a text of the caller's own (patterns of a profile, warnings).
  // Asks the policy nothing.
  void add_message(const Rule& rule, Severity severity, Capability capability, std::size_t offset,
                   std::size_t length, std::string_view message);
  void reference(LocalReference reference);

  // What judging costs, in bytes, tokens or commands looked at: for the tests of linear time.
  void count_steps(std::size_t steps) { steps_ += steps; }
  [[nodiscard]] std::size_t steps() const { return steps_; }

  // How many errors there are so far, and forgetting those behind the first `count`.
  [[nodiscard]] std::size_t count() const { return violations_.size(); }
  void drop_behind(std::size_t count) {
    violations_.erase(violations_.begin() + static_cast<std::ptrdiff_t>(count), violations_.end());
  }
  [[nodiscard]] bool full() const;
  [[nodiscard]] const std::vector<LocalReference>& references() const { return references_; }
  [[nodiscard]] std::vector<LocalReference> take_references() { return std::move(references_); }
  // Sorted by position, duplicates removed.
  [[nodiscard]] std::vector<Finding> take_violations();
  [[nodiscard]] std::vector<Finding> take_warnings();

 private:
  struct Pending {
    const Rule* rule;
    std::size_t offset;
    std::size_t length;
    std::size_t text;  // where in `texts_`: what the message's "{}" stands for
    std::size_t text_length;
    Severity severity;
    Capability capability;
    bool whole;  // the text is all that is said
  };
  Pending* keep(const Rule& rule, Severity severity, Capability capability, std::size_t offset,
                std::size_t length, std::string_view text, std::size_t limit);
  [[nodiscard]] std::string_view text_of(const Pending& item) const;
  [[nodiscard]] std::vector<std::uint64_t> in_order(const std::vector<Pending>& pending) const;
  // Of two at one place.
  [[nodiscard]] bool before(const Pending& a, const Pending& b) const;
  [[nodiscard]] std::vector<Finding> take(std::vector<Pending>& pending) const;

  const Source& source_;
  const Policy& policy_;
  std::vector<Pending> violations_;
  std::vector<Pending> warnings_;
  std::string texts_;
  std::vector<LocalReference> references_;
  std::size_t steps_ = 0;
};

// A profile shipped with the language: CMake embeds languages/<name>/profiles/*.yaml as kProfiles
// in the generated "languages/<name>/profiles.h".
struct BuiltinProfile {
  std::string_view name;
  std::string_view yaml;
};

// How a language finds the file that a source names.
enum class References : std::uint8_t {
  kByKernel,    // from the folder as it is called; ".." leads where the kernel goes (compilers)
  kRealFile,    // ".." by the name alone; a file's own references start where it really is (Node)
  kBelowEntry,  // as packages below the first file's folder, whatever is a link there (Python)
  kEverywhere,  // next to the file, or next to the first one: nobody can tell (shells)
};

using Name = std::string_view;

struct Language {
  std::string_view name;               // "python"
  std::string_view title;              // "Python"
  std::span<const Name> aliases;       // "py", "python3"
  std::span<const Name> extensions;    // ".py"
  std::span<const Name> interpreters;  // base names in args or #!: "python3"
  std::span<const Rule> rules;         // every rule it can report
  std::span<const BuiltinProfile> builtin_profiles;
  // Which byte-level checks run before judge() (preflight.h); judge() may then rely on them.
  PreflightOptions preflight;
  // Never fails: what it can't understand it reports as a violation.
  void (*judge)(const Source& source, const Policy& policy, Findings& findings);
  // How its programs are started; nullptr: they are judged only.
  const Launch* launch = nullptr;
  // Has the files that a reference means judged, by the language's own way to find them; false: it
  // found none, and the reference's candidates are tried as they stand. nullptr: they always are.
  bool (*follow_reference)(PackageSearch& search, const std::string& folder, const Source& source,
                           const LocalReference& reference) = nullptr;
  bool judges_objects = false;  // what its compiler made is judged too (elf/)
  // What its profiles list: commands, or else modules, functions and attributes.
  bool commands = false;
  References references = References::kByKernel;
  // Whether libraries import a module of that name: a file or folder that is called so beside the
  // program comes before theirs, without the program naming it. nullptr: nothing is found so.
  bool (*is_library_module)(std::string_view name) = nullptr;
};

}  // namespace langsbx::languages
