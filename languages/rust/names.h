// What paths of Rust's standard library, macros, attributes and well-known crates reach for.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "languages/finding.h"
#include "languages/scanner/words.h"

namespace langsbx::languages::rust {

struct PathRule {
  Capability capability = Capability::kNone;
  bool module = false;  // naming it is harmless, its other members need the capability
};

// `path` without std, core or alloc: "process::Command". The longest entry that begins it decides.
struct PathMatch {
  const PathRule* rule = nullptr;
  bool whole = false;  // the entry is all of the path
};
[[nodiscard]] PathMatch find_path(std::string_view path);

// The members of a module that need a capability: "fs" has "remove_dir_all".
void each_member(std::string_view module, const std::function<void(std::string_view)>& visit);

// Whether an entry that needs a capability ends in this name ("Command").
[[nodiscard]] bool ends_blocked_path(std::string_view name);

// Whether the standard library has a module, macro or primitive of that name which no entry judges:
// what is on no list is refused.
[[nodiscard]] bool is_known_module(std::string_view name);

[[nodiscard]] bool is_root_crate(std::string_view name);
[[nodiscard]] bool is_primitive(std::string_view name);  // u8::MAX, str::from_utf8
// A crate by name: kNone computes, others are refused; null for unknown ones.
[[nodiscard]] const Capability* find_crate(std::string_view name);
// The capability of a macro, by its name without the !.
[[nodiscard]] const Capability* find_macro(std::string_view name);

// Macros, blocked attributes and the keywords that the judge looks at.
extern const scanner::WordFilter kMeaningfulWords;

[[nodiscard]] bool is_harmless_attribute(std::string_view name);
[[nodiscard]] bool is_blocked_attribute(std::string_view name);

}  // namespace langsbx::languages::rust
