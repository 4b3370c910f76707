// Attributes: by name on anything, by text through getattr, by keyword in class patterns.
#include <algorithm>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

// "@name" of a table's query: a variable, unless more is made of it than its value.
bool hands_over(std::string_view query) {
  for (std::size_t at = query.find('@'); at != std::string_view::npos;
       at = query.find('@', at + 1)) {
    std::size_t end = at + 1;
    while (end < query.size() && (query[end] == '_' || (query[end] >= '0' && query[end] <= '9') ||
                                  ((query[end] | 0x20) >= 'a' && (query[end] | 0x20) <= 'z'))) {
      ++end;
    }
    const std::size_t next = query.find_first_not_of(' ', end);
    const char c = next == std::string_view::npos ? ' ' : query[next];
    if (end == at + 1 || query[at + 1] == '_' || c == '.' || c == '(' || c == '[') return true;
  }
  return false;
}

// Modules whose members are not all closed by name.
constexpr auto kOpenModules =
    text_list("timeit", "types", "cProfile", "profile", "doctest", "pickle", "unittest", "trace");

}  // namespace

void Analysis::attribute(std::uint32_t i) {
  const Token& token = tokens_[i];
  if (!policy_.attributes_blocked.empty() && policy_.attributes_blocked.contains(text(i))) {
    report("python-blocked-attribute"_rule, i, text(i));
  }
  if (token.name == 0) {
    if (token.length > 4 && is_dunder(text(i))) return dunder(i, true);
    if ((token.op & kMarkUnderscore) != 0 && i >= 2) private_member(i);
    return;
  }
  const std::uint32_t receiver = i >= 2 ? i - 2 : 0;
  switch (token.name) {
    case kFormat:
      return format_use(i);
    case kDunderDict:
      return self_dict(i);
    case kOpenName:
      return open_use(i, is_open(i + 1, '(') ? i + 1 : 0, ".open");
    case kDunderSetattr: {
      const bool super = i >= 4 && tokens_[i - 2].kind == TokenKind::kClose &&
                         is_name(tokens_[i - 2].link - 1, kSuper);
      if (super) return;
      if (!is_open(i + 1, '(')) return report("python-special-name"_rule, i, text(i));
      return dynamic_attribute(i, i + 1);
    }
    case kObj:
      if (is_op(i + 1, '=')) return;
      if (tokens_[receiver].kind == TokenKind::kName && caught_.contains(text(receiver))) {
        return report("python-frame-attribute"_rule, i, "obj");
      }
      break;
    case kRaw:
      // The class of sys.stdin.buffer.raw is FileIO, which opens any path.
      if (contains_module("sys")) reach(Capability::kFilesOutside, i, ".raw");
      return;
    case kQuery:
      if (is_open(i + 1, '(') && imported_.contains("pandas")) attribute_text(i + 1, i);
      return;
    case kWriteText:
    case kWriteBytes:
    case kTouch:
    case kRename:
    case kReplace:
    case kWithSuffix:
    case kWithName:
    case kWithStem:
    case kJoinPath:
      path_method(i);
      break;
    default:
      if (method_use(i)) return;
      break;
  }
  if (is_dunder(text(i))) {
    if (text(i) == "__annotations__") annotations_use(i);
    return dunder(i, true);
  }
  attribute_name(text(i), token.name, i, receiver);
}

// The object whose attribute was missing, as its AttributeError keeps it: one of these modules,
// perhaps.
bool Analysis::keeps_module() const {
  return std::ranges::any_of(kOpenModules,
                             [&](std::string_view module) { return contains_module(module); });
}

