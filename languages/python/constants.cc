// What names hold, when all that is ever given to them is literal: assignments, loops over
// literals, and what the calls of a function give to its parameters.
#include <algorithm>

#include "languages/byte_blocks.h"
#include "languages/python/analysis.h"
#include "languages/python/rules.h"

namespace langsbx::languages::python {
namespace {

constexpr std::uint32_t kFarthestLambda = 64;
constexpr std::size_t kMostValues = 16;
constexpr int kMostDepth = 6;
constexpr int kSomeDepth = 3;  // where it is not asked for all
constexpr std::uint32_t kFarthestCase = 256;

}  // namespace

// Every name by its hash, and the bracket around every token; made when first asked for.
void Analysis::index_names() {
  if (occurrences_.next != nullptr) return;
  const auto count = static_cast<std::uint32_t>(tokens_.size());
  steps_ += count;
  occurrences_.next = std::make_unique_for_overwrite<std::uint32_t[]>(count);
  occurrences_.bracket = std::make_unique_for_overwrite<std::uint32_t[]>(count);
  std::array<std::uint32_t, Occurrences::kChains> last;
  std::uint32_t open = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kClose && open != 0) open = occurrences_.bracket[open];
    occurrences_.bracket[i] = open;
    if (token.kind == TokenKind::kOpen) open = i;
    if (token.kind != TokenKind::kName) continue;
    if (token.name == kCase && statement_start(i)) occurrences_.cases = true;
    const std::size_t chain = token.link % Occurrences::kChains;
    (occurrences_.first[chain] == 0 ? occurrences_.first[chain] : occurrences_.next[last[chain]]) =
        i + 1;
    occurrences_.next[i] = 0;
    last[chain] = i;
  }
}

// The next token behind `i` (from 0: the first) with this name, counted from 1; 0: none.
std::uint32_t Analysis::next_occurrence(std::uint32_t i, std::uint32_t hash,
                                        std::string_view name) const {
  std::uint32_t at =
      i == 0 ? occurrences_.first[hash % Occurrences::kChains] : occurrences_.next[i - 1];
  for (; at != 0; at = occurrences_.next[at - 1], ++steps_, ++searched_) {
    if (tokens_[at - 1].link == hash && text(at - 1) == name) break;
  }
  return at;
}

void Analysis::add_text(std::vector<std::string>& values, std::string value, bool& only) {
  if (std::find(values.begin(), values.end(), value) != values.end()) return;
  if (values.size() < kMostValues) {
    values.push_back(std::move(value));
  } else {
    only = false;
  }
}

// The literals that this name ever stands for. True when nothing else can be in it.
bool Analysis::constant_name(std::uint32_t name, std::vector<std::string>& values) {
  index_names();
  return held(name, values, {Holding::kTexts, 0}) && !values.empty();
}

const std::vector<std::string>& Analysis::some_texts(std::uint32_t name) {
  const auto [place, fresh] = some_texts_.try_emplace(text(name));
  if (!fresh) return place->second;
  index_names();
  std::vector<std::string> values;
  (void)held(name, values, {Holding::kTexts, kMostDepth - kSomeDepth, false});
  return some_texts_[text(name)] = std::move(values);
}

// All that is given to the name anywhere is looked at, also when some of it can't be seen.
bool Analysis::held(std::uint32_t name, std::vector<std::string>& values, Question question) {
  const std::string_view wanted = text(name);
  if (question.depth > kMostDepth) return false;
  const std::uint32_t scope = question.all ? variable(name) : kAnyScope;
  const bool shared = scope == kAnyScope || scope == 0;
  if (question.all && ((shared && foreign_names_) || mangled(wanted))) return false;
  // It is being asked for already: what it gives to itself is nothing new.
  const std::pair asked(wanted, scope);
  if (std::find(asked_.begin(), asked_.end(), asked) != asked_.end()) return true;
  asked_.push_back(asked);
  asked_texts_.emplace_back(wanted, &values);
  bool only = true;
  bool given = false;
  for (std::uint32_t at = 0; (at = next_occurrence(at, tokens_[name].link, wanted)) != 0;) {
    ++steps_;
    if (++searched_ > most_searched()) {
      only = false;
      break;
    }
    if (question.all && !may_be_same(name, at - 1)) continue;
    only = occurrence(at - 1, values, question, given) && only;
    if (!only && values.size() >= kMostValues) break;  // no more is kept
  }
  asked_.pop_back();
  asked_texts_.pop_back();
  if (question.all && shared && only && given) relied_.emplace_back(wanted, name);
  return only && given;
}

