// require, import, export ... from, import(): which modules come in and under which names.
#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

constexpr auto kExtensions = text_list("", ".js", ".mjs", ".cjs", ".ts", ".mts", ".cts",
                                       "/index.js", "/index.ts", "/index.mjs");

bool is_local(string_view specifier) {
  return specifier == "." || specifier == ".." || specifier.starts_with("./") ||
         specifier.starts_with("../");
}

}  // namespace

bool Judge::listed(const NameSet& names, string_view name) const {
  if (names.empty()) return false;
  if (names.contains(name)) return true;
  for (std::size_t cut = name.rfind('/'); cut != string_view::npos && cut > 0;
       cut = name.rfind('/', cut - 1)) {
    if (names.contains(std::string(name.substr(0, cut)) + "/*")) return true;
    if (names.contains(std::string(name.substr(0, cut)) + ".*")) return true;
  }
  return false;
}

void Judge::local_reference(Index at, const std::string& specifier) {
  // Of an import's they are read as those of an address, of require's as they stand.
  if (specifier.find_first_of("%?#\\") != std::string::npos) {
    return report("javascript-unknown-module"_rule, at, specifier);
  }
  LocalReference reference;
  reference.offset = code_.at(at).offset;
  if (specifier.ends_with(".json")) {  // data, but where there is no such file
    reference.candidates = {specifier + ".js", specifier + "/index.js"};
    return findings_.reference(std::move(reference));
  }
  reference.required = true;
  reference.candidates.reserve(std::size(kExtensions) + 1);
  for (const string_view extension : kExtensions) {
    reference.candidates.push_back(specifier + std::string(extension));
  }
  if (specifier.ends_with(".js")) {  // TypeScript names the file its compiler will write
    reference.candidates.push_back(specifier.substr(0, specifier.size() - 3) + ".ts");
  }
  findings_.reference(std::move(reference));
}

// One that the profile allows by its name is the system's; in a node_modules folder beside the
// program or above stands another one.
void Judge::package_reference(Index at, const std::string& specifier) {
  LocalReference reference;
  reference.offset = code_.at(at).offset;
  reference.package = specifier;
  reference.candidates.reserve(std::size(kExtensions));
  for (const string_view extension : kExtensions) {
    reference.candidates.push_back(specifier + std::string(extension));
  }
  findings_.reference(std::move(reference));
}

// Reports what may not come in; the module, if it is one of Node's and its members count.
const Module* Judge::ask_specifier(Index at, const std::string& specifier) {
  string_view name = specifier;
  if (name.starts_with("node:")) name.remove_prefix(5);
  if (listed(policy_.modules_blocked, name)) {
    report("javascript-profile-name"_rule, at, specifier);
    return nullptr;
  }
  if (specifier.ends_with(".node")) {
    report("javascript-native-code"_rule, at, specifier);
    return nullptr;
  }
  if (is_local(specifier)) {
    local_reference(at, specifier);
    return nullptr;
  }
  const Module* module = find_module(specifier);
  if (listed(policy_.modules_allowed, name)) {
    if (module == nullptr) package_reference(at, specifier);
    return nullptr;
  }
  if (policy_.modules_exclusive && name != "process") {
    report("javascript-unknown-module"_rule, at, specifier);
    return nullptr;
  }
  uses_files_ = uses_files_ || name.starts_with("fs");
  if (module == nullptr) {
    if (name == "process") return nullptr;
    const bool scheme = specifier.find(':') != std::string::npos || specifier.starts_with('/');
    if (scheme) report("javascript-computed-module"_rule, at, specifier.substr(0, 60));
    if (!scheme) report("javascript-unknown-module"_rule, at, specifier);
    return nullptr;
  }
  if (!module->mixed && module->capability != Capability::kNone) {
    report("javascript-blocked-module"_rule, module->capability, at, specifier);
    return nullptr;
  }
  return module->mixed ? module : nullptr;
}

