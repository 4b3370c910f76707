// Code that nobody could judge because it arrives while the script runs: downloads and connections
// that end in a shell or an interpreter.
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/option_table.h"
#include "languages/bash/rules.h"

namespace langsbx::languages::bash {
namespace {

bool is_runner(std::string_view name) {
  const CommandInfo* info = find_command(name);
  return info != nullptr && info->arrival == Arrival::kWraps;
}

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_input(std::string_view file) {
  return file == "/dev/stdin" || file == "/dev/fd/0" || file == "/proc/self/fd/0";
}

// Whether an interpreter that is called with these words reads its program from its input.
bool reads_program(const Word* words, bool shell) {
  for (const Word* word = words; word != nullptr; word = word->next) {
    const std::string_view text = word->text;
    if (text == "-" || text == "-s") return true;
    if (text.empty() || (text[0] != '-' && text[0] != '+')) return is_input(text);
    if (text == "-o" || text == "-O") {
      if (word->next != nullptr) word = word->next;
      continue;
    }
    const std::string_view harmless = shell ? "abefhiklmprtuvxBCEHPTs" : "uwBsSEI";
    if (text.substr(1).find_first_not_of(harmless) != std::string_view::npos) {
      if (text != "--login" && text != "--posix" && text != "--noprofile" && text != "--norc") {
        return false;
      }
    }
  }
  return true;
}

bool has_input(const Command& command) {
  for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
    if (r->op == RedirectOp::kRead || r->op == RedirectOp::kHereDocument ||
        r->op == RedirectOp::kHereString) {
      return true;
    }
  }
  return false;
}

// Whether a downloader stands in this source text where commands stand.
bool fetches(std::string_view text) {
  for (const std::string_view name :
       {std::string_view("curl"), std::string_view("wget"), std::string_view("aria2c")}) {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (end < text.size() && text[end] != ' ' && text[end] != '\t' && text[end] != '\\') continue;
      std::size_t begin = at;
      while (begin > 0 && (is_name(text[begin - 1]) || text[begin - 1] == '/' ||
                           text[begin - 1] == '\\' || text[begin - 1] == '.')) {
        --begin;
      }
      if (base_name(text.substr(begin, end - begin)).ends_with(name) && begin + name.size() < end &&
          text[at - 1] != '/' && text[at - 1] != '\\') {
        continue;  // a longer name
      }
      while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
      if (begin == 0 ||
          std::string_view("|;&({\n`!").find(text[begin - 1]) != std::string_view::npos) {
        return true;
      }
      std::size_t word = begin;
      while (word > 0 && text[word - 1] != ' ' && text[word - 1] != '\n') --word;
      const std::string_view before = text.substr(word, begin - word);
      if (is_runner(before) || before == "then" || before == "do" || before == "else" ||
          before.find('=') != std::string_view::npos) {
        return true;
      }
    }
  }
  return false;
}

// The one expansion that a word is, if it is nothing else.
const Part* only_part(const Word& word) {
  const Part* part = word.parts;
  if (part == nullptr || part->next != nullptr) return nullptr;
  if (part->kind != PartKind::kDoubleQuoted) return part;
  return part->inner != nullptr && part->inner->next == nullptr ? part->inner : nullptr;
}

bool holds_fetch(const Part* parts) {
  for (const Part* part = parts; part != nullptr; part = part->next) {
    if ((part->kind == PartKind::kCommand || part->kind == PartKind::kProcess) &&
        fetches(part->text)) {
      return true;
    }
    if (part->inner != nullptr && holds_fetch(part->inner)) return true;
  }
  return false;
}

}  // namespace

// Variables that are given what a download says.
bool Judge::fetched(std::string_view variable) {
  for (; fetched_known_ < script_.assignments.size(); ++fetched_known_) {
    const Assignment& assignment = *script_.assignments[fetched_known_];
    if (assignment.value != nullptr && holds_fetch(assignment.value->parts)) {
      fetched_.slot(assignment.name) = true;
    }
  }
  const bool* found = fetched_.find(variable);
  return found != nullptr && *found;
}

bool Judge::holds_download(const Word& word) {
  if (holds_fetch(word.parts)) return true;
  const Part* part = only_part(word);
  return part != nullptr && part->kind == PartKind::kParameter && part->parameter == nullptr &&
         fetched(part->text);
}

// What a command's first word is, through those that run another.
Judge::Program Judge::program_of(const Command& command) {
  bool wrapped = false;
  bool xargs = false;
  for (const Word* word = command.words; word != nullptr; word = word->next) {
    std::string_view name = word->text;
    if (!word->plain()) {
      const Texts texts = values_.resolve(*word);
      name = texts.size() == 1 ? texts[0].substr(0, texts[0].find(kSplit)) : std::string_view();
    }
    name = base_name(name);
    const CommandInfo* info = find_command(name);
    const Arrival arrival = info == nullptr ? Arrival::kNone : info->arrival;
    if (arrival == Arrival::kWraps) {
      xargs = xargs || name == "xargs";
      wrapped = true;
      continue;
    }
    const bool talks =
        name != "openssl" || (word->next != nullptr && word->next->text == "s_client");
    if (arrival != Arrival::kNone && talks) return {arrival, word, xargs};
    if (!wrapped) break;
  }
  return {};
}

