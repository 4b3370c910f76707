// The walk over the tokens: every name is judged where it is mentioned, called or not.
#include "languages/python/analysis.h"

#include <algorithm>

#include "languages/patterns.h"
#include "languages/preflight.h"
#include "languages/python/rules.h"

namespace langsbx::languages::python {

Analysis::Analysis(const Source& source, const Policy& policy, Findings& findings, int depth)
    : source_(source), policy_(policy), findings_(findings), depth_(depth) {}

void Analysis::run() {
  scan_ = scan(source_.bytes, policy_.max_nesting);
  if (scan_.error != nullptr) {
    findings_.add(scan_.too_deep ? "python-nesting"_rule : "python-syntax"_rule, scan_.error_offset,
                  1, scan_.error);
  }
  collect();
  walk();
  if (doctest_) docstrings();
  metaclass_calls();
  written_tests();
  written_names();
  library_parts();
  relied_names();
  findings_.count_steps(source_.bytes.size() + steps_);
  if (!policy_.patterns.empty()) profile_patterns();
}

bool Analysis::statement_start(std::uint32_t i) const {
  if (i == 0) return true;
  const Token& last = tokens_[i - 1];
  return last.kind == TokenKind::kNewline || is_op(i - 1, ';') || is_op(i - 1, ':');
}

void Analysis::report(const Rule& rule, std::uint32_t token, std::string_view detail) {
  report(rule, rule.capability, token, detail);
}

void Analysis::report(const Rule& rule, Capability capability, std::uint32_t token,
                      std::string_view detail) {
  findings_.add(rule, capability, tokens_[token].offset, tokens_[token].length, detail);
}

Arguments Analysis::arguments(std::uint32_t open) const {
  Arguments list;
  const std::uint32_t close = tokens_[open].link;
  Argument current{open + 1, open + 1, std::nullopt};
  for (std::uint32_t i = open + 1; i <= close && list.size() < Arguments::kMost; ++i, ++steps_) {
    if (i == close || is_op(i, ',')) {
      current.end = i;
      if (current.begin < current.end) list.add(current);
      current = {i + 1, i + 1, std::nullopt};
    } else if (i == current.begin && tokens_[i].kind == TokenKind::kName && is_op(i + 1, '=')) {
      current.keyword = i;
      current.begin = i + 2;
      ++i;
      if (tokens_[i + 1].kind == TokenKind::kOpen) i = tokens_[i + 1].link;
    } else if (tokens_[i].kind == TokenKind::kOpen && tokens_[i].link > i) {
      i = tokens_[i].link;
    }
  }
  return list;
}

// Imports and aliases first: a function may use a name that is bound further down.
void Analysis::collect() {
  if (scan_.error != nullptr) {
    // Brackets after the error have no partner; point them at the end.
    const auto last = static_cast<std::uint32_t>(tokens_.size() - 1);
    for (Token& token : tokens_) {
      const bool linked = token.kind == TokenKind::kOpen || token.kind == TokenKind::kFString;
      if (linked && token.link == 0) token.link = last;
    }
  }
  for (const std::uint32_t i : scan_.imports) {
    if (tokens_[i].name == kImport) {
      import_statement(i);
    } else {
      from_statement(i);
    }
  }
  bind_aliases();
  see_loops();
}

void Analysis::walk() {
  const auto count = static_cast<std::uint32_t>(tokens_.size());
  const bool blocked_attributes = !policy_.attributes_blocked.empty();
  steps_ += count;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Token& token = tokens_[i];
    if (token.kind > TokenKind::kString) continue;
    if (token.kind == TokenKind::kString) {
      string(i);
    } else if ((token.op | bound_to(token.link)) != 0 || kNameTable.asked[token.name] ||
               blocked_attributes) {
      // Most names are neither known, nor bound, nor special, nor disguised: nothing to ask.
      if (i >= done_) name(i);
      if (findings_.full()) return;
    }
  }
}

void Analysis::name(std::uint32_t i) {
  const Token& token = tokens_[i];
  if ((token.op & kMarkDisguise) != 0) check_identifier(text(i), token.offset, findings_);
  if (i > 0 && is_op(i - 1, '.')) return attribute(i);
  if (token.name != 0) {
    const NameInfo& info = name_info(token.name);
    if ((info.uses & kKeyword) != 0) return keyword(i);
  }
  bare(i);
}

