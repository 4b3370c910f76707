// Functions of the library whose arguments are names: of fields, attributes, tests, modules.
#include <algorithm>
#include <utility>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

// What sympy's parser would run.
constexpr auto kCodeWords =
    text_list(".__", "__import", "__build", "__load", "__spec", "__(", "__[", "__)", "__.", "eval",
              "exec", "open(", "getattr", "lambda");

// Files outside the program's own data, wherever their name stands.
constexpr auto kTelling = text_list(
    "/etc/passwd", "/etc/shadow", "/etc/gshadow", "/etc/sudoers", "/etc/ssh/", "/etc/cron",
    "/root/", "/var/run/docker.sock", "/run/docker.sock", "/dev/mem", "/dev/kmem", "/proc/self",
    "~/.ssh", "~/.aws", "~/.bash", "~/.profile", "/proc/1/", "~/.netrc", "/var/spool/cron");

}  // namespace

// The uses that concern names in arguments; false: it is none of them.
bool Analysis::naming_member(const MemberInfo& info, std::uint32_t token, std::uint32_t call,
                             std::string_view full) {
  switch (info.use) {
    case MemberUse::kFieldNames:
      if (call != 0) field_names(call, token, full);
      return true;
    case MemberUse::kCopied:
      copied(call, token, full);
      return true;
    case MemberUse::kDispatch: {
      // Annotations that the file writes are judged; copied or made up ones can't be.
      const bool copies = source_.bytes.find("update_wrapper") != std::string_view::npos ||
                          source_.bytes.find("wraps") != std::string_view::npos;
      if (copies || foreign_imports_ || source_.included || defines("__getattr__")) {
        reach(info.capability, token, full);
      }
      return true;
    }
    case MemberUse::kMetaclass:
      if (call != 0) report("python-class-from-text"_rule, token, full);
      return true;
    case MemberUse::kTestMain:
      test_main(call, token, full);
      return true;
    case MemberUse::kNoArguments:
      if (call == 0 || tokens_[call].link > call + 1) reach(info.capability, token, full);
      return true;
    case MemberUse::kBackend: {
      const auto name = call == 0 ? std::nullopt : constant(call + 1, tokens_[call].link);
      if (!name || name->find(':') != std::string::npos) reach(info.capability, token, full);
      return true;
    }
    case MemberUse::kProfiler:
      profiler_ = true;
      return true;
    case MemberUse::kNamedPath:
      reach(info.capability, token, full);
      if (call == 0) return true;
      for (const Argument& argument : arguments(call)) {
        if (argument.keyword && text(*argument.keyword) == "dir") {
          path_argument(argument, token, false, full);
        }
        if (argument.keyword && is_name(*argument.keyword, kSuffix)) {
          code_file(argument.begin, argument.end, token);
        }
      }
      return true;
    default:
      return false;
  }
}

// namedtuple("A", "x y"), make_dataclass("A", ["x"]), Enum("A", {...}): the strings become names
// that class patterns read. Assembled ones can't be seen.
void Analysis::field_names(std::uint32_t call, std::uint32_t token, std::string_view what) {
  bool first = true;
  for (const Argument& argument : arguments(call)) {
    if (std::exchange(first, false) && !argument.keyword) continue;
    bool strings = false;
    bool built = false;
    for (std::uint32_t i = argument.begin; i < argument.end; ++i) {
      const TokenKind kind = tokens_[i].kind;
      strings = strings || kind == TokenKind::kString || kind == TokenKind::kFString;
      built = built || is_op(i, '+') || is_op(i, '%') || is_open(i, 'f') ||
              (is_op(i, '.') && i > 0 && tokens_[i - 1].kind != TokenKind::kName);
      if (kind == TokenKind::kString) names_in(decoded(tokens_[i]), i);
    }
    const bool seen = strings ? !built : !what.ends_with("make_dataclass") || argument.keyword;
    if (!seen) return report("python-computed-attribute"_rule, token, what);
  }
}

void Analysis::names_in(std::string text, std::uint32_t token) {
  const std::string_view whole = intern(std::move(text));
  for (std::size_t start = 0; start <= whole.size();) {
    const std::size_t end = std::min(whole.find_first_of(" ,\t\n.@()[]'\"", start), whole.size());
    const std::string_view name = whole.substr(start, end - start);
    const std::uint16_t known = find_name(name, hash_name(name));
    if (is_dunder(name) || (known != 0 && (name_info(known).uses & kFrame) != 0)) {
      attribute_name(name, known, token, token);
    }
    start = end + 1;
  }
}

