// The judge: walks every command of a script once and reports what the profile does not allow.
#pragma once

#include <bitset>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "languages/bash/commands.h"
#include "languages/bash/parser.h"
#include "languages/bash/values.h"
#include "languages/language.h"
#include "languages/policy.h"

namespace langsbx::languages::bash {

enum class PathUse : std::uint8_t { kRead, kWrite, kDelete, kRun, kList };

using Arguments = std::span<const Argument>;

// environment_hooks.cc: a variable that decides what later commands are, load or start.
[[nodiscard]] bool is_hook(std::string_view name);

// A mode that gives a program its owner's or group's rights: u+s, 4755.
[[nodiscard]] constexpr bool special_mode(std::string_view mode) {
  return mode.find('s') != std::string_view::npos ||
         (mode.size() >= 4 && mode[mode.size() - 4] >= '2' && mode[mode.size() - 4] <= '7');
}

// judge_paths.cc: what the system or the user stands on.
[[nodiscard]] bool ruinous(std::string_view target);

class Judge {
 public:
  Judge(const Source& source, const Policy& policy, Findings& findings);
  void run();

 private:
  void judge();
  // Where a command stands and how it came to run.
  struct Place {
    std::uint32_t offset = 0;
    std::int32_t function = kNoFunction;
    bool external = false;  // through a wrapper: functions and aliases do not count
    int nesting = 0;        // wrappers around it
  };

  // judge.cc
  [[nodiscard]] bool spent();
  bool parse(std::string_view text, std::uint32_t origin, bool expansions);
  void know_functions();
  void judge_from(std::size_t command, std::size_t assignment, std::size_t arithmetic,
                  std::size_t parameter);
  // Text that will run as a script (eval, trap, bash -c): joins the script and is judged with it.
  void run_text(std::string_view text, std::uint32_t offset);
  void report(const Rule& rule, std::uint32_t offset, std::uint32_t length,
              std::string_view detail);
  void report(const Rule& rule, Capability capability, std::uint32_t offset, std::uint32_t length,
              std::string_view detail);
  void report(const Rule& rule, const Argument& argument);
  [[nodiscard]] static std::string shown(std::string_view text);

  // judge_commands.cc
  void judge_command(const Command& command);
  void judge_simple(const Command& command);
  void match_command(const Command& command);
  void judge_arguments(Arguments arguments, const Place& place);
  void dynamic_command(Arguments arguments, const Place& place);
  void judge_handed_on(Arguments arguments);
  [[nodiscard]] bool unsure(const Argument& head) const;
  [[nodiscard]] bool listed(std::string_view name) const;
  [[nodiscard]] bool blocked(std::string_view name) const;
  [[nodiscard]] const Rule* rule_of_unknown(std::string_view name) const;
  void judge_unknown(std::string_view name, Arguments arguments);
  void judge_unknown_name(std::string_view name, const Argument& head);
  void admit(const CommandInfo& info, std::string_view name, const Argument& head);
  bool is_function(std::string_view name, std::uint32_t hash, const Place& place, bool known) const;
  void judge_known(const CommandInfo& info, std::string_view name, Arguments arguments,
                   const Place& place);
  void require(std::uint32_t capabilities, std::string_view name, const Argument& at);
  void dispatch(const CommandInfo& info, std::string_view name, Arguments arguments,
                const Place& place);
  void dispatch_builtin(const CommandInfo& info, std::string_view name, Arguments arguments,
                        const Place& place);
  void judge_function(const Function& function);
  void judge_dialect(const Command& command);

  // judge_arriving.cc
  struct Program {
    Arrival arrival = Arrival::kNone;
    const Word* word = nullptr;
    bool xargs = false;
    [[nodiscard]] bool shell() const { return arrival == Arrival::kShell; }
    [[nodiscard]] bool runs() const { return shell() || arrival == Arrival::kInterpreter; }
  };
  [[nodiscard]] bool fetched(std::string_view variable);
  [[nodiscard]] bool holds_download(const Word& word);
  [[nodiscard]] Program program_of(const Command& command);
  [[nodiscard]] static bool runs_input(const Command& command, const Program& program);
  void judge_pipe(std::size_t index);
  void judge_arrivals();
  void judge_arriving(const Command& command);
  void judge_program(Arguments arguments);