// `index` is the specifier's string.
void Judge::learn_import_clause(Index from, Index specifier, bool types_only) {
  skip_to_ = specifier;
  if (types_only) {
    skipped_.insert(skipped_.end(), {from, specifier});
    return;
  }
  const std::string name = decode_literal(code_.text(specifier));
  const Module* module = ask_specifier(specifier, name);
  const bool process = name == "process" || name == "node:process";
  for (Index i = from; i < specifier; ++i) {
    if (code_.is(i, '{')) {
      if (module != nullptr) learn_named(module, i, true);
      if (process) ask_process_pattern(i);
      i = code_.after(i) - 1;
      continue;
    }
    if (!code_.is_identifier(i)) continue;
    const string_view text = code_.text(i);
    if (text == "from" || text == "as" || text == "import") continue;
    if (module != nullptr || process) handles_[text] = {module, {}, process};
    hidden_[text].push_back({0, code_.size()});
  }
  skipped_.insert(skipped_.end(), {from, specifier});
}

// { a, b as c } of an import, { a, b: c } of a pattern.
void Judge::learn_named(const Module* module, Index open, bool as_keyword) {
  const Index close = code_.after(open) - 1;
  for (Index i = open + 1; i < close; ++i) {
    string_view name = code_.text(i);
    std::string decoded;
    if (code_.at(i).kind == TokenKind::kString) name = decoded = decode_literal(name);
    const Index key = i;
    Index local = i;
    if (as_keyword && code_.is(i + 1, string_view("as"))) local = i + 2;
    if (!as_keyword && code_.is(i + 1, ':')) local = i + 2;
    const bool types = as_keyword && name == "type" && code_.is_identifier(i + 1) && local == i;
    if (code_.is(key, '[') || code_.is(key, scanner::kEllipsis)) {
      ask_escape(*module, key);
    } else if (!types && is_same_module(name)) {
      if (code_.is(local, '{'))
        learn_named(module, local, as_keyword);
      else
        handles_[code_.text(local)] = {module, {}, false};
    } else if (!types) {
      ask_member(*module, name, key, code_.size());
      if (decoded.empty() && code_.is_identifier(local)) {
        handles_[code_.text(local)] = {module, name, false};
      }
    }
    while (i < close && !code_.is(i, ',')) {
      const Index other = code_.partner(i);
      i = other != kNoIndex && other > i ? other + 1 : i + 1;
    }
  }
}

void Judge::learn_import(Index index) {
  if (code_.is(index + 1, '(') || code_.is(index + 1, '.')) {
    if (code_.is(index + 1, '(')) learn_dynamic_import(index);
    return;
  }
  const bool types = code_.is(index + 1, string_view("type")) && !code_.is(index + 2, ',') &&
                     !code_.is(index + 2, string_view("from"));
  Index at = index + 1;
  for (int steps = 0; steps < 4000 && at < code_.size(); ++steps) {
    if (code_.at(at).kind == TokenKind::kString) return learn_import_clause(index, at, types);
    if (code_.is(at, '=')) return;  // import x = require('y')
    if (code_.is(at, ';') || code_.is(at, string_view("import"))) return;
    at = code_.is(at, '{') ? code_.after(at) : at + 1;
  }
}

void Judge::learn_export(Index index) {
  Index at = index + 1;
  if (code_.is(at, string_view("type"))) ++at;
  if (code_.is(at, '*')) {
    at += code_.is(at + 1, string_view("as")) ? 3 : 1;
  } else if (code_.is(at, '{')) {
    at = code_.after(at);
  } else {
    return;
  }
  if (!code_.is(at, string_view("from")) || !code_.is_string(at + 1)) return;
  const Module* module = ask_specifier(at + 1, decode_literal(code_.text(at + 1)));
  skip_to_ = at;
  if (module != nullptr) ask_escape(*module, at + 1);
}

// One string and nothing more: the whole argument.
bool Judge::is_only_text(Index index) const {
  return code_.is_string(index) && (code_.is(index + 1, ')') || code_.is(index + 1, ','));
}

void Judge::ask_specifier_expression(Index index) {
  // Called in the second pass for require( and import( whose text was not one string.
  if (is_only_text(index)) return;
  std::string detail = "an expression";
  for (const Value& value : folder_.possible(index)) {
    if (value.exact()) detail = value.text.substr(0, 60);
  }
  report("javascript-computed-module"_rule, index, detail);
}

