// Variables and arithmetic: names with power over later commands, and values that run as code.
#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

// PATH made of where programs are installed and of itself.
bool usual_path(std::string_view value) {
  static constexpr auto kDirectories =
      text_list("/bin", "/usr/bin", "/sbin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin");
  for (std::size_t start = 0; start <= value.size();) {
    const std::size_t end = std::min(value.find(':', start), value.size());
    std::string_view part = value.substr(start, end - start);
    if (part.size() > 1 && part.ends_with('/')) part.remove_suffix(1);
    const bool itself = part == std::string_view(&kUnset, 1);
    if (!itself && !kDirectories.contains(part)) return false;
    start = end + 1;
  }
  return true;
}

bool holds_code(std::string_view text) {
  return text.find("$(") != std::string_view::npos || text.find('`') != std::string_view::npos ||
         text.find("${") != std::string_view::npos;
}

// name[ ... $( or a backquote.
bool is_subscript_code(std::string_view text) {
  for (std::size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    std::size_t name = at;
    while (name > 0 && is_name(text[name - 1])) --name;
    // "\\e[1m" and "\\033[1m" are colours.
    if (name == at || is_digit(text[name]) || (name > 0 && text[name - 1] == '\\')) continue;
    const std::string_view rest = text.substr(at);
    return rest.find("$(") != std::string_view::npos || rest.find('`') != std::string_view::npos;
  }
  return false;
}

}  // namespace

void Judge::judge_assignment(const Assignment& assignment) {
  Argument at;
  at.offset = assignment.offset;
  at.length = static_cast<std::uint32_t>(assignment.name.size());
  if (script_.quoted_code &&
      (assignment.subscript != nullptr || !assignment.subscript_text.empty())) {
    script_.arithmetic.push_back(
        {assignment.subscript_text, assignment.subscript, assignment.offset});
  }
  if (assignment.subscript != nullptr) {
    judge_content_arithmetic(
        {assignment.subscript_text, assignment.subscript, assignment.offset, assignment.name});
  }
  // IFS for one command only (`IFS=, read`) is how lines are split.
  if (assignment.name == "IFS" && assignment.prefix) return;
  if (!is_hook(assignment.name) && assignment.name != "OLDPWD") {
    // Only code in a value says anything then.
    if (!script_.quoted_code) return;
    if (assignment.value != nullptr && (values_.traits(*assignment.value) & kMayCode) == 0) return;
  }
  if (assignment.value == nullptr) {
    judge_variable(assignment.name, "", at);
    for (const Word* word = assignment.elements; word != nullptr; word = word->next) {
      for (const std::string_view value : values_.resolve(*word)) {
        judge_variable(assignment.name, value, at);
      }
    }
    return;
  }
  for (const std::string_view value : values_.resolve(*assignment.value)) {
    judge_variable(assignment.name, value, at);
  }
}

void Judge::judge_variable(std::string_view name, std::string_view value, const Argument& at) {
  if (const std::size_t code = value.find('['); code != std::string_view::npos) {
    if (holds_code(value.substr(code)) && value.find(']', code) != std::string_view::npos) {
      report("bash-arithmetic-code"_rule, at.offset, at.length, value);
    }
  }
  if (value.starts_with("$(") || value.starts_with('`')) {
    // Harmless as text, code once it is a subscript: m[$k].
    report("bash-arithmetic-code"_rule, at.offset, at.length, value);
  }
  if (name == "OLDPWD") return judge_path_text(value, at, PathUse::kRead);  // cd -
  if (!is_hook(name)) return;
  if (name == "PATH" && usual_path(value)) {
    // A variable nobody set is empty, and an empty PATH is the current directory.
    const std::string_view rest =
        source_.bytes.substr(std::min<std::size_t>(at.offset, source_.bytes.size()));
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const bool itself = line.find("$PATH") != std::string_view::npos ||
                        line.find("${PATH") != std::string_view::npos;
    if (itself || !has_marker(value)) return;
  }
  if (name.size() == 3 && name.starts_with("PS") && !has_marker(value)) {
    if (holds_code(value)) {
      report("bash-dynamic-code"_rule, at.offset, at.length, value);
      if (seen_texts_.insert("PS" + std::string(value)).second) parse(value, at.offset, true);
    }
    return;
  }
  if (value.empty() && name != "PATH" && name != "HOME") return;
  report("bash-environment-hook"_rule, at.offset, at.length, name);
}

// Text that arithmetic will evaluate: a literal one may hold a command.
void Judge::judge_arithmetic_value(std::string_view text, const Argument& at) {
  if (text.find('[') == std::string_view::npos || !holds_code(text)) return;
  report("bash-arithmetic-code"_rule, at.offset, at.length, text);
}

// A literal that is a subscript with a command inside, handed on to where a variable gets it (set,
// functions, read, printf): arithmetic evaluates the values of variables, whoever gave them.
void Judge::judge_carried(const Command& command) {
  const auto may_carry = [](const Word& word) {
    return !word.plain() && word.text.find('[') != std::string_view::npos;
  };
  const auto report_code = [this](const Word& word) {
    for (const std::string_view text : values_.resolve(word)) {
      if (is_subscript_code(text)) {
        report("bash-arithmetic-code"_rule, word.offset,
               static_cast<std::uint32_t>(word.text.size()), text);
      }
    }
  };
  for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
    const bool text = r->op == RedirectOp::kHereString && r->target != nullptr;
    if (text && may_carry(*r->target)) report_code(*r->target);
  }
  const Word* head = command.words;
  if (command.kind != CommandKind::kSimple || head == nullptr) return;
  for (const Word* word = head->next; word != nullptr; word = word->next) {
    if (!may_carry(*word)) continue;
    const CommandInfo* info = find_command(head->text);
    // The others read programs of their own, or get their code judged.
    const bool carries = info == nullptr || info->handler == Handler::kSet ||
                         info->handler == Handler::kPrintf || head->text == "echo" ||
                         head->text == ":" || head->text == "true";
    if (!carries) return;
    report_code(*word);
  }
}

