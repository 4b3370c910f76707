// Inner parts of library modules: private members, methods that wrap getattr, exec or open, stores
// that change what a module does, annotations that a library runs as code.
#include <algorithm>
#include <bitset>
#include <unordered_map>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "languages/python/wrapper_table.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

// Private by their name only: what named tuples, enumerations, argparse, threads and plots are
// asked for in ordinary programs.
constexpr auto kOrdinaryPrivates = text_list(
    "_replace", "_asdict", "_fields", "_make", "_field_defaults", "_exit", "_name_", "_value_",
    "_missing_", "_generate_next_value_", "_member_map_", "_member_names_", "_value2member_map_",
    "_ignore_", "_order_", "_get_kwargs", "_get_args", "_actions", "_action_groups", "_optionals",
    "_positionals", "_subparsers", "_choices_actions", "_option_string_actions", "_MEIPASS",
    "_legend", "_repr_html_", "_repr_png_", "_repr_svg_", "_repr_latex_", "_fields_", "_root", "_C",
    "_SubParsersAction", "_HelpAction", "_StoreAction", "_meta", "_id", "_axes", "_A3DPatch",
    "_facecolors3d", "_edgecolors3d", "_facecolor3d", "_edgecolor3d", "_get_lines", "_h", "_n");

// What programs set in modules of the library, and what that changes is theirs or harmless.
constexpr auto kOrdinaryStores = text_list(
    "sys.stdout", "sys.stderr", "sys.stdin", "sys.argv", "sys.ps1", "sys.ps2", "sys.excepthook",
    "sys.tracebacklimit", "sys.dont_write_bytecode", "sys.exitfunc", "sys.maxint", "sys.last_value",
    "logging.raiseExceptions", "logging.lastResort", "logging.logThreads", "warnings.showwarning",
    "warnings.formatwarning", "warnings.filters", "threading.excepthook", "time.time", "time.sleep",
    "random.random", "random.randint", "random.choice", "json.encoder.FLOAT_REPR", "socket.timeout",
    "string.letters", "string.maketrans", "math.inf", "collections.Iterable", "collections.Mapping",
    "collections.MutableMapping", "collections.Callable", "collections.Sequence", "itertools.izip",
    "itertools.imap", "fractions.gcd", "decimal.prec", "doctest.OutputChecker", "time.clock",
    "turtle.hideturtle", "os.linesep");

constexpr auto kAnnotationReaders =
    text_list("dataclasses", "attr", "attrs", "pydantic", "functools", "typing",
              "typing_extensions", "typeguard", "msgspec", "cattr", "cattrs", "beartype");
// These run annotations that are text.
constexpr auto kAnnotationRunners =
    text_list("attr", "attrs", "pydantic", "functools", "typing", "typing_extensions", "typeguard",
              "msgspec", "cattr", "cattrs", "beartype");

}  // namespace

// What can only be asked when the whole file is known.
void Analysis::library_parts() {
  unseen_names();
  foreign_privates();
  node_fields();
  library_methods();
}

// x._name: judged when all names are known that the file gives itself.
void Analysis::private_member(std::uint32_t i) {
  const std::uint32_t receiver = i - 2;
  const bool super = tokens_[receiver].kind == TokenKind::kClose &&
                     is_name(before(tokens_[receiver].link), kSuper);
  if (super || is_name(receiver, kSelf) || is_name(receiver, kCls)) return;
  if (kOrdinaryPrivates.contains(text(i))) return;
  privates_.push_back(i);
}

// A private member of what the file did not make: the inside of a library's object.
void Analysis::foreign_privates() {
  if (privates_.empty() || foreign_imports_ || source_.included) return;
  Names own;
  for (std::uint32_t i = 0; i + 1 < tokens_.size(); ++i, ++steps_) {
    const Token& token = tokens_[i];
    if (token.kind == TokenKind::kString && token.length < 64 && token.length > 3) {
      const std::string_view literal = text(i);
      if (literal[1] == '_') own.insert(literal.substr(1, literal.size() - 2));
    }
    if (token.kind != TokenKind::kName || (token.op & kMarkUnderscore) == 0) continue;
    const bool read = i > 0 && is_op(i - 1, '.') && !member_stored_here(i);
    if (!read) own.insert(text(i));
  }
  for (const std::uint32_t i : privates_) {
    if (!own.contains(text(i))) report("python-private-member"_rule, i, text(i));
  }
}

// ast.iter_fields and its kin call getattr with each name in _fields and _attributes, of any
// object: what those hold has to be spelt out.
void Analysis::node_fields() {
  if (!mentioned_first_.contains("ast")) return;
  for (std::uint32_t i = 0; i + 1 < tokens_.size(); ++i, ++steps_) {
    const Token& token = tokens_[i];
    const bool literal = token.kind == TokenKind::kString && token.length < 32;
    const bool name = token.kind == TokenKind::kName && (token.op & kMarkUnderscore) != 0;
    if (!literal && !name) continue;
    const std::string value = literal ? decoded(token) : std::string(text(i));
    if (value != "_fields" && value != "_attributes") continue;
    const bool read = name && i > 0 && is_op(i - 1, '.') && !member_stored_here(i);
    const bool spelt = name && is_op(i + 1, '=') && is_list_of_texts(i + 2);
    if (!read && !spelt) report("python-special-name"_rule, i, value);
  }
}