// Whether this program takes its code from its input.
bool Judge::runs_input(const Command& command, const Program& program) {
  const Word* rest = program.word->next;
  const std::string_view name = program.word->text;
  if (has_input(command)) return false;
  if (name == "eval") {
    const Part* part = rest == nullptr ? nullptr : only_part(*rest);
    return part != nullptr && part->kind == PartKind::kParameter && rest->next == nullptr;
  }
  if (name == "source" || name == ".") return rest != nullptr && is_input(rest->text);
  if (program.xargs) {
    while (rest != nullptr && rest->next != nullptr) rest = rest->next;
    return rest != nullptr &&
           (rest->text == "-c" || rest->text.find("{}") != std::string_view::npos);
  }
  return reads_program(rest, program.shell());
}

// Once more over all commands, in scripts that bring something in.
void Judge::judge_arrivals() {
  for (const std::uint32_t runs : running_code_) {
    if (findings_.full() || spent()) return;
    judge_arriving(script_.commands[runs]);
  }
  for (std::size_t i = 0; i < script_.commands.size(); ++i) {
    const Command& command = script_.commands[i];
    if (command.after != Connector::kPipe || command.before == Connector::kPipe) continue;
    if (findings_.full() || spent()) return;
    judge_pipe(i);
  }
  if (connects_ && shell_on_descriptor_ != nullptr) {
    const Word& shell = *shell_on_descriptor_;
    report("bash-reverse-shell"_rule, shell.offset, static_cast<std::uint32_t>(shell.text.size()),
           shell.text);
  }
}

// `curl ... | sh`, `nc ... | sh`, from the first command of a pipeline to its last.
void Judge::judge_pipe(std::size_t index) {
  const Command& from = script_.commands[index];
  bool arrived = false;
  bool connected = false;
  const Word* shell = nullptr;
  for (std::size_t i = index; i < script_.commands.size(); ++i) {
    const Command& command = script_.commands[i];
    const bool inside = command.depth > from.depth || i == index;
    if (!inside && (command.depth < from.depth || command.before != Connector::kPipe)) break;
    ++steps_;
    for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
      arrived = arrived || (r->op == RedirectOp::kRead && r->target != nullptr &&
                            r->target->text.starts_with("/dev/tcp/"));
    }
    if (command.kind != CommandKind::kSimple || command.words == nullptr) continue;
    const Program program = program_of(command);
    arrived = arrived || program.arrival == Arrival::kFetches;
    connected = connected || program.arrival == Arrival::kConnects;
    if (!program.runs() || !runs_input(command, program)) continue;
    const Word& word = *program.word;
    if (program.shell()) shell = &word;
    if (arrived) {
      report("bash-download-execute"_rule, word.offset,
             static_cast<std::uint32_t>(word.text.size()), word.text);
    }
  }
  if (connected && shell != nullptr) {
    report("bash-reverse-shell"_rule, shell->offset, static_cast<std::uint32_t>(shell->text.size()),
           shell->text);
  }
}

// eval "$(curl ...)", bash -c "$(curl ...)", source <(curl ...), bash <<< "$(curl ...)"
void Judge::judge_arriving(const Command& command) {
  if (command.words == nullptr) return;
  const Program program = program_of(command);
  if (!program.runs()) return;
  const Word& head = *program.word;
  const auto found = [&] {
    report("bash-download-execute"_rule, head.offset, static_cast<std::uint32_t>(head.text.size()),
           head.text);
  };
  for (const Redirect* r = command.redirects; r != nullptr; r = r->next) {
    const bool text = r->op == RedirectOp::kHereString && r->target != nullptr;
    const bool file = r->op == RedirectOp::kRead && r->target != nullptr;
    if ((text && holds_download(*r->target)) || (file && holds_fetch(r->target->parts)) ||
        (r->op == RedirectOp::kHereDocument && holds_fetch(r->body_parts))) {
      return found();
    }
    // sh <&5, where 5 is a connection
    if (r->op == RedirectOp::kDuplicate && program.shell() &&
        source_.bytes.substr(std::min<std::size_t>(r->offset, source_.bytes.size()), 4)
                .find("<&") != std::string_view::npos &&
        reads_program(head.next, true)) {
      shell_on_descriptor_ = &head;
    }
  }
  if (head.text == "eval") {
    for (const Word* word = head.next; word != nullptr; word = word->next) {
      if (holds_download(*word)) return found();
    }
    return;
  }
  for (const Word* word = head.next; word != nullptr; word = word->next) {
    const std::string_view text = word->text;
    if (text.size() > 1 && text[0] == '-' && word->plain()) {
      const bool code =
          text.find_first_of(program.shell() ? "c" : "cer", 1) != std::string_view::npos;
      if (code && !text.starts_with("--") && word->next != nullptr && holds_download(*word->next)) {
        return found();
      }
      continue;
    }
    // The program itself; what follows are its arguments.
    const Part* part = only_part(*word);
    if (part != nullptr && part->kind == PartKind::kProcess && fetches(part->text)) found();
    return;
  }
}

// A connection and a shell in one literal program: python3 -c 'import socket, ...'.
void Judge::judge_program(Arguments arguments) {
  for (const Argument& argument : arguments.subspan(1)) {
    const std::string_view text = argument.text;
    if (text.find("ocket") == std::string_view::npos &&
        text.find("fsockopen") == std::string_view::npos) {
      continue;
    }
    for (const std::string_view shell : {"sh -i", "/bin/sh", "/bin/bash", "dup2", "\"sh\"", "'sh'",
                                         "popen", "pty.spawn", "exec(", "execl", "spawn("}) {
      if (text.find(shell) != std::string_view::npos)
        return report("bash-reverse-shell"_rule, argument);
    }
  }
}

}  // namespace langsbx::languages::bash
