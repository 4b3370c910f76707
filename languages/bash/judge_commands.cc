// One command: which program or function its first word names, and what that may do.
#include <algorithm>
#include <utility>

#include "languages/bash/judge.h"
#include "languages/bash/option_table.h"
#include "languages/bash/rules.h"
#include "languages/patterns.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

constexpr int kMostWrappers = 16;
constexpr std::size_t kMostArguments = 1U << 18U;  // the kernel takes two megabytes of them

// The base name when `path` names a program where programs are installed.
std::string_view installed(std::string_view path) {
  static constexpr auto kPlaces =
      text_list("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/usr/local/sbin/",
                "/usr/libexec/", "/lib64/", "/lib/x86_64-linux-gnu/", "/lib/", "/usr/lib/");
  for (const std::string_view place : kPlaces) {
    if (path.starts_with(place) && path.find('/', place.size()) == std::string_view::npos) {
      return path.substr(place.size());
    }
  }
  return {};
}

// Whether a pattern may find a program that deletes: /b?n/r*
bool may_be_deleting(std::string_view pattern) {
  const std::string_view name = pattern.substr(pattern.rfind('/') + 1);
  if (name == "rm") return true;
  if (name.empty() || (name[0] != 'r' && name[0] != '?' && name[0] != '[')) return false;
  if (name.find_first_of("?*[") == std::string_view::npos) return false;
  return name.size() < 2 || name[0] == '[' || name[1] == 'm' || is_marker(name[1]) ||
         std::string_view("?*[").find(name[1]) != std::string_view::npos;
}

const Rule& rule_of(Capability capability) {
  switch (capability) {
    case Capability::kFilesRead:
    case Capability::kFilesWrite:
    case Capability::kFilesDelete:
    case Capability::kFilesOutside:
      return "bash-file-command"_rule;
    case Capability::kNetworkConnect:
    case Capability::kNetworkListen:
      return "bash-network-command"_rule;
    case Capability::kDynamicCode:
      return "bash-dynamic-code"_rule;
    case Capability::kNativeCode:
      return "bash-native-code"_rule;
    case Capability::kEnvironment:
      return "bash-environment-command"_rule;
    case Capability::kSignals:
      return "bash-signal-command"_rule;
    case Capability::kSystemAdmin:
      return "bash-system-command"_rule;
    case Capability::kPersistence:
      return "bash-persistence"_rule;
    case Capability::kSecrets:
      return "bash-secret-command"_rule;
    case Capability::kInteractive:
      return "bash-interactive-command"_rule;
    default:
      return "bash-process-command"_rule;
  }
}

// Whether a word of it may become a variable's name.
bool names_variables(const Command& command) {
  static constexpr auto kNaming = text_list("[", "test", "printf", "read", "unset", "builtin",
                                            "let", "declare", "typeset", "local");
  if (command.kind == CommandKind::kCondition) return true;
  return command.kind == CommandKind::kSimple && command.words != nullptr &&
         kNaming.contains(command.words->text);
}

}  // namespace

void Judge::judge_command(const Command& command) {
  for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
    judge_redirect(*r, command);
    if (!r->variable.empty()) judge_written(r->variable, {r->variable, r->offset, 1});
  }
  // for PATH in ..., coproc PATH
  const bool names = command.kind == CommandKind::kFor || command.kind == CommandKind::kSelect ||
                     command.kind == CommandKind::kCoproc;
  if (names && !command.name.empty()) {
    judge_written(command.name,
                  {command.name, command.offset, static_cast<std::uint32_t>(command.name.size())});
  }
  if (sh_) judge_dialect(command);
  if (reads_input_ || (makes_input_ && names_variables(command))) judge_input(command);
  if (script_.quoted_code && script_.quoted_bracket && !policy_.allows(Capability::kDynamicCode))
    judge_carried(command);
  if (command.kind == CommandKind::kSimple) {
    judge_simple(command);
  } else if (command.kind == CommandKind::kCondition) {
    judge_condition(command);
  }
}

