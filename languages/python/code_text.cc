// Text that runs as code: timeit, profile, doctest.
#include <algorithm>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"

namespace langsbx::languages::python {
namespace {

constexpr int kMaxDepth = 3;

// The ">>>" lines of `text` and what continues them, each example by itself: indentation carries no
// meaning for the scanner.
void append_examples(std::string_view text, std::string& code) {
  bool inside = false;
  for (std::size_t start = 0; start < text.size();) {
    if (!inside) {
      // Nothing before the next prompt counts.
      const std::size_t prompt = text.find(">>>", start);
      if (prompt == std::string_view::npos) return;
      start = std::max(start, text.rfind('\n', prompt) + 1);
    }
    const std::size_t end = std::min(text.find('\n', start), text.size());
    std::string_view line = text.substr(start, end - start);
    const std::size_t sign = line.find_first_not_of(start == 0 ? " \t'\"rRuU" : " \t");
    if (sign != std::string_view::npos) line.remove_prefix(sign);
    const bool prompt = line.starts_with(">>>");
    inside = prompt || (inside && line.starts_with("..."));
    if (inside) {
      code += line.substr(std::min<std::size_t>(4, line.size()));
      code += '\n';
    }
    start = end + 1;
  }
}

}  // namespace

// timeit("code"), profile.run("code"): text that is seen is judged as code.
void Analysis::code_text(std::uint32_t call, std::uint32_t token, std::string_view what) {
  if (call == 0) return report("python-text-as-code"_rule, token, what);
  for (const Argument& argument : arguments(call)) {
    const Token& first = tokens_[argument.begin];
    if (const auto code = constant(argument.begin, argument.end)) {
      judge_code(*code, argument.begin);
      continue;
    }
    const std::string_view keyword =
        argument.keyword ? text(*argument.keyword) : std::string_view();
    const bool code_place = keyword.empty() || keyword == "stmt" || keyword == "setup";
    std::vector<std::string> values;
    if (first.kind == TokenKind::kNumber || !code_place || is_name(argument.begin, kLambda)) {
      continue;
    }
    if (first.kind == TokenKind::kName && argument.end == argument.begin + 1) {
      // A function of the program's own, or a constant.
      if (first.name == kNoneName || own_functions(argument.begin) > 0) continue;
    }
    index_names();
    const std::size_t relied = relied_.size();
    const bool seen = texts(argument.begin, argument.end, values, Question()) && !values.empty();
    // Who imports this file can give its names other values.
    if (seen && (relied == relied_.size() || !source_.included)) {
      for (const std::string& value : values) judge_code(value, argument.begin);
      continue;
    }
    report("python-text-as-code"_rule, token, what);
  }
}

void Analysis::judge_code(std::string code, std::uint32_t token) {
  judge_code(
      std::move(code), [token](std::size_t) { return token; }, false);
}

// A name of its own: clang 14 does not evaluate a literal operator inside a template.
constexpr const Rule& kTextAsCode = "python-text-as-code"_rule;

// `token_at` gives the token to report for an offset in the code.
template <typename TokenAt>
void Analysis::judge_code(std::string code, const TokenAt& token_at, bool examples) {
  if (depth_ >= kMaxDepth) return report(kTextAsCode, token_at(0), "text in text in text");
  if (!judged_code_.insert(code).second) return;
  const Source inner{source_.path, intern(std::move(code))};
  Findings found(inner, policy_);
  Analysis analysis(inner, policy_, found, depth_ + 1);
  analysis.bindings_ = bindings_;
  analysis.bound_ = bound_;
  analysis.run();
  judged_texts_.emplace_back(inner.bytes, examples);
  for (const auto& [text, copied] : analysis.judged_texts_) {
    judged_texts_.emplace_back(intern(std::string(text)), copied);
  }
  for (const auto& [name, token] : analysis.relied_) {
    relied_.emplace_back(intern(std::string(name)), token_at(0));
  }
  findings_.count_steps(found.steps());
  std::size_t line = 1;
  std::size_t offset = 0;
  for (const Finding& finding : found.take_violations()) {
    // Sorted by line: each newline is passed once.
    for (; line < finding.line; ++line) offset = inner.bytes.find('\n', offset) + 1;
    report(kTextAsCode, Capability::kNone, token_at(offset), finding.reason);
  }
}

// doctest runs the ">>>" lines of docstrings: with doctest imported they are code. All of a file
// are judged together; `starts` says which docstring a line of that code came from.
void Analysis::docstrings() {
  std::string code;
  std::vector<std::pair<std::size_t, std::uint32_t>> starts;
  for (std::uint32_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::kString) continue;
    const std::uint32_t first = i;
    while (tokens_[i + 1].kind == TokenKind::kString) ++i;
    const std::string_view raw = source_.bytes.substr(
        tokens_[first].offset, tokens_[i].offset + tokens_[i].length - tokens_[first].offset);
    const bool plain = first == i && (tokens_[i].op & kMarkBackslash) == 0;
    if (plain && (tokens_[i].op & kMarkPrompt) == 0) continue;
    const std::size_t size = code.size();
    if (plain) {
      append_examples(raw, code);
    } else if (const auto value = constant(first, i + 1)) {
      append_examples(*value, code);
    } else {
      report("python-text-as-code"_rule, first, "a docstring that is too long");
    }
    if (code.size() > size) starts.emplace_back(size, first);
  }
  if (code.empty()) return;
  const auto token_at = [&](std::size_t offset) {
    const auto after = std::upper_bound(
        starts.begin(), starts.end(), offset,
        [](std::size_t wanted, const auto& start) { return wanted < start.first; });
    return std::prev(after)->second;
  };
  judge_code(std::move(code), token_at, true);
}