// Methods that are judged by what they are given; true: nothing more is to be said of the name.
bool Analysis::method_use(std::uint32_t i) {
  switch (tokens_[i].name) {
    case kEval:
    case kExec:
      // torch's `model.eval()`, Qt's `app.exec()`: without an argument nothing is evaluated.
      return is_open(i + 1, '(') && tokens_[i + 1].link == i + 2;
    case kRun:
      if (profiler_ && is_open(i + 1, '(')) code_text(i + 1, i, ".run");
      return true;
    case kTimeitName:
      if (is_open(i + 1, '(')) code_text(i + 1, i, ".timeit");
      return true;
    case kRegister:
      register_use(i);
      return true;
    case kCall:
    case kEvalFile:
      tcl_use(i);
      return true;
    case kDunderNew:
      new_use(i);
      return true;
    case kDunderClass:
      class_attribute(i);
      return true;
    default:
      return false;
  }
}

// `receiver` is the token before the dot, or the name itself where there is none.
void Analysis::attribute_name(std::string_view name, std::uint16_t known, std::uint32_t token,
                              std::uint32_t receiver) {
  if (is_dunder(name)) {
    const std::uint8_t uses = known == 0 ? std::uint8_t{0} : name_info(known).uses;
    if ((uses & kDunderAllowed) == 0) report("python-special-name"_rule, token, name);
    return;
  }
  if (known == 0) return;
  if (known == kObj && keeps_module()) return report("python-leaked-module"_rule, token, name);
  const NameInfo& info = name_info(known);
  if ((info.uses & kFrame) != 0) return report("python-frame-attribute"_rule, token, name);
  const bool own = is_name(receiver, kSelf) || is_name(receiver, kCls);
  if (own) return;
  if ((info.uses & kLeak) != 0) return report("python-leaked-module"_rule, token, name);
  if ((info.uses & kAttribute) == 0) return;
  // A store makes an attribute of the program's own; what is stored is judged by itself.
  if (token != receiver && is_op(token + 1, '=')) return;
  reach(info.capability, token, name);
}

void Analysis::dunder(std::uint32_t i, bool attribute_access) {
  const std::uint16_t known = tokens_[i].name;
  const std::uint8_t uses = known == 0 ? std::uint8_t{0} : name_info(known).uses;
  if (known == kDunderMatchArgs) return match_args(i);
  if ((known == kDunderDoc || known == kDunderTest) && is_op(i + 1, '=') && doctest_) {
    return report("python-text-as-code"_rule, i, text(i));
  }
  if (attribute_access) {
    if ((uses & kDunderAllowed) == 0) report("python-special-name"_rule, i, text(i));
    return;
  }
  // A bare name: of a class body, of the module, or metadata that the program gives itself.
  if ((uses & kBuiltin) != 0) return;  // reported as what it is
  if ((uses & kDunderDenied) == 0 && (uses != 0 || is_op(i + 1, '=') || is_op(i + 1, ':'))) return;
  report("python-special-name"_rule, i, text(i));
}

// getattr and its kin, `super().__setattr__` excepted: the name must be known and harmless.
void Analysis::dynamic_attribute(std::uint32_t i, std::uint32_t call) {
  if (tokens_[i].name == kHasattr) return;
  if (call == 0) return report("python-computed-attribute"_rule, i, text(i));
  const Arguments list = arguments(call);
  if (list.size() < 2 || list[0].keyword || list[1].keyword) {
    return report("python-computed-attribute"_rule, i, text(i));
  }
  const std::optional<std::string> name = constant(list[1].begin, list[1].end);
  if (!name && tokens_[i].name == kGetattr && dispatches(list)) return;
  const bool bare = list[1].end == list[1].begin + 1 && list[0].end == list[0].begin + 1;
  if (!name && bare && tokens_[list[1].begin].kind == TokenKind::kName &&
      tokens_[i].name != kDelattr && own_instance(list[0].begin)) {
    return;
  }
  if (!name) return report("python-computed-attribute"_rule, i, text(i));
  const std::string_view kept = intern(*name);
  const std::uint16_t known = find_name(kept, hash_name(kept));
  const std::uint32_t object = list[0].begin;
  if (list[0].end == object + 1 && tokens_[object].kind == TokenKind::kName) {
    for (std::uint32_t b = bound_to(tokens_[object].link); b != 0; ++steps_) {
      const Binding binding = bindings_[b - 1];
      b = binding.next;
      if (binding.name != text(object) || !binding.member.empty()) continue;
      if (tokens_[i].name == kSetattr && !third_party(binding.module)) {
        report("python-library-store"_rule, list[1].begin, kept);
      }
      if (leaks_module(binding.module, kept))
        report("python-leaked-module"_rule, list[1].begin, kept);
      use_member(binding.module, kept, list[1].begin);
    }
    // A module as first argument is spent here, not handed around.
    done_ = std::max(done_, object + 1);
  }
  if (known != 0 && (name_info(known).uses & kBuiltin) != 0) {
    report("python-computed-attribute"_rule, list[1].begin, kept);
  }
  if (tokens_[i].name == kSetattr && kept == "__annotations__") {
    return report("python-text-as-code"_rule, i, kept);
  }
  if (tokens_[i].name == kSetattr && doctest_ && (known == kDunderDoc || known == kDunderTest)) {
    report("python-text-as-code"_rule, i, kept);
  }
  attribute_name(kept, known, list[1].begin, object);
}

