// What shows only in how commands are put together: fork bombs, downloads piped into a shell, and
// constructs that sh reads as other commands.
#include <algorithm>

#include "languages/bash/judge.h"
#include "languages/bash/rules/rules.h"

namespace langsbx::languages::bash {
namespace {

bool is_shell(std::string_view text) {
  const std::size_t slash = text.rfind('/');
  const CommandInfo* info =
      find_command(slash == std::string_view::npos ? text : text.substr(slash + 1));
  return info != nullptr && info->handler == Handler::kShell;
}

}  // namespace

// A function that runs itself twice over a pipe or in the background; one named like a command.
void Judge::judge_function(const Function& function) {
  const std::uint32_t length = static_cast<std::uint32_t>(function.name.size());
  if (function.name == "command_not_found_handle") {
    report(kDynamicCode, function.offset, length, function.name);
  }
  if (find_command(function.name) != nullptr) {
    report(kShadowedCommand, function.offset, length, function.name);
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
  if (calls >= 2 && spreads) report(kForkBomb, function.offset, length, function.name);
}

// `curl ... | sh`
void Judge::judge_pipe(std::size_t index) {
  const Command& from = script_.commands[index];
  if (from.kind != CommandKind::kSimple || from.words == nullptr) return;
  if (from.words->text != "curl" && from.words->text != "wget" && from.words->text != "base64") {
    return;
  }
  for (std::size_t i = index + 1; i < script_.commands.size(); ++i) {
    const Command& to = script_.commands[i];
    if (to.before != Connector::kPipe || to.depth > from.depth) continue;
    if (to.depth < from.depth) return;
    const Word* word = to.words;
    while (word != nullptr &&
           (word->text == "sudo" || word->text == "env" || word->text.starts_with('-'))) {
      word = word->next;
    }
    if (word != nullptr && is_shell(word->text)) {
      report(kDownloadExecute, word->offset, static_cast<std::uint32_t>(word->text.size()),
             word->text);
    }
    if (to.after != Connector::kPipe) return;
  }
}

void Judge::judge_dialect(const Command& command) {
  if (command.kind == CommandKind::kArithmetic) {
    report(kShellDialect, command.offset, 2, "((");
  } else if (command.kind == CommandKind::kCondition && command.words != nullptr) {
    const std::size_t end = source_.bytes.find("]]", command.offset);
    const std::string_view text = source_.bytes.substr(
        command.offset, end == std::string_view::npos ? 0 : end - command.offset);
    if (text.find("&&") != std::string_view::npos || text.find("||") != std::string_view::npos) {
      report(kShellDialect, command.offset, 2, "[[");
    }
  }
}

}  // namespace langsbx::languages::bash
