// Members of modules, judged by what they do and, for files and variables, by what they name.
#include <algorithm>

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

constexpr auto kDevices = text_list("/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr",
                                    "/dev/urandom", "/dev/random", "/dev/zero", "/dev/full");

const Rule& rule_for(Capability capability) {
  switch (capability) {
    case Capability::kProcessSpawn:
      return "python-process"_rule;
    case Capability::kNetworkConnect:
    case Capability::kNetworkListen:
      return "python-network"_rule;
    case Capability::kFilesRead:
    case Capability::kFilesWrite:
    case Capability::kFilesDelete:
      return "python-file-access"_rule;
    case Capability::kFilesOutside:
      return "python-outside-path"_rule;
    case Capability::kDynamicCode:
      return "python-dynamic-code"_rule;
    case Capability::kIntrospection:
      return "python-introspection"_rule;
    case Capability::kDeserialise:
      return "python-deserialise"_rule;
    case Capability::kEnvironment:
    case Capability::kSecrets:
      return "python-environment"_rule;
    default:
      return "python-blocked-function"_rule;
  }
}

// Whether `path` is `prefix` or below it.
bool is_below(std::string_view path, std::string_view prefix) {
  while (prefix.size() > 1 && prefix.ends_with('/')) prefix.remove_suffix(1);
  if (!path.starts_with(prefix)) return false;
  return path.size() == prefix.size() || prefix == "/" || path[prefix.size()] == '/';
}

bool climbs(std::string_view path) {
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (path.substr(start, end - start) == "..") return true;
    start = end + 1;
  }
  return false;
}

bool is_mode(std::string_view text) {
  return !text.empty() && text.size() <= 4 &&
         text.find_first_not_of("rwabxtU+") == std::string_view::npos;
}

