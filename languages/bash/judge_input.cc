// What a script reads while it runs (read, mapfile) and then hands to where text is more than text:
// among the options of a tool that starts programs, or into arithmetic, which runs the $(..) of a
// subscript.
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/option_table.h"
#include "languages/bash/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

constexpr int kMostHands = 3;  // assignments from one variable to the next that are followed

bool is_number_test(std::string_view text) {
  static constexpr auto kTests = text_list("-eq", "-ne", "-lt", "-le", "-gt", "-ge");
  return text.size() == 3 && kTests.contains(text);
}

// The first name of a text: of "a[1]" or "x=2" what stands before the sign.
std::string_view name_at(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_name(text[length])) ++length;
  return text.substr(0, length);
}

}  // namespace

// The value is a length, another text, or has lost what is no digit.
bool Judge::is_changed(const Parameter* parameter) {
  if (parameter == nullptr) return false;
  if (parameter->op == ParameterOp::kLength || parameter->op == ParameterOp::kAlternate)
    return true;
  return parameter->op == ParameterOp::kOther &&
         (parameter->operand_text.find("0-9") != std::string_view::npos ||
          parameter->operand_text.find("[:digit:]") != std::string_view::npos);
}

void Judge::learn_input() {
  for (; known_input_ < script_.commands.size(); ++known_input_) {
    learn_input_of(script_.commands[known_input_]);
  }
  learn_made();
  if (!reads_input_) return;
  for (int hand = 0; hand < kMostHands; ++hand) {
    bool more = false;
    const auto give = [&](std::string_view name, const Word* words) {
      for (const Word* word = words; word != nullptr; word = word->next) {
        ++steps_;
        if (!brings_input(word->parts, false)) continue;
        std::uint8_t& traits = input_.slot(name);
        more = more || (traits & kArrives) == 0;
        traits |= kArrives;
      }
    };
    for (const Assignment* assignment : script_.assignments) {
      give(assignment->name, assignment->elements);
      if (assignment->value != nullptr && brings_input(assignment->value->parts, false)) {
        std::uint8_t& traits = input_.slot(assignment->name);
        more = more || (traits & kArrives) == 0;
        traits |= kArrives;
      }
    }
    for (const Command& command : script_.commands) {
      if (command.kind == CommandKind::kFor) give(command.name, command.words);
    }
    if (!more) return;
  }
}

// Variables that hold what a command printed: nothing to fear of as text or number, but as a name.
void Judge::learn_made() {
  const auto made = [this](const Part* parts) {
    for (const Part* part = parts; part != nullptr; part = part->next) {
      ++steps_;
      const Part* one = part->kind == PartKind::kDoubleQuoted ? part->inner : part;
      if (one != nullptr && one->kind == PartKind::kCommand) return true;
    }
    return false;
  };
  for (const Assignment* assignment : script_.assignments) {
    if (assignment->value == nullptr || !made(assignment->value->parts)) continue;
    mark_made(assignment->name, assignment->value->parts);
  }
  for (const Command& command : script_.commands) {
    if (command.kind != CommandKind::kFor) continue;
    for (const Word* word = command.words; word != nullptr; word = word->next) {
      if (!made(word->parts)) continue;
      mark_made(command.name, word->parts);
    }
  }
}

void Judge::mark_made(std::string_view name, const Part* parts) {
  const bool content = brings_content(parts);
  input_.slot(name) |= content ? kMade | kContent : kMade;
  makes_input_ = true;
  makes_content_ = makes_content_ || content;
}

// Whether the word is a variable that holds what came from outside, unlooked at: as the name of a
// variable its subscript is evaluated.
bool Judge::is_made_name(const Word& word) {
  const Part* part = word.parts;
  if (part != nullptr && part->kind == PartKind::kDoubleQuoted) part = part->inner;
  if (part == nullptr) return false;
  if (part->kind == PartKind::kCommand) return true;
  if (part->kind != PartKind::kParameter || is_changed(part->parameter)) return false;
  return is_made(part->text);
}

bool Judge::is_made(std::string_view name) {
  const std::uint8_t* traits = input_.find(name);
  return traits != nullptr && (*traits & (kMade | kArrives)) != 0 && (*traits & kChecked) == 0;
}

