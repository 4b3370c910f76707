// Package, imports, fully qualified names and the files beside this one.
#include <algorithm>

#include "languages/java/judge.h"
#include "languages/java/rules.h"

namespace langsbx::languages::java {

using std::string_view;

namespace {

bool is_capital(char letter) { return letter >= 'A' && letter <= 'Z'; }

constexpr std::size_t kFew = 32;  // as many entries are compared faster than hashed

std::string_view simple_name(std::string_view qualified) {
  const std::size_t dot = qualified.rfind('.');
  return dot == string_view::npos ? qualified : qualified.substr(dot + 1);
}

// The first `count` parts of a dotted name.
string_view first_parts(string_view name, int count) {
  std::size_t end = 0;
  for (int i = 0; i < count && end != string_view::npos; ++i) end = name.find('.', end + 1);
  return name.substr(0, end);
}

}  // namespace

bool Judge::listed(const NameSet& names, string_view name) const {
  if (names.empty()) return false;
  if (names.size() <= kFew) {
    return std::any_of(names.begin(), names.end(), [name](string_view entry) {
      if (!entry.ends_with(".*")) return entry == name;
      entry.remove_suffix(1);
      return name.starts_with(entry);
    });
  }
  if (names.contains(name)) return true;
  std::string tree(name);  // "a.b.C" is asked as "a.b.*" and "a.*"
  for (std::size_t cut = name.rfind('.'); cut != string_view::npos && cut > 0;
       cut = name.rfind('.', cut - 1)) {
    tree.resize(cut + 1);
    tree += '*';
    if (names.contains(tree)) return true;
  }
  return false;
}

// "a.b.C" from `index`, which afterwards stands behind it. Annotations between the parts
// (java.lang.@A String) are part of the grammar.
std::string Judge::dotted_name(Index& index) const {
  std::string name;
  while (is_name(index)) {
    name += text(index++);
    if (!is(index, '.')) break;
    Index next = index + 1;
    while (is(next, '@')) {
      next += 2;
      while (is(next, '.')) next += 2;
      if (is(next, '(')) next = after(next);
    }
    if (!is_name(next) || name.size() > 400) break;
    name += '.';
    index = next;
  }
  return name;
}

Index Judge::learn_package(Index index) {
  Index next = index + 1;
  package_ = dotted_name(next);
  if (is_platform_name(package_ + ".")) {
    report("java-blocked-module"_rule, Capability::kIntrospection, index + 1, package_);
  }
  return next;
}

Index Judge::learn_import(Index index) {
  Index next = index + 1;
  const bool is_static = is(next, string_view("static"));
  if (is_static) ++next;
  if (is(next, string_view("module")) && is_name(next + 1)) ++next;  // import module java.base;
  const Index first = next;
  const std::string name = dotted_name(next);
  const bool wildcard = is(next, '.') && is(next + 1, '*');
  if (wildcard) next += 2;
  ask_import(first, name, is_static, wildcard);
  if (is_static && !wildcard) {
    const std::size_t dot = name.rfind('.');
    // Of static imports only those of file classes are asked again where they are used.
    const SpecialClass* const owner =
        dot == std::string::npos ? nullptr
                                 : find_special(simple_name(string_view(name).substr(0, dot)));
    if (owner != nullptr && owner->special == Special::kFile) {
      statics_[text(next - 1)] = simple_name(string_view(name).substr(0, dot));
      static_words_.add(text(next - 1));
    }
  } else if (wildcard && !is_static) {
    // Few packages hold what counts: a source may name any number of others, or one often.
    const bool listed = std::find(wildcards_.begin(), wildcards_.end(), name) != wildcards_.end();
    if (holds_entries(name) && !listed) wildcards_.push_back(name);
  } else if (!is_static) {
    imports_[text(next - 1)] = name;
  }
  return next;
}

void Judge::ask_import(Index index, const std::string& name, bool is_static, bool wildcard) {
  if (listed(policy_.modules_blocked, name)) return report("java-profile-name"_rule, index, name);
  const bool platform = is_platform_name(name + ".");
  const bool allowed = (!platform || policy_.modules_exclusive) &&
                       (listed(policy_.modules_allowed, name) ||
                        (wildcard && policy_.modules_allowed.contains(name + ".*")));
  if (platform) {
    // A package of the JDK that is listed whole still answers to the capabilities; a name by name
    // listed class does not.
    if (policy_.modules_exclusive && !allowed)
      return report("java-unknown-module"_rule, index, name);
    if (policy_.modules_allowed.contains(name)) return;
    if (is_static && ask_static_import(index, name, wildcard)) return;
    const Reach reach = reach_of(name);
    if (reach.capability != Capability::kNone) {
      report("java-blocked-module"_rule, reach.capability, index, name + (wildcard ? ".*" : ""));
    }
    return;
  }
  if (allowed) return;
  // Not of this package's tree: a library, unless the file is there to be judged.
  const bool own = package_.empty() || first_parts(name, 2) == first_parts(package_, 2);
  if (!own && wildcard) return report("java-unknown-module"_rule, index, name);
  local_import(index, name, own);
}

// import static java.lang.Runtime.getRuntime; import static java.nio.file.Files.*;
bool Judge::ask_static_import(Index index, const std::string& name, bool wildcard) {
  const std::size_t dot = name.rfind('.');
  const string_view owner_path = wildcard ? string_view(name) : string_view(name).substr(0, dot);
  const string_view member = wildcard ? string_view() : simple_name(name);
  const SpecialClass* special = find_special(simple_name(owner_path));
  if (special == nullptr ||
      owner_path != std::string(special->package) + "." + std::string(special->name)) {
    return false;
  }
  switch (special->special) {
    case Special::kRuntime:
    case Special::kBlocked:
      report("java-blocked-class"_rule, special->capability, index, name);
      return true;
    case Special::kSystem: {
      const Capability capability = wildcard ? Capability::kSystemAdmin : reach_of_system(member);
      if (capability != Capability::kNone)
        report("java-blocked-function"_rule, capability, index, name);
      return true;
    }
    case Special::kClass:
      report("java-reflection"_rule, index, name);
      return true;
    case Special::kFile:
      if (wildcard) {  // calls without a receiver could not be told from the file's own
        report("java-blocked-function"_rule, Capability::kFilesOutside, index, name + ".*");
      }
      return wildcard;
    case Special::kNone:
      return false;
  }
  return false;
}

// The file of a class of the program: beside the package's root, in Maven's two source trees too.
void Judge::local_import(Index index, const std::string& name, bool own) {
  std::string root;
  for (const char letter : package_) {
    if (letter == '.') root += "../";
  }
  if (!package_.empty()) root += "../";
  LocalReference reference;
  reference.offset = at(index).offset;
  reference.required = true;
  if (!own) {
    reference.missing = &"java-unknown-module"_rule;
    reference.detail = name;
  }
  const bool test = source_.path.find("src/test/java") != string_view::npos;
  std::string path(name);
  for (int parts = 0; parts < 3 && !path.empty(); ++parts) {  // a.B, a.B.Nested, a.B.Nested.member
    std::string file = path;
    for (char& letter : file) {
      if (letter == '.') letter = '/';
    }
    file += ".java";
    reference.candidates.push_back(root + file);
    if (test) reference.candidates.push_back(std::string(root).append("../../main/java/") + file);
    const std::size_t dot = path.rfind('.');
    if (dot == std::string::npos) break;
    path.resize(dot);
  }
  findings_.reference(std::move(reference));
}

// java.lang.Runtime.getRuntime() without an import.
void Judge::ask_qualified(Index index) {
  const string_view word = text(index);
  if (word != "java" && word != "javax" && word != "jdk" && word != "sun" && word != "com" &&
      word != "org" && word != "netscape") {
    return;
  }
  std::string name;
  Index last = index;
  Index next = index;
  while (is_name(next)) {  // up to and with the class
    name += text(next);
    last = next;
    if (is_capital(text(next)[0]) || !is(next + 1, '.')) break;
    next += 2;
    while (is(next, '@')) {
      next += 2;
      while (is(next, '.')) next += 2;
      if (is(next, '(')) next = after(next);
    }
    name += '.';
    if (name.size() > 400) break;
  }
  if (listed(policy_.modules_blocked, name)) return report("java-profile-name"_rule, index, name);
  if (!is_platform_name(name) || policy_.modules_allowed.contains(name)) return;
  const SpecialClass* special = find_special(text(last));
  if (special != nullptr && special->special != Special::kNone &&
      name == std::string(special->package) + "." + std::string(special->name)) {
    return ask_class(last, *special);
  }
  const Reach reach = reach_of(name);
  if (reach.capability != Capability::kNone) {
    report("java-blocked-module"_rule, reach.capability, index, name);
  }
}

// Classes of the same package need no import: their files are judged if they are there, and what
// stands below the packages' root.
void Judge::refer_to_siblings() {
  LocalReference below;
  below.package = package_.empty() ? "." : "../";
  for (const char letter : package_) {
    if (letter == '.') below.package += "../";
  }
  findings_.reference(std::move(below));
  std::size_t count = 0;
  for (const auto& [name, named] : classes_) {
    if (named.interesting || imports_.contains(name) || declared_.contains(name)) continue;
    if (++count > 200) return;
    LocalReference reference;
    reference.candidates.push_back(std::string(name) + ".java");
    findings_.reference(std::move(reference));
  }
}

}  // namespace langsbx::languages::java
