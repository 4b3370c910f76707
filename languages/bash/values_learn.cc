// Which variables a script writes, and by what.
#include <array>

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

bool runs_text(std::string_view name) {
  return name == "eval" || name == "trap" || name == "sh" || name == "bash" || name == "dash";
}

// By the first letters of the commands that write variables or run text.
bool may_write(std::string_view name) {
  static constexpr auto kFirst = [] {
    std::array<bool, 256> table{};
    for (const char c : std::string_view(".bdelmprsgtuw"))
      table[static_cast<unsigned char>(c)] = true;
    return table;
  }();
  return !name.empty() && kFirst[static_cast<unsigned char>(name[0])];
}

}  // namespace

bool has_marker(std::string_view text) {
  for (const char c : text) {
    if (is_marker(c)) return true;
  }
  return false;
}

template <typename T>
void Values::add_use(Uses<T>& uses, const T* item) {
  auto* use = script_.arena.make<Chain<T>>();
  use->item = item;
  (uses.last == nullptr ? uses.first : uses.last->next) = use;
  uses.last = use;
  ++uses.count;
}

Values::Variable& Values::write(std::string_view name) {
  Variable& variable = slot(name);
  changed_ = true;
  stale_ = stale_ || variable.learnt != 0;
  return variable;
}

void Values::open_all() {
  if (std::exchange(wild_, true)) return;
  changed_ = true;
  stale_ = true;
}

// The script chooses where fields end.
void Values::separate() {
  if (!std::exchange(separator_, true)) stale_ = true;
}

void Values::learn() {
  changed_ = false;
  for (; learnt_assignments_ < script_.assignments.size(); ++learnt_assignments_) {
    const Assignment* assignment = script_.assignments[learnt_assignments_];
    ++steps_;
    add_use(write(assignment->name).assignments, assignment);
    if (assignment->name == "IFS" && !assignment->prefix) separate();
  }
  for (; learnt_commands_ < script_.commands.size(); ++learnt_commands_) {
    learn_command(script_.commands[learnt_commands_]);
  }
  for (; learnt_arithmetic_ < script_.arithmetic.size(); ++learnt_arithmetic_) {
    learn_arithmetic(script_.arithmetic[learnt_arithmetic_].text);
  }
  for (; learnt_parameters_ < script_.parameters.size(); ++learnt_parameters_) {
    const Part& part = *script_.parameters[learnt_parameters_].part;
    if (part.parameter->op == ParameterOp::kAssign) open(part.text);
  }
  if (changed_) ++learnings_;
}

void Values::learn_command(const Command& command) {
  ++steps_;
  for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
    if (!r->variable.empty()) open(r->variable);
  }
  if (command.kind == CommandKind::kFor || command.kind == CommandKind::kSelect) {
    Variable& variable = write(command.name);
    for (const Word* word = command.words; word != nullptr; word = word->next) {
      add_use(variable.words, word);
    }
    if (command.words == nullptr || command.kind == CommandKind::kSelect) variable.open = true;
    variable.given = true;
    return;
  }
  if (command.kind == CommandKind::kCoproc) {
    open(command.name.empty() ? std::string_view("COPROC") : command.name);
  }
  if (command.kind != CommandKind::kSimple) return;
  const Word* word = command.words;
  while (word != nullptr &&
         (word->text.size() == 7 && (word->text == "builtin" || word->text == "command")))
    word = word->next;
  if (word == nullptr) return;
  std::string_view name = word->text;
  if (word->plain() && !may_write(name)) return;
  if (runs_text(name)) {
    running_text_.push_back(static_cast<std::uint32_t>(learnt_commands_));
    return;
  }
  if (!word->plain()) {
    const Texts texts = resolve(*word);
    if (texts.size() == 1 && !has_marker(texts[0])) {
      name = texts[0];
    } else {
      for (const std::string_view text : texts) {
        const std::string_view first = text.substr(0, text.find(kSplit));
        if (writes_names(first) || is_declaration(first) || first == "printf") open_all();
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
      open(target->text.substr(0, target->text.find('[')));
    } else {
      open_all();
    }
  } else if (is_declaration(builtin)) {
    for (const Word* word = first; word != nullptr; word = word->next) learn_declaration(*word);
  } else if (writes_names(builtin)) {
    for (const Word* word = first; word != nullptr; word = word->next) {
      if (word->plain()) {
        open(word->text.substr(0, word->text.find('[')), builtin != "unset");
      } else if ((word->flags & kWordDynamic) != 0 && builtin != "unset") {
        for (const std::string_view text : resolve(*word)) {
          if (has_marker(text)) open_all();
          open(text);
        }
      }
    }
  } else if (builtin == "source" || builtin == ".") {
    open_all();
  }
}

// declare -n name, declare name=value, declare "$name=value"
void Values::learn_declaration(const Word& word) {
  if (word.text.starts_with('-') || word.text.starts_with('+')) {
    // A name reference: writing one variable writes another.
    if (word.text.find('n') != std::string_view::npos && word.text[0] == '-') open_all();
    return;
  }
  std::size_t length = 0;
  while (length < word.text.size() && is_name(word.text[length])) ++length;
  const std::string_view name = word.text.substr(0, length);
  if (name.empty()) {
    open_all();
    return;
  }
  Variable& variable = write(name);
  const std::string_view rest = word.text.substr(length);
  if (rest.starts_with('=') && !word.array) {
    add_use(variable.words, &word);
    if (name == "IFS") separate();
  } else if (!rest.empty() || word.array) {
    variable.open = true;
    variable.given = true;
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
    open(text.substr(i, end - i));
    i = end;
  }
}

}  // namespace langsbx::languages::bash
