// What shows only in how commands are put together: fork bombs, and constructs that sh reads as
// other commands.
#include <algorithm>

#include "languages/bash/judge.h"
#include "languages/bash/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
// A function that runs itself twice over a pipe or in the background; one named like a command.
void Judge::judge_function(const Function& function) {
  const std::uint32_t length = static_cast<std::uint32_t>(function.name.size());
  if (function.name == "command_not_found_handle") {
    report("bash-dynamic-code"_rule, function.offset, length, function.name);
  }
  if (find_command(function.name) != nullptr) {
    report("bash-shadowed-command"_rule, function.offset, length, function.name);
  }
  // `f | f` and `f & f`: each call makes two. One call in the background may be a server's loop.
  if (function.last_command <= function.first_command) return;  // not read to its end
  const bool several = std::any_of(
      script_.commands.begin() + function.first_command,
      script_.commands.begin() + function.last_command, [](const Command& command) {
        return command.after == Connector::kBackground || command.after == Connector::kPipe;
      });
  if (!several) return;
  int calls = 0;
  bool spreads = false;
  bool piped = false;
  for (std::uint32_t i = function.first_command; i < function.last_command; ++i) {
    const Command& command = script_.commands[i];
    const bool self = command.kind == CommandKind::kSimple && command.words != nullptr &&
                      command.words->text == function.name;
    calls += self ? 1 : 0;
    spreads = spreads || (self && command.after == Connector::kBackground) || (self && piped);
    piped = self && command.after == Connector::kPipe;
  }
  if (calls >= 2 && spreads) report("bash-fork-bomb"_rule, function.offset, length, function.name);
}

// `cd / && rm -rf *`: everything, in a directory that was chosen just before.
void Judge::judge_here(std::size_t index) {
  static constexpr auto kEverything =
      text_list("*", ".", "./", "./*", "..", ".*", "./.*", ".[!.]*");
  constexpr std::size_t kMostBefore = 32;
  const Command& deletes = script_.commands[index];
  bool recursive = false;
  const Word* target = nullptr;
  for (const Word* word = deletes.words->next; word != nullptr; word = word->next) {
    const std::string_view text = word->text;
    recursive = recursive || (text.starts_with('-') && text != "--" &&
                              text.find_first_of("rR") != std::string_view::npos);
    if (kEverything.contains(text)) {
      target = word;
    }
  }
  if (!recursive || target == nullptr) return;
  const std::size_t first = index > kMostBefore ? index - kMostBefore : 0;
  for (std::size_t i = index; i-- > first;) {
    const Command& before = script_.commands[i];
    const Word* word = before.words;
    if (before.function != deletes.function || before.depth > deletes.depth ||
        before.kind != CommandKind::kSimple || word == nullptr ||
        (word->text != "cd" && word->text != "pushd")) {
      continue;
    }
    for (word = word->next; word != nullptr && word->text.starts_with('-'); word = word->next) {
    }
    const Texts places = word == nullptr ? Texts(kHomeText) : values_.resolve(*word);
    for (const std::string_view place : places) {
      if (!ruinous(place)) continue;
      report("bash-delete-root"_rule, target->offset,
             static_cast<std::uint32_t>(target->text.size()), place);
      return;
    }
    return;
  }
}

void Judge::judge_dialect(const Command& command) {
  if (command.kind == CommandKind::kArithmetic) {
    report("bash-shell-dialect"_rule, command.offset, 2, "((");
  } else if (command.kind == CommandKind::kCondition && command.words != nullptr) {
    const std::size_t end = source_.bytes.find("]]", command.offset);
    const std::string_view text = source_.bytes.substr(
        command.offset, end == std::string_view::npos ? 0 : end - command.offset);
    if (text.find("&&") != std::string_view::npos || text.find("||") != std::string_view::npos) {
      report("bash-shell-dialect"_rule, command.offset, 2, "[[");
    }
  }
}

// rm, find -delete, chmod -R: `arguments` with the command in front.
void Judge::judge_root(Arguments arguments) {
  bool recursive = arguments[0].text == "find";
  bool options = true;
  for (const Argument& argument : arguments.subspan(1)) {
    const std::string_view text = argument.text;
    if (text == "--") options = false;
    if (!options || !text.starts_with('-')) continue;
    if (text == "--no-preserve-root") report("bash-delete-root"_rule, argument);
    recursive = recursive || text == "--recursive" ||
                (!text.starts_with("--") && text.find_first_of("rR") != std::string_view::npos);
  }
  for (const Argument& argument : arguments.subspan(1)) {
    const bool everything = argument.text.ends_with("/*");
    if ((recursive || everything) && ruinous(argument.text))
      report("bash-delete-root"_rule, argument);
  }
}

}  // namespace langsbx::languages::bash
