// Judging the tokens of one Python file: what every name, attribute and string reaches for.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/language.h"
#include "languages/policy.h"
#include "languages/python/modules.h"
#include "languages/python/names.h"
#include "languages/python/scopes.h"
#include "languages/python/tokens.h"

namespace langsbx::languages::python {

// What a name in this file may stand for: a module (member empty), a member of one that is judged
// by its arguments, or a builtin function (module empty). A name can have several; all count,
// except where the name is a function's own variable.
struct Binding {
  std::string_view name;
  std::uint32_t hash = 0;
  std::string_view module;
  std::string_view member;
  std::uint32_t next = 0;  // the one before it whose hash has the same last bits, counted from 1
};

// Tokens [begin, end) of one argument; `keyword` is the token of its name.
struct Argument {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::optional<std::uint32_t> keyword = std::nullopt;
};

// The first sixteen of a call; who asks for more has seen enough.
class Arguments {
 public:
  static constexpr std::size_t kMost = 16;
  void add(const Argument& argument) { list_[size_++] = argument; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Argument& operator[](std::size_t i) const { return list_[i]; }
  [[nodiscard]] const Argument* begin() const { return list_; }
  [[nodiscard]] const Argument* end() const { return list_ + size_; }

 private:
  std::size_t size_ = 0;
  Argument list_[kMost];
};

using Names = std::unordered_set<std::string_view>;

class Analysis {
 public:
  // `depth` counts text-as-code inside text-as-code.
  Analysis(const Source& source, const Policy& policy, Findings& findings, int depth = 0);
  void run();

 private:
  friend class ScopeDump;  // tests/languages/python: against CPython's symtable

  // analysis.cc: the walk
  void collect();
  void walk();
  void name(std::uint32_t i);
  void keyword(std::uint32_t i);
  bool after_except(std::uint32_t as) const;
  void bare(std::uint32_t i);
  void builtin(std::uint32_t i);
  void bound_name(std::uint32_t i);
  void module_value(std::uint32_t i, std::uint32_t last, std::string_view module);
  void resolve(std::uint32_t i, const Binding& binding);
  void follow(std::uint32_t first, std::uint32_t at, std::string_view module);
  bool literal_import(std::uint32_t i);
  void enter_case(std::uint32_t i);
  void profile_patterns();

  // imports.cc
  void import_statement(std::uint32_t i);
  void from_statement(std::uint32_t i);
  std::string_view dotted(std::uint32_t& i);
  void add_parts(std::vector<std::string>& candidates, std::string_view module, std::uint32_t i);
  // `names`: where those of `from module import` begin.
  void judge_import(std::string_view module, std::uint32_t token, bool from,
                    std::uint32_t names = 0);
  void judge_from(std::string_view module, std::uint32_t name, std::uint32_t bound, bool local);
  void refer(std::string_view module, std::uint32_t token, bool required, std::uint32_t names = 0);
  void refer_relative(int dots, std::string_view module, std::uint32_t token);
  void judge_star(std::string_view module, std::uint32_t token);
  void bind_star(std::string_view module, std::string_view member);
  void renamed(std::string_view module, std::uint32_t name, std::uint32_t statement);
  bool module_listed(const NameSet& set, std::string_view module) const;
  void bind(std::string_view name, std::string_view module, std::string_view member);
  // Keeps a name that a rule asks for later; more than are followed are a refusal.
  void remember(Names& names, std::string_view name);
  void too_many();
  // The binding with this index and those behind it have names whose hash ends alike; from 1.
  std::uint32_t bound_to(std::uint32_t hash) const { return bound_[hash % bound_.size()]; }
  void bind_aliases();
  bool plain_name(std::uint32_t i) const;
  bool behind_header(std::uint32_t i) const;
  void bind_targets(std::uint32_t last, std::string_view module, std::string_view member);
  bool alias_target(std::uint32_t first, std::uint32_t last, std::uint32_t& target) const;
  std::uint32_t chain_end(std::uint32_t i) const;
  bool is_module(std::string_view dotted_name) const;

  // attributes.cc
  void attribute(std::uint32_t i);
  void attribute_name(std::string_view text, std::uint16_t known, std::uint32_t token,
                      std::uint32_t receiver);
  bool keeps_module() const;
  bool method_use(std::uint32_t i);
  void dunder(std::uint32_t i, bool attribute_access);
  void dynamic_attribute(std::uint32_t i, std::uint32_t call);
  bool dispatches(const Arguments& list);
  void self_dict(std::uint32_t i);
  bool compares_dicts(std::uint32_t i);
  void vars_call(std::uint32_t i);
  void match_args(std::uint32_t i);
  void attribute_text(std::uint32_t call, std::uint32_t token);