// functools.wraps(f, assigned=..., updated=...): attributes read and written by name.
void Analysis::copied(std::uint32_t call, std::uint32_t token, std::string_view what) {
  if (call == 0) {
    std::uint32_t target = 0;
    if (!alias_target(token, token, target)) reach(Capability::kIntrospection, token, what);
    return;
  }
  std::size_t plain = 0;
  bool named = false;
  for (const Argument& argument : arguments(call)) {
    const std::string_view key = argument.keyword ? text(*argument.keyword) : std::string_view();
    named = named || key == "assigned" || key == "updated" || is_op(argument.begin, '*') ||
            is_op(argument.begin, kOpOther);
    if (!argument.keyword) ++plain;
  }
  const std::size_t most = what.ends_with("wraps") ? 1 : 2;
  if (named || plain > most) reach(Capability::kIntrospection, token, what);
}

// unittest.main(): module, defaultTest and argv name what is imported and called.
void Analysis::test_main(std::uint32_t call, std::uint32_t token, std::string_view what) {
  tests_run_ = token;
  if (call == 0) {
    std::uint32_t target = 0;
    if (!alias_target(token, token, target)) report("python-text-as-code"_rule, token, what);
    return;
  }
  for (const Argument& argument : arguments(call)) {
    const std::string_view key = argument.keyword ? text(*argument.keyword) : "module";
    const bool names = key == "module" || key == "defaultTest" || key == "argv" ||
                       key == "testLoader" || is_op(argument.begin, kOpOther);
    if (!names) continue;
    const auto value = constant(argument.begin, argument.end);
    bool fine = value && *value == "__main__";
    if (key == "argv" && is_open(argument.begin, '[')) {
      fine = true;
      const Arguments items = arguments(argument.begin);
      for (std::size_t n = 0; n < items.size() && fine; ++n) {
        const auto item = constant(items[n].begin, items[n].end);
        const bool program = n == 0 && tokens_[items[n].begin].kind == TokenKind::kName;
        fine = program || (item && (n == 0 || item->starts_with('-')));
      }
    }
    if (!fine) report("python-text-as-code"_rule, token, what);
  }
}

// unittest.main() reads sys.argv: a program that writes there chooses what is called.
void Analysis::argv_use(std::uint32_t i) {
  std::uint32_t end = i + 1;
  if (is_open(end, '[')) end = tokens_[end].link + 1;
  const bool stored = is_op(end, '=') || is_op(end, kOpAugmented) ||
                      (is_op(end, '.') && (text(end + 1) == "append" || text(end + 1) == "extend" ||
                                           text(end + 1) == "insert"));
  if (stored) argv_written_ = i;
}

void Analysis::written_tests() {
  if (tests_run_ && argv_written_) report("python-text-as-code"_rule, *argv_written_, "sys.argv");
}

// Tcl runs programs: tk.call("exec", ...), evalfile(...).
void Analysis::tcl_use(std::uint32_t i) {
  if (!contains_module("tkinter") && !contains_module("turtle")) return;
  if (tokens_[i].name == kCall && is_open(i + 1, '(')) {
    const Arguments list = arguments(i + 1);
    const auto word = list.empty() ? std::nullopt : constant(list[0].begin, list[0].end);
    if (word && (*word == "wm" || *word == "tk" || *word == "ttk::style")) return;
  }
  reach(Capability::kProcessSpawn, i, text(i));
}

bool Analysis::contains_module(std::string_view module) const {
  return mentioned_first_.contains(module);
}

// A literal that tells what it is for wherever it stands.
void Analysis::telling_text(std::uint32_t i) {
  std::string_view body = text(i);
  const std::size_t quote = body.find_first_of("'\"");
  body.remove_prefix(std::min(quote + 1, body.size()));
  for (const std::string_view path : kTelling) {
    if (body.starts_with(path)) return reach(Capability::kFilesOutside, i, path);
  }
}

// Text that a library acts on: a module to draw with, a database to open beside the first.
void Analysis::told_text(std::uint32_t i) {
  const std::string_view body = text(i);
  if (body.substr(1).starts_with("module://")) return report("python-text-as-code"_rule, i, body);
  if (!sqlite_) return;
  std::string folded = decoded(tokens_[i]);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  const std::size_t attach = folded.find("attach");
  if (attach == std::string::npos) return;
  const std::size_t quote = folded.find_first_of("'\"", attach);
  if (quote == std::string::npos) return;
  path_text(std::string_view(folded).substr(quote + 1), true, i, "ATTACH");
}

void Analysis::sympy_text(std::uint32_t i) {
  if (!is_open(before(i), '(') && !is_op(before(i), ',') && !is_open(before(i), '[')) return;
  const std::string value = decoded(tokens_[i]);
  for (const std::string_view word : kCodeWords) {
    if (value.find(word) != std::string::npos)
      return report("python-text-as-code"_rule, i, "sympy");
  }
}

}  // namespace langsbx::languages::python