void Judge::learn_input_of(const Command& command) {
  const Word* word = command.words;
  ++steps_;
  if (word == nullptr) return;
  if (command.kind == CommandKind::kSimple) {
    for (const Word* each = word->next; each != nullptr; each = each->next) {
      const Part* part = each->parts;
      if (part != nullptr && part->kind == PartKind::kDoubleQuoted) part = part->inner;
      if (part == nullptr || part->kind != PartKind::kParameter || part->text.empty()) continue;
      const char name = part->text[0];
      if (name != '@' && name != '*' && !is_digit(name)) continue;
      if (!may_spawn(word->text)) break;
      hands_on_.slot(word->text) = hands_any_on_ = true;
    }
  }
  if (command.kind == CommandKind::kCase) return check_input(*word);
  if (command.kind == CommandKind::kCondition) {
    bool pattern = false;
    for (const Word* each = word; each != nullptr; each = each->next) {
      pattern = pattern || each->text == "=~";
      makes_input_ = makes_input_ || brings_content(each->parts);
    }
    for (; pattern && word != nullptr; word = word->next) check_input(*word);
    return;
  }
  if (command.kind != CommandKind::kSimple) return;
  if (word->text == "builtin" || word->text == "command") word = word->next;
  if (word == nullptr) return;
  const std::string_view name = word->text;
  if (name == "read" || name == "mapfile" || name == "readarray") {
    reads_input_ = true;
    input_.slot(name == "read" ? "REPLY" : "MAPFILE") |= kArrives;
    for (word = word->next; word != nullptr; word = word->next) {
      if (!word->text.starts_with('-')) input_.slot(name_at(word->text)) |= kArrives;
    }
  } else if (name == "let") {
    for (const Word* each = word; each != nullptr; each = each->next) {
      makes_input_ = makes_input_ || brings_content(each->parts);
    }
  } else if (name == "[" || name == "test") {
    for (const Word* each = word; each->next != nullptr; each = each->next) {
      if (!is_number_test(each->next->text)) continue;
      check_input(*each);
      if (each->next->next != nullptr) check_input(*each->next->next);
    }
  } else if (name == "declare" || name == "typeset" || name == "local") {
    const Word* option = word->next;
    const std::string_view letters =
        option != nullptr && option->text.starts_with('-') ? option->text : std::string_view();
    std::uint8_t traits = letters.find('i') != std::string_view::npos ? kInteger : 0;
    makes_input_ = makes_input_ || letters.find('n') != std::string_view::npos;
    if (letters.find('A') != std::string_view::npos) traits |= kByName;
    for (word = option; traits != 0 && word != nullptr; word = word->next) {
      input_.slot(name_at(word->text)) |= traits;
    }
  }
}

// The script looks at what it holds before it uses it.
void Judge::check_input(const Word& word) {
  const Part* part = word.parts;
  if (part != nullptr && part->kind == PartKind::kDoubleQuoted) part = part->inner;
  if (part != nullptr && part->kind == PartKind::kParameter) input_.slot(part->text) |= kChecked;
}

bool Judge::from_input(std::string_view name, bool unchecked) {
  const std::uint8_t* traits = input_.find(name);
  if (traits == nullptr || (*traits & kArrives) == 0) return false;
  return !unchecked || (*traits & kChecked) == 0;
}

// Whether some variable of these holds what was read.
bool Judge::brings_input(const Part* parts, bool unchecked) {
  for (const Part* part = parts; part != nullptr; part = part->next) {
    ++steps_;
    if (part->kind == PartKind::kParameter) {
      if (!is_changed(part->parameter) && from_input(part->text, unchecked)) return true;
    } else if (part->kind == PartKind::kDoubleQuoted && brings_input(part->inner, unchecked)) {
      return true;
    }
  }
  return false;
}

// Whether the word may become an option: what was read stands at its beginning, or splits.
bool Judge::may_be_option(const Word& word, bool splits) {
  for (const Part* part = word.parts; part != nullptr; part = part->next) {
    const bool bare = part->kind == PartKind::kParameter;
    if (bare && !is_changed(part->parameter) && from_input(part->text, false)) return true;
    const bool first = part == word.parts && part->kind == PartKind::kDoubleQuoted;
    const Part* inner = first && !splits ? part->inner : nullptr;
    if (inner != nullptr && inner->kind == PartKind::kParameter && !is_changed(inner->parameter) &&
        from_input(inner->text, false)) {
      return true;
    }
  }
  return false;
}

void Judge::judge_input(const Command& command) {
  const Word* word = command.words;
  if (word == nullptr) return;
  const auto evaluates = [this](const Word& at) {
    report("bash-arithmetic-code"_rule, at.offset, static_cast<std::uint32_t>(at.text.size()),
           at.text);
  };
  if (command.kind == CommandKind::kCondition) {
    for (; word->next != nullptr; word = word->next) {
      if (is_number_test(word->next->text)) {
        const Word* right = word->next->next;
        const auto arrives = [this](const Word& at) {
          return brings_input(at.parts, true) || from_input(at.text, true) ||
                 brings_content(at.parts) || is_content(at.text);
        };
        if (arrives(*word)) evaluates(*word);
        if (right != nullptr && arrives(*right)) evaluates(*right);
      }
      const bool subscript = word->next->text.find('[') != std::string_view::npos;
      const bool asks = word->text == "-v" || word->text == "-R";
      if (asks &&
          ((subscript && brings_input(word->next->parts, true)) || is_made_name(*word->next))) {
        evaluates(*word->next);
      }
    }
    return;
  }
  if (command.kind != CommandKind::kSimple) return;
  const CommandInfo* info = find_command(word->text);
  while (info != nullptr && info->arrival == Arrival::kWraps && word->next != nullptr) {
    const CommandInfo* next = nullptr;
    for (word = word->next; next == nullptr && word->next != nullptr; word = word->next) {
      next = find_command(word->text);
      if (next != nullptr) break;
    }
    info = next == nullptr ? find_command(word->text) : next;
  }
  if (info == nullptr) return;
  if (info->builtin) return judge_input_of_builtin(*word);
  const bool find = info->handler == Handler::kFind;
  const bool sed = info->handler == Handler::kSed;
  if (!find && !sed && !(info->options && may_spawn(name_of(*info)))) return;
  for (word = word->next; word != nullptr; word = word->next) {
    if (word->text == "--" && !find) return;
    if (may_be_option(*word, find)) {
      report("bash-spawn-option"_rule, word->offset, static_cast<std::uint32_t>(word->text.size()),
             word->text);
    }
  }
}