// What the name is given at token i; false when that can't be seen.
bool Analysis::occurrence(std::uint32_t i, std::vector<std::string>& values, Question question,
                          bool& given) {
  if (i + 1 >= tokens_.size()) return true;
  const Question inner{question.holding, question.depth + 1, question.all};
  if (is_op(i + 1, '=') && statement_start(i)) {
    given = true;
    std::uint32_t end = i + 2;
    for (; tokens_[end].kind != TokenKind::kNewline && !is_op(end, ';'); ++end) ++steps_;
    return texts(i + 2, end, values, inner);
  }
  if (!question.all && is_op(i + 1, kOpAugmented) && text(i + 1) == "+=" && statement_start(i)) {
    return lengthened(i, values, inner);
  }
  if (is_name(before(i), kFor) && is_name(i + 1, kIn) && tokens_[i + 2].kind == TokenKind::kOpen) {
    given = true;
    const Arguments items = arguments(i + 2);
    // ("ab") is no tuple: what it gives are its characters.
    const std::uint32_t close = tokens_[i + 2].link;
    const bool listed = !is_open(i + 2, '(') || items.size() > 1 || is_op(close - 1, ',');
    bool only = items.size() < Arguments::kMost && is_op(close + 1, ':') && listed;
    for (const Argument& item : items) only = texts(item.begin, item.end, values, inner) && only;
    return only;
  }
  const std::uint32_t bracket = occurrences_.bracket[i];
  for (std::uint32_t around = bracket; around != 0; around = occurrences_.bracket[around]) {
    ++steps_;
    if (around < 2 || !is_name(around - 2, kDef)) continue;
    // A default value, an annotation or the name of a parameter.
    given = true;
    const bool parameter = around == bracket && (is_op(before(i), ',') || before(i) == around);
    return parameter && parameter_values(around, i, values, inner);
  }
  // A member of something else; of a module that may be this one.
  if (is_op(before(i), '.')) return !question.all || !foreign_imports_ || !member_stored(i);
  // A function's own name, where it is functions that are asked for.
  if (question.holding == Holding::kFunctions && is_name(before(i), kDef)) return true;
  if (!question.all) return true;
  const bool bound =
      whole_ != nullptr && whole_->scopes.understood() && binds(whole_->scopes.role(i));
  return !bound && !stores(i, bracket, bracket == 0);
}

bool Analysis::binds(NameRole role) {
  return role == NameRole::kBind || role == NameRole::kImport || role == NameRole::kDelete;
}

// `x.name = ...` and its kin.
bool Analysis::member_stored(std::uint32_t i) const {
  return is_op(i + 1, '=') || is_op(i + 1, ',') || is_op(i + 1, kOpAugmented) ||
         is_op(i + 1, ':') || is_name(i + 1, kIn) || is_op(i + 1, ';') ||
         tokens_[i + 1].kind == TokenKind::kClose || tokens_[i + 1].kind == TokenKind::kNewline;
}

// What the calls of a function give to the parameter at `name`; `open` is its bracket.
bool Analysis::parameter_values(std::uint32_t open, std::uint32_t name,
                                std::vector<std::string>& values, Question question) {
  std::size_t position = 0;
  for (std::uint32_t i = open + 1; i < name; ++i, ++steps_) {
    if (is_op(i, '*') || is_op(i, kOpOther)) return false;
    if (tokens_[i].kind == TokenKind::kOpen) i = tokens_[i].link;
    if (is_op(i, ',')) ++position;
  }
  std::uint32_t end = name + 1;
  while (!is_op(end, ',') && !is_op(end, '=') && end < tokens_[open].link) {
    end = tokens_[end].kind == TokenKind::kOpen ? tokens_[end].link + 1 : end + 1;
    ++steps_;
  }
  // With a default it may not be given at all.
  bool only = !is_op(end, '=');
  const std::uint32_t function = open - 1;
  for (std::uint32_t at = 0;
       (at = next_occurrence(at, tokens_[function].link, text(function))) != 0;) {
    const std::uint32_t call = at - 1;
    if (++searched_ > most_searched()) return false;
    if (call == function || (question.all && !may_be_same(call, function))) continue;
    const std::uint32_t last = before(call);
    if (!is_open(call + 1, '(') || is_op(last, '.') || is_name(last, kDef) ||
        is_name(last, kClass) || is_op(last, '@')) {
      only = false;
      continue;
    }
    const Arguments list = arguments(call + 1);
    for (const Argument& argument : list) {
      only = only && !is_op(argument.begin, '*') && !is_op(argument.begin, kOpOther);
    }
    if (position >= list.size() || list[position].keyword) {
      only = false;
    } else {
      only = texts(list[position].begin, list[position].end, values, question) && only;
    }
  }
  return only && question.all && called_by_name(open);
}