void Judge::judge_simple(const Command& command) {
  if (command.words == nullptr) return;
  const Place place{command.offset, command.function, false, 0};
  if (judge_by_name(command, place)) return;
  std::vector<Argument>& arguments = arguments_;
  arguments.clear();
  values_.expand(*command.words, arguments);
  const std::size_t heads = arguments.size();
  // Each value of the first word is a command of its own.
  const bool alternatives = heads > 1 && values_.resolve(*command.words).size() > 1;
  if ((heads == 1 || alternatives) && judge_by_heads(arguments, command.words->next, place)) return;
  constexpr std::size_t kMany = 256;
  std::size_t count = 0;
  for (const Word* word = command.words->next; word != nullptr; word = word->next) {
    values_.expand(*word, arguments);
    if (arguments.size() > kMostArguments) {
      return report("bash-limit"_rule, command.offset, 1,
                    "more arguments than any program is given");
    }
    if (++count != kMany) continue;
    // A list that doubles holds three times what it needs.
    for (const Word* rest = word; rest != nullptr; rest = rest->next) ++count;
    arguments.reserve(arguments.size() + std::min(count, kMostArguments));
    count = kMany;
  }
  if (!policy_.patterns.empty()) match_command(command);
  if (!alternatives) return judge_arguments(arguments, place);
  for (std::size_t i = 0; i < heads; ++i) {
    std::vector<Argument> line{arguments[i]};
    line.insert(line.end(), arguments.begin() + static_cast<std::ptrdiff_t>(heads),
                arguments.end());
    judge_arguments(line, place);
  }
}

// The profile's patterns for commands, against the command as it is written.
void Judge::match_command(const Command& command) {
  const Word* last = command.words;
  while (last->next != nullptr) last = last->next;
  const std::uint32_t begin = command.words->offset;
  if (begin >= source_.bytes.size() || last->offset < begin) return;
  match_patterns(policy_, Pattern::Where::kCommand,
                 source_.bytes.substr(begin, last->offset - begin + last->text.size()), begin,
                 findings_);
}

// The command cannot be known; its arguments may still show that it is ruin (`$SUDO rm -rf /`).
void Judge::dynamic_command(Arguments arguments, const Place& place) {
  if (hands_any_on_) judge_handed_on(arguments);
  const bool outer = fatal_only_;
  fatal_only_ = true;
  if (arguments[0].pattern && may_be_deleting(arguments[0].text)) judge_root(arguments);
  for (std::size_t i = 1; i < arguments.size() && i < 4; ++i) {
    const CommandInfo* info = find_command(arguments[i].text);
    if (info == nullptr || info->handler != Handler::kDeletes) continue;
    Place inner = place;
    ++inner.nesting;
    judge_arguments(arguments.subspan(i), inner);
    break;
  }
  fatal_only_ = outer;
}

// Whether the command cannot be known.
bool Judge::unsure(const Argument& head) const {
  return !head.known() || head.pattern || (values_.sets_separator() && head.splits);
}

void Judge::judge_arguments(Arguments arguments, const Place& place) {
  if (arguments.empty()) return;
  const Argument& head = arguments[0];
  if (place.nesting > kMostWrappers)
    return report("bash-limit"_rule, head.offset, 1, "wrappers in wrappers");
  std::string_view name = head.text;
  if (name == "[") return judge_test(name, arguments.subspan(1));
  if (name.empty()) return;
  if (unsure(head)) {
    report("bash-dynamic-command"_rule, head);
    return dynamic_command(arguments, place);
  }
  bool external = place.external;
  if (name.find('/') != std::string_view::npos) {
    const std::string_view base = installed(name);
    if (base.empty()) {
      report("bash-unknown-command"_rule, head);
      judge_path(head, PathUse::kRun);
      return dynamic_command(arguments, place);
    }
    name = base;
    external = true;
  }
  const std::uint32_t hash = hash_name(name);
  const CommandInfo* info = find_command(name, hash);
  if (!external && is_function(name, hash, place, info != nullptr)) {
    return dynamic_command(arguments, place);  // it may run what it is given
  }
  if (info == nullptr) {
    judge_unknown(name, arguments);
    return dynamic_command(arguments, place);
  }
  admit(*info, name, head);
  Place inner = place;
  inner.external = external;
  judge_known(*info, name, arguments, inner);
}

