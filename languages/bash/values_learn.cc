// Which variables a script writes, and by what.
#include "languages/bash/characters.h"
#include "languages/bash/values.h"

namespace langsbx::languages::bash {
namespace {

bool is_declaration(std::string_view name) {
  return name == "declare" || name == "typeset" || name == "local" || name == "export" ||
         name == "readonly";
}

bool writes_names(std::string_view name) {
  return name == "read" || name == "mapfile" || name == "readarray" || name == "getopts" ||
         name == "unset" || name == "wait";
}

}  // namespace

bool has_marker(std::string_view text) {
  for (const char c : text) {
    if (is_marker(c)) return true;
  }
  return false;
}

bool Values::learn() {
  const bool before = wild_;
  bool grown = learnt_assignments_ != script_.assignments.size();
  for (; learnt_assignments_ < script_.assignments.size(); ++learnt_assignments_) {
    const Assignment* assignment = script_.assignments[learnt_assignments_];
    ++steps_;
    slot(assignment->name).assignments.push_back(assignment);
    if (assignment->name == "IFS" && !assignment->prefix) separator_ = true;
  }
  grown = grown || learnt_commands_ != script_.commands.size();
  for (; learnt_commands_ < script_.commands.size(); ++learnt_commands_) {
    learn_command(script_.commands[learnt_commands_]);
  }
  for (; learnt_arithmetic_ < script_.arithmetic.size(); ++learnt_arithmetic_) {
    learn_arithmetic(script_.arithmetic[learnt_arithmetic_].text);
  }
  for (; learnt_parameters_ < script_.parameters.size(); ++learnt_parameters_) {
    const Part& part = *script_.parameters[learnt_parameters_].part;
    if (part.parameter->op == ParameterOp::kAssign) slot(part.text).open = true;
  }
  if (grown || before != wild_) ++learnings_;
  return grown;
}

void Values::learn_command(const Command& command) {
  ++steps_;
  for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
    if (!r->variable.empty()) slot(r->variable).open = true;
  }
  if (command.kind == CommandKind::kFor || command.kind == CommandKind::kSelect) {
    Variable& variable = slot(command.name);
    for (const Word* word = command.words; word != nullptr; word = word->next) {
      variable.words.push_back(word);
    }
    if (command.words == nullptr || command.kind == CommandKind::kSelect) variable.open = true;
    return;
  }
  if (command.kind == CommandKind::kCoproc) {
    slot(command.name.empty() ? std::string_view("COPROC") : command.name).open = true;
  }
  if (command.kind != CommandKind::kSimple) return;
  const Word* word = command.words;
  while (word != nullptr && (word->text == "builtin" || word->text == "command")) word = word->next;
  if (word == nullptr) return;
  std::string_view name = word->text;
  // The first letters of the commands that write variables.
  constexpr std::string_view kFirst = ".delmprsgtuw";
  if (word->plain() && (name.empty() || kFirst.find(name[0]) == std::string_view::npos)) return;
  if (!word->plain()) {
    const Texts texts = resolve(*word);
    if (texts.size() == 1 && !has_marker(texts[0])) {
      name = script_.arena.copy(texts[0]);
    } else {
      for (const std::string& text : texts) {
        const std::string_view first = std::string_view(text).substr(0, text.find(kSplit));
        if (writes_names(first) || is_declaration(first) || first == "printf") wild_ = true;
      }
    }
  }
  learn_arguments(word, name);
}

void Values::learn_arguments(const Word* name, std::string_view builtin) {
  const Word* first = name->next;
  for (const Word* word = first; word != nullptr; word = word->next) ++steps_;
  if (builtin == "let") {
    for (const Word* word = first; word != nullptr; word = word->next) learn_arithmetic(word->text);
  } else if (builtin == "printf") {
    if (first == nullptr || !first->text.starts_with("-v")) return;
    const Word* target = first->text == "-v" ? first->next : nullptr;
    if (target != nullptr && target->plain()) {
      slot(target->text.substr(0, target->text.find('['))).open = true;
    } else {
      wild_ = true;
    }
  } else if (is_declaration(builtin)) {
    for (const Word* word = first; word != nullptr; word = word->next) learn_declaration(*word);
  } else if (writes_names(builtin)) {
    for (const Word* word = first; word != nullptr; word = word->next) {
      if (word->plain()) {
        slot(word->text.substr(0, word->text.find('['))).open = true;
      } else if ((word->flags & kWordDynamic) != 0 && builtin != "unset") {
        const std::vector<std::string> names = resolve(*word);
        for (const std::string& text : names) {
          if (has_marker(text)) wild_ = true;
          slot(script_.arena.copy(text)).open = true;
        }
      }
    }
  } else if (builtin == "source" || builtin == ".") {
    wild_ = true;
  }
}

// declare -n name, declare name=value, declare "$name=value"
void Values::learn_declaration(const Word& word) {
  if (word.text.starts_with('-') || word.text.starts_with('+')) {
    // A name reference: writing one variable writes another.
    if (word.text.find('n') != std::string_view::npos && word.text[0] == '-') wild_ = true;
    return;
  }
  std::size_t length = 0;
  while (length < word.text.size() && is_name(word.text[length])) ++length;
  const std::string_view name = word.text.substr(0, length);
  if (name.empty()) {
    wild_ = true;
    return;
  }
  Variable& variable = slot(name);
  const std::string_view rest = word.text.substr(length);
  if (rest.starts_with('=') && !word.array) {
    variable.words.push_back(&word);
    if (name == "IFS") separator_ = true;
  } else if (!rest.empty() || word.array) {
    variable.open = true;
  }
}

// Every name in an expression that assigns at all.
void Values::learn_arithmetic(std::string_view text) {
  if (text.find('=') == std::string_view::npos && text.find("++") == std::string_view::npos &&
      text.find("--") == std::string_view::npos) {
    return;
  }
  steps_ += text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_name_start(text[i]) || (i > 0 && is_name(text[i - 1]))) continue;
    std::size_t end = i;
    while (end < text.size() && is_name(text[end])) ++end;
    slot(text.substr(i, end - i)).open = true;
    i = end;
  }
}

}  // namespace langsbx::languages::bash