void Analysis::keyword(std::uint32_t i) {
  switch (tokens_[i].name) {
    case kImport:
    case kFrom: {
      // Judged by collect(); `yield from x` and `raise x from y` are no imports.
      if (!statement_start(i)) return;
      done_ = i;
      while (done_ < tokens_.size() && tokens_[done_].kind != TokenKind::kNewline &&
             !is_op(done_, ';')) {
        ++done_;
      }
      return;
    }
    case kDef:
    case kClass: {
      if (tokens_[i + 1].kind != TokenKind::kName) return;
      if (is_dunder(text(i + 1))) {
        const std::uint16_t known = tokens_[i + 1].name;
        const bool fine = known == 0 || (name_info(known).uses & kDunderDefined) != 0;
        if (!fine || tokens_[i].name == kClass)
          report("python-special-name"_rule, i + 1, text(i + 1));
      }
      if ((tokens_[i + 1].op & kMarkDisguise) != 0) {
        check_identifier(text(i + 1), tokens_[i + 1].offset, findings_);
      }
      if (tokens_[i].name == kDef) {
        parameters_ = i + 2;
        parameters_read_ = i + 3;
      }
      see_bound(i + 1);
      if (at_left_edge(i) || is_name(before(i), kAsync)) {
        bound_at_edge_.set(tokens_[i + 1].link % kBoundBits);
      }
      done_ = i + 2;
      return;
    }
    case kAs:
      // Only `except X as name` matters: its object keeps what the failed access was made on.
      if (after_except(i)) remember(caught_, text(i + 1));
      return;
    default:
      return;
  }
}

// Whether `as` belongs to an `except`; says yes when that is too far away.
bool Analysis::after_except(std::uint32_t as) const {
  constexpr std::uint32_t kMost = 64;
  std::uint32_t at = as;
  for (std::uint32_t n = 0; n < kMost; ++n, ++steps_) {
    if (at == 0 || tokens_[--at].kind == TokenKind::kNewline) return false;
    if (is_name(at, kExcept)) return true;
    if (tokens_[at].kind == TokenKind::kClose) at = tokens_[at].link;
  }
  return true;
}

void Analysis::bare(std::uint32_t i) {
  const Token& token = tokens_[i];
  if (token.name == kCase && statement_start(i)) enter_case(i);
  const std::uint32_t last = before(i);
  // `x: eval = 1` keeps what the annotation names; only a target or a keyword is no mention.
  const bool equals = is_op(i + 1, '=') && !is_op(last, ':');
  const bool nested = i < case_end_ && (is_open(last, '(') || is_op(last, ','));
  if (equals && nested) return attribute_name(text(i), token.name, i, i);
  const bool parameter = is_parameter(i);
  see_mention(i);
  if (token.length > 4 && is_dunder(text(i))) {
    if (text(i) == "__annotations__") annotations_use(i);
    dunder(i, false);
  }
  if (token.name != 0 && (name_info(token.name).uses & kFrame) != 0 && is_op(i + 1, ':') &&
      statement_start(i) && token.length > 3) {
    return report("python-frame-attribute"_rule, i, text(i));  // a field that class patterns read
  }
  if (equals && token.name == kCommand && tokens_[i + 2].kind == TokenKind::kString &&
      contains_module("tkinter")) {
    reach(Capability::kProcessSpawn, i, "a command that Tcl runs");
  }
  if (equals && token.name == kFilename && tokens_[i + 2].kind == TokenKind::kString) {
    path_text(decoded(tokens_[i + 2]), true, i, "filename=");
    code_name(i + 2, i + 3, i);
    path_written_ = path_written_ || contains_module("logging");  // a log whose lines are code
  }
  if (parameter) see_bound(i);
  if (equals || parameter) return;
  bound_name(i);
  if (token.name == 0) return;
  const std::size_t found = findings_.count();
  builtin(i);
  // Only what would be refused is worth asking whose name it is.
  if (findings_.count() == found) return;
  if (own_variable(i, false) || surely_bound(i)) findings_.drop_behind(found);
}

