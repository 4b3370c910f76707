// The judge of R source.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/r/names.h"
#include "languages/scanner/scanner.h"

namespace langsbx::languages::r {

void judge_source(const Source& source, const Policy& policy, Findings& findings);

// Tokens [first, last) of one argument of a call; `name` is what stands before its "=".
struct Argument {
  std::string_view name;
  std::size_t first = 0;
  std::size_t last = 0;
};

class Judge {
 public:
  Judge(const scanner::Scan& scan, const Policy& policy, Findings& findings, bool included)
      : scan_(scan), policy_(policy), findings_(findings), shares_(included) {}
  void run();

 private:
  // names that the file binds (bindings.cc)
  void learn_bindings();
  void learn_parameters(std::size_t function);
  // The end of the expression that begins at `at`, at most its line or its brackets.
  [[nodiscard]] std::size_t expression_end(std::size_t at) const;
  // Whether a variable or parameter of that name holds what the file gave it at `at`.
  [[nodiscard]] bool is_bound(std::string_view name, std::size_t at) const;
  // Whether the file defines that name, and everywhere as a function.
  [[nodiscard]] bool is_own_function(std::string_view name) const;

  void bind(std::string_view name, std::size_t first, std::size_t last, bool function);
  void learn_target(std::size_t target, std::size_t value, std::size_t last);

  // mentions of names (judge.cc)
  void judge_name(std::size_t at, std::string_view name, bool called);
  void judge_text(std::size_t at);
  void judge_package(std::size_t at, std::string_view name);
  void report_function(std::size_t at, Capability capability, std::string_view name);

  // files that run one another's code (sourced.cc)
  [[nodiscard]] std::optional<std::string> sourced_file(std::size_t at) const;
  [[nodiscard]] bool follow_source(std::size_t at);
  void judge_write_beside(std::size_t at, std::string_view name,
                          const std::vector<Argument>& arguments);
  void judge_write_as_value(std::size_t at, std::string_view name);

  // calls (calls.cc)
  // Whether names inside the bracket at `open` may be columns of a table.
  [[nodiscard]] bool masks(std::size_t open) const;
  [[nodiscard]] const Argument* given_function(std::size_t at, int position,
                                               const std::vector<Argument>& arguments) const;
  void judge_call(std::size_t at, std::string_view name);
  void judge_function_argument(std::size_t at, int position,
                               const std::vector<Argument>& arguments);
  void judge_file_call(std::size_t at, std::string_view name, Capability use,
                       const std::vector<Argument>& arguments);
  void judge_paths(const std::vector<Argument>& arguments, bool writes);
  void judge_formula(const std::vector<Argument>& arguments, std::string_view name);
  void judge_library(std::string_view name, const std::vector<Argument>& arguments);
  void judge_options(std::size_t at, const std::vector<Argument>& arguments);
  void judge_variable(std::size_t at, const std::vector<Argument>& arguments);
  void judge_conversion(std::size_t at, const std::vector<Argument>& arguments);

  [[nodiscard]] std::vector<Argument> arguments_of(std::size_t open) const;
  // The text of a literal, or of file.path, paste and paste0 over literals.
  [[nodiscard]] std::optional<std::string> text_of(const Argument& argument) const;
  [[nodiscard]] std::optional<std::string> literal(std::size_t at) const;
  // The name at a token: an identifier, or what stands in backticks or quotes.
  [[nodiscard]] std::string name_of(std::size_t at) const;
  [[nodiscard]] bool is_member(std::size_t at) const;
  [[nodiscard]] bool is_argument_name(std::size_t at) const;

  // Tokens from which on, and up to which, a name holds what the file gave it.
  struct Range {
    std::size_t first = 0;
    std::size_t last = 0;
  };
  struct Bound {
    bool functions = true;      // nothing else was given to it
    std::vector<Range> ranges;  // by where they begin
  };
  const scanner::Scan& scan_;
  const Policy& policy_;
  Findings& findings_;
  std::unordered_map<std::string, Bound, NameHash, std::equal_to<>> bindings_;
  bool shares_;  // another file runs it, or it runs another: each sees what the other binds
  bool binds_any_ = false;   // assign() under a computed name
  std::vector<bool> open_;   // brackets around the token that is judged: is_masked
  bool has_tables_ = false;  // data.table: x[...] reads columns as variables
  std::size_t masks_ = 0;    // how many of them
};

}  // namespace langsbx::languages::r
