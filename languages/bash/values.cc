// Resolving words by the constants their variables hold.
#include "languages/bash/values.h"

#include <algorithm>

#include "languages/bash/characters.h"

namespace langsbx::languages::bash {
namespace {

constexpr std::size_t kMostText = 4096;
constexpr std::size_t kMostDepth = 16;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n'; }

}  // namespace

// Too many to keep: those that lead elsewhere stay, the others become one unknown text.
void Values::collapse(Texts& texts) {
  const auto tame = [](const std::string& text) {
    return text.empty() ||
           (text[0] != '/' && text[0] != kHome && text.find("..") == std::string::npos);
  };
  texts.erase(std::remove_if(texts.begin(), texts.end(), tame), texts.end());
  if (texts.size() > kMostValues) texts.assign(1, std::string{'/', kUnknown});
  texts.emplace_back(1, kUnknown);
}

void Values::add_value(Texts& texts, std::string value) {
  if (std::find(texts.begin(), texts.end(), value) != texts.end()) return;
  texts.push_back(std::move(value));
  if (texts.size() > 2 * kMostValues) collapse(texts);
}

void Values::append_text(Texts& texts, std::string_view tail) {
  steps_ += texts.size() * (1 + tail.size());
  for (std::string& text : texts) {
    if (text.size() + tail.size() <= kMostText) {
      text += tail;
    } else {
      text += kUnknown;
    }
  }
}

// Every text with every continuation.
void Values::cross(Texts& texts, const Texts& more) {
  if (more.size() == 1) {
    append_text(texts, more[0]);
    return;
  }
  if (texts.size() * more.size() > 4 * kMostValues) {
    for (std::string& text : texts) text += kUnknown;
    return;
  }
  Texts out;
  for (const std::string& text : texts) {
    steps_ += more.size() * (1 + text.size());
    for (const std::string& tail : more) out.push_back(text + tail);
  }
  texts = std::move(out);
}

std::vector<std::string> Values::resolve(const Word& word) {
  Texts texts(1);
  resolve_into(word, texts);
  return texts;
}

// `texts` is one empty text.
void Values::resolve_into(const Word& word, Texts& texts) {
  std::string_view text = word.text;
  const Part* parts = word.parts;
  const bool tilde = !text.empty() && text[0] == '~';
  if (tilde) {
    const bool here = text.size() > 1 && (text[1] == '+' || text[1] == '-');
    texts[0] = here ? kHere : kHome;
    const std::size_t slash = text.find('/');
    text = slash == std::string_view::npos ? std::string_view() : text.substr(slash);
    if (parts != nullptr) {
      const std::string_view literal = parts->text;
      const std::size_t at = literal.find('/');
      if (at != std::string_view::npos) texts[0] += literal.substr(at);
      parts = parts->next;
    }
  }
  if (word.parts == nullptr) {
    texts[0] += text;
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
    case PartKind::kParameter:
      if (part.parameter == nullptr && append_simple(texts, part.text, quoted)) return;
      cross(texts, parameter_values(part, quoted));
      return;
    case PartKind::kCommand:
      append_text(texts, substitution_value(part.text));
      return;
    case PartKind::kProcess:
      append_text(texts, "/dev/fd/63");
      return;
    case PartKind::kArithmetic:
      append_text(texts, {&kUnknown, 1});
      return;
  }
}

// What a command substitution gives, for the few forms that scripts build names from.
std::string Values::substitution_value(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  const bool echo = text.starts_with("echo ") || text.starts_with("printf ");
  if (echo && text.find_first_of("$`|&;<>(){}*?\\%\n'\"") == std::string_view::npos) {
    return std::string(text.substr(text.find(' ') + 1));
  }
  const bool script = text.find("$0") != std::string_view::npos ||
                      text.find("BASH_SOURCE") != std::string_view::npos;
  const bool directory = text.starts_with("dirname") || text.starts_with("cd ") ||
                         text.starts_with("readlink") || text.starts_with("realpath");
  const bool up = text.find("..") != std::string_view::npos;
  if (text == "pwd" || text == "pwd -P") return std::string(1, kHere);
  if (script && directory && !up && text.find_first_of(";|<>\n") == std::string_view::npos) {
    return std::string(1, kHere);
  }
  return std::string(1, kUnknown);
}

// Variables that the shell or the environment sets; empty for all others.
std::string_view Values::special_value(std::string_view name) {
  static constexpr char kScript[] = {kHere, '/', 's', 'c', 'r', 'i', 'p', 't'};
  if (name.empty()) return {};
  switch (name[0]) {
    case 'H':
      return name == "HOME" ? std::string_view(&kHome, 1) : std::string_view();
    case 'P':
      if (name == "PWD") return {&kHere, 1};
      // What a script puts into PATH is judged where it does.
      return name == "PATH" ? std::string_view(&kUnset, 1) : std::string_view();
    case 'T':
      if (name == "TMPDIR" || name == "TMP" || name == "TEMP") return {&kUnknown, 1};
      return {};
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
    const Texts& values = variable(name);
    if (values.size() != 1) return false;
    value = values[0];
  } else if (name != "PATH" && variables_.count(name) != 0) {
    return false;
  }
  value = value.substr(0, value.find(kSplit));
  steps_ += texts.size() * (1 + value.size());
  for (std::string& text : texts) {
    if (text.size() + value.size() > kMostText) {
      text += kUnknown;
      continue;
    }
    const std::size_t before = text.size();
    text += value;
    if (quoted) continue;
    for (std::size_t i = before; i < text.size(); ++i) {
      if (is_space(text[i])) text[i] = kSplit;
    }
  }
  return true;
}

Values::Texts Values::parameter_values(const Part& part, bool quoted) {
  const Parameter* parameter = part.parameter;
  Texts values;
  const ParameterOp op = parameter == nullptr ? ParameterOp::kNone : parameter->op;
  const bool all = parameter != nullptr &&
                   (parameter->subscript_text == "@" || parameter->subscript_text == "*");
  if (op == ParameterOp::kOther && parameter->operand_text == "/*" &&
      (part.text == "0" || part.text == "BASH_SOURCE")) {
    return {std::string(1, kHere)};
  }
  if ((parameter != nullptr && parameter->indirect) || op == ParameterOp::kLength ||
      op == ParameterOp::kOther || op == ParameterOp::kTransform) {
    return {std::string(1, kUnknown)};
  }
  if (op == ParameterOp::kAlternate) {
    values.emplace_back();
  } else {
    const std::string_view special = special_value(part.text);
    if (!special.empty()) values.emplace_back(special);
    if (values.empty() || (part.text != "PATH" && variables_.count(part.text) != 0)) {
      for (const std::string& value : variable(part.text)) {
        // Declared only, it still has what the environment gave it.
        if (special.empty() || value != std::string_view(&kUnset, 1)) add_value(values, value);
      }
    }
  }
  if (op == ParameterOp::kDefault || op == ParameterOp::kAssign || op == ParameterOp::kAlternate) {
    Texts operand(1);
    append_parts(operand, parameter->operand, quoted);
    for (std::string& value : operand) add_value(values, std::move(value));
    // Set in the environment it may be anything, empty it is the operand.
    for (std::string& value : values) std::replace(value.begin(), value.end(), kUnset, kUnknown);
  }
  for (std::string& value : values) {
    if (!all && part.text != "@" && part.text != "*") {
      value = value.substr(0, value.find(kSplit));
    }
    if (!quoted) {
      for (char& c : value) {
        if (is_space(c)) c = kSplit;
      }
    }
  }
  return values;
}

const std::vector<std::string>& Values::variable(std::string_view name) {
  static const Texts kAnything{std::string(1, kUnknown)};
  static const Texts kNeverSet{std::string(1, kUnset)};
  const auto found = variables_.find(name);
  if (found == variables_.end()) {
    if (wild_ || !is_identifier(name)) return kAnything;
    return kNeverSet;
  }
  Variable& variable = found->second;
  if (variable.busy || depth_ > kMostDepth) return kAnything;
  if (variable.learnt != learnings_) {
    variable.busy = true;
    ++depth_;
    compute(variable);
    --depth_;
    variable.busy = false;
    variable.learnt = learnings_;
  }
  return variable.values;
}

Values::Texts Values::array_value(const Word* elements) {
  Texts out(1);
  for (const Word* word = elements; word != nullptr; word = word->next) {
    if (word != elements) cross(out, {std::string(1, kSplit)});
    cross(out, resolve(*word));
  }
  return out;
}

// The words of a `for`, and name=value behind `declare`.
void Values::add_word_values(Texts& values, const Word& word) {
  const std::size_t equals = word.text.find('=');
  const bool assigned =
      equals != std::string_view::npos && is_identifier(word.text.substr(0, equals));
  for (std::string& text : resolve(word)) {
    if (assigned) {
      std::string value = text.substr(std::min(text.find('=') + 1, text.size()));
      std::replace(value.begin(), value.end(), kSplit, ' ');
      add_value(values, std::move(value));
      continue;
    }
    if ((word.flags & (kWordBrace | kWordGlob)) != 0) text += kUnknown;
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find(kSplit, start), text.size());
      add_value(values, text.substr(start, end - start));
      start = end + 1;
    }
  }
}

