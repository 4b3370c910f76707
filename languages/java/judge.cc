// Learns the names of the file, then asks every identifier.
#include "languages/java/judge.h"

#include <algorithm>

#include "languages/java/rules.h"

namespace langsbx::languages::java {

using std::string_view;

namespace {

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

}  // namespace

void Judge::report(const Rule& rule, Index index, string_view detail) {
  report(rule, rule.capability, index, detail);
}

void Judge::report(const Rule& rule, Capability capability, Index index, string_view detail) {
  const Token& token = at(index);
  findings_.add(rule, capability, token.offset, token.length, detail);
}

void Judge::run() {
  learn();
  ask_all();
  if (!runtimes_.empty()) ask_handles();
  if (uses_files_) ask_literal_paths();
  if (fold_steps_ <= 0) report("java-too-deep"_rule, body_, "constants made of constants");
  refer_to_siblings();
}

void Judge::learn() {
  Index i = 0;
  while (i < size()) {
    if (is(i, string_view("package"))) {
      i = learn_package(i);
    } else if (is(i, string_view("import"))) {
      i = learn_import(i);
    } else if (is(i, '@') && is_name(i + 1) && !is(i + 1, string_view("interface"))) {
      i += 2;  // an annotation of the package
    } else if (is(i, ';')) {
      ++i;
    } else {
      break;
    }
  }
  body_ = i;
  if (ask_module_declaration()) {
    body_ = size();
    return;
  }
  for (const Index mark : scan_.marks) {
    if (mark < body_) continue;
    i = mark;
    const Token& token = scan_.tokens[i];
    if (token.kind != TokenKind::kIdentifier || !kLearnt.may_hold(token.symbol)) continue;
    const string_view word = text(i);
    switch (word[0]) {
      case 'c':
        if (word == "class") learn_declaration(i);
        break;
      case 'i':
        if (word == "interface") learn_declaration(i);
        break;
      case 'e':
        if (word == "enum") learn_declaration(i);
        break;
      case 'r':
        if (word == "record" && is_name(i + 1)) learn_declaration(i);
        break;
      case 'S':
        if (word == "String") learn_constant(i);
        break;
      case 'v':
        if (word == "var") learn_constant(i);
        break;
      default:
        break;
    }
  }
}

void Judge::learn_declaration(Index index) {
  if (is_member(index) || !is_name(index + 1)) return;  // Foo.class
  const Index open = brackets_.enclosing(index);
  std::vector<Range>& ranges = declared_[text(index + 1)];
  if (ranges.size() >= 64) return;  // further ones hide nothing: their uses are judged
  if (open == kNoIndex) {
    ranges.push_back({0, size()});
  } else if (is(open, '{')) {
    // A member's name counts in the whole class, a local class's from where it stands.
    ranges.push_back({bodies_.contains(open) ? open : index, after(open)});
  }
  constexpr Index kMostHead = 256;
  Index body = index + 2;
  while (body < index + kMostHead && !is(body, '{') && !is(body, ';'))
    body = is(body, '(') ? after(body) : body + 1;
  if (is(body, '{')) bodies_.insert(body);
}

// String NAME = "...", var NAME = "...". A name that is given two texts is not a constant.
void Judge::learn_constant(Index index) {
  if (!is_name(index + 1) || !is(index + 2, '=')) return;
  const auto [found, fresh] = constants_.emplace(text(index + 1), index + 3);
  if (!fresh) found->second = kNoIndex;
}

// module-info.java: only what it wires counts, the names it requires are not uses.
bool Judge::ask_module_declaration() {
  const bool open = is(body_, string_view("open")) && is(body_ + 1, string_view("module"));
  if (!open && !(is(body_, string_view("module")) && is_name(body_ + 1))) return false;
  if (open) report("java-module-declaration"_rule, body_, "opens everything");
  for (Index i = body_; i < size(); ++i) {
    for (const string_view word : {"opens", "uses", "provides"}) {
      if (is(i, word) && (is(i - 1, ';') || is(i - 1, '{')))
        report("java-module-declaration"_rule, i, word);
    }
  }
  return true;
}

void Judge::ask_all() {
  // Imported members and a profile's own names are none of the marked words.
  if (!statics_.empty() || !policy_.attributes_blocked.empty()) return ask_every_name();
  for (const Index i : scan_.marks) {
    if (i >= body_ && is_name(i)) ask_identifier(i);
  }
}

void Judge::ask_every_name() {
  for (Index i = body_; i < size(); ++i) {
    if (is_name(i)) ask_identifier(i);
  }
}

void Judge::ask_identifier(Index index) {
  const scanner::Symbol hash = scan_.tokens[index].symbol;
  const string_view word = text(index);
  if (is_member(index)) {
    if (!policy_.attributes_blocked.empty() && policy_.attributes_blocked.contains(word)) {
      report("java-profile-name"_rule, index, word);
    }
    if (kMethodWords.may_hold(hash)) ask_method(index);
    return;
  }
  if (!is_capital(word[0])) {
    if (!kLeading.may_hold(hash) && !static_words_.may_hold(hash)) return;
    if (is(index + 1, '.')) return ask_qualified(index);
    if (word == "native") return report("java-native-method"_rule, index, word);
    if (is(index + 1, '(') && !statics_.empty()) {
      const auto found = statics_.find(word);
      if (found != statics_.end()) ask_file_member(index, found->second, word, index + 1);
    }
    return;
  }
  const Class& named = class_of(word, hash);
  if (!named.interesting || declared_here(index)) return;
  if (named.special != nullptr) return ask_class(index, *named.special);
  report("java-blocked-module"_rule, named.capability, index, named.qualified);
}

const Judge::Class& Judge::class_of(string_view simple, scanner::Symbol hash) {
  Recent& recent = recent_[hash % recent_.size()];
  if (recent.named != nullptr && scanner::same_name(recent.name, simple)) return *recent.named;
  const auto found = classes_.find(simple);
  const Class& named = found != classes_.end()
                           ? found->second
                           : classes_.emplace(simple, resolve(simple)).first->second;
  recent = {simple, &named};
  return named;
}

// Imports by name, then the packages imported whole, then java.lang.
Judge::Class Judge::resolve(string_view simple) {
  Class result;
  const SpecialClass* special = find_special(simple);
  const auto imported = imports_.find(simple);
  if (imported != imports_.end()) {
    const bool same =
        special != nullptr &&
        imported->second == std::string(special->package) + "." + std::string(special->name);
    if (same && special->special != Special::kNone) result.special = special;
    result.interesting = result.special != nullptr;
    return result;  // anything else was judged at the import
  }
  for (const std::string& package : wildcards_) {
    if (special != nullptr && package == special->package) result.special = special;
    result.qualified = package + "." + std::string(simple);
    const Reach reach = reach_of(result.qualified);
    if (reach.known && reach.capability != reach_of(package).capability) {
      result.capability = reach.capability;
      break;
    }
  }
  const bool piece = package_.empty() && imports_.empty() && wildcards_.empty();
  if (piece) {
    if (special != nullptr && special->special == Special::kFile &&
        special->capability != Capability::kNone) {
      result.special = special;
    }
    result.qualified = implied_class(simple);
    if (!result.qualified.empty()) result.capability = reach_of(result.qualified).capability;
  }
  if (special != nullptr && special->package == "java.lang") result.special = special;
  if (result.special != nullptr && result.special->special == Special::kNone) {
    result.special = nullptr;
  }
  result.interesting = result.special != nullptr || result.capability != Capability::kNone;
  return result;
}

bool Judge::declared_here(Index index) const {
  const auto found = declared_.find(text(index));
  if (found == declared_.end()) return false;
  return std::any_of(found->second.begin(), found->second.end(), [index](const Range& range) {
    return range.from <= index && index < range.to;
  });
}

// A variable that holds the Runtime may be asked harmless questions and nothing else.
void Judge::ask_handles() {
  for (Index i = body_; i < size() && !findings_.full(); ++i) {
    if (!is_name(i) || !runtimes_.contains(text(i))) continue;
    if (is_member(i) && !is(i - 2, string_view("this"))) continue;
    if (is(i - 1, string_view("Runtime")) || is(i - 1, string_view("var"))) continue;
    if (is(i + 1, '.') && is_harmless_runtime(text(i + 2))) continue;
    if (is(i + 1, '=') && is(i + 2, string_view("Runtime"))) continue;
    report("java-blocked-class"_rule, Capability::kProcessSpawn, i, "Runtime");
  }
}

}  // namespace langsbx::languages::java