  // members.cc
  void use_member(std::string_view module, std::string_view member, std::uint32_t token);
  void reach(Capability capability, std::uint32_t token, std::string_view what);
  void open_use(std::uint32_t token, std::uint32_t call, std::string_view what);
  void path_argument(const Argument& argument, std::uint32_t token, bool tree,
                     std::string_view what);
  void path_text(std::string_view path, bool at_start, std::uint32_t token, std::string_view what);
  void environment(std::string_view member, std::uint32_t token);
  void environment_name(std::uint32_t begin, std::uint32_t end, std::uint32_t token);
  void file_members(const MemberInfo& info, std::uint32_t token, std::string_view what);

  // library_parts.cc
  void library_parts();
  void private_member(std::uint32_t i);
  void foreign_privates();
  void node_fields();
  [[nodiscard]] bool is_list_of_texts(std::uint32_t open) const;
  bool member_stored_here(std::uint32_t i) const;
  void library_methods();
  bool defines(std::string_view name) const;
  void climbing_paths();
  void unseen_names();
  bool stored_in_module(std::uint32_t first, std::uint32_t at, std::string_view module,
                        std::string_view member);
  bool closes_target(std::uint32_t at) const;
  bool is_annotation(std::uint32_t first) const;
  void annotations_use(std::uint32_t i);
  void annotation_text(std::uint32_t i);

  // own_objects.cc
  std::size_t column_of(std::uint32_t token) const;
  bool method_around(std::uint32_t i, std::uint32_t& method, std::uint32_t& type) const;
  bool own_instance(std::uint32_t i);
  bool plain_bases(std::uint32_t type) const;
  bool called_on_instances(std::uint32_t method) const;

  // classes.cc
  void type_use(std::uint32_t i);
  bool gives_metaclass(std::uint32_t i, const Argument& argument, std::uint32_t close);
  void class_attribute(std::uint32_t i);
  void metaclass_calls();
  void new_use(std::uint32_t i);
  void register_use(std::uint32_t i);
  bool in_class(std::uint32_t i) const;
  // Searches over the whole file are capped, so that judging stays linear; false: give up, which
  // every caller takes as a refusal.
  std::size_t most_searched() const { return 8 * tokens_.size() + (1U << 20U); }
  bool may_search() const {
    if (searched_ > most_searched()) return false;
    searched_ += tokens_.size();
    steps_ += tokens_.size();
    return true;
  }

  // calls.cc
  bool naming_member(const MemberInfo& info, std::uint32_t token, std::uint32_t call,
                     std::string_view full);
  void field_names(std::uint32_t call, std::uint32_t token, std::string_view what);
  void names_in(std::string text, std::uint32_t token);
  void copied(std::uint32_t call, std::uint32_t token, std::string_view what);
  void test_main(std::uint32_t call, std::uint32_t token, std::string_view what);
  void argv_use(std::uint32_t i);
  void written_tests();
  void tcl_use(std::uint32_t i);
  bool contains_module(std::string_view module) const;
  void telling_text(std::uint32_t i);
  void told_text(std::uint32_t i);
  void sympy_text(std::uint32_t i);

  // What is asked of a name: which texts it holds, or which functions of the file.
  enum class Holding : std::uint8_t { kTexts, kFunctions };
  struct Question {
    Holding holding = Holding::kTexts;
    int depth = 0;
    bool all = true;  // whether there are no others, too
  };

  // put_together.cc
  std::vector<std::string> put_together(std::uint32_t begin, std::uint32_t end, Question question);
  void path_put_together(const Argument& argument, std::uint32_t token, std::string_view what);
  void path_in_table(const Argument& argument, std::uint32_t token, std::string_view what);

  // written_code.cc
  bool shows_code_name(std::uint32_t begin, std::uint32_t end);
  bool shows_nothing(std::uint32_t begin, std::uint32_t end);
  void code_file(std::uint32_t begin, std::uint32_t end, std::uint32_t token);
  void code_name(std::uint32_t begin, std::uint32_t end, std::uint32_t token);
  void path_method(std::uint32_t i);
  void written_names();

