// One pass over the tokens of a Go source.
#include "languages/go/judge.h"

#include <array>

#include "languages/go/rules.h"
#include "languages/scanner/judging.h"
#include "languages/scanner/literal_text.h"
#include "languages/work_area.h"

namespace langsbx::languages::go {
namespace {

using scanner::report;
using scanner::Token;
using scanner::TokenKind;

constexpr scanner::WordFilter kReflected{
    std::to_array<std::string_view>({"UnsafeAddr", "UnsafePointer", "MethodByName"})};
constexpr scanner::WordFilter kMeaningfulWords{
    std::to_array<std::string_view>({"UnsafeAddr", "UnsafePointer", "MethodByName", "go"})};

}  // namespace

void judge_source(const Source& source, const Policy& policy, Findings& findings) {
  const scanner::Scan scan =
      scanner::scan(source.bytes, scanner::kGo, policy.max_nesting, kMeaningfulWords);
  scanner::report_common(scan, "go-syntax"_rule, policy, findings);
  scanner::report_blocked_names(scan, "go-blocked-function"_rule, policy, findings);
  Judge(scan, policy, findings).run();
}

void Judge::run() {
  comments();
  const std::size_t start = imports();
  bodyless_functions(start);
  if (reflects_) reflected_members(start);
  std::size_t next = start;
  for (const std::uint32_t mark : scan_.marks) {
    if (mark < next) continue;
    const Token& token = scan_.tokens[mark];
    if (token.kind == TokenKind::kIdentifier) {
      if (token.length == 2 && scan_.text(token) == "go") {  // a keyword, and nothing else
        report(findings_, "go-blocked-function"_rule, Capability::kThreads, token, "go");
      }
      if (implied_) implied_package(mark);
      if (!package_words_.may_hold(token.symbol)) continue;
      if (findings_.full()) return;
      if (!scan_.at(mark + 1).is('.') || scan_.at(mark - 1).is('.')) continue;
      const auto package = packages_.find(scan_.text(token));
      if (package == packages_.end()) continue;
      if (!implied_ || !is_variable(package->first)) member(mark + 2, package->second);
    } else if (token.is_literal_text()) {
      std::size_t i = mark;
      string(i);
      next = i + 1;
    }
  }
}

void Judge::reflected_members(std::size_t from) {
  for (const std::uint32_t i : scan_.marks) {
    if (i < from || !kReflected.may_hold(scan_.tokens[i].symbol) || !scan_.at(i - 1).is('.')) {
      continue;
    }
    const std::string_view name = scan_.text(i);
    if (name == "UnsafeAddr" || name == "UnsafePointer" || name == "MethodByName") {
      report(findings_, "go-blocked-function"_rule, Capability::kIntrospection, scan_.at(i), name);
    }
  }
}

void Judge::member(std::size_t at, const std::string& path) {
  const std::string_view name = scan_.text(at);
  const std::string full = path + "." + std::string(name);
  if (policy_.functions_blocked.contains(full)) {
    report(findings_, "go-blocked-function"_rule, Capability::kNone, scan_.at(at), full);
  }
  const Member* found = find_member(path, name);
  if (found == nullptr) return;
  if (policy_.functions_allowed.contains(full)) return;
  if (full == "os.NewFile" && !opens_a_stream(at + 1)) {
    report(findings_, "go-path-outside"_rule, scan_.at(at), "a descriptor by its number");
  }
  report(findings_, "go-blocked-function"_rule, found->capability, scan_.at(at), full);
  // A tree is deleted where its path can be seen.
  if (full == "os.RemoveAll" && !scan_.at(at + 1).is('(')) {
    report(findings_, "go-path-outside"_rule, scan_.at(at), "os.RemoveAll as a value");
  }
  if (found->paths > 0 && scan_.at(at + 1).is('(')) paths(at + 1, *found);
}

// os.NewFile(0, ...) up to 2, also uintptr(0): the standard streams.
bool Judge::opens_a_stream(std::size_t open) const {
  if (!scan_.at(open).is('(')) return false;
  const bool converted = scan_.is_name(open + 1, "uintptr") && scan_.at(open + 2).is('(');
  const std::size_t number = converted ? open + 3 : open + 1;
  const std::size_t behind = converted ? number + 2 : number + 1;
  if (converted && !scan_.at(number + 1).is(')')) return false;
  const std::string_view text = scan_.text(number);
  return scan_.at(behind).is(',') && (text == "0" || text == "1" || text == "2");
}

void Judge::paths(std::size_t open, const Member& found) {
  std::size_t at = open + 1;
  for (int i = 0; i < found.paths; ++i) {
    std::size_t next = at;
    const auto text = path_text(at, next);
    if (text && place_of_path(*text, policy_, found.capability != Capability::kFilesRead) ==
                    PathPlace::kOutside) {
      // Reading through OpenFile counts as writing; a readable directory is still no place to
      // write.
      report(findings_, "go-path-outside"_rule, scan_.at(at), *text);
    }
    if (!scan_.at(next).is(',')) {
      if (text || !scan_.at(next + 1).is(',')) return;
      ++next;
    }
    at = next + 1;
  }
}

// A sum, filepath.Join("/", "etc"), path.Join(...) or the format of fmt.Sprintf("/%s", x).
std::optional<std::string> Judge::path_text(std::size_t at, std::size_t& next) const {
  const bool call = scan_.at(at).kind == TokenKind::kIdentifier && scan_.at(at + 1).is('.') &&
                    scan_.at(at + 3).is('(');
  if (!call) return sum(at, next);
  next = at;
  const std::string_view name = scan_.text(at + 2);
  if (name != "Join" && name != "Sprintf") return std::nullopt;
  std::size_t part = at + 4;
  const bool list = scan_.at(part).is('[');  // strings.Join([]string{"", "etc"}, "/")
  if (list) part += 4;
  std::string path;
  for (std::size_t parts = 0; parts < 16; ++parts) {
    std::size_t end = part;
    const auto text = sum(part, end);
    if (!text) break;
    if (parts > 0) path += '/';
    path += *text;
    if (name == "Sprintf" || !scan_.at(end).is(',')) break;
    part = end + 1;
  }
  if (path.empty()) return std::nullopt;
  const std::size_t end = scanner::after_bracket(scan_, at + 3, 256);
  if (end != 0) next = end;
  return path;
}

std::optional<std::string> Judge::sum(std::size_t at, std::size_t& next) const {
  std::string joined;
  bool any = false;
  next = at;
  while (scan_.at(next).is_literal_text()) {
    const auto part = scanner::literal_text(scan_, scan_.at(next), scanner::kGo);
    if (part) joined += *part;
    any = true;
    ++next;
    if (!scan_.at(next).is('+') || !scan_.at(next + 1).is_literal_text()) break;
    ++next;
  }
  if (!any) return std::nullopt;
  return joined;
}

void Judge::string(std::size_t& at) {
  const std::size_t first = at;
  std::size_t next = first + 1;
  const Token& token = scan_.at(first);
  const std::string_view text = scan_.text(token);
  const bool path = text.size() > 1 && scanner::may_be_system_path(text.substr(1));
  if (!token.has(scanner::kEscaped) && !scan_.at(next).is('+') && !path) return;
  const auto joined = sum(first, next);
  if (joined && scanner::names_system_path(*joined, policy_)) {
    report(findings_, "go-path-outside"_rule, token, *joined);
  }
  at = next - 1;
}

}  // namespace langsbx::languages::go