  enum InputTrait : std::uint8_t {
    kArrives = 1,   // holds what was read
    kChecked = 2,   // compared with a pattern, or as a number by [
    kInteger = 4,   // declare -i
    kByName = 8,    // declare -A: its subscripts are texts, counting words is what it is for
    kMade = 16,     // holds what a command printed
    kContent = 32,  // and that is what a file or a connection holds
  };
  // judge_content.cc
  [[nodiscard]] bool brings_content(const Part* parts);
  [[nodiscard]] bool is_content(std::string_view name);
  void judge_content_arithmetic(const ArithmeticText& arithmetic);
  void judge_reference(const Word& name);
  // judge_input.cc
  [[nodiscard]] static bool is_changed(const Parameter* parameter);
  void mark_made(std::string_view name, const Part* parts);
  void learn_input();
  void learn_input_of(const Command& command);
  void learn_made();
  [[nodiscard]] bool is_made_name(const Word& word);
  [[nodiscard]] bool is_made(std::string_view name);
  void check_input(const Word& word);
  [[nodiscard]] bool from_input(std::string_view name, bool unchecked);
  [[nodiscard]] bool brings_input(const Part* parts, bool unchecked);
  [[nodiscard]] bool may_be_option(const Word& word, bool splits);
  void judge_input(const Command& command);
  void judge_input_of_builtin(const Word& name);
  void judge_input_arithmetic(const ArithmeticText& arithmetic);

  // judge_shortcuts.cc
  struct Settled {
    enum How : std::uint8_t { kNot, kOwn, kForeign, kUnsure, kListed };
    How how = kNot;
    const CommandInfo* info = nullptr;
  };
  bool judge_by_name(const Command& command, const Place& place);
  bool judge_by_heads(Arguments heads, const Word* words, const Place& place);
  [[nodiscard]] Settled settle(const Argument& head, const Word* words, const Place& place);
  void finish(const Settled& settled, const Argument& head);
  [[nodiscard]] bool idle_unsure(const Word* words);
  [[nodiscard]] bool idle(const CommandInfo& info, const Word* words);
  [[nodiscard]] bool idle_test(const Word* words);
  [[nodiscard]] bool idle_declaration(const Word& word);
  [[nodiscard]] bool idle_names(std::string_view name, const Word* words) const;
  [[nodiscard]] bool idle_unknown(const Word* words);
  [[nodiscard]] bool may_delete_any(const Word* words);
  [[nodiscard]] bool may_delete(const Word& word);
  [[nodiscard]] bool any_trait(const Word* words, unsigned trait);

  // judge_paths.cc
  void judge_path(const Argument& argument, PathUse use);
  void judge_path_text(std::string_view text, const Argument& at, PathUse use);
  void judge_absolute(std::string_view path, const Argument& at, PathUse use);
  void judge_root(Arguments arguments);
  void judge_here(std::size_t index);
  void judge_roots(Arguments places);
  void judge_redirect(const Redirect& redirect, const Command& command);
  void judge_disks(std::string_view command, Arguments arguments);
  void judge_operands(std::string_view command, Arguments arguments, PathUse use,
                      std::size_t skip = 0);
  bool judge_option(std::string_view command, Arguments arguments, std::size_t& index);

  // judge_builtins.cc
  void judge_trap(Arguments arguments);
  void judge_source(Arguments arguments);
  void judge_eval(Arguments arguments);
  void judge_builtin_wrapper(std::string_view name, Arguments arguments, const Place& place);
  void judge_declare(std::string_view name, Arguments arguments, const Place& place);
  void judge_listing(std::string_view name, Arguments arguments, const Place& place);
  void judge_completion(Arguments arguments, std::size_t& i);
  void judge_names(std::string_view name, Arguments arguments);
  void judge_written(std::string_view name, const Argument& at);
  void judge_jobs(Arguments arguments, const Place& place);
  void judge_printf(Arguments arguments);
  void judge_enable(Arguments arguments);
  void judge_test(std::string_view name, Arguments arguments);
  void judge_callbacks(std::string_view name, Arguments arguments);
  void judge_directory(Arguments arguments);

