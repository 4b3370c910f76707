// Resolving words by the constants their variables hold.
#include "languages/bash/values.h"

#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/own_folder.h"
#include "languages/byte_blocks.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::size_t kMostText = 4096;
constexpr std::size_t kMostDepth = 16;
constexpr char kRootUnknown[] = {'/', kUnknown};
static_assert(Texts::kMost >= 4 * Values::kMostValues + 2);

// Short texts: a loop is there before memchr has begun.
std::string_view first_field(std::string_view text) {
  return text.substr(0, find_any(text, kSplit, kSplit, kSplit));
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

}  // namespace

// Too many to keep: those that lead elsewhere stay, the others become one unknown text.
void Values::collapse(Texts& texts) {
  Texts kept;
  for (const std::string_view text : texts) {
    const bool tame = text.empty() || (text[0] != '/' && text[0] != kHome &&
                                       text.find("..") == std::string_view::npos);
    if (!tame) kept.push(text);
  }
  if (kept.size() > kMostValues) kept = Texts({kRootUnknown, sizeof kRootUnknown});
  kept.push(kUnknownText);
  texts = kept;
}

void Values::add_value(Texts& texts, std::string_view value) {
  if (std::find(texts.begin(), texts.end(), value) != texts.end()) return;
  texts.push(value);
  if (texts.size() > 2 * kMostValues) collapse(texts);
}

// What is too long ends in the unknown, once.
std::string_view Values::longer(std::string_view text, std::string_view tail, bool many) {
  // Several with one beginning cannot grow in place.
  if (many && (copied_ += text.size() + tail.size()) > most_copied_) return kUnknownText;
  if (text.size() + tail.size() <= kMostText) return script_.arena.join(text, tail);
  return text.ends_with(kUnknown) ? text : script_.arena.join(text, kUnknownText);
}

void Values::append_text(Texts& texts, std::string_view tail) {
  steps_ += texts.size() * (1 + tail.size());
  for (std::string_view& text : texts) text = longer(text, tail, texts.size() > 1);
}

// Every text with every continuation.
void Values::cross(Texts& texts, const Texts& more) {
  if (more.size() == 1) {
    append_text(texts, more[0]);
    return;
  }
  if (texts.size() * more.size() > 4 * kMostValues) {
    append_text(texts, kUnknownText);
    return;
  }
  Texts out;
  for (const std::string_view text : texts) {
    steps_ += more.size() * (1 + text.size());
    for (const std::string_view tail : more) out.push(longer(text, tail, true));
  }
  texts = out;
}

// A copy with each of three characters as `to`, or the text itself when it holds none of them.
std::string_view Values::replaced(std::string_view text, char a, char b, char c, char to) {
  std::size_t at = find_any(text, a, b, c);
  if (at == std::string_view::npos) return text;
  char* out = script_.arena.text(text.size());
  text.copy(out, text.size());
  for (; at != std::string_view::npos; at = find_any(text, a, b, c, at + 1)) out[at] = to;
  return {out, text.size()};
}

// Fields as one text again, and one text as fields.
std::string_view Values::joined(std::string_view text) {
  return replaced(text, kSplit, kSplit, kSplit, ' ');
}
std::string_view Values::split(std::string_view text) {
  return replaced(text, ' ', '\t', '\n', kSplit);
}

Texts Values::resolve(const Word& word) {
  Texts texts{std::string_view()};
  resolve_into(word, texts);
  return texts;
}

// `texts` is one empty text.
void Values::resolve_into(const Word& word, Texts& texts) {
  std::string_view text = word.text;
  const Part* parts = word.parts;
  if (!text.empty() && text[0] == '~') {
    const bool here = text.size() > 1 && (text[1] == '+' || text[1] == '-');
    texts[0] = here ? kHereText : kHomeText;
    const std::size_t slash = text.find('/');
    text = slash == std::string_view::npos ? std::string_view() : text.substr(slash);
    if (parts != nullptr) {
      const std::size_t at = parts->text.find('/');
      if (at != std::string_view::npos) append_text(texts, parts->text.substr(at));
      parts = parts->next;
    }
  }
  if (word.parts == nullptr) {
    texts[0] = script_.arena.join(texts[0], text);
    return;
  }
  append_parts(texts, parts, false);
}

void Values::append_parts(Texts& texts, const Part* parts, bool quoted) {
  for (const Part* part = parts; part != nullptr; part = part->next) {
    append_part(texts, *part, quoted);
  }
}

