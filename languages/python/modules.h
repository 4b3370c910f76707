// What modules and their members give: the generated table of the standard library, the hand-kept
// tables of members and of known third-party packages.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "languages/finding.h"

namespace langsbx::languages::python {

struct ModuleInfo {
  std::string_view name;
  Capability capability = Capability::kNone;
  bool mixed = false;  // members are judged one by one; handing the module around hides them
};

struct LeakInfo {
  std::string_view module;
  std::string_view attributes;  // " a b c "
};

// How the use of a member is judged.
enum class MemberUse : std::uint8_t {
  kPlain,          // mentioning it needs the capability
  kSafe,           // an exception from the module's "*"
  kPath,           // needs the capability, and its first argument is a path to look at
  kTwoPaths,       // the first two arguments
  kOpen,           // path and mode: read or write
  kPathOnly,       // no capability of its own, but the path counts (pathlib.Path)
  kEnvironment,    // a variable's name decides
  kCodeText,       // its string arguments are code
  kPickle,         // harmless unless allow_pickle is given
  kAttributeText,  // its string arguments are attribute names
  kFieldNames,     // makes a class whose attributes are called after the strings in its arguments
  kCopied,         // functools.wraps: names of attributes to copy, when they are given
  kDispatch,       // evaluates the annotations of functions
  kMetaclass,      // called with a namespace it makes a class
  kTestMain,       // unittest.main: its arguments name what is imported
  kNoArguments,    // harmless without arguments
  kBackend,        // a name that may be "module://..."
  kProfiler,       // its method run() takes code
  kNamedPath,      // needs the capability; keywords that name a path are looked at
  kTree,           // deletes or moves whole trees: only a literal path inside the work directory
};

struct MemberInfo {
  Capability capability = Capability::kNone;
  MemberUse use = MemberUse::kPlain;
};

// The entry of "a.b.c", or of the longest known parent. nullptr: not known at all.
[[nodiscard]] const ModuleInfo* find_module(std::string_view dotted);
// Nothing: the member is as harmless as the module.
[[nodiscard]] std::optional<MemberInfo> find_member(std::string_view module,
                                                    std::string_view member);
// Whether `attribute` of `module` is a module worth hiding.
[[nodiscard]] bool leaks_module(std::string_view module, std::string_view attribute);
// The attributes under which it shows modules, as " a b c "; empty when there are none.
[[nodiscard]] std::string_view leaks_of(std::string_view module);
// Whether a module of the standard library judges members that are not closed by name: handing it
// around would hide them.
[[nodiscard]] bool guarded(const ModuleInfo& module);
[[nodiscard]] bool third_party(std::string_view module);
// Whether an underscore name of this module is an inner part that nobody's program needs.
[[nodiscard]] bool closed_inside(std::string_view module, std::string_view member);
// Whether a table says something of this member by its name.
[[nodiscard]] bool listed_member(std::string_view module, std::string_view member);
// Every member that is judged one by one.
[[nodiscard]] std::vector<std::string_view> judged_members(std::string_view module);
// Whether "module.attribute" is a module by itself ("os.path").
[[nodiscard]] bool is_submodule(std::string_view dotted);

}  // namespace langsbx::languages::python
