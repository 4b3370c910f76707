// Names used as variables, and members that matter on any object.
#include <algorithm>

#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"

namespace langsbx::languages::javascript {

using std::string_view;

// a === b, a !== b, a instanceof b: nothing but a truth value comes of it.
bool Judge::only_compared(Index index) const {
  const Token& before = code_.at(index - 1);
  const Token& next = code_.at(index + 1);
  const bool used = next.is('.') || next.is('(') || next.is('[') ||
                    next.is(scanner::kOptionalChain) || next.kind == TokenKind::kTemplate;
  if (next.is(scanner::kEqual) || next.is(scanner::kNotEqual)) return true;
  return !used &&
         (before.is(scanner::kEqual) || before.is(scanner::kNotEqual) ||
          code_.is(index - 1, string_view("instanceof")) ||
          code_.is(index - 1, string_view("in")) || code_.is(index - 1, string_view("typeof")));
}

void Judge::ask_free(const Use& use) {
  const Index index = use.index;
  const string_view name = code_.text(index);
  switch (use.meaning.free) {
    case Free::kDynamicCode:
      if (name == "Function") return ask_function_type(index);
      if (name == "Worker" && only_compared(index)) return;
      return report("javascript-dynamic-code"_rule, index, name);
    case Free::kNative:
      if (!only_compared(index)) report("javascript-native-code"_rule, index, name);
      return;
    case Free::kNetwork:
      if (!only_compared(index)) report("javascript-network-global"_rule, index, name);
      return;
    case Free::kRequire:
      return ask_require(index);
    case Free::kProcess:
      return ask_process(index, index + 1);
    case Free::kModule:
      return ask_module_object(index);
    case Free::kGlobal:
      return ask_global_object(index);
    case Free::kPrototypeApi:
      return ask_prototype_api(index);
    case Free::kArguments:
      return ask_arguments(index);
    case Free::kTimer:
      return ask_timer(index);
    case Free::kWith:
      // with ( ... ) { } is the statement; import x from 'y' with { } has no parenthesis.
      if (code_.is(index + 1, '(')) report("javascript-with-statement"_rule, index, name);
      return;
    case Free::kImport:
      if (code_.is(index + 1, '(')) return ask_specifier_expression(index + 2);
      if (code_.is(index + 1, '.')) return ask_import_meta(index);
      return;
    case Free::kExport:
    case Free::kFunction:
    case Free::kNone:
      return;
  }
}

// setTimeout("code"): some runtimes evaluate it.
void Judge::ask_timer(Index index) {
  Index open = index + 1;
  if (code_.typescript() && code_.is(open, string_view("as")) && code_.is(index - 1, '(')) {
    open = code_.after(index - 1);  // (setTimeout as any)(...)
  }
  if (!code_.is(open, '(') || code_.at(open + 1).kind == TokenKind::kNumber) return;
  for (const Value& value : folder_.possible(open + 1)) {
    if (value.kind == Value::Kind::kText || value.kind == Value::Kind::kPartial) {
      return report("javascript-dynamic-code"_rule, index, code_.text(index));
    }
  }
}

void Judge::ask_module_object(Index index) {
  if (only_compared(index)) return;
  if (code_.typescript() &&
      (code_.is_identifier(index + 1) || code_.at(index + 1).kind == TokenKind::kString)) {
    return;  // module Name { ... }
  }
  if (code_.is(index + 1, scanner::kAnd) || code_.is(index + 1, ':')) return;
  if (code_.is(index + 1, '.') || code_.is(index + 1, scanner::kOptionalChain)) {
    const string_view member = code_.text(index + 2);
    if (member == "exports" || member == "id" || member == "filename" || member == "loaded" ||
        member == "path" || member == "hot") {
      return;
    }
    const bool chained = code_.is(index + 3, '.') || code_.is(index + 3, '[') ||
                         code_.is(index + 3, scanner::kOptionalChain);
    if (member == "parent" && !chained && !code_.is(index - 1, '=')) return;
    return report("javascript-module-internals"_rule, index, "module." + std::string(member));
  }
  if (code_.is(index + 1, '[')) {
    const Value key = folder_.fold(index + 2);
    if (key.exact() && key.text == "exports") return;
  }
  report("javascript-module-internals"_rule, index, "module");
}

// typeof window === 'undefined' ? module.exports : window: Node has no variable of that name, and
// whoever makes one needs the global object first.
bool Judge::is_browsers_choice(Index index) const {
  const string_view name = code_.text(index);
  if (code_.typescript() || (name != "window" && name != "self")) return false;
  return (code_.is(index - 1, '?') || code_.is(index - 1, ':')) &&
         (code_.is(index + 1, ')') || code_.is(index + 1, ';') || code_.is(index + 1, ':') ||
          code_.is(index + 1, ','));
}

void Judge::ask_global_object(Index index) {
  if (only_compared(index) || is_browsers_choice(index)) return;
  // declare global { interface Array<T> { last(): T } }
  const bool types =
      code_.typescript() && code_.is(index - 1, string_view("declare")) && code_.is(index + 1, '{');
  if (types) return;
  Index next = index + 1;
  if (code_.is(next, '.') || code_.is(next, scanner::kOptionalChain)) {
    const string_view name = code_.text(index);
    if (name == "Deno" || name == "Bun") {
      const string_view member = code_.text(next + 1);
      if (member == "args" || member == "argv" || member == "exit") return;
      return report("javascript-global-object"_rule, index, name);
    }
    if (code_.is_identifier(next + 1)) return;  // the member is asked as the variable it is
    ++next;
  }
  if (code_.is(next, '[')) {
    const Value key = folder_.fold(next + 1);
    const Meaning meaning = key.exact() && !key.text.empty() ? meaning_of(key.text) : Meaning{};
    if (key.exact() && meaning.free == Free::kNone && meaning.dotted == Dotted::kNone) return;
  }
  if (code_.is(next, scanner::kAnd)) return;
  report("javascript-global-object"_rule, index, code_.text(index));
}

void Judge::ask_import_meta(Index index) {
  const string_view member = code_.text(index + 4);
  if (!code_.is(index + 2, string_view("meta"))) return;  // import.defer, import.source: calls
  if (code_.is(index + 3, '.') && (member == "url" || member == "dirname" || member == "main" ||
                                   member == "filename" || member == "resolve")) {
    return;
  }
  report("javascript-module-internals"_rule, index, "import.meta");
}

void Judge::ask_prototype_api(Index index) {
  const bool reflect = code_.text(index) == "Reflect";
  if (!code_.is(index + 1, '.')) {
    if (reflect && !only_compared(index)) report("javascript-prototype"_rule, index, "Reflect");
    if (!reflect && code_.is(index + 1, '['))
      report("javascript-prototype"_rule, index, "Object[...]");
    return;
  }
  const string_view member = code_.text(index + 2);
  const Index open = index + 3;
  if (reflect) {
    if (member == "getPrototypeOf" || member == "setPrototypeOf" ||
        member == "getOwnPropertyDescriptor" || !code_.is(open, '(')) {
      report("javascript-prototype"_rule, index, "Reflect." + std::string(member));
    }
    if (member == "get") ask_unknown_member(index + 1, code_.after(open));
    return;
  }
  const bool defines = member == "defineProperty" || member == "defineProperties" ||
                       member == "assign" || member == "setPrototypeOf";
  if (defines && code_.is(open + 1, string_view("Object")) &&
      code_.is(open + 3, string_view("prototype"))) {
    return report("javascript-prototype"_rule, index, "Object.prototype");
  }
  if (member == "getOwnPropertyDescriptors")
    return report("javascript-prototype"_rule, index, "Object.getOwnPropertyDescriptors");
  const bool describes = member == "getOwnPropertyDescriptor";
  if (member != "getPrototypeOf" && member != "getOwnPropertyNames" && !describes) return;
  const Token& behind = code_.at(code_.after(open));
  const bool compared = behind.is(scanner::kEqual) || behind.is(scanner::kNotEqual);
  if (member == "getPrototypeOf" && code_.is(open, '(') && compared) return;
  // Of a plain object or this; not of functions, whose prototype holds the constructor.
  const bool plain =
      code_.is(open, '(') && code_.is_identifier(open + 1) &&
      (code_.is(open + 2, ')') || (describes && code_.is(open + 2, ',') &&
                                   code_.is_identifier(open + 3) && code_.is(open + 4, ')'))) &&
      !(code_.text(open + 1)[0] >= 'A' && code_.text(open + 1)[0] <= 'Z');
  if (!plain) return report("javascript-prototype"_rule, index, "Object." + std::string(member));
  if (names_function(code_.text(open + 1))) {
    report("javascript-prototype"_rule, index, "Object." + std::string(member));
  }
}

// Whether the source declares a function or class of that name.
bool Judge::names_function(string_view name) {
  if (functions_.empty()) {
    functions_.insert("function");
    for (Index i = 1; i < code_.size(); ++i) {
      if (!code_.is_identifier(i)) continue;
      const bool declared = code_.is(i - 1, string_view("function")) || code_.is(i - 1, '*') ||
                            code_.is(i - 1, string_view("class"));
      const bool assigned =
          code_.is(i + 1, '=') &&
          (code_.is(code_.after(i + 2), scanner::kFatArrow) ||
           code_.is(i + 3, scanner::kFatArrow) || code_.is(i + 2, string_view("async")) ||
           code_.is(i + 2, string_view("class")) || code_.is(i + 2, string_view("function")));
      if (declared || assigned) functions_.insert(code_.text(i));
    }
  }
  return functions_.contains(name);
}

// Outside functions, `arguments` are those of Node's module wrapper: exports, require, module, ...
void Judge::ask_arguments(Index index) {
  if (code_.is(index + 1, '.') && code_.is(index + 2, string_view("length"))) return;
  Index open = code_.enclosing(index);
  for (int level = 0; level < 48 && open != kNoIndex; ++level, open = code_.enclosing(open)) {
    if (!code_.is(open, '{') || !code_.is(open - 1, ')')) continue;
    const Index head = code_.partner(open - 1);
    if (head == kNoIndex || head == 0) continue;
    const string_view before = code_.text(head - 1);
    if (before == "if" || before == "for" || before == "while" || before == "switch" ||
        before == "catch" || before == "with") {
      continue;
    }
    if (code_.is_identifier(head - 1) || code_.is(head - 1, ']') || code_.is(head - 1, '*')) return;
  }
  // Shells of engines give an array of texts there; Node's has no such method.
  const bool texts = code_.is(index + 1, '.') && code_.is(index + 3, '(') &&
                     code_.is(index + 2, string_view("slice"));
  if (texts) return;
  report("javascript-module-internals"_rule, index, "arguments outside a function");
}

void Judge::ask_dotted(const Use& use) {
  const Index index = use.index;
  const string_view name = code_.text(index);
  switch (use.meaning.dotted) {
    case Dotted::kNone:
      if (use.meaning.free == Free::kNetwork && is_global_this(index)) {
        report("javascript-network-global"_rule, index, name);
      } else if (name == "global" && is_global_this(index)) {
        report("javascript-global-object"_rule, index, "this.global");
      }
      return;
    case Dotted::kConstructor:
      return ask_constructor(index);
    case Dotted::kDynamicCode:
      if (name == "Function" && (is_compared_member(index) || code_.typescript())) return;
      if (code_.is(index - 2, string_view("module")) && name == "require") {
        return report("javascript-module-internals"_rule, index, "module.require");
      }
      return report("javascript-dynamic-code"_rule, index, name);
    case Dotted::kCall:
      if (code_.is(index + 1, '(') || code_.is(index - 2, string_view("process"))) {
        report("javascript-dynamic-code"_rule, index, name);
      }
      return;
    case Dotted::kPrototype:
      if (name == "__proto__" && code_.is(index + 1, '=')) return;  // given, not taken
      return report("javascript-prototype"_rule, index, name);
    case Dotted::kProcess:
      if (code_.is_member(index) && code_.is(index + 1, '(')) return;  // Node's is no function
      if (code_.is(index - 2, ')')) report("javascript-process-value"_rule, index, name);
      // In a plain function `this` may be the global object.
      if (code_.is(index - 2, string_view("this")) && code_.is(index + 1, '.')) {
        return ask_process_member(code_.text(index + 2), index + 2, index + 3);
      }
      if (code_.is(index + 1, '.') && is_risky_process_member(code_.text(index + 2))) {
        return report("javascript-process-value"_rule, index,
                      "process." + std::string(code_.text(index + 2)));
      }
      if (code_.is_member(index) && is_global_this(index))
        report("javascript-process-value"_rule, index, "this.process");
      // const { process: p } = (function() { return this })()
      if (!code_.is_member(index) && code_.is(code_.after(code_.enclosing(index)), '=')) {
        const Index value = code_.after(code_.enclosing(index)) + 1;
        if (code_.is(value, '(') || code_.is(value, string_view("this"))) {
          report("javascript-process-value"_rule, index, "in a pattern");
        }
      }
      return;
  }
}

// Whether `this.name` at `index` may be the global's: outside classes, where the file gives no
// object a member of that name. Not where it is called on or given.
bool Judge::is_global_this(Index index) {
  if (!code_.is(index - 2, string_view("this")) || code_.is(index + 1, '=')) return false;
  Index brace = code_.enclosing(index);
  for (int level = 0; level < 32 && brace != kNoIndex; ++level) {
    for (Index back = 1; back <= 12 && back <= brace; ++back) {
      const Token& before = code_.at(brace - back);
      if (before.is(';') || before.is('{') || before.is('}')) break;
      if (code_.is(brace - back, string_view("class"))) return false;
    }
    brace = code_.enclosing(brace);
  }
  const string_view name = code_.text(index);
  const auto [known, fresh] = own_members_.emplace(name, false);
  if (fresh) {
    known->second = std::any_of(uses_.begin(), uses_.end(), [&](const Use& use) {
      return code_.text(use.index) == name &&
             (is_key(use.index) || is_method_name(use.index) ||
              (code_.is_member(use.index) && code_.is(use.index + 1, '=')));
    });
  }
  return !known->second;
}

}  // namespace langsbx::languages::javascript