void Values::compute(Variable& variable) {
  if (variable.assignments.size() == 1 && variable.words.empty() && !variable.open && !wild_) {
    const Assignment& only = *variable.assignments[0];
    if (!only.append && !only.array && only.subscript == nullptr && only.value != nullptr) {
      variable.values.assign(1, std::string());
      resolve_into(*only.value, variable.values);
      for (std::string& text : variable.values) std::replace(text.begin(), text.end(), kSplit, ' ');
      return;
    }
  }
  Texts values;
  Texts current(1);
  for (const Assignment* assignment : variable.assignments) {
    ++steps_;
    Texts value(1);
    if (assignment->array) {
      value = array_value(assignment->elements);
    } else if (assignment->value != nullptr) {
      value = resolve(*assignment->value);
      for (std::string& text : value) std::replace(text.begin(), text.end(), kSplit, ' ');
    }
    if (assignment->subscript != nullptr) {
      add_value(values, std::string(1, kUnknown));
      for (std::string& text : value) add_value(values, std::move(text));
      continue;
    }
    if (assignment->append) {
      if (assignment->depth != 0) add_value(values, std::string(1, kUnknown));
      if (assignment->array && current[0] != "") cross(current, {std::string(1, kSplit)});
      cross(current, value);
      for (const std::string& text : value) add_value(values, text);
    } else {
      current = value;
    }
    for (const std::string& text : current) add_value(values, text);
  }
  steps_ += variable.words.size();
  for (const Word* word : variable.words) add_word_values(values, *word);
  if (variable.open || wild_) add_value(values, std::string(1, kUnknown));
  variable.values = values.empty() ? Texts{std::string(1, kUnset)} : std::move(values);
}

}  // namespace langsbx::languages::bash
