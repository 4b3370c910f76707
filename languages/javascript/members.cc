// What is done with a module, with process, and with which paths.
#include "languages/environment.h"
#include "languages/javascript/judge.h"
#include "languages/javascript/rules.h"
#include "languages/work_area.h"

namespace langsbx::languages::javascript {
namespace {

using std::string_view;

// "file:///etc/x" and "file:/etc/x" as a path.
string_view without_scheme(string_view path) {
  if (!path.starts_with("file:")) return path;
  path.remove_prefix(5);
  if (path.starts_with("//")) path.remove_prefix(2);
  return path;
}

}  // namespace

// The tokens before `next` yield what `handle` says.
void Judge::ask_chain(const Handle& handle, Index at, Index next) {
  if (handle.environment) return ask_environment(at, next);
  if (handle.process) return ask_process(at, next);
  // (fs).readFile, (fs as any).readFile, fs!.readFile
  while (code_.is(at - 1, '(') && !code_.is_identifier(at - 2) &&
         (code_.is(next, ')') || code_.is(next, string_view("as")) ||
          code_.is(next, string_view("satisfies")))) {
    --at;
    next = code_.after(at);
  }
  if (code_.typescript() && code_.is(next, '!')) ++next;
  if (!handle.member.empty()) {
    const Member member = find_member(*handle.module, handle.member);
    if (code_.is(next, '(')) ask_paths(member, next);
    return;
  }
  while (code_.is(next, '.') || code_.is(next, scanner::kOptionalChain)) {
    if (!code_.is_identifier(next + 1)) break;
    const string_view name = code_.text(next + 1);
    if (!is_same_module(name)) {
      if (code_.is(at - 1, '=') && code_.is_identifier(at - 2) && !code_.is_member(at - 2) &&
          !code_.is(next + 2, '(')) {
        handles_[code_.text(at - 2)] = {handle.module, name, false};  // const read = fs.readFile;
      }
      return ask_member(*handle.module, name, next + 1, next + 2);
    }
    next += 2;
  }
  const Index key = code_.is(next, scanner::kOptionalChain) ? next + 1 : next;
  if (code_.is(key, '[')) {
    const Value value = folder_.fold(key + 1);
    if (value.exact()) return ask_member(*handle.module, value.text, key, code_.after(key));
    report("javascript-hidden-name"_rule, key, "a member of " + std::string(handle.module->name));
    return ask_escape(*handle.module, at);
  }
  if (code_.is(at - 1, '=') && code_.is_identifier(at - 2) && !code_.is_member(at - 2) &&
      (code_.is(next, ';') || code_.at(next).kind == TokenKind::kEnd ||
       code_.newline_before(next))) {
    handles_[code_.text(at - 2)] = handle;  // const other = fs;
    return;
  }
  if (code_.is(at - 1, string_view("typeof")) || code_.is(next, ';')) {
    if (!code_.is(at - 1, '=')) return;
  }
  if (code_.is(next, '=') && !code_.is(next, scanner::kEqual)) return;  // bound, seen before
  if (code_.is(at - 1, '=') && code_.is(at - 2, '}')) {                 // const {a} = fs
    return learn_named(handle.module, code_.partner(at - 2), false);
  }
  ask_escape(*handle.module, at);
}

void Judge::ask_member(const Module& module, string_view name, Index at, Index next) {
  const Member member = find_member(module, name);
  std::string dotted(module.name);
  dotted += '.';
  dotted += name;
  if (policy_.functions_blocked.contains(dotted))
    report("javascript-profile-name"_rule, at, dotted);
  if (policy_.functions_allowed.contains(dotted)) return;
  if (member.capability != Capability::kNone) {
    report("javascript-blocked-function"_rule, member.capability, at, dotted);
  }
  const bool opens = name == "open" || name == "openSync";
  if (opens && code_.is(next, '(')) {  // the flags say what is done
    const Index close = code_.after(next);
    for (Index i = next + 1; i < close; ++i) {
      if (!code_.is_string(i) || !code_.is(i - 1, ',')) continue;
      if (decode_literal(code_.text(i)).find_first_of("wa+") != std::string::npos) {
        report("javascript-blocked-function"_rule, Capability::kFilesWrite, at, dotted);
        return ask_paths({Capability::kFilesWrite, 1, true}, next);
      }
    }
  }
  if (code_.is(next, '(')) ask_paths(member, next);
}

// The module goes where it can't be followed: everything it can do counts.
void Judge::ask_escape(const Module& module, Index at) {
  using enum Capability;
  if (module.name.starts_with("fs")) {
    for (const Capability capability : {kFilesRead, kFilesWrite, kFilesDelete}) {
      report("javascript-blocked-function"_rule, capability, at, module.name);
    }
    return;
  }
  if (module.name == "os")
    return report("javascript-blocked-function"_rule, kEnvironment, at, module.name);
  if (module.name == "crypto") return;
  if (module.name == "test") return;
  report("javascript-blocked-function"_rule, kNetworkConnect, at, module.name);
  report("javascript-blocked-function"_rule, kNetworkListen, at, module.name);
}

void Judge::ask_paths(const Member& member, Index open) {
  Index begin = open + 1;
  const Index close = code_.after(open) - 1;
  for (int i = 0; i < member.paths && begin < close; ++i) {
    ask_path(begin, member.writes);
    while (begin < close && !code_.is(begin, ',')) {
      const Index other = code_.partner(begin);
      begin = other != kNoIndex && other > begin ? other + 1 : begin + 1;
    }
    ++begin;
  }
}

// process.env.HOME + ..., `${os.homedir()}/...`, path.join(os.homedir(), ...)
bool Judge::begins_at_home(Index at) const {
  if (code_.is_template(at) && code_.text(at) == "`${") ++at;
  if (code_.is(at, string_view("path")) && code_.is(at + 1, '.') && code_.is(at + 3, '(')) at += 4;
  if (code_.is(at, string_view("homedir")) && code_.is(at + 1, '(')) return true;
  if (!code_.is(at + 1, '.')) return false;
  if (code_.is(at + 2, string_view("homedir"))) return true;
  return code_.is(at, string_view("process")) && code_.is(at + 2, string_view("env")) &&
         code_.is(at + 3, '.') && code_.is(at + 4, string_view("HOME"));
}

void Judge::ask_path(Index begin, bool writes) {
  if (begins_at_home(begin))
    return report("javascript-file-path"_rule, begin, "the home directory");
  for (const Value& value : folder_.possible(begin)) {
    string_view path = value.text;
    if (value.exact()) {
      path = without_scheme(path);
    } else if (value.kind != Value::Kind::kPartial) {
      continue;  // known at run time only: the kernel layers decide
    }
    const bool climbing = climbs(value.tail) || climbs(path);
    const bool absolute_start = !value.exact() && path.starts_with('/');
    bool outside = climbing || (path.starts_with('~') && value.exact());
    if (value.exact()) outside = place_of_path(path, policy_, writes) == PathPlace::kOutside;
    if (absolute_start) {
      outside |= place_of_path(path, policy_, writes) == PathPlace::kOutside;
    }
    if (value.tail.find("/.ssh") != std::string::npos) outside = true;
    if (outside) report("javascript-file-path"_rule, begin, value.text.substr(0, 80));
  }
}

void Judge::ask_process(Index index, Index next) {
  if (only_compared(index)) return;
  while (code_.is(next, '!') && code_.typescript() && !code_.is(next, scanner::kNotEqual)) ++next;
  if ((code_.is(next, '.') || code_.is(next, scanner::kOptionalChain)) &&
      code_.is_identifier(next + 1)) {
    return ask_process_member(code_.text(next + 1), next + 1, next + 2);
  }
  if (code_.is(next, scanner::kOptionalChain)) ++next;
  if (code_.is(next, '[')) {
    const Value key = folder_.fold(next + 1);
    if (key.exact()) return ask_process_member(key.text, next, code_.after(next));
    return report("javascript-process-value"_rule, index, "computed member");
  }
  if (code_.is(next, scanner::kAnd) || code_.is(next, '=')) return;
  const Index before = index - 1;
  if (code_.is(before, '=') && (code_.is_identifier(before - 1) || code_.is(before - 1, '}')) &&
      !code_.is_member(before - 1)) {
    const Token& after = code_.at(next);
    if (after.is(';') || after.kind == TokenKind::kEnd || code_.newline_before(next)) return;
  }
  report("javascript-process-value"_rule, index, code_.text(next).substr(0, 20));
}

void Judge::ask_process_member(string_view name, Index at, Index next) {
  if (name == "env") return ask_environment(at, next);
  const Member member = find_process_member(name);
  const std::string dotted = "process." + std::string(name);
  if (policy_.functions_blocked.contains(dotted))
    report("javascript-profile-name"_rule, at, dotted);
  if (policy_.functions_allowed.contains(dotted)) return;
  streams_seen_ = streams_seen_ || name == "stdin" || name == "stdout" || name == "stderr";
  if (name == "chdir") {
    if (!code_.is(next, '(') || !folder_.fold(next + 1).exact()) {
      return report("javascript-file-path"_rule, at, "process.chdir");
    }
    return ask_path(next + 1, false);
  }
  if (member.capability != Capability::kNone) {
    report("javascript-process-member"_rule, member.capability, at, dotted);
  }
}

void Judge::ask_environment(Index at, Index next) {
  std::string name;
  if (code_.is(next, '.') || code_.is(next, scanner::kOptionalChain)) {
    name = code_.text(next + 1);
    next += 2;
  } else {
    const Value key = code_.is(next, '[') ? folder_.fold(next + 1) : Value();
    if (!key.exact())
      return report("javascript-process-member"_rule, Capability::kEnvironment, at, "process.env");
    name = key.text;
    next = code_.after(next);
  }
  if (names_secret(name))
    report("javascript-process-member"_rule, Capability::kSecrets, at, "process.env");
  const Token& token = code_.at(next);
  const bool compound = token.is('+') || token.is(scanner::kOr) || token.is(scanner::kNullish);
  const Index sign = compound ? next + 1 : next;
  if (code_.is(sign, '=') && decides_what_is_loaded(name)) {
    report("javascript-process-member"_rule, Capability::kEnvironment, at, "process.env." + name);
  }
}

// The name that `key` of a pattern or an import clause binds; kNoIndex where it binds none or more.
Index Judge::bound_by(Index key) const {
  Index name = key;
  if (code_.is(key + 1, ':') || code_.is(key + 1, string_view("as"))) name = key + 2;
  const bool ends = code_.is(name + 1, ',') || code_.is(name + 1, '}');
  return ends && code_.is_identifier(name) ? name : kNoIndex;
}

// const { argv, exit: leave } = process
void Judge::ask_process_pattern(Index open) {
  const Index close = code_.after(open) - 1;
  for (Index i = open + 1; i < close; ++i) {
    const Index local = bound_by(i);
    if (!code_.is_identifier(i)) {
      report("javascript-process-value"_rule, i, "computed member");
    } else if (code_.is(i, string_view("env")) && local != kNoIndex) {
      handles_[code_.text(local)] = {nullptr, {}, false, true};
      skipped_.insert(skipped_.end(), {open, close});
    } else if (!code_.is(i, string_view("default"))) {
      ask_process_member(code_.text(i), i, code_.size());
    } else {
      report("javascript-process-value"_rule, i, "default");
    }
    while (i < close && !code_.is(i, ',')) {
      const Index other = code_.partner(i);
      i = other != kNoIndex && other > i ? other + 1 : i + 1;
    }
  }
}

}  // namespace langsbx::languages::javascript