void Values::append_part(Texts& texts, const Part& part, bool quoted) {
  switch (part.kind) {
    case PartKind::kDoubleQuoted:
      if (part.inner != nullptr) {
        append_parts(texts, part.inner, true);
        return;
      }
      [[fallthrough]];
    case PartKind::kLiteral:
    case PartKind::kEscaped:
    case PartKind::kSingleQuoted:
    case PartKind::kAnsiQuoted:
      append_text(texts, part.text);
      return;
    case PartKind::kParameter: {
      if (part.parameter == nullptr && append_simple(texts, part.text, quoted)) return;
      Texts values;
      parameter_values(part, quoted, values);
      cross(texts, values);
      return;
    }
    case PartKind::kCommand:
      append_text(texts, substitution_value(part.text));
      return;
    case PartKind::kProcess:
      append_text(texts, "/dev/fd/63");
      return;
    case PartKind::kArithmetic:
      append_text(texts, kUnknownText);
      return;
  }
}

// What a command substitution gives, for the few forms that scripts build names from.
std::string_view Values::substitution_value(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const bool echo = text.starts_with("echo ") || text.starts_with("printf ");
  if (echo && text.find_first_of("$`|&;<>(){}*?\\%\n'\"") == std::string_view::npos) {
    return text.substr(text.find(' ') + 1);
  }
  if (echo) return printed(text);
  if (text == "pwd" || text == "pwd -P") return kHereText;
  const bool directory = text.starts_with("dirname") || text.starts_with("cd ") ||
                         text.starts_with("readlink") || text.starts_with("realpath");
  if (!directory) return kUnknownText;
  const bool script = text.find("$0") != std::string_view::npos ||
                      text.find("BASH_SOURCE") != std::string_view::npos;
  return script && names_own_folder(text) ? kHereText : kUnknownText;
}

// Variables that the shell or the environment sets; empty for all others.
std::string_view Values::special_value(std::string_view name) {
  static constexpr char kScript[] = {kHere, '/', 's', 'c', 'r', 'i', 'p', 't'};
  if (name.empty()) return {};
  switch (name[0]) {
    case 'H':
      return name == "HOME" ? kHomeText : std::string_view();
    case 'P':
      if (name == "PWD") return kHereText;
      // What a script puts into PATH is judged where it does.
      return name == "PATH" ? kUnsetText : std::string_view();
    case 'T':
      return name == "TMPDIR" || name == "TMP" || name == "TEMP" ? kUnknownText
                                                                 : std::string_view();
    case '0':
      return {kScript, sizeof kScript};
    case 'B':
      return name == "BASH_SOURCE" ? std::string_view(kScript, sizeof kScript) : std::string_view();
    default:
      return {};
  }
}

// $name with one value: no list of texts is needed. False when it takes the general way.
bool Values::append_simple(Texts& texts, std::string_view name, bool quoted) {
  std::string_view value = special_value(name);
  if (value.empty()) {
    const auto values = variable(name);
    if (values.size() != 1) return false;
    value = values[0];
  } else if (name != "PATH" && written(name)) {
    return false;
  }
  value = first_field(value);
  if (!quoted) value = split(value);
  append_text(texts, value);
  return true;
}

void Values::add_variable_values(Texts& values, const Part& part) {
  const std::string_view special = special_value(part.text);
  if (!special.empty()) values.push(special);
  if (!special.empty() && (part.text == "PATH" || !written(part.text))) return;
  for (const std::string_view value : variable(part.text)) {
    // Declared only, it still has what the environment gave it.
    if (special.empty() || value != kUnsetText) add_value(values, value);
  }
}

void Values::parameter_values(const Part& part, bool quoted, Texts& values) {
  const Parameter* parameter = part.parameter;
  const ParameterOp op = parameter == nullptr ? ParameterOp::kNone : parameter->op;
  const bool all = part.text == "@" || part.text == "*" ||
                   (parameter != nullptr &&
                    (parameter->subscript_text == "@" || parameter->subscript_text == "*"));
  if (op == ParameterOp::kOther && parameter->operand_text == "/*" &&
      (part.text == "0" || part.text == "BASH_SOURCE")) {
    return values.push(kHereText);
  }
  if (cuts_slash(part)) values.push("/");
  if ((parameter != nullptr && parameter->indirect) || op == ParameterOp::kLength ||
      op == ParameterOp::kOther || op == ParameterOp::kTransform) {
    return values.push(kUnknownText);
  }
  if (op == ParameterOp::kAlternate) {
    values.push({});
  } else {
    add_variable_values(values, part);
  }
  if (op == ParameterOp::kDefault || op == ParameterOp::kAssign || op == ParameterOp::kAlternate) {
    // ${x-}: what it is, without a complaint where it is nothing.
    if (parameter->operand == nullptr && op != ParameterOp::kAlternate && !values.empty())
      return fields_of(values, all, quoted);
    Texts operand{std::string_view()};
    append_parts(operand, parameter->operand, quoted);
    for (const std::string_view value : operand) add_value(values, value);
    // Set in the environment it may be anything, empty it is the operand.
    for (std::string_view& value : values)
      value = replaced(value, kUnset, kUnset, kUnset, kUnknown);
  }
  fields_of(values, all, quoted);
}