// let, and names with a subscript: read, unset, printf -v, test -v evaluate it.
void Judge::judge_input_of_builtin(const Word& name) {
  const bool let = name.text == "let";
  if (name.text == "declare" || name.text == "typeset" || name.text == "local") {
    judge_reference(name);
  }
  const bool names = name.text == "read" || name.text == "unset" || name.text == "declare" ||
                     name.text == "typeset" || name.text == "local" || name.text == "wait" ||
                     name.text == "printf" || name.text == "test" || name.text == "[" ||
                     name.text == "export" || name.text == "readonly";
  bool named = name.text != "printf" && name.text != "test" && name.text != "[";
  // What becomes a variable's name: all operands of these, one behind -v of those.
  const bool operands = name.text == "read" || name.text == "unset";
  bool functions = false;
  for (const Word* word = name.next; word != nullptr; word = word->next) {
    const bool asks = word->text == "-v" || (word->text == "-R" && name.text != "printf");
    functions = functions || (name.text == "unset" && word->text == "-f");
    const Word* named_by = operands ? word : asks ? word->next : nullptr;
    if (names && named_by != nullptr && !functions && is_made_name(*named_by)) {
      report("bash-arithmetic-code"_rule, named_by->offset,
             static_cast<std::uint32_t>(named_by->text.size()), named_by->text);
    }
  }
  for (const Word* word = name.next; word != nullptr; word = word->next) {
    const bool subscript = names && named && word->text.find('[') != std::string_view::npos;
    if (let || subscript) {
      if (brings_input(word->parts, true) || brings_content(word->parts)) {
        report("bash-arithmetic-code"_rule, word->offset,
               static_cast<std::uint32_t>(word->text.size()), word->text);
      }
    }
    if (name.text == "printf" || name.text == "test" || name.text == "[")
      named = word->text == "-v";
    if (name.text == "read" || word->text.starts_with('-')) continue;
    const std::uint8_t* traits = input_.find(name_at(word->text));
    if (!let && traits != nullptr && (*traits & kInteger) != 0 && brings_input(word->parts, true)) {
      report("bash-arithmetic-code"_rule, word->offset,
             static_cast<std::uint32_t>(word->text.size()), word->text);
    }
  }
  if (name.text != "read") return;
  for (const Word* word = name.next; word != nullptr; word = word->next) {
    const std::uint8_t* traits = input_.find(name_at(word->text));
    if (traits != nullptr && !word->text.starts_with('-') && (*traits & kInteger) != 0) {
      report("bash-arithmetic-code"_rule, word->offset,
             static_cast<std::uint32_t>(word->text.size()), word->text);
    }
  }
}

// The names in an expression that hold what was read, and that nothing looked at.
void Judge::judge_input_arithmetic(const ArithmeticText& arithmetic) {
  const std::string_view text = arithmetic.text;
  const std::uint8_t* array = input_.find(arithmetic.array);
  if (array != nullptr && (*array & kByName) != 0) return;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_name_start(text[i]) || (i > 0 && text[i - 1] == '#')) continue;
    const std::string_view name = name_at(text.substr(i));
    if (from_input(name, true)) {
      return report("bash-arithmetic-code"_rule, arithmetic.offset,
                    static_cast<std::uint32_t>(text.size()), name);
    }
    i += name.size();
    const std::uint8_t* traits = input_.find(name);
    if (traits != nullptr && (*traits & kByName) != 0 && i < text.size() && text[i] == '[') {
      i = std::min(text.find(']', i), text.size());
    }
  }
}

// f --filter=x, set -- --filter=x: an option that starts a program, for a command that the script
// gives its own arguments to.
void Judge::judge_handed_on(Arguments arguments) {
  for (const Argument& argument : arguments.subspan(1)) {
    if (argument.text.size() < 3 || argument.text[0] != '-' || !argument.known()) continue;
    std::string_view value;
    for (const OptionRule& rule : kOptions) {
      ++steps_;
      if (rule.effect != OptionEffect::kSpawns || hands_on_.find(rule.command) == nullptr) continue;
      const OptionRule* found = match_option(rule.command, argument.text, value);
      if (found == nullptr || found->effect != OptionEffect::kSpawns) continue;
      return report("bash-spawn-option"_rule, argument);
    }
  }
}

}  // namespace langsbx::languages::bash