void Analysis::bound_name(std::uint32_t i) {
  const std::uint32_t hash = tokens_[i].link;
  const std::uint32_t done = done_;
  const std::size_t found = findings_.count();
  for (std::uint32_t b = bound_to(hash); b != 0; ++steps_) {
    const Binding binding = bindings_[b - 1];
    if (binding.hash == hash && binding.name == text(i)) resolve(i, binding);
    b = binding.next;
  }
  if (findings_.count() == found || !own_variable(i, true)) return;
  findings_.drop_behind(found);
  done_ = done;
}

void Analysis::builtin(std::uint32_t i) {
  const NameInfo& info = name_info(tokens_[i].name);
  const std::uint32_t last = before(i);
  if (is_name(last, kFor) || is_name(last, kAs) || is_name(last, kGlobal)) return;
  // `help: str`, a field
  const bool starts = tokens_[last].kind == TokenKind::kNewline || is_op(last, ';');
  if (starts && is_op(i + 1, ':')) return;
  const std::uint32_t call = is_open(i + 1, '(') ? i + 1 : 0;
  switch (tokens_[i].name) {
    case kOpenName:
      return open_use(i, call, "open");
    case kGetattr:
    case kSetattr:
    case kDelattr:
    case kHasattr:
      return dynamic_attribute(i, call);
    case kVars:
      return vars_call(i);
    case kGlobals:
      if (i < timed_until_ && call != 0 && is_op(last, '=') && text(i - 2) == "globals" &&
          (is_op(i + 3, ',') || tokens_[i + 3].kind == TokenKind::kClose)) {
        return;
      }
      break;
    case kHelp:
      // help("name") imports what is named; help() asks for names.
      return report("python-dynamic-code"_rule, i, "help");
    case kTypeName:
      return type_use(i);
    default:
      break;
  }
  if ((info.uses & kBuiltin) == 0) return;
  // A variable of that name: the builtin can be neither indexed nor asked for plain attributes.
  const bool variable = is_open(i + 1, '[') || (is_op(i + 1, '.') && !is_dunder(text(i + 2)));
  if (variable && !is_dunder(text(i))) return;
  if (tokens_[i].name == kImportFunction && literal_import(i)) return;
  report(info.capability == Capability::kDynamicCode ? "python-dynamic-code"_rule
                                                     : "python-introspection"_rule,
         i, text(i));
}

// __import__("doctest").testmod(): an import like any other, if its result is used on the spot.
bool Analysis::literal_import(std::uint32_t i) {
  if (!is_open(i + 1, '(') || tokens_[i + 1].link != i + 3 || !is_op(i + 4, '.')) return false;
  if (tokens_[i + 2].kind != TokenKind::kString) return false;
  const std::string_view module = intern(decoded(tokens_[i + 2]));
  if (find_module(module) == nullptr || module.find('.') != std::string_view::npos) return false;
  judge_import(module, i + 2, false);
  if (module == "doctest") doctest_ = true;
  follow(i, i + 3, module);
  return true;
}

// Follows `os.path.join` as far as it leads through modules and judges the member at its end.
void Analysis::resolve(std::uint32_t i, const Binding& binding) {
  if (!binding.member.empty()) {
    const std::uint32_t last = before(i);
    std::uint32_t target = 0;
    if (is_name(last, kAs) || is_name(last, kFor)) return;
    if (alias_target(i, i, target)) return;
    return use_member(binding.module, binding.member, i);
  }
  // Came in by `import *`: nobody judged the import itself.
  const ModuleInfo* info = find_module(binding.module);
  if (info != nullptr && !mentioned_.contains(binding.module) &&
      info->capability != Capability::kNone && depth_ == 0 && binding.name == binding.module) {
    reach(info->capability, i, binding.module);
  }
  follow(i, i, binding.module);
}

