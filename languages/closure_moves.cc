// Which of a script's files may be another one, by the order in which things stand in it.
#include "languages/closure_moves.h"

#include <algorithm>

#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

using Directory = LocalReference::Directory;

// Whether the file's own text has changed the directory by then.
bool has_moved(const std::vector<LocalReference>& references, const LocalReference& at) {
  return std::ranges::any_of(references, [&](const LocalReference& move) {
    return move.directory == Directory::kChanges && (at.late || move.offset < at.settled) &&
           (!move.apart || at.apart);
  });
}

void report(const LocalReference& reference, Findings& findings) {
  const auto& name = reference.candidates.front();
  findings.add("closure-other-directory"_rule, reference.offset, name.size(), name);
}

bool any_but(const std::unordered_set<std::string>& files, const std::string& one) {
  return files.size() > 1 || (files.size() == 1 && !files.contains(one));
}

}  // namespace

void ClosureMoves::add(const Source& source, const Policy& policy,
                       const std::vector<LocalReference>& references, const ClosureNames& names,
                       Findings& findings) {
  const std::string file(source.path);
  const bool moved_before = moved_before_.contains(file);
  bool first = !source.included;
  for (const LocalReference& reference : references) {
    if (reference.directory == Directory::kChanges) {
      if (reference.apart) continue;
      movers_.insert(file);
      if (source.included) included_movers_.insert(file);
    }
    if (reference.directory != Directory::kDecides) continue;
    const bool moved = moved_before || has_moved(references, reference);
    if (moved || reference.late) {
      for (const auto& folder : {folder_of(source.path), names.entry_folder()}) {
        moved_before_.insert(names.path_of(folder, reference.candidates.front()));
      }
    }
    if (moved) {
      report(reference, findings);
    } else if (!first || reference.late) {
      Findings later(source, policy);
      report(reference, later);
      doubts_.push_back({file, reference.late, later.take_violations()});
    }
    first = false;
  }
}

std::vector<Finding> ClosureMoves::take() const {
  std::vector<Finding> all;
  for (const Doubt& doubt : doubts_) {
    if (!any_but(doubt.late ? movers_ : included_movers_, doubt.file)) continue;
    all.insert(all.end(), doubt.findings.begin(), doubt.findings.end());
  }
  return all;
}

}  // namespace langsbx::languages
