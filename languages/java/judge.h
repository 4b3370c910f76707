// Judges one scanned Java source: which classes it names, under whatever name, and what it does
// with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/java/classes.h"
#include "languages/language.h"
#include "languages/policy.h"
#include "languages/scanner/brackets.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::java {

// See Language::follow_reference.
bool follow_reference(PackageSearch& search, const std::string& folder, const Source& source,
                      const LocalReference& reference);

using scanner::Token;
using scanner::TokenKind;
using Index = std::uint32_t;
inline constexpr Index kNoIndex = scanner::kNoToken;

// What an expression yields as text: how it starts, and whether that is all.
struct Text {
  std::string start;
  bool exact = false;
};

class Judge {
 public:
  Judge(const Source& source, const scanner::Scan& scan, const Policy& policy, Findings& findings)
      : source_(source), scan_(scan), brackets_(scan), policy_(policy), findings_(findings) {}
  void run();

 private:
  struct Range {
    Index from;
    Index to;
  };
  // What a simple class name stands for in this file.
  struct Class {
    const SpecialClass* special = nullptr;
    Capability capability = Capability::kNone;
    bool interesting = false;
    std::string qualified;
  };

  // judge.cc
  void learn();
  void learn_declaration(Index index);
  void learn_constant(Index index);
  void ask_all();
  void ask_every_name();
  void ask_identifier(Index index);
  void ask_handles();
  bool ask_module_declaration();
  const Class& class_of(std::string_view simple, scanner::Symbol hash);
  Class resolve(std::string_view simple);
  [[nodiscard]] bool declared_here(Index index) const;
  void report(const Rule& rule, Index index, std::string_view detail);
  void report(const Rule& rule, Capability capability, Index index, std::string_view detail);

  // imports.cc
  Index learn_package(Index index);
  Index learn_import(Index index);
  void ask_import(Index index, const std::string& name, bool is_static, bool wildcard);
  bool ask_static_import(Index index, const std::string& name, bool wildcard);
  void local_import(Index index, const std::string& name, bool own);
  void ask_qualified(Index index);
  void refer_to_siblings();
  [[nodiscard]] bool listed(const NameSet& names, std::string_view name) const;
  std::string dotted_name(Index& index) const;

  // uses.cc
  void ask_class(Index index, const SpecialClass& special);
  void ask_runtime(Index index);
  void ask_system(Index index);
  void ask_file(Index index, const SpecialClass& special);
  void ask_file_member(Index index, std::string_view owner, std::string_view member, Index open);
  void ask_method(Index index);
  void ask_path(Index open, int count, bool writes);
  void ask_literal_paths();
  Text fold(Index& index, int depth) const;
  Text fold_join(Index open, int depth) const;

  [[nodiscard]] Index size() const { return static_cast<Index>(scan_.size()); }
  [[nodiscard]] const Token& at(Index index) const { return scan_.at(index); }
  [[nodiscard]] std::string_view text(Index index) const { return scan_.text(index); }
  [[nodiscard]] bool is(Index index, char symbol) const { return at(index).is(symbol); }
  [[nodiscard]] bool is(Index index, scanner::Symbol symbol) const { return at(index).is(symbol); }
  [[nodiscard]] bool is(Index index, std::string_view name) const {
    return scan_.is_name(index, name);
  }
  [[nodiscard]] bool is_name(Index index) const { return at(index).kind == TokenKind::kIdentifier; }
  [[nodiscard]] bool is_member(Index index) const {
    return index > 0 && (is(index - 1, '.') || is(index - 1, scanner::kScope));
  }
  [[nodiscard]] Index after(Index open) const {
    const Index other = brackets_.partner(open);
    return other == kNoIndex ? size() : other + 1;
  }

  const Source& source_;
  const scanner::Scan& scan_;
  scanner::Brackets brackets_;
  const Policy& policy_;
  Findings& findings_;
  std::array<std::byte, 8192> first_bytes_;
  std::pmr::monotonic_buffer_resource arena_{first_bytes_.data(), first_bytes_.size()};
  std::string package_;
  bool uses_files_ = false;
  // Constants made of constants could be followed for ever: what is left for the whole source.
  mutable int fold_steps_ = 1'000'000;
  Index body_ = 0;  // the first token behind package and imports
  std::pmr::unordered_map<std::string_view, std::string> imports_{
      &arena_};  // simple name to qualified
  std::vector<std::string> wildcards_;
  std::pmr::unordered_map<std::string_view, std::string> statics_{&arena_};  // member to its class
  std::pmr::unordered_map<std::string_view, std::vector<Range>> declared_{&arena_};
  std::pmr::unordered_set<Index> bodies_{&arena_};  // of classes: their {
  std::pmr::unordered_map<std::string_view, Index> constants_{
      &arena_};  // String NAME = ...: the text
  std::pmr::unordered_map<std::string_view, Class> classes_{&arena_};
  // The classes asked for last, by hash: most names come again soon.
  struct Recent {
    std::string_view name;
    const Class* named = nullptr;
  };
  std::array<Recent, 128> recent_{};
  scanner::WordFilter static_words_;
  std::pmr::unordered_map<std::string_view, bool> runtimes_{
      &arena_};  // variables that hold the Runtime
};

}  // namespace langsbx::languages::java