  // constants.cc
  void index_names();
  std::uint32_t next_occurrence(std::uint32_t i, std::uint32_t hash, std::string_view name) const;
  static bool binds(NameRole role);
  static bool mangled(std::string_view name);
  bool member_stored(std::uint32_t i) const;
  static void add_text(std::vector<std::string>& values, std::string value, bool& only);
  bool constant_name(std::uint32_t name, std::vector<std::string>& values);
  // Those that can be seen; there may be others.
  [[nodiscard]] const std::vector<std::string>& some_texts(std::uint32_t name);
  bool held(std::uint32_t name, std::vector<std::string>& values, Question question);
  bool occurrence(std::uint32_t i, std::vector<std::string>& values, Question question,
                  bool& given);
  bool lengthened(std::uint32_t i, std::vector<std::string>& values, Question question);
  // functions.cc
  bool decorated(std::uint32_t function) const;
  bool called_by_name(std::uint32_t open);
  int own_functions(std::uint32_t name);
  bool parameter_values(std::uint32_t open, std::uint32_t name, std::vector<std::string>& values,
                        Question question);
  bool texts(std::uint32_t begin, std::uint32_t end, std::vector<std::string>& values,
             Question question);
  bool formatted(std::uint32_t begin, std::vector<std::string>& values, Question question);
  bool names_kept();
  bool target_in_brackets(std::uint32_t i) const;
  bool captured(std::uint32_t i) const;
  bool stores(std::uint32_t i, std::uint32_t bracket, bool outermost) const;

  // variables.cc
  struct Placed {
    std::uint32_t scope;
    std::uint8_t roles;  // a bit for each NameRole
  };
  static constexpr std::uint32_t kAnyScope = ~std::uint32_t{0};
  // A part of the file and its names' places.
  struct Region {
    std::uint32_t begin;
    std::uint32_t end;
    Scopes scopes;
    std::unordered_map<std::string_view, std::vector<Placed>> places;
    std::unordered_map<std::string_view, std::uint32_t> bound_from;  // see surely_bound
  };
  const Region& region(std::uint32_t i);
  void place(const Scopes& all, std::uint32_t name, std::vector<Placed>& list) const;
  static void sort_places(std::vector<Placed>& list);
  bool unclear(std::uint32_t name) const;
  std::uint32_t owner(const Scopes& all, const std::vector<Placed>& list, std::uint32_t name) const;
  const Scopes& scopes();
  const std::vector<Placed>& places(std::uint32_t name);
  bool given_module(std::uint32_t name) const;
  std::uint32_t variable(std::uint32_t name);
  bool may_be_same(std::uint32_t read, std::uint32_t given);
  bool own_variable(std::uint32_t name, bool plain);
  void see_bound(std::uint32_t name);
  bool at_left_edge(std::uint32_t i) const;
  bool bound_nearby(std::uint32_t name);
  std::pair<std::uint32_t, std::uint32_t> statement_of_module(std::uint32_t i);
  void see_mention(std::uint32_t i);
  void see_loops();
  bool is_parameter(std::uint32_t i);
  bool surely_bound(std::uint32_t name);
  std::uint32_t bound_from(std::uint32_t name);
  std::uint32_t bound_behind(std::uint32_t name);

  // text.cc
  void string(std::uint32_t i);
  std::optional<std::string> constant(std::uint32_t begin, std::uint32_t end,
                                      bool repeats = false) const;
  std::string decoded(const Token& token) const;
  void brace_style(std::uint32_t i);
  void format_use(std::uint32_t i);
  void format_text(std::string_view text, std::uint32_t token);
  bool literal_receiver(std::uint32_t last, std::uint32_t token);
  void code_text(std::uint32_t call, std::uint32_t token, std::string_view what);
  void judge_code(std::string code, std::uint32_t token);
  template <typename TokenAt>
  void judge_code(std::string code, const TokenAt& token_at, bool examples);
  void docstrings();
  void relied_names();
  void stored_names(const Names& wanted, bool examples, Names& stored);

  // What all of them ask.
  std::string_view text(std::uint32_t i) const {
    return source_.bytes.substr(tokens_[i].offset, tokens_[i].length);
  }
  bool is_op(std::uint32_t i, std::uint8_t op) const {
    return tokens_[i].kind == TokenKind::kOperator && tokens_[i].op == op;
  }
  bool is_open(std::uint32_t i, char bracket) const {
    return tokens_[i].kind == TokenKind::kOpen &&
           tokens_[i].op == static_cast<std::uint8_t>(bracket);
  }
  bool is_name(std::uint32_t i, std::uint16_t known) const {
    return tokens_[i].kind == TokenKind::kName && tokens_[i].name == known;
  }
  bool statement_start(std::uint32_t i) const;
  // The index before `i`; tokens_ has no such thing as a first token's predecessor, hence kEnd's.
  std::uint32_t before(std::uint32_t i) const {
    return i == 0 ? static_cast<std::uint32_t>(tokens_.size() - 1) : i - 1;
  }
  Arguments arguments(std::uint32_t open) const;
  void report(const Rule& rule, std::uint32_t token, std::string_view detail);
  void report(const Rule& rule, Capability capability, std::uint32_t token,
              std::string_view detail);
  std::string_view intern(std::string text) { return interned_.emplace_back(std::move(text)); }