// getattr(self, "visit_" + name), getattr(self, f"do_{command}"): whatever follows, the name begins
// as none does that means something.
bool Analysis::dispatches(const Arguments& list) {
  const std::uint32_t object = list[0].begin;
  if (list[0].end != object + 1 || !is_name(object, kSelf) || !may_search()) return false;
  for (std::uint32_t b = bound_to(tokens_[object].link); b != 0; b = bindings_[b - 1].next) {
    if (bindings_[b - 1].name == text(object)) return false;  // a module of that name
  }
  const std::uint32_t begin = list[1].begin;
  std::string_view prefix;
  if (tokens_[begin].kind == TokenKind::kFString && tokens_[begin].link + 1 == list[1].end &&
      tokens_[begin + 1].kind == TokenKind::kFText) {
    prefix = text(begin + 1);
  } else if (tokens_[begin].kind == TokenKind::kString && is_op(begin + 1, '+')) {
    prefix = intern(decoded(tokens_[begin]));
    // A sum, and of strings: what is added must not decide what comes out.
    if (foreign_imports_) return false;
    for (std::uint32_t k = begin + 1; k < list[1].end; ++k) {
      const Token& token = tokens_[k];
      const bool word = token.kind == TokenKind::kName &&
                        (token.name == 0 || (name_info(token.name).uses & kKeyword) == 0);
      if (!word && token.kind != TokenKind::kOpen && !is_op(k, '+') && !is_op(k, '.')) return false;
      if (token.kind == TokenKind::kOpen) k = token.link;
    }
    for (std::uint32_t k = 0; k < tokens_.size(); ++k) {
      if (tokens_[k].kind == TokenKind::kName && text(k) == "__radd__") return false;
    }
  }
  const bool plain = prefix.size() > 1 && prefix[0] != '_' &&
                     prefix.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == prefix.npos;
  return plain && !begins_known_name(prefix);
}

// A class's __dict__ holds object.__getattribute__ and its like; of an object only these forms.
void Analysis::self_dict(std::uint32_t i) {
  if (i >= 2 && tokens_[i - 2].kind == TokenKind::kName) {
    if (is_op(i + 1, '=')) return;
    if (compares_dicts(i)) return;
    if (is_op(i + 1, '.') && (text(i + 2) == "update" || text(i + 2) == "keys")) return;
    if (is_open(i + 1, '[')) {
      const auto key = constant(i + 2, tokens_[i + 1].link);
      if (key && !is_dunder(*key)) return;
    }
    if (own_instance(i - 2)) return;
  }
  report("python-special-name"_rule, i, text(i));
}