bool looks_secret(std::string_view name) {
  std::string upper(name);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  for (const std::string_view word :
       {"KEY", "TOKEN", "SECRET", "PASS", "CRED", "PRIVATE", "AUTH", "COOKIE", "SESSION"}) {
    if (upper.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

void Analysis::reach(Capability capability, std::uint32_t token, std::string_view what) {
  report(rule_for(capability), capability, token, what);
}

void Analysis::use_member(std::string_view module, std::string_view member, std::uint32_t token) {
  const std::string full =
      module.empty() ? std::string(member) : std::string(module) + "." + std::string(member);
  if (policy_.functions_blocked.contains(full)) {
    return report("python-blocked-function"_rule, Capability::kNone, token, full);
  }
  if (policy_.functions_allowed.contains(full)) return;
  const std::optional<MemberInfo> info = find_member(module, member);
  if (!info) return;
  const std::uint32_t call = is_open(token + 1, '(') ? token + 1 : 0;
  if (naming_member(*info, token, call, intern(full))) return;
  switch (info->use) {
    case MemberUse::kSafe:
      return;
    case MemberUse::kPlain:
      return reach(info->capability, token, full);
    case MemberUse::kEnvironment:
      return environment(member, token);
    case MemberUse::kCodeText:
      timed_until_ = call != 0 ? tokens_[call].link : timed_until_;
      return code_text(call, token, intern(full));
    case MemberUse::kAttributeText:
      return attribute_text(call, token);
    case MemberUse::kOpen:
      return open_use(token, call, intern(full));
    default:
      return file_members(*info, token, full);
  }
}

void Analysis::file_members(const MemberInfo& info, std::uint32_t token, std::string_view what) {
  const std::uint32_t call = is_open(token + 1, '(') ? token + 1 : 0;
  const bool tree = info.use == MemberUse::kTree;
  if (info.capability != Capability::kNone && info.use != MemberUse::kPickle) {
    reach(info.capability, token, what);
  }
  if (call == 0) {
    // As a decorator argument, a base class, an annotation it does nothing by itself.
    if (tree) reach(Capability::kFilesOutside, token, what);
    if (info.use == MemberUse::kPickle) reach(Capability::kDeserialise, token, what);
    return;
  }
  const Arguments list = arguments(call);
  if (info.use == MemberUse::kTwoPaths && list.size() > 1) {
    code_file(list[1].begin, list[1].end, token);
  }
  if (info.use == MemberUse::kPathOnly) code_name(call + 1, tokens_[call].link, token);
  if (info.use == MemberUse::kPath && info.capability == Capability::kFilesWrite && !list.empty()) {
    code_file(list[0].begin, list[0].end, token);
  }
  std::size_t paths = info.use == MemberUse::kTwoPaths ? 2 : 1;
  if (info.use == MemberUse::kPathOnly) paths = list.size();
  if (tree && list.empty()) reach(Capability::kFilesOutside, token, what);
  for (const Argument& argument : list) {
    if (is_op(argument.begin, kOpOther)) {  // **table
      if (paths > 0 && info.use != MemberUse::kPathOnly) path_in_table(argument, token, what);
      if (info.use == MemberUse::kPickle) reach(info.capability, token, what);
      continue;
    }
    const bool named_path =
        argument.keyword && (info.use == MemberUse::kTwoPaths ||
                             (text(*argument.keyword).find("path") != std::string_view::npos &&
                              text(*argument.keyword) != "xpath") ||
                             text(*argument.keyword).find("dir") != std::string_view::npos ||
                             text(*argument.keyword).find("file") != std::string_view::npos);
    if (named_path || (!argument.keyword && paths > 0)) {
      path_argument(argument, token, tree, what);
      if (paths > 0) --paths;
    }
    if (info.use == MemberUse::kPickle && argument.keyword &&
        text(*argument.keyword) == "allow_pickle" && !is_name(argument.begin, kFalse)) {
      reach(info.capability, token, what);
    }
  }
}

// open(path, mode), Path.open(mode), gzip.open(path, mode), io.FileIO(path, mode).
void Analysis::open_use(std::uint32_t token, std::uint32_t call, std::string_view what) {
  const bool method = what == ".open";
  if (call == 0) {
    std::uint32_t target = 0;
    if (method || (!source_.included && alias_target(token, token, target))) return;
    // Handed around it opens any path with any mode.
    return reach(Capability::kFilesOutside, token, what);
  }
  bool unknown_mode = false;
  std::optional<Argument> path;
  std::string mode = "r";
  std::size_t position = 0;
  for (const Argument& argument : arguments(call)) {
    if (is_op(argument.begin, kOpOther)) {  // **table
      unknown_mode = true;
      if (!path && !method) path_in_table(argument, token, what);
      path = argument;
      continue;
    }
    const bool named_mode = argument.keyword && text(*argument.keyword) == "mode";
    const std::optional<std::string> value = constant(argument.begin, argument.end);
    const bool first_is_mode = method && position == 0 && value && is_mode(*value);
    if (named_mode || (!argument.keyword && (position == 1 || first_is_mode))) {
      unknown_mode = !value;
      if (value) mode = *value;
    } else if (!argument.keyword
                   ? position == 0
                   : text(*argument.keyword) == "file" ||
                         text(*argument.keyword).find("name") != std::string_view::npos) {
      path_argument(argument, token, false, what);
      path = argument;
    }
    ++position;
  }
  const bool writes = unknown_mode || mode.find_first_of("wax+") != std::string::npos;
  if (!writes || unknown_mode || mode.find('+') != std::string::npos) {
    reach(Capability::kFilesRead, token, what);
  }
  if (!writes) return;
  reach(Capability::kFilesWrite, token, what);
  path_written_ = path_written_ || method;
  if (path && !unknown_mode) code_file(path->begin, path->end, token);
  if (path && !unseen_written_ && shows_nothing(path->begin, path->end)) unseen_written_ = token;
}

// Looks at what can be seen of a path expression: its literal pieces and the constants it names.
// An expression that shows nothing passes: what it gives at run time is the kernel's to bound.
void Analysis::path_argument(const Argument& argument, std::uint32_t token, bool tree,
                             std::string_view what) {
  if (tree) {
    const std::optional<std::string> whole = constant(argument.begin, argument.end);
    const bool named = whole && whole->find_first_not_of("./") != std::string::npos;
    if (!named) return reach(Capability::kFilesOutside, token, what);
  }
  const std::size_t found = findings_.count();
  for (std::uint32_t i = argument.begin; i < argument.end; ++i, ++steps_) {
    const Token& piece = tokens_[i];
    const bool start = i == argument.begin || tokens_[i - 1].kind == TokenKind::kOpen ||
                       is_op(i - 1, ',') || is_op(i - 1, '=') || is_op(i - 1, '/') ||
                       is_op(i - 1, '%');
    if (piece.kind == TokenKind::kString) {
      path_text(decoded(piece), start, token, what);
      path_judged_ = std::max(path_judged_, i);
    } else if (piece.kind == TokenKind::kFString && tokens_[i + 1].kind == TokenKind::kFText) {
      path_text(text(i + 1), start, token, what);
    } else if (piece.kind == TokenKind::kFText) {
      path_text(text(i), false, token, what);
    } else if (piece.kind == TokenKind::kName && piece.name == 0 && start && !is_op(i + 1, '.') &&
               !is_open(i + 1, '(')) {
      for (const std::string& value : some_texts(i)) path_text(value, true, token, what);
    }
  }
  if (findings_.count() == found) path_put_together(argument, token, what);
}

void Analysis::path_text(std::string_view path, bool at_start, std::uint32_t token,
                         std::string_view what) {
  if (at_start && path.starts_with("file:")) path.remove_prefix(5);
  if (at_start && path.find("://") != std::string_view::npos) {
    return reach(Capability::kNetworkConnect, token, what);
  }
  const std::string detail = std::string(what) + " " + std::string(path.substr(0, 60));
  if (climbs(path)) return reach(Capability::kFilesOutside, token, detail);
  if (!at_start || path.empty()) return;
  if (path == "~" || (path.starts_with("~/") && path[2] != '.')) return;  // the work directory
  if (path[0] == '~') return reach(Capability::kFilesOutside, token, detail);
  if (path[0] != '/') return;
  if (kDevices.contains(path)) return;
  for (const auto* list : {&policy_.paths_read, &policy_.paths_write}) {
    for (const std::string& prefix : *list) {
      if (is_below(path, prefix)) return;
    }
  }
  reach(Capability::kFilesOutside, token, detail);
}

// One variable asked for by a literal name is an ordinary thing; the whole environment, a computed
// name, or a name that speaks of secrets is not.
void Analysis::environment(std::string_view member, std::uint32_t token) {
  if (is_open(token + 1, '(') && member.starts_with("getenv")) {
    const Arguments list = arguments(token + 1);
    if (!list.empty()) return environment_name(list[0].begin, list[0].end, token);
  } else if (is_open(token + 1, '[')) {
    const std::uint32_t close = tokens_[token + 1].link;
    // Where programs and libraries are looked for is nothing a program has to change.
    const auto name = constant(token + 2, close);
    const bool stored = is_op(close + 1, '=') || is_op(close + 1, kOpAugmented);
    if (stored && name && *name == "PATH") reach(Capability::kEnvironment, token, *name);
    return environment_name(token + 2, close, token);
  } else if (is_op(token + 1, '.') && is_open(token + 3, '(') &&
             (text(token + 2) == "get" || text(token + 2) == "setdefault" ||
              text(token + 2) == "pop")) {
    const Arguments list = arguments(token + 3);
    if (!list.empty()) return environment_name(list[0].begin, list[0].end, token);
  } else if (tokens_[token + 1].kind != TokenKind::kOpen && !is_op(token + 1, '.')) {
    // `"NAME" in os.environ`
    const std::uint32_t root = token >= 2 && is_op(token - 1, '.') ? token - 2 : token;
    if (is_name(before(root), kIn) && root >= 2 && tokens_[root - 2].kind == TokenKind::kString) {
      return environment_name(root - 2, root - 1, token);
    }
    if (is_name(before(root), kIn) && root >= 3 && is_name(root - 2, kNot)) {
      return environment_name(root - 3, root - 2, token);
    }
  }
  reach(Capability::kEnvironment, token, member);
}

void Analysis::environment_name(std::uint32_t begin, std::uint32_t end, std::uint32_t token) {
  const std::optional<std::string> name = constant(begin, end);
  if (!name) return reach(Capability::kEnvironment, token, "a computed name");
  if (looks_secret(*name)) reach(Capability::kSecrets, token, *name);
  // Variables that decide what is loaded next.
  for (const std::string_view prefix : {"PYTHON", "_PYTHON", "LD_", "MPLBACKEND", "BROWSER"}) {
    if (name->starts_with(prefix)) reach(Capability::kEnvironment, token, *name);
  }
}

}  // namespace langsbx::languages::python
