// Import statements: which modules come in, under which names, and which local files they pull in.
#include <algorithm>
#include <utility>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

constexpr std::size_t kMostParts = 256;
constexpr std::size_t kMostFromNames = 1U << 16U;  // no program takes so many

constexpr std::size_t kMostNames = 512;
constexpr std::size_t kLongestModule = 256;  // a longer dotted name than anybody writes
constexpr int kMostDots = 32;

// Modules whose members are not all closed by name, so that their own name has to be seen.
constexpr auto kHandedOn = text_list("os", "sys", "shutil", "io", "pickle", "timeit", "types",
                                     "codecs", "cProfile", "profile");

std::string as_path(std::string_view module) {
  std::string path(module);
  std::replace(path.begin(), path.end(), '.', '/');
  return path;
}

// In the order in which the import system looks: packages, extension modules, source, bytecode.
void add_candidates(std::vector<std::string>& candidates, const std::string& path) {
  candidates.reserve(candidates.size() + 5);
  candidates.push_back(path + "/__init__.py");
  candidates.push_back(path + ".abi3.so");
  candidates.push_back(path + ".so");
  candidates.push_back(path + ".py");
  candidates.push_back(path + ".pyc");
}

std::string_view first_part(std::string_view module) { return module.substr(0, module.find('.')); }

}  // namespace

// "a.b.c" at token i, which moves behind it. Blanks around the dots do not matter.
std::string_view Analysis::dotted(std::uint32_t& i) {
  if (tokens_[i].kind != TokenKind::kName) return {};
  std::string_view whole = text(i);
  const std::uint32_t start = i++;
  bool joined = true;
  while (is_op(i, '.') && tokens_[i + 1].kind == TokenKind::kName) {
    joined = joined && tokens_[i].offset == tokens_[i - 1].offset + tokens_[i - 1].length &&
             tokens_[i + 1].offset == tokens_[i].offset + 1;
    i += 2;
  }
  if (i == start + 1) return whole;
  const std::size_t from = tokens_[start].offset;
  if (joined)
    return source_.bytes.substr(from, tokens_[i - 1].offset + tokens_[i - 1].length - from);
  std::string name;
  for (std::uint32_t part = start; part < i; ++part) name += text(part);
  return intern(std::move(name));
}

void Analysis::import_statement(std::uint32_t i) {
  const std::uint32_t statement = i++;
  while (true) {
    const std::uint32_t first = i;
    const std::string_view module = dotted(i);
    if (module.empty()) return;
    judge_import(module, first, false);
    if (is_name(i, kAs)) {
      renamed(module, i + 1, statement);
      bind(text(i + 1), module, {});
      i += 2;
    } else {
      bind(text(first), text(first), {});
    }
    remember(imported_, module);
    if (!is_op(i, ',')) return;
    ++i;
  }
}

void Analysis::from_statement(std::uint32_t i) {
  const std::uint32_t first = ++i;
  int dots = 0;
  for (; tokens_[i].kind == TokenKind::kOperator; ++i) {
    if (tokens_[i].op == '.') {
      ++dots;
    } else if (tokens_[i].length == 3 && text(i) == "...") {
      dots += 3;
    } else {
      break;
    }
  }
  const std::string_view module = dotted(i);
  const bool local = dots > 0;
  if (dots > kMostDots || module.size() > kLongestModule) return too_many();
  if (!is_name(i, kImport) || (module.empty() && !local)) return;
  if (local) {
    refer_relative(dots, module, first);
  } else {
    judge_import(module, first, true, i + 1);
  }
  ++i;
  if (is_op(i, '*')) return judge_star(local ? std::string_view() : module, i);
  if (is_open(i, '(')) ++i;
  while (tokens_[i].kind == TokenKind::kName) {
    const std::uint32_t name = i;
    std::uint32_t bound = i++;
    if (is_name(i, kAs)) {
      bound = i + 1;
      i += 2;
    }
    if (local) {
      refer_relative(
          dots,
          module.empty() ? text(name) : intern(std::string(module) + "." + std::string(text(name))),
          0);
    }
    see_bound(bound);
    bound_at_edge_.set(tokens_[bound].link % kBoundBits);
    judge_from(module, name, bound, local);
    if (!is_op(i, ',')) return;
    ++i;
  }
}

bool Analysis::module_listed(const NameSet& set, std::string_view module) const {
  if (set.empty()) return false;
  while (!module.empty()) {
    if (set.contains(module) || set.contains(std::string(module) + ".*")) return true;
    const std::size_t dot = module.rfind('.');
    module = dot == std::string_view::npos ? std::string_view() : module.substr(0, dot);
  }
  return false;
}