bool Judge::listed(std::string_view name) const {
  return !policy_.commands_allowed.empty() &&
         policy_.commands_allowed.find(name) != policy_.commands_allowed.end();
}

bool Judge::blocked(std::string_view name) const {
  return !policy_.commands_blocked.empty() &&
         policy_.commands_blocked.find(name) != policy_.commands_blocked.end();
}

void Judge::judge_unknown_name(std::string_view name, const Argument& head) {
  if (policy_.commands_blocked.empty() && policy_.commands_allowed.empty()) {
    return report("bash-unknown-command"_rule, head.offset, head.length, name);
  }
  Foreign& foreign = foreign_.slot(name);
  if (!std::exchange(foreign.asked, true)) foreign.rule = rule_of_unknown(name);
  if (foreign.rule != nullptr) report(*foreign.rule, head.offset, head.length, name);
}

const Rule* Judge::rule_of_unknown(std::string_view name) const {
  if (blocked(name)) return &"bash-unlisted-command"_rule;
  return listed(name) ? nullptr : &"bash-unknown-command"_rule;
}

void Judge::judge_unknown(std::string_view name, Arguments arguments) {
  judge_unknown_name(name, arguments[0]);
  for (const Argument& argument : arguments.subspan(1)) {
    if (argument.text.find(' ') == std::string_view::npos) judge_path(argument, PathUse::kRead);
  }
}

// Whether the profile lets a command of this name run at all.
void Judge::admit(const CommandInfo& info, std::string_view name, const Argument& head) {
  const bool runs = info.arrival == Arrival::kShell || info.arrival == Arrival::kInterpreter;
  if (runs && (running_code_.empty() || running_code_.back() != index_)) {
    running_code_.push_back(index_);
  }
  if (admitted_.test(info.index)) return;
  arrives_ = arrives_ || info.arrival == Arrival::kFetches || info.arrival == Arrival::kConnects;
  const std::size_t reported = reported_;
  if (blocked(name)) report("bash-unlisted-command"_rule, head.offset, head.length, name);
  const std::uint32_t missing =
      info.capabilities & ~static_cast<std::uint32_t>(policy_.allowed.to_ulong());
  if (missing != 0) {
    require(missing, name, head);
  } else if (!policy_.commands_allowed.empty() && !listed(name)) {
    report("bash-unlisted-command"_rule, head.offset, head.length, name);
  }
  // The same name is not asked about again; one that is reported is, wherever it stands.
  if (reported == reported_ && name == name_of(info)) admitted_.set(info.index);
}

void Judge::require(std::uint32_t capabilities, std::string_view name, const Argument& at) {
  for (unsigned bit = 0; bit < static_cast<unsigned>(Capability::kCount); ++bit) {
    if ((capabilities >> bit & 1U) == 0) continue;
    const auto capability = static_cast<Capability>(bit);
    report(rule_of(capability), capability, at.offset, at.length, name);
  }
}

// A function of this name is what runs here. `known`: a program of the name exists, so only a
// definition that is certain to have run before counts; else any in the script.
bool Judge::is_function(std::string_view name, std::uint32_t hash, const Place& place,
                        bool known) const {
  const Defined* defined = functions_.find(name, hash);
  if (defined == nullptr) return false;
  if (!known) return defined->first <= place.offset || place.function != kNoFunction;
  // Inside its own body, too, the name is the function that is running.
  return defined->certain <= place.offset && !unsets_functions_;
}