// self.__dict__ == other.__dict__. A comparison hands what is behind a class's __dict__ to
// whatever stands on its other side.
bool Analysis::compares_dicts(std::uint32_t i) {
  const bool left = is_op(i + 1, kOpCompare) && i + 4 < tokens_.size() && is_op(i + 3, '.') &&
                    is_name(i + 4, kDunderDict);
  const std::uint32_t last = before(i - 2);
  const bool right = is_op(last, kOpCompare) && last >= 1 && is_name(last - 1, kDunderDict);
  if (!left && !right) return false;
  const std::uint32_t first = left ? i - 2 : last >= 3 ? last - 3 : 0;
  return own_instance(first) || (is_name(first, kSelf) && !defines("__getattr__"));
}

void Analysis::vars_call(std::uint32_t i) {
  if (is_open(i + 1, '[') || (is_op(i + 1, '.') && !is_dunder(text(i + 2)))) return;
  if (is_open(i + 1, '(')) {
    const Arguments list = arguments(i + 1);
    if (list.size() == 1) {
      // vars(args) of argparse: the variable, or the call itself.
      const Argument& only = list[0];
      for (std::uint32_t k = only.begin; k < only.end; ++k) {
        if (is_name(k, kParseArgs) || is_name(k, kParseKnownArgs)) return;
      }
      if (!parsed_searched_) {
        parsed_searched_ = true;
        for (std::uint32_t k = 2; k + 1 < tokens_.size(); ++k) {
          if (!is_name(k, kParseArgs) && !is_name(k, kParseKnownArgs)) continue;
          constexpr std::uint32_t kMost = 64;
          std::uint32_t start = k;
          while (start > 0 && k - start < kMost && !statement_start(start)) --start;
          if (k - start == kMost) continue;
          if (is_op(start + 1, '=') || is_op(start + 1, ',')) remember(parsed_, text(start));
        }
      }
      if (only.end == only.begin + 1 && parsed_.contains(text(only.begin))) return;
      if (only.end == only.begin + 1 && own_instance(only.begin)) return;
    }
  }
  report("python-introspection"_rule, i, text(i));
}

// __match_args__ = ("x", "y"): names that positional patterns read.
void Analysis::match_args(std::uint32_t i) {
  std::uint32_t end = i + 1;
  if (!is_op(end, '=')) return report("python-special-name"_rule, i, text(i));
  for (++end; tokens_[end].kind != TokenKind::kNewline && !is_op(end, ';') &&
              tokens_[end].kind != TokenKind::kEnd;
       ++end) {
    const Token& token = tokens_[end];
    if (token.kind == TokenKind::kString) {
      const std::string name = decoded(token);
      const std::string_view kept = intern(name);
      const std::uint16_t known = find_name(kept, hash_name(kept));
      attribute_name(kept, known, end, end);
      if (tokens_[end + 1].kind == TokenKind::kString)
        report("python-special-name"_rule, i, text(i));
    } else if (token.kind != TokenKind::kOpen && token.kind != TokenKind::kClose &&
               !is_op(end, ',')) {
      return report("python-special-name"_rule, i, text(i));
    }
  }
}

// Every string argument is an attribute name, or a path of them; anything else is unknown.
void Analysis::attribute_text(std::uint32_t call, std::uint32_t token) {
  if (call == 0) return report("python-computed-attribute"_rule, token, text(token));
  for (const Argument& argument : arguments(call)) {
    const std::optional<std::string> path = constant(argument.begin, argument.end);
    if (!path) {
      if (argument.keyword) continue;
      return report("python-computed-attribute"_rule, token, text(token));
    }
    for (std::size_t start = 0; start <= path->size();) {
      const std::size_t end = std::min(path->find_first_of(". @()[]'\"", start), path->size());
      const std::string_view kept = intern(path->substr(start, end - start));
      attribute_name(kept, find_name(kept, hash_name(kept)), argument.begin, argument.begin);
      start = end + 1;
    }
    if (hands_over(*path)) report("python-computed-attribute"_rule, token, *path);
  }
}

}  // namespace langsbx::languages::python
