// Judges one scanned source. Two passes: the first learns what names stand for (modules, local
// variables that hide globals, variables with known text), the second asks every use.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/javascript/code.h"
#include "languages/javascript/fold.h"
#include "languages/javascript/gathered_names.h"
#include "languages/javascript/modules.h"
#include "languages/javascript/names.h"
#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages::javascript {

// What a variable was bound to: a module, one of its functions, process or its environment.
struct Handle {
  const Module* module = nullptr;
  std::string_view member;  // set: that function of the module
  bool process = false;
  bool environment = false;  // process.env
};

struct Range {
  Index from = 0;
  Index to = 0;
};

// Variables that were given something that matters: where.
class Given {
 public:
  void add(std::string_view name, Index where) {
    places_.push_back(where);
    by_name_[name].push_back(where);
    filter_.add(name);
  }
  [[nodiscard]] bool may_hold(scanner::Symbol hash) const { return filter_.may_hold(hash); }
  [[nodiscard]] const std::vector<Index>& places() const { return places_; }
  [[nodiscard]] std::span<const Index> places_of(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::span<const Index>() : found->second;
  }

 private:
  std::vector<Index> places_;
  std::unordered_map<std::string_view, std::vector<Index>> by_name_;
  scanner::WordFilter filter_;
};

// Where the declaration at `index` hides the global of its name; empty for anything else than a
// declaration. Errs towards empty. (shadows.cc)
[[nodiscard]] Range hidden_by_declaration(const Code& code, Index index);

class Judge {
 public:
  Judge(const Code& code, const Policy& policy, Findings& findings)
      : code_(code), policy_(policy), findings_(findings), folder_(code, variables_) {}
  void run();

 private:
  struct Use {
    Index index;
    Meaning meaning;
  };

  // judge.cc
  void learn();
  void learn_identifier(Index index);
  [[nodiscard]] bool gives_everything(Index index) const;
  [[nodiscard]] bool is_given_anew(Index index) const;
  void learn_text_variable(Index behind, Index value);
  void ask_uses();
  void ask_handles();
  void report(const Rule& rule, Index index, std::string_view detail);
  void report(const Rule& rule, Capability capability, Index index, std::string_view detail);
  [[nodiscard]] bool is_hidden(Index index) const;
  [[nodiscard]] bool is_ambient_name(Index index) const;
  [[nodiscard]] bool is_key(Index index) const;
  [[nodiscard]] bool begins_member(Index index, bool behind_type) const;
  [[nodiscard]] bool is_method_name(Index index) const;
  [[nodiscard]] bool may_be_pattern(Index open) const;

  // imports.cc
  void learn_import(Index index);
  void learn_export(Index index);
  void learn_import_clause(Index from, Index specifier, bool types_only);
  void learn_named(const Module* module, Index open, bool as_keyword);
  void learn_dynamic_import(Index index);
  void learn_require(Index index);
  void ask_require(Index index);
  [[nodiscard]] bool is_only_text(Index index) const;
  void ask_specifier_expression(Index index);
  const Module* ask_specifier(Index at, const std::string& specifier);
  void local_reference(Index at, const std::string& specifier);
  void package_reference(Index at, const std::string& specifier);
  void bind(const Module* module, Index expression, Index next);
  [[nodiscard]] bool listed(const NameSet& names, std::string_view name) const;

  // members.cc
  void ask_chain(const Handle& handle, Index at, Index next);
  void ask_member(const Module& module, std::string_view name, Index at, Index next);
  void ask_escape(const Module& module, Index at);
  void ask_paths(const Member& member, Index open);
  void ask_path(Index begin, bool writes);
  [[nodiscard]] bool begins_at_home(Index at) const;
  void ask_process(Index index, Index next);
  void ask_process_member(std::string_view name, Index at, Index next);
  void ask_environment(Index at, Index next);
  void ask_process_pattern(Index open);
  [[nodiscard]] Index bound_by(Index key) const;

  // globals.cc
  void ask_free(const Use& use);
  void ask_timer(Index index);
  void ask_dotted(const Use& use);
  void ask_constructor(Index index);
  [[nodiscard]] bool is_global_this(Index index);
  void ask_module_object(Index index);
  void ask_global_object(Index index);
  [[nodiscard]] bool is_browsers_choice(Index index) const;
  void ask_import_meta(Index index);
  void ask_prototype_api(Index index);
  [[nodiscard]] bool names_function(std::string_view name);
  void ask_arguments(Index index);
  void ask_function_type(Index index);
  [[nodiscard]] bool is_type_literal(Index brace) const;
  [[nodiscard]] bool only_compared(Index index) const;
  [[nodiscard]] bool is_compared_member(Index index) const;
  [[nodiscard]] Index receiver_of(Index index) const;
  [[nodiscard]] bool is_number_alone(Index open) const;
  [[nodiscard]] bool is_within_type(Index index) const;