void Judge::judge_known(const CommandInfo& info, std::string_view name, Arguments arguments,
                        const Place& place) {
  // What xargs reads may be options, unless "--" ends them.
  const Argument& last = arguments.back();
  if (info.options && place.nesting > 0 && last.splits && last.text == kUnknownText &&
      may_spawn(name) &&
      std::none_of(arguments.begin(), arguments.end(),
                   [](const Argument& argument) { return argument.text == "--"; })) {
    report("bash-spawn-option"_rule, arguments[0]);
  }
  for (const Argument& argument : arguments.subspan(1)) {
    // Every command: a literal secret or a connection as an argument.
    if (argument.text.find("/dev/tcp/") != std::string_view::npos &&
        info.handler == Handler::kShell) {
      report("bash-reverse-shell"_rule, argument);
    }
  }
  if (info.arrival == Arrival::kInterpreter) judge_program(arguments);
  dispatch(info, name, arguments, place);
}

void Judge::dispatch(const CommandInfo& info, std::string_view name, Arguments arguments,
                     const Place& place) {
  const Arguments rest = arguments.subspan(1);
  switch (info.handler) {
    case Handler::kText:
      for (std::size_t i = 0; i < rest.size(); ++i) {
        const bool sets = name == "hostname" && !rest[i].text.starts_with('-');
        if (!judge_option(name, rest, i) && sets) report("bash-system-command"_rule, rest[i]);
      }
      return;
    case Handler::kReads:
      return judge_operands(name, rest, PathUse::kRead);
    case Handler::kWrites:
      return judge_operands(name, rest, PathUse::kWrite);
    case Handler::kDeletes:
      judge_root(arguments);
      return judge_operands(name, rest, PathUse::kDelete);
    case Handler::kCopies:
      return judge_copy(name, rest);
    case Handler::kPattern:
      return judge_grep(name, rest);
    case Handler::kAwk:
      return judge_awk(rest);
    case Handler::kSed:
      return judge_sed(rest);
    case Handler::kFind:
      return judge_find(rest, place);
    case Handler::kXargs:
      return judge_xargs(rest, place);
    case Handler::kTar:
      return judge_tar(rest);
    case Handler::kDd:
      return judge_dd(rest);
    case Handler::kDc:
      return judge_dc(arguments);
    case Handler::kChmod:
      return judge_chmod(name, arguments);
    case Handler::kWrapper:
      return judge_wrapper(name, rest, place);
    case Handler::kXargsLike:
      return dynamic_command(arguments, place);
    case Handler::kShell:
      return judge_shell(rest, place);
    case Handler::kConnects:
      return judge_connection(arguments);
    case Handler::kDisk:
      return judge_disks(name, rest);
    default:
      return dispatch_builtin(info, name, arguments, place);
  }
}

void Judge::dispatch_builtin(const CommandInfo& info, std::string_view name, Arguments arguments,
                             const Place& place) {
  const Arguments rest = arguments.subspan(1);
  switch (info.handler) {
    case Handler::kEval:
      return judge_eval(rest);
    case Handler::kSource:
      return judge_source(arguments);
    case Handler::kTrap:
      return judge_trap(rest);
    case Handler::kAlias:
      return;
    case Handler::kBuiltin:
      return judge_builtin_wrapper(name, rest, place);
    case Handler::kDeclare:
      return judge_declare(name, rest, place);
    case Handler::kNames:
      return judge_names(name, rest);
    case Handler::kPrintf:
      return judge_printf(rest);
    case Handler::kJobs:
      return judge_jobs(rest, place);
    case Handler::kSet:
      if (rest.empty()) judge_listing(name, rest, place);
      dynamic_command(arguments, place);  // set -- rm -rf /; "$@"
      return judge_callbacks(name, rest);
    case Handler::kMapfile:
    case Handler::kComplete:
    case Handler::kHash:
      return judge_callbacks(name, rest);
    case Handler::kEnable:
      return judge_enable(rest);
    case Handler::kChangesDirectory:
      return judge_directory(rest);
    case Handler::kTest:
      return judge_test(name, rest);
    default:
      return;
  }
}

}  // namespace langsbx::languages::bash
