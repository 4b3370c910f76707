// Paths that are put together: what an expression of literals and of names that hold them yields,
// and the paths that keywords give where they come out of a table (`**`).
#include <algorithm>

#include "languages/python/analysis.h"
#include "languages/python/folded.h"

namespace langsbx::languages::python {

// The texts the expression can yield, their beginnings where the rest is known at run time only.
std::vector<std::string> Analysis::put_together(std::uint32_t begin, std::uint32_t end,
                                                Question question) {
  static constexpr std::size_t kMostChoices = 4;
  std::vector<std::string> found;
  if (searched_ > most_searched()) return found;
  index_names();
  const Folder::Reader reader{[this](std::uint32_t i) { return decoded(tokens_[i]); },
                              [this, question](std::uint32_t i) {
                                // What the name is given by itself (p = p.replace(...)) is made of
                                // what it held before.
                                for (const auto& [asked, held_so_far] : asked_texts_) {
                                  if (asked == text(i)) return *held_so_far;
                                }
                                std::vector<std::string> values;
                                if (tokens_[i].name != 0) return values;
                                (void)held(i, values, {Holding::kTexts, question.depth + 1, false});
                                return values;
                              }};
  for (std::size_t choice = 0; choice < kMostChoices; ++choice) {
    Folder folder(tokens_, source_.bytes, reader, choice);
    const MaybeFolded value = folder.fold(begin, end);
    steps_ += folder.steps();
    searched_ += folder.steps();
    if (value && value->is_text() && !value->text.empty()) found.push_back(value->text);
    if (choice + 1 >= folder.choices()) break;
  }
  return found;
}

// name += text: what it held before, and more.
bool Analysis::lengthened(std::uint32_t i, std::vector<std::string>& values, Question question) {
  std::uint32_t end = i + 2;
  for (; tokens_[end].kind != TokenKind::kNewline && !is_op(end, ';'); ++end) ++steps_;
  std::vector<std::string> pieces;
  (void)texts(i + 2, end, pieces, question);
  const std::vector<std::string> before_it = values;
  bool only = true;
  for (const std::string& head : before_it) {
    for (const std::string& piece : pieces) {
      steps_ += head.size() + piece.size();
      searched_ += (head.size() + piece.size()) / 16;
      if (head.size() + piece.size() <= Folder::kMostText) add_text(values, head + piece, only);
    }
  }
  return false;
}

// A path that no literal shows by itself.
void Analysis::path_put_together(const Argument& argument, std::uint32_t token,
                                 std::string_view what) {
  if (argument.end <= argument.begin + 1) return;
  if (searched_ > most_searched()) {
    reach(Capability::kFilesOutside, token, "more text put together than is followed");
  }
  for (const std::string& path :
       put_together(argument.begin, argument.end, {Holding::kTexts, 0, false})) {
    path_text(path, true, token, what);
  }
}

// open(**{"fi" + "le": path}): what stands in the table may be the path.
void Analysis::path_in_table(const Argument& argument, std::uint32_t token, std::string_view what) {
  const std::uint32_t open = argument.begin + 1;
  if (!is_open(open, '{') || tokens_[open].link + 1 != argument.end) {
    return reach(Capability::kFilesOutside, token, "a path by a keyword that is not to be seen");
  }
  for (const Argument& entry : arguments(open)) {
    std::uint32_t colon = entry.begin;
    while (colon < entry.end && !is_op(colon, ':')) ++colon;
    if (colon + 1 >= entry.end) {
      return reach(Capability::kFilesOutside, token, "a path by a keyword that is not to be seen");
    }
    path_argument({colon + 1, entry.end, std::nullopt}, token, false, what);
  }
}

}  // namespace langsbx::languages::python