// Names of the module that were taken to hold what the file itself gives them: no text that runs as
// code may give them anything.
void Analysis::relied_names() {
  if (relied_.empty()) return;
  Names relied;
  for (const auto& [name, token] : relied_) relied.insert(name);
  Names stored;
  for (const auto& [code, examples] : judged_texts_) {
    const Source source{source_.path, code};
    Findings found(source, policy_);
    Analysis inner(source, policy_, found);
    inner.scan_ = scan(code, policy_.max_nesting);
    inner.stored_names(relied, examples, stored);
    findings_.count_steps(code.size() + inner.steps_);
  }
  for (const auto& [name, token] : relied_) {
    if (stored.contains(name)) report("python-text-as-code"_rule, token, name);
  }
}

// Which of the names this text may give a value, in its module or as attributes of one. Examples in
// docstrings run on a copy of the module's names.
void Analysis::stored_names(const Names& wanted, bool examples, Names& stored) {
  const auto keep = [&](std::string_view name) {
    if (const auto found = wanted.find(name); found != wanted.end()) stored.insert(*found);
  };
  if (scan_.error != nullptr) {
    for (const std::string_view name : wanted) {
      steps_ += source_.bytes.size();
      for (std::size_t at = source_.bytes.find(name); at != std::string_view::npos;
           at = source_.bytes.find(name, at + 1)) {
        const char last = at == 0 ? ' ' : source_.bytes[at - 1];
        if (!examples || last == '.' || last == '"' || last == '\'') stored.insert(name);
      }
    }
    return;
  }
  index_names();
  const Scopes& all = scopes();
  for (std::uint32_t i = 0; i + 1 < tokens_.size(); ++i, ++steps_) {
    if (tokens_[i].kind == TokenKind::kString) keep(decoded(tokens_[i]));  // setattr(m, "name", x)
    if (tokens_[i].kind != TokenKind::kName || !wanted.contains(text(i))) continue;
    const std::uint32_t last = before(i);
    bool gives = is_op(last, '.') && !is_open(i + 1, '(');
    if (!is_op(last, '.') && !examples) {
      const NameRole role = all.role(i);
      const bool brought = all.understood() && !is_name(last, kAs) &&
                           (role == NameRole::kImport || role == NameRole::kMember);
      const std::uint32_t bracket = occurrences_.bracket[i];
      gives = !brought &&
              (role != NameRole::kUse || is_op(i + 1, '=') || stores(i, bracket, bracket == 0));
    }
    if (gives) keep(text(i));
  }
}

}  // namespace langsbx::languages::python
