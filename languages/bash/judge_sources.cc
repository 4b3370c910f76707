// The directory that a sourced file's relative path starts from: where it is changed, and when it
// counts.
#include <algorithm>

#include "languages/bash/characters.h"
#include "languages/bash/judge.h"

namespace langsbx::languages::bash {

// `index_` is the command that is judged.
void Judge::note_directory(LocalReference::Directory directory, LocalReference& reference) {
  const Command& command = script_.commands[index_];
  reference.directory = directory;
  reference.apart = command.apart;
  reference.settled = reference.offset;
  if (directory == LocalReference::Directory::kDecides) {
    reference.settled = settled_at(static_cast<std::uint32_t>(reference.offset));
  }
  const auto offset = static_cast<std::uint32_t>(reference.offset);
  const bool in_trap = std::ranges::any_of(
      traps_, [&](const auto& trap) { return offset >= trap.first && offset <= trap.second; });
  const bool fixed = reference.settled != reference.offset;
  reference.late = !fixed && (in_trap || command.loop || command.function != kNoFunction);
}

// cd to the script's own folder is where its files are looked for anyway.
void Judge::note_move(Arguments arguments) {
  std::string_view place;
  for (const Argument& argument : arguments) {
    if (argument.text.size() > 1 && argument.text[0] == '-') continue;
    place = argument.text;
  }
  if (!place.empty() && place[0] == kHere) {
    place.remove_prefix(1);
    if (place.find_first_not_of("/.") == std::string_view::npos &&
        place.find("..") == std::string_view::npos) {
      return;
    }
  }
  LocalReference move;
  move.offset = script_.commands[index_].offset;
  note_directory(LocalReference::Directory::kChanges, move);
  findings_.reference(std::move(move));
}

// `. "$here/lib.sh"`: where `here` got its only value, if that is absolute (`$(cd … && pwd)`); else
// the place itself.
std::size_t Judge::settled_at(std::uint32_t offset) const {
  std::string_view text = source_.bytes.substr(std::min<std::size_t>(offset, source_.bytes.size()));
  while (!text.empty() && (text[0] == '"' || text[0] == '{' || text[0] == '$')) {
    text.remove_prefix(1);
  }
  std::size_t length = 0;
  while (length < text.size() && is_name(text[length])) ++length;
  const std::string_view name = text.substr(0, length);
  const Assignment* only = nullptr;
  for (const Assignment* assignment : script_.assignments) {
    if (assignment->name != name) continue;
    if (only != nullptr) return offset;
    only = assignment;
  }
  if (only == nullptr || only->depth > 0 || only->prefix || only->value == nullptr) return offset;
  const bool absolute = only->value->text.find("pwd)") != std::string_view::npos;
  return absolute && only->offset < offset ? only->offset : offset;
}

}  // namespace langsbx::languages::bash