// `at` is the last token of what stands for the module, `first` where the whole expression starts.
void Analysis::follow(std::uint32_t first, std::uint32_t at, std::string_view module) {
  while (is_op(at + 1, '.') && tokens_[at + 2].kind == TokenKind::kName) {
    const std::string_view member = text(at + 2);
    const std::string full = std::string(module) + "." + std::string(member);
    at += 2;
    done_ = std::max(done_, at + 1);
    if (module == "__main__") {
      // The program's own names; those that stand for modules are followed.
      for (std::uint32_t b = bound_to(hash_name(member)); b != 0; ++steps_) {
        const Binding binding = bindings_[b - 1];
        b = binding.next;
        if (binding.name != member) continue;
        if (!binding.member.empty()) return use_member(binding.module, binding.member, at);
        return follow(first, at, binding.module);
      }
      return;
    }
    if (leaks_module(module, member)) {
      done_ = std::max(done_, chain_end(at) + 1);
      return report("python-leaked-module"_rule, at, full);
    }
    const auto info = find_member(module, member);
    const bool judged = info && info->use != MemberUse::kSafe && info->use != MemberUse::kPlain;
    if (judged || !is_module(full)) {
      std::uint32_t target = 0;
      const bool judged_by_call = info && info->use != MemberUse::kPlain;
      if (member == "__dict__") return report("python-special-name"_rule, at, full);
      if (is_dunder(member)) return dunder(at, true);
      if (tokens_[at].name == kArgv) argv_use(at);
      if (judged_by_call && alias_target(first, at, target)) return;
      if (!info && tokens_[at].name != 0) {
        // Not known for this module: the rule for any object holds.
        const std::uint8_t uses = name_info(tokens_[at].name).uses;
        const ModuleInfo* known = find_module(module);
        const bool reached = known != nullptr && known->capability != Capability::kNone;
        const bool any = (uses & kAttribute) != 0 && !(reached && !third_party(module));
        if (any || (uses & (kFrame | kLeak)) != 0) {
          attribute_name(member, tokens_[at].name, at, first);
        }
      }
      if (tokens_[at].name == kFormat && find_module(module) == nullptr) format_use(at);
      if (stored_in_module(first, at, module, member)) return;
      const bool closed = closed_inside(module, member) && !listed_member(module, member);
      if (closed) return report("python-private-member"_rule, at, full);
      return use_member(module, member, at);
    }
    const ModuleInfo* inner = find_module(full);
    if (inner != nullptr && inner->name == full && inner->capability != Capability::kNone) {
      reach(inner->capability, at, full);
    }
    module = intern(full);
  }
  module_value(first, at, module);
}

// The module itself as a value: whoever gets it can ask it for anything under another name.
void Analysis::module_value(std::uint32_t i, std::uint32_t last, std::string_view module) {
  const ModuleInfo* info = find_module(module);
  if (info == nullptr || info->name != module || !guarded(*info)) return;
  std::uint32_t target = 0;
  if (alias_target(i, last, target)) return renamed(module, target, target);
  const std::uint32_t previous = before(i);
  if (is_name(previous, kDel) || is_name(previous, kAs) || is_name(previous, kFor) ||
      is_name(previous, kGlobal)) {
    return;
  }
  report("python-module-as-value"_rule, last, module);
}

// `case` starts a pattern whose keyword names are read as attributes.
void Analysis::enter_case(std::uint32_t i) {
  std::uint32_t end = i + 1;
  while (end < tokens_.size() && tokens_[end].kind != TokenKind::kNewline && !is_op(end, ':')) {
    end = tokens_[end].kind == TokenKind::kOpen && tokens_[end].link > end ? tokens_[end].link + 1
                                                                           : end + 1;
  }
  case_end_ = std::min(end, static_cast<std::uint32_t>(tokens_.size() - 1));
}

void Analysis::profile_patterns() {
  match_patterns(policy_, Pattern::Where::kCode, source_.bytes, 0, findings_);
  std::size_t from = 0;
  for (const Token& token : tokens_) {
    const std::string_view gap =
        source_.bytes.substr(from, token.offset - std::min<std::size_t>(token.offset, from));
    const std::size_t comment = gap.find('#');
    if (comment != std::string_view::npos) {
      match_patterns(policy_, Pattern::Where::kComment, gap.substr(comment), from + comment,
                     findings_);
    }
    if (token.kind == TokenKind::kString || token.kind == TokenKind::kFText) {
      match_patterns(policy_, Pattern::Where::kString,
                     source_.bytes.substr(token.offset, token.length), token.offset, findings_);
    }
    from = token.offset + token.length;
  }
}

}  // namespace langsbx::languages::python