// The texts that an expression can be: literals, names of them, numbers, f-strings of these, the
// names of functions.
bool Analysis::texts(std::uint32_t begin, std::uint32_t end, std::vector<std::string>& values,
                     Question question) {
  bool only = true;
  const Token& first = tokens_[begin];
  if (question.holding == Holding::kFunctions) {
    if (end != begin + 1 || first.kind != TokenKind::kName) return false;
    if (own_functions(begin) != 1) return held(begin, values, question);
    add_text(values, std::string(text(begin)), only);
    return only;
  }
  if (auto value = constant(begin, end)) {
    add_text(values, std::move(*value), only);
    return only;
  }
  if (end == begin + 1 && first.kind == TokenKind::kNumber) {
    add_text(values, std::string(text(begin)), only);
    return only;
  }
  if (first.kind == TokenKind::kFString && first.link + 1 == end) {
    return formatted(begin, values, question);
  }
  const bool name = end == begin + 1 && first.kind == TokenKind::kName;
  if (!question.all && !name && end > begin + 1) {
    for (std::string& value : put_together(begin, end, question)) {
      add_text(values, std::move(value), only);
    }
    return false;  // there may be others
  }
  if (first.kind != TokenKind::kName) return false;
  if (end == begin + 3 && is_op(begin + 1, '.') && text(begin + 2) == "__name__") {
    return names_kept() && held(begin, values, {Holding::kFunctions, question.depth, question.all});
  }
  return end == begin + 1 && held(begin, values, question);
}

// f"{name}({number})": every combination of what stands in the braces.
bool Analysis::formatted(std::uint32_t begin, std::vector<std::string>& values, Question question) {
  std::vector<std::string> whole{""};
  for (std::uint32_t i = begin + 1; i < tokens_[begin].link; ++i) {
    std::vector<std::string> pieces;
    if (tokens_[i].kind == TokenKind::kFText) {
      const std::string_view piece = text(i);
      if (find_any(piece, '\\', '{', '}') != std::string_view::npos) return false;
      pieces.emplace_back(piece);
    } else if (is_open(i, 'f') && texts(i + 1, tokens_[i].link, pieces, question)) {
      i = tokens_[i].link;
    } else {
      return false;
    }
    if (pieces.empty() || whole.size() * pieces.size() > kMostValues) return false;
    std::vector<std::string> longer;
    for (const std::string& head : whole) {
      for (const std::string& piece : pieces) {
        longer.push_back(head + piece);
        steps_ += longer.back().size();
        if (longer.back().size() > kMaxConstant) return false;
      }
    }
    whole = std::move(longer);
  }
  bool only = true;
  for (std::string& value : whole) add_text(values, std::move(value), only);
  return only;
}

// Whether a function's `__name__` is what stands behind its `def`: nothing here writes one.
bool Analysis::names_kept() {
  if (names_kept_) return *names_kept_;
  names_kept_ = false;
  if (source_.included || foreign_imports_ || !may_search()) return false;
  for (std::uint32_t i = 3; i + 1 < tokens_.size(); ++i) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kString && token.length > 7) {
      if (text(i).find("__name") != std::string_view::npos) return false;
      continue;
    }
    if (token.kind != TokenKind::kName) continue;
    const std::string_view name = text(i);
    if (name == "wraps" || name == "update_wrapper") return false;
    if (name != "__name__" || !is_op(i - 1, '.')) continue;
    // Read in the braces of an f-string, or assigned to a name as it is.
    const bool shown = is_open(i - 3, 'f');
    const bool kept = is_op(i - 3, '=') && tokens_[i + 1].kind == TokenKind::kNewline;
    if (!shown && !kept) return false;
  }
  names_kept_ = true;
  return true;
}

