// The names that matter: what a word means as a variable and what it means behind a dot.
#pragma once

#include <cstdint>
#include <string_view>

#include "languages/scanner/words.h"

namespace langsbx::languages::javascript {

enum class Free : std::uint8_t {  // as a variable or keyword
  kNone,
  kArguments,
  kDynamicCode,  // eval, Function and their kind
  kExport,
  kFunction,
  kGlobal,
  kImport,
  kModule,
  kNative,
  kNetwork,
  kProcess,
  kPrototypeApi,  // Object, Reflect
  kRequire,
  kTimer,
  kWith,
};

enum class Dotted : std::uint8_t {  // as a member
  kNone,
  kConstructor,
  kDynamicCode,  // no ordinary object has a member of this name
  kCall,         // only where it is called: x.binding(...)
  kPrototype,
  kProcess,
};

struct Meaning {
  Free free = Free::kNone;
  Dotted dotted = Dotted::kNone;
};

// All words that have a meaning.
extern const scanner::WordFilter kMeaningfulWords;

[[nodiscard]] Meaning meaning_of(std::string_view word);

// A member name that must not be reached under a computed key.
[[nodiscard]] bool is_sensitive_member(std::string_view name);
// Whether text that starts with `start` and ends with `tail` may be such a name; both empty: no,
// for nothing is known and ordinary lookups look the same.
[[nodiscard]] bool may_be_sensitive(std::string_view start, std::string_view tail);
// A string that has no ordinary use as a value.
[[nodiscard]] bool is_telltale(std::string_view text);

}  // namespace langsbx::languages::javascript
