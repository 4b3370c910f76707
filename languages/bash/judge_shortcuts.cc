// Most commands are judged by their name and the words as they are written: arguments are put
// together only where some value of them could matter. Whatever is not certain takes the long way.
#include <array>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"
#include "languages/bash/rules.h"

namespace langsbx::languages::bash {
namespace {

// The first character of every value of these parts; 0 when that is not certain.
char first_character(const Part* parts) {
  for (const Part* part = parts; part != nullptr; part = part->next) {
    switch (part->kind) {
      case PartKind::kParameter:
      case PartKind::kCommand:
      case PartKind::kProcess:
      case PartKind::kArithmetic:
        return '\0';
      default:
        if (part->inner != nullptr) return first_character(part->inner);
        if (!part->text.empty()) return part->text[0];
    }
  }
  return '\0';
}

char first_character(const Word& word) {
  if (word.text.empty() || word.text[0] == '~' || (word.flags & kWordBrace) != 0) return '\0';
  return word.plain() ? word.text[0] : first_character(word.parts);
}

bool is_deleting(std::string_view name) {
  if (name.size() < 2 || name[0] < 'r') return false;  // rm, rmdir, shred, unlink, wipe ...
  const CommandInfo* info = find_command(name);
  return info != nullptr && info->handler == Handler::kDeletes;
}

// One argument that holds a blank whatever its variables are: text for a person, no path.
bool is_sentence(const Word& word, unsigned traits) {
  if (word.plain() || (traits & kMayFields) != 0 || word.parts->next != nullptr) return false;
  const Part& part = *word.parts;
  if (part.kind == PartKind::kSingleQuoted || part.inner == nullptr) {
    return part.kind <= PartKind::kDoubleQuoted && part.kind != PartKind::kLiteral &&
           part.text.find(' ') != std::string_view::npos;
  }
  bool blank = false;
  for (const Part* inner = part.inner; inner != nullptr; inner = inner->next) {
    if (inner->kind == PartKind::kSingleQuoted) {
      blank = blank || inner->text.find(' ') != std::string_view::npos;
    } else if (inner->kind == PartKind::kParameter &&
               (inner->parameter != nullptr || inner->text == "@")) {
      return false;  // all elements of a list: arguments of their own
    }
  }
  return blank;
}

// A function may run what it is given: f rm -rf /
bool hands_on_deleting(const Word* words) {
  constexpr int kLookedAt = 3;
  constexpr std::size_t kLongest = 12;
  int looked_at = 0;
  for (const Word* word = words; word != nullptr && looked_at < kLookedAt; word = word->next) {
    ++looked_at;
    if ((word->flags & kWordBrace) != 0) return true;
    if (word->plain() ? is_deleting(word->text)
                      : (word->flags & kWordDynamic) == 0 && word->text.size() <= kLongest) {
      return true;
    }
  }
  return false;
}

bool may_hold_deleting(std::string_view text) {
  for (const std::string_view name : {"rm", "unlink", "shred", "wipe"}) {
    if (text.find(name) != std::string_view::npos) return true;
  }
  return text.find(kSplit) != std::string_view::npos;
}

}  // namespace

bool Judge::any_trait(const Word* words, unsigned trait) {
  for (const Word* word = words; word != nullptr; word = word->next) {
    if ((word->flags & kWordBrace) != 0 || (values_.traits(*word) & trait) != 0) return true;
  }
  return false;
}

// True when the command has been judged.
bool Judge::judge_by_name(const Command& command, const Place& place) {
  const Word& head = *command.words;
  const std::string_view name = head.text;
  if (!policy_.patterns.empty()) return false;
  if (name == "[") return idle_test(head.next);
  if (!head.plain() || head.flags != 0 || name.empty() || name[0] == '~') return false;
  Argument argument;
  argument.text = name;
  argument.offset = head.offset;
  argument.length = static_cast<std::uint32_t>(name.size());
  const Settled settled = settle(argument, head.next, place);
  if (settled.how != Settled::kNot) finish(settled, argument);
  return settled.how != Settled::kNot;
}

// The same for what an expanded head stands for, one command each.
bool Judge::judge_by_heads(Arguments heads, const Word* words, const Place& place) {
  std::array<Settled, Texts::kMost> settled;
  if (!policy_.patterns.empty() || heads.empty() || heads.size() > settled.size()) return false;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    settled[i] = settle(heads[i], words, place);
    if (settled[i].how == Settled::kNot) return false;
  }
  for (std::size_t i = 0; i < heads.size(); ++i) finish(settled[i], heads[i]);
  return true;
}

// What a command is, where its arguments cannot matter.
Judge::Settled Judge::settle(const Argument& head, const Word* words, const Place& place) {
  const std::string_view name = head.text;
  if (name.empty() || name == "[") return {};
  if (unsure(head)) {
    return {!head.pattern && idle_unsure(words) ? Settled::kUnsure : Settled::kNot, nullptr};
  }
  const std::uint32_t hash = hash_name(name);
  const CommandInfo* info = find_command(name, hash);
  if (info == nullptr && name.find('/') != std::string_view::npos) return {};
  if (is_function(name, hash, place, info != nullptr)) {
    if (hands_any_on_ || hands_on_deleting(words)) return {};
    return {Settled::kOwn, nullptr};
  }
  if (info == nullptr) return {idle_unknown(words) ? Settled::kForeign : Settled::kNot, nullptr};
  return {idle(*info, words) ? Settled::kListed : Settled::kNot, info};
}

