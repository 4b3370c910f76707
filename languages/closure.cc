// The walk over local references: breadth first, each file once, within limits.
#include "languages/closure.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

#include "languages/closure_moves.h"
#include "languages/package_search.h"
#include "languages/shared_rules.h"

namespace langsbx::languages {
namespace {

constexpr int kMostPackageFolders = 256;

struct Work {
  std::string path;
  std::string bytes;
};

class Walk {
 public:
  Walk(const Language& language, const Policy& policy, const FileReader& reader,
       const ClosureLimits& limits)
      : language_(language), policy_(policy), files_(reader), limits_(limits) {}

  ClosureJudgement run(const Source& entry) {
    // What a script sources is read by the same shell.
    const bool by_sh =
        entry.by_sh || (language_.references == References::kEverywhere && names_sh(entry.bytes));
    judge_one(entry);
    if (language_.is_library_module != nullptr) judge_shadows(entry);
    if (!limits_.beside.empty()) judge_beside(entry);
    while (!queue_.empty()) {
      const Work work = std::move(queue_.front());
      queue_.pop_front();
      judge_one({work.path, work.bytes, true, by_sh});
    }
    take(out_.report.violations, moves_.take());
    out_.report.language = language_.name;
    out_.report.profile = policy_.profile;
    return std::move(out_);
  }

 private:
  // What a language's own search sees of the walk.
  class Search : public PackageSearch {
   public:
    Search(Walk& walk, const LocalReference& reference, Findings& findings)
        : walk_(walk), reference_(reference), findings_(findings) {}
    std::optional<std::string> read(const std::string& path) override {
      return walk_.files_.read(path);
    }
    const std::vector<std::string_view>* names_in(const std::string& folder) override {
      return walk_.files_.names_in(folder);
    }
    bool open(const std::string& folder, std::string_view file) override {
      return walk_.open(folder, file, reference_, findings_);
    }
    std::string path_of(const std::string& folder, std::string_view file) override {
      return walk_.names_->path_of(folder, file);
    }
    bool is_new(const std::string& path) override { return walk_.seen_.insert(path).second; }
    void keep(const std::string& path) override {
      if (is_new(path)) walk_.out_.files.push_back(path);
    }
    void report(const Rule& rule, std::string_view detail, std::size_t length) override {
      findings_.add(rule, reference_.offset, length, detail);
    }

   private:
    Walk& walk_;
    const LocalReference& reference_;
    Findings& findings_;
  };

  void judge_one(const Source& source) {
    if (source.included && limits_.judge_included) {
      return take_all(source, *limits_.judge_included(source));
    }
    take_all(source, judge(language_, source, policy_));
  }

  void take_all(const Source& source, const Judgement& judgement) {
    Findings extra(source, policy_);
    for (const LocalReference& reference : judgement.references) {
      follow(source, reference, extra);
    }
    if (names_) moves_.add(source, policy_, judgement.references, *names_, extra);
    take(out_.report.violations, judgement.report.violations);
    take(out_.report.violations, extra.take_violations());
    take(out_.report.warnings, judgement.report.warnings);
  }

  void follow(const Source& source, const LocalReference& reference, Findings& extra) {
    if (!names_) name_entry(source.path);
    if (reference.directory == LocalReference::Directory::kChanges) return;
    const std::string folder = source.included ? folder_of(source.path) : names_->entry_folder();
    Search search(*this, reference, extra);
    if (language_.follow_reference != nullptr &&
        language_.follow_reference(search, folder, source, reference)) {
      return;
    }
    if (open_one(folder, reference, extra)) return;
    if (!reference.required) return;
    const Rule& rule = reference.missing != nullptr ? *reference.missing : "closure-missing"_rule;
    const std::string_view detail = !reference.detail.empty() || reference.candidates.empty()
                                        ? std::string_view(reference.detail)
                                        : reference.candidates.front();
    extra.add(rule, reference.offset, detail.size(), detail);
  }

  // The program's first file names the rest.
  void name_entry(std::string_view path) {
    names_.emplace(language_.references, path, limits_.real_path);
    const ClosureNames::Name name = names_->name_of(std::string(path));
    seen_.insert({std::string(path), name.path});
    identities_.insert(name.identity);
    entry_name_ = path.substr(path.rfind('/') + 1);
  }

  // The first candidate that is there.
  bool open_one(const std::string& folder, const LocalReference& reference, Findings& extra) {
    const std::string& entry = names_->entry_folder();
    const std::string_view stem = stem_of(reference.candidates);
    const bool beside = !none_in(folder, stem);
    const bool beside_entry = folder != entry && !none_in(entry, stem);
    for (const std::string& candidate : reference.candidates) {
      bool found = beside && open(folder, candidate, reference, extra);
      if (found && language_.references != References::kEverywhere) return true;
      if (beside_entry) found |= open(entry, candidate, reference, extra);
      if (found) return true;
    }
    for (const std::string& root : limits_.roots) {
      if (none_in(root, stem)) continue;
      for (const std::string& candidate : reference.candidates) {
        if (open(root, candidate, reference, extra)) return true;
      }
    }
    return false;
  }

  // Python looks into a folder's list first; where no name fits, nothing is opened.
  bool none_in(const std::string& folder, std::string_view stem) {
    if (language_.references != References::kBelowEntry || stem.empty()) return false;
    return stem != stem_of(entry_name_) && files_.lists_none_of(folder, stem);
  }

