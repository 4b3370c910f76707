// What is done with the classes that matter, and methods that count on any object.
#include "languages/environment.h"
#include "languages/java/judge.h"
#include "languages/java/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"
#include "languages/work_area.h"

namespace langsbx::languages::java {

using std::string_view;

namespace {

// Of Thread: what makes none.
bool is_about_own_thread(string_view member) {
  return member == "sleep" || member == "currentThread" || member == "interrupted" ||
         member == "onSpinWait" || member == "yield";
}

}  // namespace

void Judge::ask_class(Index index, const SpecialClass& special) {
  switch (special.special) {
    case Special::kBlocked:
      // A method or constant of that name is not the class.
      if (is(index + 1, '(') && !is(index - 1, string_view("new")) && !is_member(index)) return;
      if (special.capability == Capability::kThreads && is(index + 1, '.') &&
          is_about_own_thread(text(index + 2))) {
        return;
      }
      return report("java-blocked-class"_rule, special.capability, index, special.name);
    case Special::kRuntime:
      return ask_runtime(index);
    case Special::kSystem:
      return ask_system(index);
    case Special::kFile:
      uses_files_ = true;
      return ask_file(index, special);
    case Special::kClass:  // its methods are judged by name
    case Special::kNone:
      return;
  }
}

void Judge::ask_runtime(Index index) {
  if (is(index + 1, '.')) {
    const string_view member = text(index + 2);
    if (member == "version" || member == "Version") return;
    if (member == "getRuntime" && is(index + 3, '(') && is(index + 4, ')')) {
      if (is(index + 5, '.') && is_harmless_runtime(text(index + 6))) return;
      // Runtime r = Runtime.getRuntime(); the uses of r are asked later.
      Index before = index - 1;
      if (is(before, '.')) {
        while (before > 0 && (is(before, '.') || is_name(before)) && !is(before, '=')) --before;
      }
      if (is(index + 5, ';') && is(before, '=') && is_name(before - 1) &&
          (is(before - 2, string_view("Runtime")) || is(before - 2, string_view("var")) ||
           runtimes_.contains(text(before - 1)))) {
        runtimes_[text(before - 1)] = true;
        return;
      }
    }
  } else if (is_name(index + 1) && !is(index + 2, '(') &&
             !is(index + 1, string_view("instanceof"))) {
    runtimes_[text(index + 1)] = true;
    return;
  }
  report("java-blocked-class"_rule, Capability::kProcessSpawn, index, "Runtime");
}

void Judge::ask_system(Index index) {
  if (!is(index + 1, '.') && !is(index + 1, scanner::kScope)) return;
  const string_view member = text(index + 2);
  const std::string dotted = "System." + std::string(member);
  if (policy_.functions_blocked.contains(dotted))
    report("java-profile-name"_rule, index + 2, dotted);
  if (policy_.functions_allowed.contains(dotted)) return;
  Capability capability = reach_of_system(member);
  if (member == "getenv" && is(index + 3, '(') && at(index + 4).is_literal_text() &&
      is(index + 5, ')')) {
    const auto variable = scanner::literal_text(scan_, at(index + 4), scanner::kJava);
    if (variable && !names_secret(*variable)) return;
    capability = Capability::kSecrets;
  }
  if (capability != Capability::kNone)
    report("java-blocked-function"_rule, capability, index + 2, dotted);
}

void Judge::ask_file(Index index, const SpecialClass& special) {
  const bool scope = is(index + 1, scanner::kScope);
  if (is(index - 1, string_view("new")) || is(index - 1, '.') ||
      (scope && is(index + 2, string_view("new")))) {
    const bool built = is(index + 1, '(') || scope;
    if (built) {
      const bool text_first = at(index + 2).is_literal_text();
      const bool printer = special.name == "PrintWriter" || special.name == "PrintStream" ||
                           special.name == "Formatter";
      if (printer && !text_first) return;
      Capability capability = special.capability;
      if (printer) capability = Capability::kFilesWrite;
      if (special.name == "File") capability = Capability::kFilesRead;
      if (capability != Capability::kNone)
        report("java-blocked-function"_rule, capability, index, special.name);
      if (is(index + 1, '(')) {
        ask_path(index + 1, 1, capability == Capability::kFilesWrite);
      }
      return;
    }
  }
  if (is(index + 1, '.') || scope) {
    ask_file_member(index + 2, special.name, text(index + 2), index + 3);
  }
}

void Judge::ask_file_member(Index index, string_view owner, string_view member, Index open) {
  FileUse use;
  if (owner == "Files") {
    use = use_of_file(owner, member);
  } else if (owner == "ImageIO") {
    use = {member == "write" ? Capability::kFilesWrite : Capability::kFilesRead, 1, false};
  } else if (owner == "Path" || owner == "Paths") {
    use = {Capability::kFilesRead, 1, false};
    if (member != "of" && member != "get") return;
  } else if (owner == "File" && member == "listRoots") {
    return report("java-file-path"_rule, index, "File.listRoots");
  } else if (owner == "File" && member == "createTempFile") {
    use = {Capability::kFilesWrite, 0, true};
  } else {
    return;
  }
  const std::string dotted = std::string(owner) + "." + std::string(member);
  if (policy_.functions_blocked.contains(dotted)) report("java-profile-name"_rule, index, dotted);
  if (policy_.functions_allowed.contains(dotted)) return;
  report("java-blocked-function"_rule, use.capability, index, dotted);
  if (is(open, '(') && (owner == "Path" || owner == "Paths")) ask_path(open, 8, use.writes);
}

// The first arguments at `open`, joined: new File(parent, child), Path.of("/", "etc", "passwd").
void Judge::ask_path(Index open, int count, bool writes) {
  const Index close = after(open) - 1;
  std::string path;
  bool exact = true;
  Index begin = open + 1;
  for (int i = 0; i < count && begin < close; ++i) {
    Index end = begin;
    const Text part = fold(end, 0);
    if (exact) {
      if (!path.empty()) path += '/';
      path += part.start;
    }
    exact &= part.exact;
    if (climbs(part.start)) path = "..";
    while (begin < close && !is(begin, ',')) {
      const Index other = brackets_.partner(begin);
      begin = other != kNoIndex && other > begin ? other + 1 : begin + 1;
    }
    ++begin;
  }
  if (path.starts_with("file:")) path.erase(0, path.starts_with("file://") ? 7 : 5);
  if (path.empty()) return;  // known at run time only: the kernel layers decide
  const bool decides = exact || path.front() == '/' || climbs(path);
  if (decides && place_of_path(path, policy_, writes) == PathPlace::kOutside) {
    report("java-file-path"_rule, open + 1, path.substr(0, 80));
  }
}

// Where files are used, a path into the system counts in any literal: it may get there by
// resolveSibling, a list or a format.
void Judge::ask_literal_paths() {
  for (const Index i : scan_.marks) {
    const Token& token = scan_.tokens[i];
    if (findings_.full()) return;
    if (i < body_ || !token.is_literal_text() || token.length < 6) continue;
    const string_view raw = text(i);
    const bool begins = scanner::may_be_system_path(raw.substr(1)) || raw.starts_with("\"file:");
    if (!token.has(scanner::kEscaped) && !begins) continue;
    const std::optional<std::string> literal = scanner::literal_text(scan_, token, scanner::kJava);
    if (!literal) continue;
    string_view path = *literal;
    if (path.starts_with("file:")) path.remove_prefix(path.starts_with("file://") ? 7 : 5);
    if (scanner::names_system_path(path, policy_))
      report("java-file-path"_rule, i, path.substr(0, 80));
  }
}

// String.join("/", "", "etc", "passwd"): what comes of it; `open` is the bracket.
Text Judge::fold_join(Index open, int depth) const {
  Index index = open + 1;
  const Text between = fold(index, depth + 1);
  Text joined{{}, between.exact};
  for (int parts = 0; parts < 32 && is(index, ',') && joined.exact; ++parts) {
    ++index;
    const Text part = fold(index, depth + 1);
    if (parts > 0) joined.start += between.start;
    joined.start += part.start;
    joined.exact = part.exact;
  }
  return joined;
}

// Literals, constants, sums and concat(); `index` ends up behind what was read.
Text Judge::fold(Index& index, int depth) const {
  Text sum{{}, true};
  for (int steps = 0; steps < 64 && depth < 8 && fold_steps_ > 0; ++steps) {
    --fold_steps_;
    Text part;
    if (at(index).is_literal_text() || at(index).kind == TokenKind::kChar) {
      const std::optional<std::string> literal =
          scanner::literal_text(scan_, at(index), scanner::kJava);
      if (literal) part = {*literal, true};
      if (at(index).kind == TokenKind::kChar && at(index).length == 3) {
        part = {std::string(text(index).substr(1, 1)), true};
      }
      ++index;
    } else if (is(index, '(')) {
      Index inner = index + 1;
      part = fold(inner, depth + 1);
      index = after(index);
    } else if (is_name(index)) {
      Index name = index;
      while (is(name + 1, '.') && is_name(name + 2) && !is(name + 3, '(')) name += 2;
      const auto constant = constants_.find(text(name));
      index = name + 1;
      if (text(name) == "separator" || text(name) == "separatorChar") part = {"/", true};
      const bool of_string = text(name) == "String" && is(index, '.') && is(index + 2, '(');
      if (of_string && is(index + 1, string_view("join"))) {
        part = fold_join(index + 2, depth);
        index = after(index + 2);
      } else if (text(name) == "System" && is(index + 1, string_view("getProperty")) &&
                 text(index + 3) == "\"user.home\"") {
        part = {"~", true};
        index = after(index + 2);
      } else if (of_string && is(index + 1, string_view("format"))) {
        Index inner = index + 3;
        part = {fold(inner, depth + 1).start, false};
        index = after(index + 2);
      }
      if (constant != constants_.end() && constant->second != kNoIndex && !is(index, '(')) {
        Index inner = constant->second;
        part = fold(inner, depth + 1);
      }
    }
    if (is(index, '.') && is(index + 1, string_view("concat")) && is(index + 2, '(')) {
      Index inner = index + 3;
      const Text more = fold(inner, depth + 1);
      if (part.exact) part.start += more.start;
      part.exact &= more.exact;
      index = after(index + 2);
    } else if (is(index, '.') || is(index, '[') || is(index, '?') || is(index, '(')) {
      part.exact = false;
    }
    if (sum.exact) sum.start += part.start;
    sum.exact &= part.exact;
    if (!is(index, '+') || !sum.exact || sum.start.size() > 4096) break;
    ++index;
  }
  const bool ended = is(index, ',') || is(index, ')') || is(index, ';');
  sum.exact &= ended;
  return sum;
}

void Judge::ask_method(Index index) {
  const string_view name = text(index);
  const Called called = meaning_of_method(name);
  if (called == Called::kNone) return;
  const bool reference = is(index - 1, scanner::kScope);
  if (!reference && !is(index + 1, '(')) return;
  const string_view receiver = text(index - 2);
  if (is(index - 2, string_view("this"))) return;  // Class is final: this is never one
  if (called == Called::kNetwork) {
    return report("java-blocked-function"_rule, Capability::kNetworkConnect, index, name);
  }
  if (name == "forName" && is_name(index - 2)) {
    const bool known =
        receiver == "Charset" || receiver == "UnicodeBlock" || receiver == "UnicodeScript";
    if (known) return;
  }
  // payment.getMethod() asks nothing by name.
  if (!reference && is(index + 2, ')') &&
      (name == "getMethod" || name == "getField" || name == "loadClass")) {
    return;
  }
  const bool own = is_name(index - 2) && !is_member(index - 2) && receiver != "Class" &&
                   declared_.contains(receiver);
  if (own && declared_here(index - 2)) return;
  report("java-reflection"_rule, index, name);
}

}  // namespace langsbx::languages::java
