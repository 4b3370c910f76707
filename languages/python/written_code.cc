// Files that an import or the interpreter's start would run: a program that writes one adds code
// that nobody judged.

#include "languages/python/analysis.h"
#include "languages/python/rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages::python {
namespace {

constexpr auto kEndings = text_list("py", "pyw", "pyc", "pyo", "pyd", "pth", "so");

bool is_ending(std::string_view text) { return kEndings.contains(text); }

// Whether ".py" or one of its kin stands in `name` where no longer ending does.
bool names_code(std::string_view name) {
  std::string folded(name);
  for (char& c : folded) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  for (std::size_t dot = folded.find('.'); dot != std::string::npos;
       dot = folded.find('.', dot + 1)) {
    std::size_t end = dot + 1;
    while (end < folded.size() && folded[end] >= 'a' && folded[end] <= 'z') ++end;
    if (is_ending(std::string_view(folded).substr(dot + 1, end - dot - 1))) return true;
  }
  return false;
}

}  // namespace

// Whether what can be seen of [begin, end) spells such a name: each piece, and all of them joined.
bool Analysis::shows_code_name(std::uint32_t begin, std::uint32_t end) {
  std::string joined;
  for (std::uint32_t i = begin; i < end; ++i, ++steps_) {
    const Token& piece = tokens_[i];
    std::string value;
    if (piece.kind == TokenKind::kString) {
      value = decoded(piece);
    } else if (piece.kind == TokenKind::kFText) {
      value = text(i);
    } else if (piece.kind == TokenKind::kName && piece.name == 0 && !is_op(i + 1, '.') &&
               !is_open(i + 1, '(')) {
      const std::vector<std::string>& values = some_texts(i);
      for (const std::string& one : values) {
        if (names_code(one)) return true;
      }
      if (!values.empty()) value = values.back();
    }
    // ".".join(["helper", "py"]), ("helper", ".p" + "y")
    if (names_code(value) || is_ending(value)) return true;
    joined += value;
    if (joined.size() > 4096) return true;
  }
  return names_code(joined);
}

// A variable or a call of which no literal can be seen.
bool Analysis::shows_nothing(std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; ++i, ++steps_) {
    const Token& piece = tokens_[i];
    if (piece.kind == TokenKind::kString || piece.kind == TokenKind::kFText) return false;
    const bool plain = piece.kind == TokenKind::kName && piece.name == 0 && !is_open(i + 1, '(');
    if (plain && !some_texts(i).empty()) return false;
  }
  return true;
}

// A file under such a name, in a program that makes text of numbers: an import further down may be
// of that file.
void Analysis::unseen_names() {
  if (!unseen_written_ || scan_.imports.empty() || scan_.imports.back() < *unseen_written_) return;
  static constexpr auto kMakers = text_list("chr", "bytes", "bytearray", "decode", "fromhex",
                                            "b64decode", "unhexlify", "translate", "maketrans");
  for (std::uint32_t i = 0; i + 1 < tokens_.size(); ++i, ++steps_) {
    if (tokens_[i].kind != TokenKind::kName || !is_open(i + 1, '(')) continue;
    if (kMakers.contains(text(i))) {
      return report("python-dynamic-code"_rule, *unseen_written_,
                    "a file under a name that is put together");
    }
  }
}

// open("helper.py", "w"): what is written now would run unjudged at the next import.
void Analysis::code_file(std::uint32_t begin, std::uint32_t end, std::uint32_t token) {
  if (begin < end && shows_code_name(begin, end)) {
    report("python-dynamic-code"_rule, token, "a file that Python runs");
  }
}

// Path("helper.py"), x.with_suffix(".py"): a name that some method may write to.
void Analysis::code_name(std::uint32_t begin, std::uint32_t end, std::uint32_t token) {
  if (!code_named_ && begin < end && shows_code_name(begin, end)) code_named_ = token;
}

// Methods of paths: those that write, and those that make names.
void Analysis::path_method(std::uint32_t i) {
  const std::uint32_t call = is_open(i + 1, '(') ? i + 1 : 0;
  if (call == 0) return;
  const Arguments list = arguments(call);
  switch (tokens_[i].name) {
    case kRename:
    case kReplace:
      // str.replace takes two.
      if (list.size() != 1) return;
      path_written_ = true;
      return code_file(list[0].begin, list[0].end, i);
    case kWithSuffix:
    case kWithName:
    case kWithStem:
    case kJoinPath:
      return code_name(call + 1, tokens_[call].link, i);
    default:
      path_written_ = true;
  }
}

void Analysis::written_names() {
  if (path_written_ && code_named_)
    report("python-dynamic-code"_rule, *code_named_, "a file that Python runs");
}

}  // namespace langsbx::languages::python