// ((PATH = 1)): the directory of that name.
void Judge::judge_arithmetic_hooks(const ArithmeticText& arithmetic) {
  const std::string_view text = arithmetic.text;
  const auto letter = [text](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  bool assigns = false;
  for (std::size_t i = text.find('='); i != std::string_view::npos && !assigns;
       i = text.find('=', i + 1)) {
    const char last = i == 0 ? ' ' : text[i - 1];
    assigns = letter(i + 1) != '=' && last != '=' && last != '!' && last != '<' && last != '>';
  }
  if (!assigns) return;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_name_start(text[i])) continue;
    std::size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    if (is_hook(text.substr(i, end - i))) {
      report("bash-environment-hook"_rule, arithmetic.offset,
             static_cast<std::uint32_t>(text.size()), text.substr(i, end - i));
    }
    i = end;
  }
}

// The names in an expression are evaluated in turn: so are the constants they hold.
void Judge::judge_arithmetic(const ArithmeticText& arithmetic) {
  judge_arithmetic_hooks(arithmetic);
  if (reads_input_) judge_input_arithmetic(arithmetic);
  judge_content_arithmetic(arithmetic);
  if (!script_.quoted_code) return;
  const std::string_view text = arithmetic.text;
  Argument at;
  at.offset = arithmetic.offset;
  at.length = static_cast<std::uint32_t>(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_name_start(text[i])) {
      while (i < text.size() && is_digit(text[i])) ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    const std::string_view name = text.substr(i, end - i);
    const bool code = (values_.variable_traits(name) & kMayCode) != 0;
    for (const std::string_view value :
         code ? values_.variable(name) : std::span<const std::string_view>{}) {
      if (value.find_first_of("[`$") != std::string_view::npos) judge_arithmetic_value(value, at);
    }
    i = end;
  }
}

void Judge::judge_parameter(const ParameterUse& use) {
  const Parameter& parameter = *use.part->parameter;
  Argument at;
  at.offset = use.offset;
  at.length = static_cast<std::uint32_t>(use.part->text.size());
  if (parameter.op == ParameterOp::kTransform && parameter.detail == 'P') {
    report("bash-prompt-expansion"_rule, at.offset, at.length, use.part->text);
    for (const std::string_view value : values_.variable(use.part->text)) {
      if (!has_marker(value) && holds_code(value) &&
          seen_texts_.insert("P" + std::string(value)).second) {
        parse(value, at.offset, true);
      }
    }
  }
  // ${x:offset:length} is arithmetic.
  if (parameter.op == ParameterOp::kOther && parameter.detail == ':') {
    for (const char* p = parameter.operand_text.data();
         p < parameter.operand_text.data() + parameter.operand_text.size(); ++p) {
      if (is_name_start(*p)) {
        judge_arithmetic({parameter.operand_text, nullptr, use.offset});
        break;
      }
    }
  }
  if (parameter.indirect) {
    if (is_made(use.part->text))
      report("bash-arithmetic-code"_rule, at.offset, at.length, use.part->text);
    for (const std::string_view value : values_.variable(use.part->text)) {
      judge_secret_name(value, at);
      judge_arithmetic_value(value, at);
    }
  }
  if (parameter.op == ParameterOp::kAssign) {
    judge_variable(use.part->text, std::string_view(&kUnknown, 1), at);
  }
}

// A profile that lets the script see all of the environment hides nothing in it.
void Judge::judge_environment(const EnvironmentUse& use) {
  if (policy_.allows(Capability::kEnvironment) || !values_.foreign_secret(use)) return;
  report("bash-secret-variable"_rule, use.offset, static_cast<std::uint32_t>(use.name.size()),
         use.name);
}

// A name that is computed: ${!x}, declare -n.
void Judge::judge_secret_name(std::string_view name, const Argument& at) {
  if (policy_.allows(Capability::kEnvironment) || name.empty()) return;
  if (name[0] < 'A' || name[0] > 'Z') return;
  if (values_.foreign_secret({name, at.offset, false})) {
    report("bash-secret-variable"_rule, at.offset, at.length, name);
  }
}

// [[ -v name ]] and numeric comparisons evaluate their operands.
void Judge::judge_condition(const Command& command) {
  static constexpr auto kNumeric = text_list("-eq", "-ne", "-lt", "-le", "-gt", "-ge");
  const auto judge_operand = [this](const Word& word) {
    std::vector<Argument> arguments;
    values_.expand(word, arguments);
    for (const Argument& argument : arguments) {
      judge_arithmetic_value(argument.text, argument);
      judge_arithmetic({argument.text, nullptr, argument.offset});
    }
  };
  const Word* before = nullptr;
  for (const Word* word = command.words; word != nullptr; before = word, word = word->next) {
    if (!word->plain() || word->next == nullptr || word->text.empty() || word->text[0] != '-')
      continue;
    if (word->text == "-v" || word->text == "-R") judge_operand(*word->next);
    for (const std::string_view op : kNumeric) {
      if (word->text != op) continue;
      if (before != nullptr) judge_operand(*before);
      judge_operand(*word->next);
    }
  }
}

}  // namespace langsbx::languages::bash