// Of `from module import a, b as c`, with `i` behind "import": the files that module/a and module/b
// may be where `module` is a folder without an __init__.
void Analysis::add_parts(std::vector<std::string>& candidates, std::string_view module,
                         std::uint32_t i) {
  if (is_open(i, '(')) ++i;
  for (std::size_t count = 0; tokens_[i].kind == TokenKind::kName && count < kMostParts; ++count) {
    add_candidates(candidates, as_path(module) + "/" + std::string(text(i++)));
    if (is_name(i, kAs)) i += 2;
    if (!is_op(i, ',')) return;
    ++i;
  }
}

void Analysis::judge_import(std::string_view module, std::uint32_t token, bool from,
                            std::uint32_t names) {
  if (module.size() > kLongestModule) return too_many();
  remember(mentioned_, module);
  remember(mentioned_first_, first_part(module));
  if (first_part(module) == "doctest") doctest_ = true;
  if (first_part(module) == "sympy") sympy_ = true;
  if (module.starts_with("sqlite3") || module == "_sqlite3") sqlite_ = true;
  if (module.ends_with(".__main__")) {
    return report("python-blocked-module"_rule, Capability::kDynamicCode, token, module);
  }
  if (module_listed(policy_.modules_blocked, module)) {
    return report("python-blocked-module"_rule, Capability::kNone, token, module);
  }
  const ModuleInfo* info = find_module(module);
  foreign_imports_ = foreign_imports_ || info == nullptr;
  if (module_listed(policy_.modules_allowed, module)) return refer(module, token, false);
  if (policy_.modules_exclusive) return refer(module, token, true);
  if (info == nullptr) return refer(module, token, true, names);
  // `from __main__ import name` gives what the program itself defined.
  if (module == "__main__" && (from || depth_ > 0)) return;
  if (info->capability != Capability::kNone) {
    report("python-blocked-module"_rule, info->capability, token, module);
  }
  refer(module, token, false);
}

// A file of that name next to the program comes before the library; it is judged when it is there.
void Analysis::refer(std::string_view module, std::uint32_t token, bool required,
                     std::uint32_t names) {
  LocalReference reference;
  reference.offset = tokens_[token].offset;
  reference.required = required;
  reference.missing =
      policy_.modules_exclusive ? &"python-unlisted-module"_rule : &"python-unknown-module"_rule;
  reference.detail = std::string(module);
  for (std::string_view part = module; !part.empty();) {
    add_candidates(reference.candidates, as_path(part));
    const std::size_t dot = part.rfind('.');
    part = dot == std::string_view::npos ? std::string_view() : part.substr(0, dot);
  }
  if (names != 0) add_parts(reference.candidates, module, names);
  // Every package on the way runs its __init__ as well.
  for (std::size_t dot = module.find('.'); dot != std::string_view::npos;
       dot = module.find('.', dot + 1)) {
    LocalReference package;
    package.offset = reference.offset;
    package.candidates.push_back(as_path(module.substr(0, dot)) + "/__init__.py");
    findings_.reference(std::move(package));
  }
  findings_.reference(std::move(reference));
}

void Analysis::refer_relative(int dots, std::string_view module, std::uint32_t token) {
  LocalReference reference;
  reference.offset = tokens_[token].offset;
  std::string folder;
  for (int i = 1; i < dots; ++i) folder += "../";
  if (module.empty()) {
    reference.candidates.push_back(folder + "__init__.py");
  } else {
    reference.required = token != 0;
    reference.missing = &"python-unknown-module"_rule;
    reference.detail = std::string(static_cast<std::size_t>(dots), '.') + std::string(module);
    add_candidates(reference.candidates, folder + as_path(module));
  }
  findings_.reference(std::move(reference));
  foreign_imports_ = true;
}

