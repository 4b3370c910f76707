// The byte-level checks. ASCII goes by 64 bytes at a time; only what stands out is looked at.
#include "languages/preflight.h"

#include <algorithm>
#include <array>
#include <string>

#include "languages/byte_blocks.h"
#include "languages/shared_rules.h"
#include "languages/unicode.h"

namespace langsbx::languages {
namespace {

// Where the first byte from `from` on stands that is NUL, CR or not ASCII.
std::size_t plain_run(std::string_view bytes, std::size_t from) {
  std::size_t i = from;
  for (; i + 4 * kBlock <= bytes.size(); i += 4 * kBlock) {
    const char* at = bytes.data() + i;
    const bool special = (Block(at).special() | Block(at + kBlock).special() |
                          Block(at + 2 * kBlock).special() | Block(at + 3 * kBlock).special()) != 0;
    if (special) break;
  }
  for (; i + kBlock <= bytes.size(); i += kBlock) {
    const std::size_t ahead = first_of(Block(bytes.data() + i).special());
    if (ahead < kBlock) return i + ahead;
  }
  while (i < bytes.size()) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if (byte == 0 || byte == '\r' || byte >= 0x80) break;
    ++i;
  }
  return i;
}

std::string_view binary_kind(std::string_view bytes) {
  using namespace std::string_view_literals;
  if (bytes.starts_with("\177ELF")) return "an ELF file";
  if (bytes.starts_with("PK\3\4") || bytes.starts_with("PK\5\6")) return "a zip archive";
  if (bytes.starts_with("\xCA\xFE\xBA\xBE")) return "a Java class file";
  // CPython bytecode: a 16-bit version, then CR LF.
  if (bytes.size() >= 4 && bytes.substr(2, 2) == "\r\n" &&
      static_cast<unsigned char>(bytes[1]) >= 0x0A && static_cast<unsigned char>(bytes[1]) < 0x20) {
    return "Python bytecode";
  }
  if (bytes.starts_with("\0asm"sv)) return "a WebAssembly module";
  // Python reads an archive from its end, so text may stand before it: look for the end record
  // where zipimport looks for it, the last 64 KiB and 22 bytes.
  constexpr std::size_t kTail = (1U << 16U) + 22;
  const std::string_view tail = bytes.substr(bytes.size() > kTail ? bytes.size() - kTail : 0);
  // By its rare half: text is full of 'P'.
  for (std::size_t at = tail.find("\5\6"sv); at != std::string_view::npos;
       at = tail.find("\5\6"sv, at + 1)) {
    if (at >= 2 && tail.substr(at - 2, 2) == "PK") return "text with a zip archive behind it";
  }
  return {};
}

bool is_cookie_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.';
}

bool is_harmless_codec(std::string_view name) {
  std::string folded;
  for (const char c : name.substr(0, 12)) {
    folded += c == '_' ? '-' : (c >= 'A' && c <= 'Z') ? static_cast<char>(c | 0x20) : c;
  }
  return folded == "utf-8" || folded == "utf8" || folded.starts_with("utf-8-") ||
         folded == "ascii" || folded == "us-ascii";
}

// PEP 263 as CPython reads it: the first "coding" with ':' or '=' and a name, in a line that holds
// nothing but a comment.
void check_cookie(std::string_view line, std::size_t line_offset, Findings& findings) {
  const std::size_t start = line.find_first_not_of(" \t\f");
  if (start == std::string_view::npos || line[start] != '#') return;
  for (std::size_t at = line.find("coding", start); at != std::string_view::npos;
       at = line.find("coding", at + 6)) {
    std::size_t name = at + 6;
    if (name >= line.size() || (line[name] != ':' && line[name] != '=')) continue;
    ++name;
    while (name < line.size() && (line[name] == ' ' || line[name] == '\t')) ++name;
    std::size_t end = name;
    while (end < line.size() && is_cookie_letter(line[end])) ++end;
    if (end == name) continue;
    const std::string_view codec = line.substr(name, end - name);
    if (!is_harmless_codec(codec)) {
      findings.add("source-coding-cookie"_rule, line_offset + name, codec.size(), codec);
    }
    return;
  }
}

void check_cookies(std::string_view bytes, Findings& findings) {
  std::size_t start = bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (int line = 0; line < 2 && start < bytes.size(); ++line) {
    const std::size_t end = std::min(bytes.find('\n', start), bytes.size());
    check_cookie(bytes.substr(start, end - start), start, findings);
    start = end + 1;
  }
}

// Looks at one byte that is not plain. Returns its length, or 0 when the rest is no text.
std::size_t check_special(std::string_view bytes, std::size_t at, const PreflightOptions& options,
                          Findings& findings) {
  if (bytes[at] == '\0') {
    findings.add("source-nul"_rule, at, 1, "");
    return 0;
  }
  if (bytes[at] == '\r') {
    if (options.bare_carriage_return && (at + 1 >= bytes.size() || bytes[at + 1] != '\n')) {
      findings.add("source-bare-cr"_rule, at, 1, "");
    }
    return 1;
  }
  const CodePoint point = decode_utf8(bytes, at);
  if (point.length == 0) {
    findings.add("source-invalid-utf8"_rule, at, 1, "");
    return 0;
  }
  if (is_bidi_control(point.value)) findings.add("source-bidi-control"_rule, at, point.length, "");
  if (point.value == 0xFEFF && at == 0 && options.byte_order_mark) {
    findings.add("source-byte-order-mark"_rule, at, point.length, "");
  }
  if (options.line_separators && (point.value == 0x2028 || point.value == 0x2029)) {
    findings.add("source-line-separator"_rule, at, point.length, "");
  }
  return point.length;
}

}  // namespace

bool preflight(const Source& source, const Policy& policy, const PreflightOptions& options,
               Findings& findings) {
  const std::string_view bytes = source.bytes;
  if (bytes.size() > policy.max_bytes) {
    findings.add("source-too-large"_rule, 0, 0, std::to_string(policy.max_bytes));
    return false;
  }
  if (const std::string_view kind = binary_kind(bytes); !kind.empty()) {
    findings.add("source-binary"_rule, 0, 0, kind);
    return false;
  }
  if (options.coding_cookie) check_cookies(bytes, findings);
  for (std::size_t at = plain_run(bytes, 0); at < bytes.size(); at = plain_run(bytes, at)) {
    if (bytes[at] == '\r' && at + 1 < bytes.size() && bytes[at + 1] == '\n') {
      at += 2;
      continue;
    }
    const std::size_t length = check_special(bytes, at, options, findings);
    if (length == 0) return false;
    at += length;
  }
  return true;
}

void check_identifier(std::string_view identifier, std::size_t offset, Findings& findings) {
  if (identifier_problem(identifier) == IdentifierProblem::kNone) return;
  findings.add("identifier-disguised"_rule, offset, identifier.size(), identifier);
}

}  // namespace langsbx::languages
