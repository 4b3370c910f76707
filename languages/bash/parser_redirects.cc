// Redirections and here-documents.
#include <cstring>

#include "languages/bash/characters.h"
#include "languages/bash/parser.h"

namespace langsbx::languages::bash {

// [n]< [n]> {name}> &> and the rest; null, with nothing consumed, when there is none here.
Redirect* Parser::try_redirect() {
  const char* begin = cursor_.p;
  const char* p = begin;
  std::string_view variable;
  if (is_digit(*p)) {
    while (is_digit(*p)) ++p;
  } else if (*p == '{') {
    const char* name = ++p;
    while (is_name(*p)) ++p;
    if (*p != '}' || p == name) return nullptr;
    variable = {name, static_cast<std::size_t>(p - name)};
    ++p;
  } else if (*p == '&') {
    if (next_after(p) != '>') return nullptr;
  }
  if (*p != '<' && *p != '>' && !(p == begin && *p == '&')) return nullptr;
  if (*p != '&' && p[1] == '(') return nullptr;  // process substitution
  const std::uint32_t start = offset_of(begin);
  cursor_.p = p;
  Redirect* redirect = script_.arena.make<Redirect>();
  redirect->offset = start;
  redirect->variable = variable;
  bool here = false;
  bool strip_tabs = false;
  const bool duplicate = redirect_operator(*redirect, here, strip_tabs);
  skip_blanks();
  if (is_break(*cursor_.p) && !((*cursor_.p == '<' || *cursor_.p == '>') && cursor_.p[1] == '(')) {
    fail("a redirection needs a target");
    return nullptr;
  }
  redirect->target = parse_word();
  if (failed()) return nullptr;
  if (duplicate) {
    // >&word with a word that is no descriptor writes to a file.
    std::string_view text = redirect->target->text;
    if (text.ends_with('-')) text.remove_suffix(1);
    bool descriptor = redirect->target->plain();
    for (const char c : text) descriptor = descriptor && is_digit(c);
    if (descriptor) redirect->op = RedirectOp::kDuplicate;
  }
  if (here) here_document(*redirect, strip_tabs);
  return redirect;
}

// At the operator. True for the duplicating forms, whose meaning depends on the target.
bool Parser::redirect_operator(Redirect& redirect, bool& here, bool& strip_tabs) {
  const auto take = [this](char wanted) {
    const char* p = spliced(cursor_.p);
    if (*p != wanted) return false;
    cursor_.p = p + 1;
    return true;
  };
  if (take('&')) {  // &> &>>
    take('>');
    redirect.op = take('>') ? RedirectOp::kAppend : RedirectOp::kWrite;
    return false;
  }
  if (take('<')) {
    if (take('<')) {
      if (take('<')) {
        redirect.op = RedirectOp::kHereString;
        return false;
      }
      redirect.op = RedirectOp::kHereDocument;
      here = true;
      strip_tabs = take('-');
      return false;
    }
    redirect.op = RedirectOp::kRead;
    if (take('>')) redirect.op = RedirectOp::kReadWrite;
    return redirect.op == RedirectOp::kRead && take('&');
  }
  take('>');
  redirect.op = RedirectOp::kWrite;
  if (take('>')) {
    redirect.op = RedirectOp::kAppend;
    return false;
  }
  if (take('|')) return false;
  return take('&');
}

void Parser::here_document(Redirect& redirect, bool strip_tabs) {
  Pending pending{&redirect, {}, strip_tabs};
  redirect.quoted_body = (redirect.target->flags & kWordQuoted) != 0;
  if (!unquote_delimiter(*redirect.target, pending.delimiter)) return;
  redirect.target = nullptr;
  pending_.push_back(pending);
}

bool Parser::unquote_delimiter(const Word& word, std::string_view& delimiter) {
  delimiter = word.text;
  if (word.plain()) return true;
  char* out = script_.arena.text(word.text.size());
  std::size_t length = 0;
  for (const Part* part = word.parts; part != nullptr; part = part->next) {
    const bool text = part->kind == PartKind::kLiteral || part->kind == PartKind::kEscaped ||
                      part->kind == PartKind::kSingleQuoted ||
                      (part->kind == PartKind::kDoubleQuoted && part->inner == nullptr);
    if (!text || part->text.find('\n') != std::string_view::npos) {
      fail("the delimiter of a here-document must be plain or quoted text");
      return false;
    }
    length += part->text.copy(out + length, part->text.size());
  }
  delimiter = {out, length};
  return true;
}

// Behind the newline of the line that opened them.
void Parser::read_here_documents() {
  for (std::size_t i = 0; i < pending_.size() && !failed(); ++i) {
    const Pending pending = pending_[i];
    read_body(pending);
  }
  pending_.clear();
}

// Inside $(...) Bash ends a here-document at a line that begins with the delimiter and has a ')'
// behind it, and reads the rest of that line as commands; other shells read on. Where nothing but
// the ')' follows and no other line is the delimiter, all run the same or stop here.
bool Parser::ends_at_parenthesis(const Pending& pending, std::string_view line, const char* stop) {
  if (pending.delimiter.empty() || line[pending.delimiter.size()] != ')') return false;
  const auto left = static_cast<std::size_t>(cursor_.end - stop);
  if (!spend(left)) return true;
  std::string_view rest(stop, left);
  while (!rest.empty()) {
    rest.remove_prefix(1);  // the newline
    std::string_view next = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(next.size());
    while (pending.strip_tabs && next.starts_with('\t')) next.remove_prefix(1);
    if (next == pending.delimiter) return false;
    if (next.ends_with('\\') && pending.delimiter.starts_with(next.substr(0, next.size() - 1))) {
      return false;
    }
  }
  return true;
}

void Parser::read_body(const Pending& pending) {
  const char* body = cursor_.p;
  const char* line = body;
  const bool quoted = pending.redirect->quoted_body;
  bool joined = false;           // the line continues the one before
  const char* closed = nullptr;  // behind the delimiter, where a ')' follows it
  while (line < cursor_.end) {
    const void* found = std::memchr(line, '\n', static_cast<std::size_t>(cursor_.end - line));
    const char* stop = found != nullptr ? static_cast<const char*>(found) : cursor_.end;
    const char* text = line;
    if (pending.strip_tabs) {
      while (*text == '\t') ++text;
    }
    const std::string_view content(text, static_cast<std::size_t>(stop - text));
    if (content == pending.delimiter) {
      if (joined) return fail("a here-document's delimiter behind a continued line");
      break;
    }
    if (parenthesised_ != 0 && content.starts_with(pending.delimiter) &&
        (content.find(')') != std::string_view::npos || content.ends_with('\\'))) {
      if (joined || !ends_at_parenthesis(pending, content, stop)) {
        return fail("shells end this here-document at different lines");
      }
      closed = content.data() + pending.delimiter.size();
      break;
    }
    joined = false;
    if (!quoted) {
      std::size_t slashes = 0;
      while (stop - static_cast<std::ptrdiff_t>(slashes) > text &&
             stop[-1 - static_cast<std::ptrdiff_t>(slashes)] == '\\') {
        ++slashes;
      }
      joined = slashes % 2 == 1;
      // A delimiter put together from two lines ends the document in some shells only.
      if (joined && pending.delimiter.starts_with(content.substr(0, content.size() - 1))) {
        return fail("a here-document's delimiter split over two lines");
      }
    }
    line = found != nullptr ? stop + 1 : stop;
  }
  const std::string_view text(body, static_cast<std::size_t>(line - body));
  const std::uint32_t at = offset_of(body);
  const char* rest = closed;
  if (closed == nullptr) {
    // The newline behind the delimiter belongs to it; without one this is the end of the text.
    const std::size_t last = std::string_view(line, cursor_.end).find('\n');
    rest = last == std::string_view::npos ? cursor_.end : line + last + 1;
  }
  pending.redirect->body = text;
  if (!quoted) pending.redirect->body_parts = parse_body(text, at);
  if (!failed()) cursor_.p = rest;
}

// Expansions in the body of an unquoted here-document.
Part* Parser::parse_body(std::string_view body, std::uint32_t offset) {
  if (body.find_first_of("$`\\") == std::string_view::npos) return nullptr;
  const Nest nest(*this);
  if (!nest.ok() || !spend(body.size())) return nullptr;
  const Cursor outer = cursor_;
  const std::vector<Pending> pending = std::move(pending_);
  pending_.clear();
  enter_text(script_.arena.copy(body), offset);
  PartList list;
  quoted_run(list, '\0');
  pending_ = pending;
  if (!failed()) cursor_ = outer;
  return list.first;
}

}  // namespace langsbx::languages::bash