void Analysis::judge_from(std::string_view module, std::uint32_t name, std::uint32_t bound,
                          bool local) {
  if (++from_names_ > kMostFromNames) return too_many();
  const std::string_view member = text(name);
  if ((tokens_[name].op & kMarkDisguise) != 0)
    return report("python-special-name"_rule, name, member);
  if (local) return attribute_name(member, tokens_[name].name, name, name);
  const std::string_view full = intern(std::string(module) + "." + std::string(member));
  if (leaks_module(module, member)) return report("python-leaked-module"_rule, name, full);
  const auto listed = find_member(module, member);
  const bool judged = listed && listed->use != MemberUse::kSafe && listed->use != MemberUse::kPlain;
  if (!judged && is_module(full)) {
    remember(imported_, full);
    judge_import(full, name, true);
    return bind(text(bound), full, {});
  }
  const ModuleInfo* info = find_module(module);
  if (info == nullptr) {
    // Perhaps a file of a local package.
    LocalReference reference;
    reference.offset = tokens_[name].offset;
    add_candidates(reference.candidates, as_path(full));
    findings_.reference(std::move(reference));
    return attribute_name(member, tokens_[name].name, name, name);
  }
  if (member == "__main__")
    return report("python-blocked-module"_rule, Capability::kDynamicCode, name, full);
  if (is_dunder(member)) return dunder(name, true);
  if (closed_inside(module, member) && !listed_member(module, member))
    return report("python-private-member"_rule, name, full);
  const auto use = find_member(module, member);
  if (!use) {
    const std::uint8_t uses = name_info(tokens_[name].name).uses;
    const bool plain = info->capability == Capability::kNone;
    if ((uses & (kFrame | kLeak)) != 0 || (plain && (uses & kAttribute) != 0)) {
      attribute_name(member, tokens_[name].name, name, name);
    }
    return;
  }
  switch (use->use) {
    case MemberUse::kSafe:
      return;
    case MemberUse::kPlain:
      return use_member(module, member, name);
    default:
      return bind(text(bound), module, member);
  }
}

void Analysis::judge_star(std::string_view module, std::uint32_t token) {
  const ModuleInfo* info = find_module(module);
  if (info == nullptr) {
    foreign_names_ = true;
    // A file of the program's own may hand on what it imported.
    for (const std::string_view name : {"os", "sys", "shutil", "io", "pickle", "timeit"}) {
      bind(name, name, {});
    }
    return;
  }
  if (info->mixed) return report("python-star-import"_rule, token, module);
  // What comes in under its own name.
  for (const std::string_view member : judged_members(module)) {
    if (!member.starts_with('_')) bind_star(module, member);
  }
  std::string_view leaks = leaks_of(module);
  while (leaks.size() > 1) {
    const std::size_t end = leaks.find(' ', 1);
    const std::string_view name = leaks.substr(1, end - 1);
    if (!name.starts_with('_')) bind(name, name, {});
    leaks.remove_prefix(end);
  }
}

// `import os as o` in a class body, or in a file that others import: `A.o`, `helper.o` are no names
// that can be followed.
void Analysis::renamed(std::string_view module, std::uint32_t name, std::uint32_t statement) {
  const ModuleInfo* info = find_module(module);
  if (info == nullptr || info->name != module || !guarded(*info)) return;
  if (third_party(module)) return;
  const bool handed_on = source_.included && kHandedOn.contains(module);
  if (handed_on || in_class(statement)) report("python-module-as-value"_rule, name, module);
}

// A member that `import *` brings in: followed where its use is judged by the call.
void Analysis::bind_star(std::string_view module, std::string_view member) {
  const auto use = find_member(module, member);
  if (!use || use->use == MemberUse::kPlain) return;
  bind(member, module, member);
}

void Analysis::bind(std::string_view name, std::string_view module, std::string_view member) {
  const ModuleInfo* info = member.empty() ? find_module(module) : nullptr;
  if (member.empty() && info == nullptr) return;
  const std::uint32_t hash = hash_name(name);
  std::uint16_t& last = bound_[hash % bound_.size()];
  for (std::uint32_t b = last; b != 0; b = bindings_[b - 1].next, ++steps_) {
    const Binding& known = bindings_[b - 1];
    if (known.hash == hash && known.name == name && known.module == module &&
        known.member == member) {
      return;
    }
  }
  if (bindings_.size() >= kMostNames) return too_many();
  bindings_.push_back({name, hash, module, member, last});
  last = static_cast<std::uint16_t>(bindings_.size());
}

// What is not followed must not pass.
void Analysis::too_many() {
  if (!std::exchange(too_many_, true))
    report("python-module-as-value"_rule, 0, "more names than are followed");
}

void Analysis::remember(Names& names, std::string_view name) {
  if (names.size() >= kMostNames && !names.contains(name)) return too_many();
  names.insert(name);
}

bool Analysis::is_module(std::string_view dotted_name) const {
  return is_submodule(dotted_name) || imported_.contains(dotted_name);
}

}  // namespace langsbx::languages::python
