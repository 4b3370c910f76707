// What a command reads out of a file or a connection and prints, where arithmetic evaluates it: in
// `$(( $(cat f) ))` the file may hold a[$(program)].
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::bash {
namespace {

std::string_view trimmed(std::string_view text) {
  static constexpr std::string_view kSpace = " \t\n";
  const std::size_t start = std::min(text.find_first_not_of(kSpace), text.size());
  return text.substr(start, text.find_last_not_of(kSpace) + 1 - start);
}

std::string_view first_word(std::string_view text) {
  text = trimmed(text);
  return text.substr(0, text.find_first_of(" \t\n|;&"));
}

// Only digits are let through, or lines are counted.
bool gives_number(std::string_view text) {
  const std::size_t pipe = text.rfind('|');
  const std::string_view last =
      trimmed(pipe == std::string_view::npos ? text : text.substr(pipe + 1));
  const std::string_view word = first_word(last);
  const bool counts = word == "wc" || word == "cksum" || word == "bc" || word == "expr" ||
                      (word.ends_with("grep") && last.find(" -c") != std::string_view::npos);
  return counts || text.find("0-9") != std::string_view::npos ||
         text.find("[:digit:]") != std::string_view::npos ||
         text.find("\\d") != std::string_view::npos;
}

// Whether the text between $( and ) prints what a file or a connection holds. What the kernel
// writes into /proc and /sys is its own.
bool gives_content(std::string_view text) {
  static constexpr auto kReaders =
      text_list("cat", "head", "tail", "tac", "rev", "sed", "cut", "sort", "shuf", "paste", "grep",
                "egrep", "fgrep", "curl", "wget", "awk");
  text = trimmed(text);
  const bool reads = text.starts_with('<') || kReaders.contains(first_word(text));
  if (!reads || gives_number(text)) return false;
  if (first_word(text) == "awk" && text.find("print $") == std::string_view::npos) return false;
  return text.find("/proc/") == std::string_view::npos &&
         text.find("/sys/") == std::string_view::npos;
}

}  // namespace

// Whether a substitution, or a variable that nothing looked at, gives a file's content.
bool Judge::brings_content(const Part* parts) {
  for (const Part* part = parts; part != nullptr; part = part->next) {
    ++steps_;
    if (part->kind == PartKind::kCommand) {
      steps_ += part->text.size() / 16;
      if (gives_content(part->text)) return true;
    } else if (part->kind == PartKind::kDoubleQuoted) {
      if (brings_content(part->inner)) return true;
    } else if (part->kind == PartKind::kParameter && !is_changed(part->parameter)) {
      if (is_content(part->text)) return true;
    }
  }
  return false;
}

bool Judge::is_content(std::string_view name) {
  const std::uint8_t* traits = input_.find(name);
  return traits != nullptr && (*traits & kContent) != 0 && (*traits & kChecked) == 0;
}

void Judge::judge_content_arithmetic(const ArithmeticText& arithmetic) {
  const std::uint8_t* array = input_.find(arithmetic.array);
  if (array != nullptr && (*array & kByName) != 0) return;
  bool found = brings_content(arithmetic.parts);
  const std::string_view text = arithmetic.text;
  for (std::size_t i = 0; makes_content_ && !found && i < text.size(); ++i) {
    if (!is_name_start(text[i])) continue;
    const std::size_t start = i;
    while (i < text.size() && is_name(text[i])) ++i;
    found = (start == 0 || text[start - 1] != '#') && is_content(text.substr(start, i - start));
  }
  if (!found) return;
  report("bash-arithmetic-code"_rule, arithmetic.offset, static_cast<std::uint32_t>(text.size()),
         text);
}

// declare -n r=$n: the subscript of the name that n holds is evaluated with every use of r.
void Judge::judge_reference(const Word& name) {
  bool reference = false;
  for (const Word* word = name.next; word != nullptr; word = word->next) {
    if (word->text.starts_with('-')) {
      reference = reference || word->text.find('n') != std::string_view::npos;
    } else if (reference && (brings_input(word->parts, true) || brings_content(word->parts))) {
      report("bash-arithmetic-code"_rule, word->offset,
             static_cast<std::uint32_t>(word->text.size()), word->text);
    }
  }
}

}  // namespace langsbx::languages::bash