// `[t] = ...`, `for (t) in ...`, `with x as (t)`, `def f[t]()`: the brackets around a target.
bool Analysis::target_in_brackets(std::uint32_t i) const {
  std::uint32_t open = occurrences_.bracket[i];
  // The first token's bracket has no number of its own.
  const bool first = tokens_[0].kind == TokenKind::kOpen && tokens_[0].link > i;
  for (; open != 0 || first; open = occurrences_.bracket[open]) {
    ++steps_;
    const std::uint32_t last = before(open);
    const std::uint32_t behind = tokens_[open].link + 1;
    if (is_open(open, '[') && open >= 2 && (is_name(open - 2, kDef) || is_name(open - 2, kClass))) {
      return true;
    }
    if (is_name(last, kFor) || is_name(last, kAs)) return true;
    const bool keyword = tokens_[last].kind == TokenKind::kName && tokens_[last].name != 0 &&
                         (name_info(tokens_[last].name).uses & kKeyword) != 0;
    // Behind a value it is a call or an index.
    const bool value = (tokens_[last].kind == TokenKind::kName && !keyword) ||
                       tokens_[last].kind == TokenKind::kClose ||
                       tokens_[last].kind == TokenKind::kString ||
                       tokens_[last].kind == TokenKind::kFEnd;
    if (open != 0 && value) return false;
    if (is_op(behind, '=') || (is_name(behind, kIn) && is_op(last, ','))) return true;
    if (is_op(behind, ',') && occurrences_.bracket[open] == 0) return true;
    if (open == 0) return false;
  }
  return false;
}

// Whether the name stands in the pattern of a `case`; says yes when that is too far away.
bool Analysis::captured(std::uint32_t i) const {
  if (!occurrences_.cases) return false;
  std::uint32_t start = i;
  for (std::uint32_t n = 0; start > 0 && tokens_[start - 1].kind != TokenKind::kNewline; ++n) {
    if (n == kFarthestCase) return true;
    --start;
    ++steps_;
  }
  return is_name(start, kCase) && start != i;
}

// Whether the name at i may be given a value here. Says yes when in doubt.
bool Analysis::stores(std::uint32_t i, std::uint32_t bracket, bool outermost) const {
  const std::uint32_t last = before(i);
  for (const std::uint16_t word : {kFor, kAs, kImport, kGlobal, kNonlocal, kDef, kClass, kLambda}) {
    if (is_name(last, word)) return true;
  }
  if (is_op(i + 1, kOpAugmented) || is_op(i + 1, kOpWalrus) || is_op(last, '*')) return true;
  if (target_in_brackets(i) || captured(i)) return true;
  const bool listed = is_op(last, ',') || is_op(i + 1, ',');
  if (outermost) return listed || is_op(i + 1, '=') || (is_op(i + 1, ':') && statement_start(i));
  // Inside a call or an index a comma or `name=` binds nothing; in a display it may be a target.
  const TokenKind owner = tokens_[before(bracket)].kind;
  const bool call = bracket > 0 && (owner == TokenKind::kName || owner == TokenKind::kClose) &&
                    !is_name(before(bracket), kFor) && !is_name(before(bracket), kAs) &&
                    !is_name(before(bracket), kIn);
  if (!call && listed) {
    return whole_ == nullptr || !whole_->scopes.understood() || binds(whole_->scopes.role(i));
  }
  // `lambda a, name: ...`
  for (std::uint32_t back = i; listed && back > bracket; --back, ++steps_) {
    if (i - back > kFarthestLambda) return true;
    if (is_op(back, ':')) break;
    if (is_name(back, kLambda)) return true;
  }
  return is_op(i + 1, ':') && !is_open(bracket, '{') && !is_open(bracket, '[') &&
         !is_open(bracket, 'f');
}

}  // namespace langsbx::languages::python