  // judge_sources.cc
  void note_directory(LocalReference::Directory directory, LocalReference& reference);
  void note_move(Arguments arguments);
  [[nodiscard]] std::size_t settled_at(std::uint32_t offset) const;

  // judge_values.cc
  void judge_assignment(const Assignment& assignment);
  void judge_variable(std::string_view name, std::string_view value, const Argument& at);
  void judge_arithmetic(const ArithmeticText& arithmetic);
  void judge_arithmetic_hooks(const ArithmeticText& arithmetic);
  void judge_arithmetic_value(std::string_view text, const Argument& at);
  void judge_parameter(const ParameterUse& use);
  void judge_environment(const EnvironmentUse& use);
  void judge_carried(const Command& command);
  void judge_secret_name(std::string_view name, const Argument& at);
  void judge_condition(const Command& command);

  // judge_tools.cc
  void judge_find(Arguments arguments, const Place& place);
  std::size_t judge_found(Arguments arguments, std::size_t begin, const Place& place,
                          Arguments places);
  void judge_xargs(Arguments arguments, const Place& place);
  void judge_wrapper(std::string_view name, Arguments arguments, const Place& place);
  void judge_rest(Arguments arguments);
  void judge_shell(Arguments arguments, const Place& place);
  void judge_copy(std::string_view name, Arguments arguments);
  void judge_grep(std::string_view name, Arguments arguments);
  void judge_awk(Arguments arguments);
  void judge_awk_paths(std::string_view program, const Argument& at, Arguments arguments);
  void judge_sed(Arguments arguments);
  void judge_tar(Arguments arguments);
  void judge_dd(Arguments arguments);
  void judge_dc(Arguments arguments);
  void judge_chmod(std::string_view name, Arguments arguments);
  void judge_connection(Arguments arguments);
  void judge_jq_program(const Argument& program);
  void program_text(std::string_view text, const Argument& at, bool awk);

  const Source& source_;
  const Policy& policy_;
  Findings& findings_;
  Script script_;
  Values values_;
  ParserLimits limits_;
  // Where the functions of a name are defined first; kNowhere: never.
  struct Defined {
    std::uint32_t first = kNowhere;
    std::uint32_t certain = kNowhere;  // at top level and unconditional
  };
  static constexpr std::uint32_t kNowhere = 0xFFFFFFFF;
  Names<Defined> functions_;
  // A name that is in no table: what the profile says of it, asked once.
  struct Foreign {
    const Rule* rule = nullptr;
    bool asked = false;
  };
  Names<Foreign> foreign_;
  Names<bool> fetched_;
  Names<bool> hands_on_;  // commands that start programs by an option and get "$@" or "$1"
  bool hands_any_on_ = false;
  Names<std::uint8_t> input_;  // bits by InputTrait
  std::size_t known_input_ = 0;
  bool reads_input_ = false;
  bool makes_content_ = false;
  bool makes_input_ = false;  // some variable holds what a command printed
  std::size_t fetched_known_ = 0;
  std::unordered_map<std::string_view, int> sourced_;
  std::size_t known_functions_ = 0;
  std::size_t steps_ = 0;      // of parsing and judging
  std::size_t text_left_ = 0;  // bytes of eval text that may still be parsed
  std::unordered_set<std::string> seen_texts_;
  std::vector<Argument> arguments_;      // of the command being judged
  std::bitset<kMostCommands> admitted_;  // commands that the profile lets run
  std::size_t reported_ = 0;
  bool fatal_only_ = false;  // the command may not be what it looks like: report ruin only
  bool unsets_functions_ = false;
  bool sh_ = false;       // the first line names sh
  bool arrives_ = false;  // programs or redirections bring in what others say
  bool connects_ = false;
  std::uint32_t index_ = 0;                  // of the command being judged
  std::vector<std::uint32_t> running_code_;  // commands that are shells, interpreters, eval, source
  const Word* shell_on_descriptor_ = nullptr;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> traps_;  // their text in the script
};

}  // namespace langsbx::languages::bash