void Judge::learn_dynamic_import(Index index) {
  if (!is_only_text(index + 2)) return;
  const std::string name = decode_literal(code_.text(index + 2));
  const Module* module = ask_specifier(index + 2, name);
  const Index close = code_.after(index + 1);
  const bool process = name == "process" || name == "node:process";
  if (process) return report("javascript-process-value"_rule, index + 2, name);
  if (module == nullptr) return;
  if (code_.is(close, '.') && code_.is(close + 1, string_view("then")) &&
      code_.is(close + 2, '(')) {
    Index parameter = close + 3;
    if (code_.is(parameter, '(')) ++parameter;
    if (code_.is(parameter, '{')) return learn_named(module, parameter, false);
    if (code_.is_identifier(parameter)) {
      handles_[code_.text(parameter)] = {module, {}, false};
      return;
    }
  }
  bind(module, index, close);
}

void Judge::learn_require(Index index) {
  if (!code_.is(index + 1, '(') || !is_only_text(index + 2)) return;
  const std::string name = decode_literal(code_.text(index + 2));
  const Index close = code_.after(index + 1);
  if (is_hidden(index)) return;
  const Module* module = ask_specifier(index + 2, name);
  if (name == "process" || name == "node:process") {
    bind(nullptr, index, close);
  } else if (module != nullptr) {
    bind(module, index, close);
  }
}

// The value of tokens [expression, next) is a module (nullptr: process): follow where it goes.
void Judge::bind(const Module* module, Index expression, Index next) {
  const Handle handle{module, {}, module == nullptr};
  Index before = expression - 1;
  while (code_.is(before, string_view("await")) ||
         (code_.is(before, '(') && code_.is(next, ')') && !code_.is_identifier(before - 1))) {
    if (code_.is(before, '(')) ++next;
    --before;
  }
  while (module != nullptr && code_.is(next, '.') && is_same_module(code_.text(next + 1)))
    next += 2;
  const Token& after = code_.at(next);
  const bool whole = after.is(';') || after.is(',') || after.is('}') ||
                     after.kind == TokenKind::kEnd || code_.newline_before(next);
  if (!after.is('.') && whole && code_.is(before, '=')) {
    const bool type = code_.typescript() && code_.is(before - 2, ':');  // const p: any = ...
    if (!type && code_.is_identifier(before - 1) && !code_.is_member(before - 1)) {
      handles_[code_.text(before - 1)] = handle;
      skipped_.insert(skipped_.end(), {before - 1, before});
      return;
    }
    if (code_.is(before - 1, '}') && code_.partner(before - 1) != kNoIndex) {
      const Index open = code_.partner(before - 1);
      if (module == nullptr) return ask_process_pattern(open);
      skipped_.insert(skipped_.end(), {open, before});
      return learn_named(module, open, false);
    }
    if (code_.typescript()) {  // const fs: typeof import('fs') = ...
      for (Index back = 2; back < 12 && back < before; ++back) {
        if (code_.is(before - back, ':') && code_.is(before - back - 1, '}') &&
            code_.partner(before - back - 1) != kNoIndex) {  // const {env}: any = process
          const Index open = code_.partner(before - back - 1);
          if (module == nullptr) return ask_process_pattern(open);
          skipped_.insert(skipped_.end(), {open, before});
          return learn_named(module, open, false);
        }
        if (code_.is(before - back, ':') && code_.is_identifier(before - back - 1)) {
          handles_[code_.text(before - back - 1)] = handle;
          return;
        }
      }
    }
  }
  if (module != nullptr) ask_chain(handle, expression, next);
  // `process` itself is asked in the second pass; a required one has no second use.
  if (module == nullptr && !code_.is(expression, string_view("process"))) {
    ask_process(expression, next);
  }
}

void Judge::ask_require(Index index) {
  if (only_compared(index)) return;
  if (code_.is(index + 1, '(')) {
    if (code_.is(index - 1, string_view("new")))
      return report("javascript-require-value"_rule, index, "new require");
    return ask_specifier_expression(index + 2);
  }
  if (code_.is(index + 1, '.')) {
    const string_view member = code_.text(index + 2);
    if (member == "resolve" && code_.is(index + 3, '(')) return;
    if (member == "main") {
      const bool compared =
          code_.is(index + 3, scanner::kEqual) || code_.is(index + 3, scanner::kNotEqual) ||
          code_.is(index - 1, scanner::kEqual) || code_.is(index - 1, scanner::kNotEqual);
      if (compared || code_.is(index + 4, string_view("filename"))) return;
    }
    return report("javascript-require-value"_rule, index, "require." + std::string(member));
  }
  report("javascript-require-value"_rule, index, code_.text(index + 1).substr(0, 20));
}

}  // namespace langsbx::languages::javascript