  // computed.cc
  void ask_bracket(Index open);
  void ask_text(Index index);
  void ask_computed_key(Index open);
  [[nodiscard]] bool is_called(Index open) const;
  void ask_profile_name(Index open, const std::string& member);
  [[nodiscard]] bool is_computed_member(Index open) const;
  [[nodiscard]] bool excused_text(Index index);
  [[nodiscard]] bool only_looked_up(Index index);
  [[nodiscard]] bool makes_own_looks();
  void ask_value(const Value& value, Index at);

  // plain_functions.cc
  [[nodiscard]] bool gives_this(Index function) const;
  void ask_function(Index function);
  void ask_own_member(Index open, Index call);
  [[nodiscard]] Index function_of_this(Index index) const;
  [[nodiscard]] bool is_called_bare(Index function);

  // made_functions.cc
  void ask_unknown_member(Index start, Index next);
  void ask_made_function(Index start, Index call);
  [[nodiscard]] bool is_function_name(Index index) const;
  void ask_made_functions();
  // unknown_values.cc
  [[nodiscard]] static bool is_caller(std::string_view name);
  [[nodiscard]] bool is_own_function(Index index);
  void learn_own_functions();
  [[nodiscard]] bool is_made_into_class(Index start) const;
  void learn_bare_calls();
  void learn_taken_out();
  void learn_second_names(Index equals);
  void learn_pattern(Index close);
  [[nodiscard]] Index method_of_this(Index index) const;
  [[nodiscard]] bool is_taken_out(Index method);
  static constexpr int kMostLevels = 24;  // blocks around a `this` that are looked through
  [[nodiscard]] bool is_handed_to_caller(Index function) const;
  [[nodiscard]] bool is_applied_to_nothing(Index function) const;
  void ask_plain_this();
  [[nodiscard]] bool is_value_of_this(Index index) const;
  [[nodiscard]] bool is_strict() const;
  void ask_streams();

  void ask_given(Index index);
  [[nodiscard]] Index start_of_chain(Index open) const;
  [[nodiscard]] Index given_to(Index start) const;
  [[nodiscard]] bool holds(const Given& given, Index index) const;
  [[nodiscard]] Range function_around(Index index) const;
  [[nodiscard]] bool is_constant(Index name) const;

  const Code& code_;
  const Policy& policy_;
  Findings& findings_;
  TextVariables variables_;
  Folder folder_;
  std::unordered_map<std::string_view, Handle> handles_;
  std::unordered_map<std::string_view, std::vector<Range>> hidden_;
  std::unordered_set<std::string_view> functions_;          // filled when first asked
  std::unordered_map<std::string_view, bool> own_members_;  // see is_global_this
  std::unordered_map<std::string_view, bool> looked_up_;    // see only_looked_up
  std::optional<bool> own_looks_;
  std::optional<GatheredNames> own_functions_;  // see is_own_function
  GatheredNames other_names_;                   // of those, what holds something else, too
  bool streams_seen_ = false;                   // process.stdin and its kin: sockets, perhaps
  std::vector<Index> this_givers_;
  std::optional<GatheredNames> bare_calls_;  // see is_called_bare
  // A function or member under another name (taken_out.cc); `member`: by a dot or a pattern.
  struct SecondName {
    std::string_view first;
    std::string_view second;
    bool member = false;
  };
  std::vector<SecondName> second_names_;
  GatheredNames taken_out_;             // members that are called by a second name
  Given taken_;                         // a member whose key is unknown
  Given made_;                          // what such a member returned for a text
  mutable int flow_steps_ = 1'000'000;  // for following both; when they are used up, that counts
  std::vector<Use> uses_;
  std::vector<Index> brackets_;
  std::vector<Index> texts_;
  bool uses_files_ = false;     // takes in fs: paths count wherever they stand
  std::vector<Index> skipped_;  // names that only bind: [from, to) pairs of import clauses
  Index skip_to_ = 0;           // the first pass is inside an import clause up to here
};

}  // namespace langsbx::languages::javascript