// ("left", "right"), ["left"], (): texts, and nothing between them but commas.
bool Analysis::is_list_of_texts(std::uint32_t open) const {
  if (open >= tokens_.size() || tokens_[open].kind != TokenKind::kOpen) return false;
  const std::uint32_t close = tokens_[open].link;
  for (std::uint32_t i = open + 1; i < close; ++i, ++steps_) {
    const bool behind = is_op(i - 1, ',') || i == open + 1;
    if (tokens_[i].kind == TokenKind::kString ? !behind : !is_op(i, ',')) return false;
  }
  return tokens_[close + 1].kind == TokenKind::kNewline || is_op(close + 1, ';');
}

// `x._name = 1`, `x._name: int`, `x._name += 1`, `x._a, x._b = ...`
bool Analysis::member_stored_here(std::uint32_t i) const {
  if (is_op(i + 1, '=') || is_op(i + 1, kOpAugmented)) return true;
  if (!is_op(i + 1, ',') && !is_op(i + 1, ':')) return false;
  constexpr std::uint32_t kFarthest = 32;
  for (std::uint32_t k = i + 1; k < i + kFarthest && k + 1 < tokens_.size(); ++k, ++steps_) {
    if (tokens_[k].kind == TokenKind::kNewline || tokens_[k].kind == TokenKind::kClose)
      return false;
    if (tokens_[k].kind == TokenKind::kOpen) k = tokens_[k].link;
    if (is_op(k, '=')) return true;
  }
  return false;
}

// Methods of the library that hand their arguments to what the rules close: asked for by name in
// files that import the library they are of.
void Analysis::library_methods() {
  std::unordered_map<std::string_view, Capability> closed;
  std::bitset<1024> hashes;
  for (std::size_t row = 0; row < kWrapperMethods.size(); ++row) {
    const MemberGroup& group = kWrapperMethods[row];
    if (!mentioned_first_.contains(group.module)) continue;
    std::string_view rest = group.members;
    while (rest.size() > 1) {
      const std::size_t end = rest.find(' ', 1);
      const std::string_view name = rest.substr(1, end - 1);
      closed.emplace(name, group.capability);
      hashes.set(hash_name(name) % 1024);
      rest.remove_prefix(end);
    }
  }
  const bool argparse = mentioned_first_.contains("argparse");
  const bool pathlib = mentioned_first_.contains("pathlib");
  if (pathlib) climbing_paths();
  if (argparse) hashes.set(hash_name("fromfile_prefix_chars") % 1024);
  if (closed.empty() && !argparse) return;
  steps_ += tokens_.size();
  for (std::uint32_t i = 2; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::kName || !hashes.test(tokens_[i].link % 1024)) continue;
    if (argparse && is_op(i + 1, '=') && text(i) == "fromfile_prefix_chars" &&
        !is_name(i + 2, kNoneName)) {
      reach(Capability::kFilesOutside, i, text(i));  // arguments that name files to read
    }
    if (!is_op(i - 1, '.') || is_op(i + 1, '=')) continue;
    const auto found = closed.find(text(i));
    if (found == closed.end()) continue;
    const bool self = is_name(i - 2, kSelf) || is_name(i - 2, kCls);
    if (self && defines(text(i))) continue;
    reach(found->second, i, text(i));
  }
}

// p = p.parent, again and again from an absolute path, ends at the root.
void Analysis::climbing_paths() {
  bool absolute = false;
  std::uint32_t climbs = 0;
  steps_ += tokens_.size();
  for (std::uint32_t i = 4; i + 1 < tokens_.size(); ++i) {
    if (tokens_[i].kind != TokenKind::kName || !is_op(i - 1, '.')) continue;
    const std::string_view name = text(i);
    absolute = absolute || name == "cwd" || name == "absolute" || name == "resolve";
    const bool climb = name == "parent" && is_op(i - 3, '=') && statement_start(i - 4) &&
                       text(i - 4) == text(i - 2);
    if (climb) climbs = i;
  }
  if (absolute && climbs != 0) reach(Capability::kFilesOutside, climbs, "a path's parents in turn");
}

// Whether the file has a function of this name.
bool Analysis::defines(std::string_view name) const {
  for (std::uint32_t i = 1; i < tokens_.size(); ++i, ++steps_) {
    if (is_name(i - 1, kDef) && text(i) == name) return true;
  }
  return false;
}