  // What stands beside the program under the name of a module that libraries import is judged as if
  // the program had imported it.
  void judge_shadows(const Source& entry) {
    if (!names_) name_entry(entry.path);
    Findings extra(entry, policy_);
    if (const auto* const names = files_.names_in(names_->entry_folder())) {
      for (const std::string_view name : *names) {
        const std::size_t dot = name.find('.');
        if (dot == 0 || !language_.is_library_module(name.substr(0, dot))) continue;
        if (dot == std::string_view::npos) judge_package(std::string(name), extra);
        if (is_module_file(name)) shadow(std::string(name), extra);
      }
    }
    take(out_.report.violations, extra.take_violations());
  }

  static bool is_module_file(std::string_view name) {
    return name.ends_with(".py") || name.ends_with(".pyc") || name.ends_with(".so");
  }

  void judge_beside(const Source& entry) {
    if (!names_) name_entry(entry.path);
    Findings extra(entry, policy_);
    for (const std::string& path : limits_.beside) {
      const LocalReference reference{.candidates = {path}, .offset = 0};
      if (open("", path, reference, extra)) continue;
      extra.add("closure-missing"_rule, 0, 0, path);
    }
    take(out_.report.violations, extra.take_violations());
  }

  // Only a folder with an __init__ comes before a library that is there; of one, libraries may take
  // any part.
  void judge_package(const std::string& package, Findings& extra) {
    std::deque<std::string> folders{package + "/"};
    for (int count = 0; !folders.empty() && count < kMostPackageFolders; ++count) {
      const std::string inside = std::move(folders.front());
      folders.pop_front();
      const auto* const names = files_.names_in(names_->entry_folder() + inside);
      if (names == nullptr) continue;
      const auto is_init = [](std::string_view name) { return name.starts_with("__init__."); };
      const bool behind = count == 0 && std::ranges::none_of(*names, is_init);
      if (behind && !language_.is_library_module(package + "/")) return;
      for (const std::string_view name : *names) {
        const std::string path = inside + std::string(name);
        if (is_module_file(name)) shadow(path, extra);
        const bool hidden = name.find('.') != std::string_view::npos || name == "__pycache__";
        if (!hidden) folders.push_back(path + "/");
      }
    }
    if (!folders.empty()) extra.add("closure-too-large"_rule, 0, 0, folders.front());
  }

  // It was listed: one that cannot be read now is one that came later.
  void shadow(const std::string& name, Findings& extra) {
    const LocalReference reference{.candidates = {name}, .offset = 0};
    if (open(names_->entry_folder(), name, reference, extra)) return;
    extra.add("closure-missing"_rule, 0, 0, name);
  }

  // Whether the file is there; queues it when it is new.
  bool open(const std::string& folder, std::string_view named, const LocalReference& reference,
            Findings& extra) {
    // The first file is there, even where it has come by a pipe.
    const bool by_lists = language_.references == References::kBelowEntry && named != entry_name_;
    if (by_lists && files_.lists_no(folder, named)) return false;
    const std::string found = names_->path_of(folder, named);
    if (seen_.contains(found)) return true;
    std::optional<std::string> bytes = files_.read(found);
    if (!bytes) return false;
    const auto [path, identity] = names_->name_of(found);
    seen_.insert({found, path});
    if (!identities_.insert(identity).second) return true;
    total_ += bytes->size();
    if (out_.files.size() >= limits_.max_files || total_ > limits_.max_bytes) {
      extra.add("closure-too-large"_rule, reference.offset, path.size(), path);
      return true;
    }
    out_.files.push_back(path);
    queue_.push_back({path, std::move(*bytes)});
    return true;
  }

  static void take(std::vector<Finding>& to, std::vector<Finding> from) {
    for (Finding& finding : from) to.push_back(std::move(finding));
  }

  const Language& language_;
  const Policy& policy_;
  ClosureFiles files_;
  const ClosureLimits& limits_;
  std::string_view entry_name_;        // without its folder
  std::optional<ClosureNames> names_;  // made when the program names a file
  std::unordered_set<std::string> seen_;
  std::unordered_set<std::string> identities_;
  std::deque<Work> queue_;
  std::size_t total_ = 0;
  ClosureMoves moves_;
  ClosureJudgement out_;
};

// What was found in other files than the first is only told.
void observe(Report& report, std::string_view entry) {
  const auto of_entry = [&](const Finding& finding) {
    return finding.file == entry && !finding.rule.starts_with("closure-");
  };
  const auto others =
      std::stable_partition(report.violations.begin(), report.violations.end(), of_entry);
  for (auto finding = others; finding != report.violations.end(); ++finding) {
    finding->severity = Severity::kWarning;
    report.warnings.push_back(std::move(*finding));
  }
  report.violations.erase(others, report.violations.end());
}

}  // namespace

ClosureJudgement judge_closure(const Language& language, const Source& entry, const Policy& policy,
                               const FileReader& reader, const ClosureLimits& limits) {
  ClosureJudgement out = Walk(language, policy, reader, limits).run(entry);
  if (policy.observes_closure) observe(out.report, entry.path);
  return out;
}

}  // namespace langsbx::languages
