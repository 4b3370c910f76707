// Where each name of a file is looked up: Python's scopes over the flat tokens. Made for files that
// ask for them only.
//
// A name that binds and is not seen to do so merely shares the variable of the scope around it, so
// whatever is in doubt counts as no binding; a scope that is not there, or a binding where there is
// none, would hide values. What these rules can't read makes the whole file not understood.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "languages/python/tokens.h"

namespace langsbx::languages::python {

enum class ScopeKind : std::uint8_t { kModule, kFunction, kClass, kComprehension };

struct Scope {
  ScopeKind kind = ScopeKind::kModule;
  std::uint32_t parent = 0;
  std::uint32_t token = 0;  // the name behind `def` or `class`, `lambda`, a comprehension's bracket
};

// What a name does where it stands.
enum class NameRole : std::uint8_t {
  kUse,
  kBind,
  kGlobal,    // in a global statement
  kNonlocal,  // in a nonlocal statement
  kMember,    // an attribute, a module's name, an argument's keyword: no variable
  kImport,    // binds what an import statement brings
  kDelete,    // in a del statement or behind an except's `as`: bound, and unbound again
};

class Scopes {
 public:
  // Of the tokens [begin, end): whole statements of the module. Nothing else may be asked for.
  Scopes(std::string_view bytes, const Scan& scan, std::uint32_t begin, std::uint32_t end);

  [[nodiscard]] bool understood() const { return understood_; }
  [[nodiscard]] std::uint32_t scope_of(std::uint32_t token) const {
    return place_[token - begin_] >> 3U;
  }
  [[nodiscard]] NameRole role(std::uint32_t token) const {
    return static_cast<NameRole>(place_[token - begin_] & 7U);
  }
  [[nodiscard]] const Scope& operator[](std::uint32_t scope) const { return scopes_[scope]; }
  [[nodiscard]] std::size_t size() const { return scopes_.size(); }
  // Names of type parameters: whose they are is not told apart.
  [[nodiscard]] bool hazy(std::string_view name) const {
    return !hazy_.empty() && hazy_.contains(name);
  }

 private:
  friend class ScopeReader;
  bool understood_ = true;
  std::uint32_t begin_;
  std::vector<Scope> scopes_;
  std::unique_ptr<std::uint32_t[]> place_;  // for each name: its scope and its role
  std::unordered_set<std::string_view> hazy_;
};

}  // namespace langsbx::languages::python
