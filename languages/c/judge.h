// The judge that C and C++ share.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/c/names.h"
#include "languages/language.h"
#include "languages/policy.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::c {

// C has no constructors of its own: what starts before main was asked for by an attribute.
[[nodiscard]] bool has_no_constructors(const Policy& policy);

void judge_source(const Source& source, const Policy& policy, Findings& findings,
                  const scanner::Dialect& dialect);

// Removes the tokens of `#if 0` groups and the text of #error and #warning lines: the compiler
// reads neither, and both hold apostrophes that are no literals.
void drop_unread(scanner::Scan& scan);

class Judge {
 public:
  Judge(const scanner::Scan& scan, const scanner::Dialect& dialect, const Policy& policy,
        Findings& findings, std::string_view file)
      : scan_(scan), dialect_(dialect), policy_(policy), findings_(findings), file_(file) {}
  void run();

 private:
  using Token = scanner::Token;

  // directives.cc
  void directive(std::size_t hash);
  void condition(std::size_t at);
  void include(std::size_t name, std::size_t hash);
  void header(std::size_t at, bool inside_expression);
  void probe(std::size_t at);
  void pragma(std::size_t first, std::size_t end);
  void pragma_operator(std::size_t at);
  void check_pragma(std::string_view words, const Token& where);
  [[nodiscard]] std::size_t line_end(std::size_t at) const;

  // pasting.cc
  void definition(std::size_t name);
  void paste(std::size_t at);
  [[nodiscard]] bool pieces_make_function();

  // judge.cc
  void marked();
  void identifier(std::size_t at);
  void string(std::size_t& at);
  void function(std::size_t at, std::string_view name, const Function& found);
  void paths(std::size_t open, const Function& found, Capability need);
  void attribute(std::size_t at);
  void attribute_argument(std::size_t at, bool named);
  void standard_attribute(std::size_t at);
  void entry_point(std::size_t at);
  void called_literal(std::size_t at);
  void function_cast(std::size_t at);
  void function_pointer(std::size_t open);
  void type_name(std::size_t at);
  void casts_to_names();
  [[nodiscard]] std::size_t past_cast(std::size_t at) const;
  [[nodiscard]] bool is_place(std::size_t at);
  [[nodiscard]] bool is_data(std::string_view name);
  // puns.cc
  void learn_pointer(std::size_t open);
  void learn_union(std::size_t at);
  void add_pointer(std::string_view name);
  void puns();
  void address_as_data(std::size_t at);
  void union_member(std::size_t at);
  [[nodiscard]] bool is_number(std::size_t at);

  // variables.cc
  struct Scope {
    std::size_t from;
    std::size_t to;
  };
  [[nodiscard]] bool is_variable(std::size_t at);
  [[nodiscard]] bool is_pointer_name(std::size_t at);
  void find_variable(std::size_t at, std::vector<Scope>& scopes);
  [[nodiscard]] bool declares(std::size_t at);
  [[nodiscard]] std::size_t enclosing(std::size_t at);
  [[nodiscard]] std::size_t end_of_block(std::size_t at);
  [[nodiscard]] bool is_macro(std::string_view name);

  void constructor_paths(std::size_t at, Capability need);
  [[nodiscard]] bool is_own(std::string_view name, bool call);
  void find_own_names();
  [[nodiscard]] bool is_further_declarator(std::size_t at) const;
  void find_own_name(std::size_t at, std::string_view name);

  const scanner::Scan& scan_;
  const scanner::Dialect& dialect_;
  const Policy& policy_;
  Findings& findings_;
  std::string_view file_;
  bool own_known_ = false;
  std::unordered_set<std::string_view> own_functions_;
  std::unordered_set<std::string_view> own_variables_;
  std::unordered_set<std::string_view> function_types_;
  scanner::WordFilter type_words_;
  std::unordered_set<std::string_view> pointers_;  // variables and members that hold functions
  std::unordered_set<std::string_view> beside_;    // members of unions beside such ones
  scanner::WordFilter pointer_words_;
  std::optional<std::unordered_set<std::string_view>> numbers_;  // integers as wide as a pointer
  std::optional<std::unordered_set<std::string_view>> macros_;   // when asked
  std::unordered_map<std::string_view, std::vector<Scope>> variables_;  // see is_variable()
  int scope_steps_ = 1'000'000;  // for finding them; none left: nothing more is hidden
  std::optional<std::unordered_set<std::string_view>> data_;  // arrays of numbers; when asked
  std::vector<bool> on_demand_;                               // see condition()
  std::vector<std::string_view> parameters_;                  // of the macro being defined
  std::optional<bool> pieces_make_;                           // see pieces_make_function()
};

}  // namespace langsbx::languages::c