void Values::fields_of(Texts& values, bool all, bool quoted) {
  for (std::string_view& value : values) {
    if (!all) value = first_field(value);
    if (!quoted) value = split(value);
  }
}

bool Values::written(std::string_view name) const {
  const Variable* found = variables_.find(name);
  return found != nullptr && found->written();
}

// Null: nothing can be said about it.
Values::Variable* Values::computed(std::string_view name) {
  Variable* found = variables_.find(name);
  if (found == nullptr) {
    if (!is_identifier(name)) return nullptr;
    found = &slot(name);
  }
  if (found->busy || depth_ > kMostDepth) return nullptr;
  if (found->learnt != learnings_) {
    found->busy = true;
    ++depth_;
    compute(*found);
    --depth_;
    found->busy = false;
    found->learnt = learnings_;
  }
  return found;
}

std::span<const std::string_view> Values::variable(std::string_view name) {
  static constexpr std::string_view kAnything[] = {kUnknownText};
  const Variable* found = computed(name);
  return found == nullptr ? std::span(kAnything) : found->values;
}

void Values::array_value(const Word* elements, Texts& out) {
  out.push({});
  for (const Word* word = elements; word != nullptr; word = word->next) {
    if (word != elements) append_text(out, kSplitText);
    cross(out, resolve(*word));
  }
}

// The words of a `for`, and name=value behind `declare`.
void Values::add_word_values(Texts& values, const Word& word) {
  const std::size_t equals = word.text.find('=');
  const bool assigned =
      equals != std::string_view::npos && is_identifier(word.text.substr(0, equals));
  const bool open = (word.flags & (kWordBrace | kWordGlob)) != 0;
  for (std::string_view text : resolve(word)) {
    if (assigned) {
      text.remove_prefix(std::min(text.find('=') + 1, text.size()));
      add_value(values, joined(text));
      continue;
    }
    if (open) text = script_.arena.join(text, kUnknownText);
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find(kSplit, start), text.size());
      add_value(values, text.substr(start, end - start));
      start = end + 1;
    }
  }
}

// The values that assignments give, in the order in which they stand.
Texts Values::assigned_values(const Variable& variable) {
  Texts values;
  Texts current{std::string_view()};
  for (const auto* use = variable.assignments.first; use != nullptr; use = use->next) {
    const Assignment& assignment = *use->item;
    ++steps_;
    Texts value;
    if (assignment.array) {
      array_value(assignment.elements, value);
    } else if (assignment.value != nullptr) {
      value = resolve(*assignment.value);
      for (std::string_view& text : value) text = joined(text);
    } else {
      value.push({});
    }
    if (assignment.subscript != nullptr) {
      add_value(values, kUnknownText);
      for (const std::string_view text : value) add_value(values, text);
      continue;
    }
    if (assignment.append) {
      if (assignment.depth != 0) add_value(values, kUnknownText);
      if (assignment.array && !current[0].empty()) append_text(current, kSplitText);
      cross(current, value);
      for (const std::string_view text : value) add_value(values, text);
    } else {
      current = value;
    }
    for (const std::string_view text : current) add_value(values, text);
  }
  return values;
}

void Values::keep(Variable& variable, const Texts& values) {
  variable.traits = 0;
  for (const std::string_view value : values) {
    variable.traits = static_cast<std::uint8_t>(variable.traits | text_traits(value));
  }
  if (values.size() == 1) {
    variable.only = values[0];
    variable.values = {&variable.only, 1};
    return;
  }
  auto* kept = script_.arena.make_array<std::string_view>(values.size());
  std::copy(values.begin(), values.end(), kept);
  variable.values = {kept, values.size()};
}

void Values::compute(Variable& variable) {
  if (!variable.written()) return keep(variable, Texts(wild_ ? kUnknownText : kUnsetText));
  if (variable.assignments.count == 1 && variable.words.count == 0 && !variable.open && !wild_) {
    const Assignment& only = *variable.assignments.first->item;
    if (!only.append && !only.array && only.subscript == nullptr && only.value != nullptr) {
      Texts values = resolve(*only.value);
      for (std::string_view& text : values) text = joined(text);
      return keep(variable, values);
    }
  }
  Texts values = assigned_values(variable);
  steps_ += variable.words.count;
  for (const auto* use = variable.words.first; use != nullptr; use = use->next) {
    add_word_values(values, *use->item);
  }
  if (variable.open || wild_) add_value(values, kUnknownText);
  if (values.empty()) values.push(kUnsetText);
  keep(variable, values);
}

}  // namespace langsbx::languages::bash