  // Where each name stands: chains by hash, of token numbers from 1; and the bracket around each
  // token, 0 for none.
  struct Occurrences {
    static constexpr std::size_t kChains = 512;
    std::array<std::uint32_t, kChains> first{};
    std::unique_ptr<std::uint32_t[]> next;
    std::unique_ptr<std::uint32_t[]> bracket;
    bool cases = false;  // some statement begins with `case`
  };
  static constexpr std::size_t kMaxConstant = 1U << 16U;

  const Source& source_;
  const Policy& policy_;
  Findings& findings_;
  int depth_;
  Scan scan_;
  Tokens& tokens_ = scan_.tokens;
  std::vector<Binding> bindings_;
  // The last binding of all whose hash ends in these bits, counted from 1; 0: none.
  std::array<std::uint16_t, 1024> bound_{};
  std::deque<std::string> interned_;
  Names mentioned_;                      // modules in any import statement
  Names mentioned_first_;                // their first parts
  Names imported_;                       // dotted names imported as modules
  Names caught_;                         // names of `except ... as name`
  Names parsed_;                         // names assigned from parse_args()
  std::vector<std::uint32_t> privates_;  // private members that are read
  std::optional<bool> annotation_runners_;
  std::uint32_t done_ = 0;             // tokens before it are judged
  std::uint32_t path_judged_ = 0;      // strings up to it were judged as paths
  std::uint32_t case_end_ = 0;         // end of the `case` header the walk is in
  std::uint32_t parameters_ = 0;       // the ( of the def the walk is in
  std::uint32_t parameters_read_ = 0;  // how far it has been looked at
  std::uint32_t timed_until_ = 0;      // inside a timeit call: globals() is its argument
  bool doctest_ = false;
  bool profiler_ = false;
  bool sympy_ = false;
  bool sqlite_ = false;
  Names metaclasses_;                       // classes that derive from type
  std::optional<std::uint32_t> tests_run_;  // unittest.main
  std::optional<std::uint32_t> argv_written_;
  std::optional<std::uint32_t> code_named_;      // a path that an import would run
  std::optional<std::uint32_t> unseen_written_;  // a file under a name that shows nothing
  bool path_written_ = false;                    // some path's method writes
  mutable std::size_t searched_ = 0;             // tokens that searches over the file have passed
  mutable std::size_t steps_ = 0;                // tokens and bytes looked at, for the tests
  Occurrences occurrences_;
  std::vector<std::pair<std::string_view, std::uint32_t>> asked_;  // and in which scope: for these
  // And what is known of them so far.
  std::vector<std::pair<std::string_view, const std::vector<std::string>*>> asked_texts_;
  std::unique_ptr<Region> whole_;  // all of the file
  std::unique_ptr<Region> region_;
  std::pair<std::uint32_t, std::uint32_t> statement_{
      0, 0};  // of the module, in which it was last asked
  std::pair<const std::string_view, std::vector<Placed>>* asked_places_ = nullptr;  // the last
  static constexpr std::size_t kBoundBits = 1024;
  std::array<std::uint32_t, kBoundBits> bound_at_{};  // tokens from 1
  std::bitset<kBoundBits> bound_at_edge_;
  std::vector<std::pair<std::string_view, std::uint32_t>> relied_;  // module's names, as they are
  // Text that runs as code, and whether that is examples in docstrings.
  std::vector<std::pair<std::string_view, bool>> judged_texts_;
  std::unordered_set<std::string> judged_code_;
  std::unordered_map<std::string_view, std::vector<std::string>> some_texts_;
  std::optional<bool> names_kept_;
  bool foreign_imports_ = false;  // a module of the program's own, or one nobody knows
  bool foreign_names_ = false;    // all names of such a one
  bool parsed_searched_ = false;
  std::size_t from_names_ = 0;  // that import statements have taken out of modules
  bool too_many_ = false;       // names that stand for modules
};

}  // namespace langsbx::languages::python