void Judge::finish(const Settled& settled, const Argument& head) {
  if (settled.how == Settled::kUnsure) report("bash-dynamic-command"_rule, head);
  if (settled.how == Settled::kForeign) judge_unknown_name(head.text, head);
  if (settled.how == Settled::kListed) admit(*settled.info, head.text, head);
}

// Ruin takes a command that deletes and either a path or an option.
bool Judge::idle_unsure(const Word* words) {
  return !any_trait(words, kMayPath | kMayDash) || !may_delete_any(words);
}

bool Judge::may_delete_any(const Word* words) {
  for (const Word* word = words; word != nullptr; word = word->next) {
    if ((word->flags & kWordBrace) != 0 || may_delete(*word)) return true;
  }
  return false;
}

// Whether no value of these arguments can matter to the command.
bool Judge::idle(const CommandInfo& info, const Word* words) {
  switch (info.handler) {
    case Handler::kAlias:
      return true;
    case Handler::kTest:
      return idle_test(words);
    case Handler::kText:
      for (const Word* word = words; info.options && word != nullptr; word = word->next) {
        const char first = first_character(*word);
        // An option may hide in an expansion only when it is the whole word.
        const bool hidden = first == '\0' && (word->flags & kWordDynamic) == 0;
        if (first == '-' || hidden) return false;
        if (name_of(info) == "shopt" || name_of(info) == "hostname") return false;
      }
      return true;
    case Handler::kReads:
      return !info.options && !any_trait(words, kMayPath);
    case Handler::kPattern:
      return name_of(info) != "jq" && name_of(info) != "rg" && !any_trait(words, kMayPath);
    case Handler::kPrintf: {
      const char first = words == nullptr ? '%' : first_character(*words);
      return first != '\0' && first != '-';
    }
    case Handler::kDeclare:
      for (const Word* word = words; word != nullptr; word = word->next) {
        if (!idle_declaration(*word)) return false;
      }
      return words != nullptr;
    case Handler::kNames:
      return idle_names(name_of(info), words);
    default:
      return false;
  }
}

// Only a subscript that is evaluated matters.
bool Judge::idle_test(const Word* words) {
  return !script_.quoted_code || !any_trait(words, kMayCode);
}

// name, or name=value with nothing in the value that could run.
bool Judge::idle_declaration(const Word& word) {
  const std::string_view text = word.text;
  std::size_t length = 0;
  while (length < text.size() && is_name(text[length])) ++length;
  if (length == 0 || (word.flags & kWordBrace) != 0 || word.array) return false;
  if (length == text.size()) return true;
  if (text[length] == '+') ++length;
  if (length == text.size() || text[length] != '=') return false;
  if (is_hook(text.substr(0, text[length - 1] == '+' ? length - 1 : length))) return false;
  if (word.plain()) return true;
  if (script_.quoted_code && (values_.traits(word) & kMayCode) != 0) return false;
  // A shell that splits here reads more declarations.
  return !values_.may_split(word);
}

bool Judge::idle_names(std::string_view name, const Word* words) const {
  if (name == "let") return false;
  for (const Word* word = words; word != nullptr; word = word->next) {
    if (!word->plain() || (word->flags & kWordBrace) != 0 || word->text[0] == '~') return false;
    if (word->text[0] == '-' ? name == "unset"
                             : is_hook(word->text.substr(0, word->text.find('[')))) {
      return false;
    }
  }
  return true;
}

// The operands of a program that nobody here has described: no path, and no ruin behind it.
bool Judge::idle_unknown(const Word* words) {
  unsigned found = 0;
  for (const Word* word = words; word != nullptr; word = word->next) {
    const unsigned traits =
        (word->flags & kWordBrace) != 0 ? unsigned{kMayPath} : values_.traits(*word);
    if ((traits & kMayPath) != 0 && !is_sentence(*word, traits)) return false;
    found |= traits;
  }
  return (found & (kMayPath | kMayDash)) == 0 || !may_delete_any(words);
}

// Whether some argument that `word` becomes may be the name of a command that deletes.
bool Judge::may_delete(const Word& word) {
  if (word.plain()) return is_deleting(word.text);
  const Part* part = word.parts;
  if (part->next != nullptr) return true;
  if (part->kind == PartKind::kDoubleQuoted && part->inner != nullptr) {
    bool blank = false;  // no name holds one
    for (const Part* inner = part->inner; inner != nullptr; inner = inner->next) {
      blank = blank || (inner->kind == PartKind::kSingleQuoted &&
                        inner->text.find(' ') != std::string_view::npos);
      // All elements of an array: words of their own.
      if (inner->kind == PartKind::kParameter && inner->parameter != nullptr) return true;
    }
    if (blank) return false;
    part = part->inner;
    if (part->next != nullptr) return true;
  }
  switch (part->kind) {
    case PartKind::kParameter:
      if (part->parameter != nullptr) return true;
      for (const std::string_view value : values_.variable(part->text)) {
        if (may_hold_deleting(value)) return true;
      }
      return false;
    case PartKind::kArithmetic:
      return false;
    case PartKind::kCommand:
    case PartKind::kProcess:
      return true;
    default:
      return is_deleting(part->text);
  }
}

}  // namespace langsbx::languages::bash