// timeit.reindent = f, tempfile.tempdir = "/x": other functions of the module do other things then.
bool Analysis::stored_in_module(std::uint32_t first, std::uint32_t at, std::string_view module,
                                std::string_view member) {
  const std::uint32_t last = before(first);
  bool stored = is_op(at + 1, '=') || is_op(at + 1, kOpAugmented) || is_name(last, kDel) ||
                is_name(last, kFor) || is_name(last, kAs) ||
                (is_op(at + 1, ':') && statement_start(first) && !is_op(last, ':'));
  if (!stored && statement_start(first) && is_op(at + 1, ',')) stored = member_stored_here(at);
  const bool bracket = tokens_[last].kind == TokenKind::kOpen || is_op(last, ',');
  if (!stored && bracket) stored = closes_target(at);
  if (!stored || third_party(module) || is_annotation(first)) return false;
  const std::string full = std::string(module) + "." + std::string(member);
  if (kOrdinaryStores.contains(full)) return false;
  report("python-library-store"_rule, at, intern(full));
  return true;
}

// `name: m.x = 1`, `self.name: m.x = 1`; behind `if x:` it is a statement.
bool Analysis::is_annotation(std::uint32_t first) const {
  if (!is_op(before(first), ':')) return false;
  std::uint32_t name = before(first) - 1;
  while (name >= 2 && tokens_[name].kind == TokenKind::kName && is_op(name - 1, '.')) name -= 2;
  return plain_name(name) &&
         (name == 0 || tokens_[name - 1].kind == TokenKind::kNewline || is_op(name - 1, ';'));
}

// `(a, m.x) = ...`, `for a, m.x in ...`: the bracket or the list around is given values.
bool Analysis::closes_target(std::uint32_t at) const {
  constexpr std::uint32_t kFarthest = 32;
  bool left = false;
  for (std::uint32_t k = at + 1; k < at + kFarthest && k + 1 < tokens_.size(); ++k, ++steps_) {
    if (tokens_[k].kind == TokenKind::kNewline) return false;
    if (tokens_[k].kind == TokenKind::kOpen) k = tokens_[k].link;
    if (tokens_[k].kind == TokenKind::kClose) {
      const std::uint32_t open = tokens_[k].link;
      if (!statement_start(open) && !is_op(before(open), ',') && !is_name(before(open), kFor) &&
          tokens_[before(open)].kind != TokenKind::kOpen) {
        return false;
      }
      left = true;
    }
    if (is_op(k, '=') && left) return true;
    if (is_name(k, kIn) && left) return true;
  }
  return false;
}

// __annotations__ written by hand: its names become code that a library makes.
void Analysis::annotations_use(std::uint32_t i) {
  const bool reads =
      std::any_of(mentioned_first_.begin(), mentioned_first_.end(),
                  [](std::string_view name) { return kAnnotationReaders.contains(name); });
  if (!reads && !foreign_imports_) return;
  const std::uint32_t next = i + 1;
  if (is_op(next, '.')) {
    const std::string_view method = text(next + 1);
    if (method == "items" || method == "keys" || method == "values" || method == "get") return;
  } else if (is_open(next, '[')) {
    const std::uint32_t close = tokens_[next].link;
    if (!is_op(close + 1, '=') && !is_op(close + 1, kOpAugmented)) return;
  } else if (i > 0 && is_op(i - 1, '.') && !is_op(next, '=') && !is_op(next, kOpAugmented) &&
             !is_op(before(i - 2), '=')) {
    return;
  }
  report("python-text-as-code"_rule, i, text(i));
}

// def f(x: "code"), x: "code" = 0, -> "code": text that these libraries evaluate.
void Analysis::annotation_text(std::uint32_t i) {
  if (!annotation_runners_) {
    annotation_runners_ =
        std::any_of(mentioned_first_.begin(), mentioned_first_.end(),
                    [](std::string_view name) { return kAnnotationRunners.contains(name); });
  }
  if (!*annotation_runners_) return;
  const std::uint32_t last = before(i);
  const bool place = is_op(last, ':') || is_op(last, kOpArrow) || is_open(last, '[');
  if (!place) return;
  const std::string value = decoded(tokens_[i]);
  const bool runs = value.find('(') != std::string::npos || value.find("__") != std::string::npos;
  if (!runs || value.size() > 200) return;
  // A key's value in a dictionary, a subscript of data: what is behind it tells.
  const bool entry = is_op(i + 1, ',') || tokens_[i + 1].kind == TokenKind::kClose;
  if (is_op(last, ':') && entry && parameters_ == 0) return;
  if (is_op(last, ':') && entry &&
      !(tokens_[parameters_].kind == TokenKind::kOpen && i < tokens_[parameters_].link)) {
    return;
  }
  if (is_open(last, '[') && !is_op(before(before(last)), ':') &&
      !is_op(before(before(last)), kOpArrow)) {
    return;
  }
  judge_code(value, i);
}

}  // namespace langsbx::languages::python
