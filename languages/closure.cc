// The walk over local references: breadth first, each file once, within limits.
#include "languages/closure.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

#include "languages/closure_manifests.h"
#include "languages/shared_rules.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages {
namespace {

constexpr auto kCompiledByGo = text_list(".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".f",
                                         ".F", ".f90", ".syso", ".swig", ".swigcxx");
constexpr int kMostFolders = 16;
constexpr int kMostClassFolders = 256;

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
    const bool by_sh = entry.by_sh || (language_.name == "bash" && names_sh(entry.bytes));
    judge_one(entry);
    if (language_.is_library_module != nullptr) judge_shadows(entry);
    while (!queue_.empty()) {
      const Work work = std::move(queue_.front());
      queue_.pop_front();
      judge_one({work.path, work.bytes, true, by_sh});
    }
    out_.report.language = language_.name;
    out_.report.profile = policy_.profile;
    return std::move(out_);
  }

 private:
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
    take(out_.report.violations, judgement.report.violations);
    take(out_.report.violations, extra.take_violations());
    take(out_.report.warnings, judgement.report.warnings);
  }

  void follow(const Source& source, const LocalReference& reference, Findings& extra) {
    if (!names_) name_entry(source.path);
    const std::string folder = source.included ? folder_of(source.path) : names_->entry_folder();
    if (!reference.package.empty()) {
      if (language_.name == "java") {
        const std::string root = reference.package == "." ? "" : reference.package;
        return follow_classes(folder + root, source, reference, extra);
      }
      if (language_.name == "javascript" || language_.name == "typescript") {
        return follow_node_modules(folder, reference, extra);
      }
      const bool crate = language_.name == "rust";
      if (crate && follow_crate(folder, reference, extra)) return;
      if (!crate && follow_package(folder, reference, extra)) return;
    }
    if (language_.references == References::kRealFile) {
      if (open_module(folder, reference, extra)) return;
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

  // As Node looks: the file, with ".js", then what a package.json of that folder names, or its
  // index. What other tools would take in between is judged as well.
  bool open_module(const std::string& folder, const LocalReference& reference, Findings& extra) {
    const auto& candidates = reference.candidates;
    bool found = false;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      found |= open(folder, candidates[i], reference, extra);
      if (found && i < 2 && language_.name == "javascript") return true;
    }
    if (candidates.size() < 3) return found;
    const std::string& base = candidates.front();
    for (const char* native : {".node", "/index.node"}) {
      const std::string path = names_->path_of(folder, base + native);
      if (files_.read(path))
        extra.add("closure-foreign-module"_rule, reference.offset, path.size(), path);
    }
    const std::string path = names_->path_of(folder, base + "/package.json");
    const auto manifest = files_.read(path);
    if (!manifest) return found;
    if (seen_.insert(path).second) out_.files.push_back(path);
    const auto main = main_of(*manifest);
    if (!main) extra.add("closure-foreign-module"_rule, reference.offset, path.size(), path);
    if (!main || main->empty()) return found;
    for (const char* ending : {"", ".js", "/index.js"}) {
      const std::string file = base + "/" + *main + ending;
      found |= !file.ends_with(".json") && open(folder, file, reference, extra);
    }
    if (main->ends_with(".node"))
      extra.add("closure-foreign-module"_rule, reference.offset, path.size(), *main);
    return found;
  }

  // As Node climbs: node_modules of each folder up to "/". A package found there is judged.
  void follow_node_modules(std::string folder, const LocalReference& reference, Findings& extra) {
    const std::string_view package = reference.package;
    std::size_t end = package.find('/');
    if (package.starts_with('@') && end != std::string_view::npos) end = package.find('/', end + 1);
    const std::string name(package.substr(0, end));
    for (int level = 0; level < kMostFolders; ++level) {
      const std::string modules = folder + "node_modules/";
      if (has_package(modules + name)) {
        // Which file it stands for is said in more ways than are followed.
        const auto manifest = files_.read(modules + name + "/package.json");
        const bool plain = !manifest || manifest->find("\"exports\"") == std::string::npos;
        if (!plain || !open_module(modules, reference, extra)) {
          extra.add("closure-foreign-module"_rule, reference.offset, modules.size(),
                    modules + name);
        }
        return;
      }
      if (folder == "/") return;
      folder = folder_above(folder);
    }
  }

  // The folder of that name, or a file with any ending.
  bool has_package(const std::string& path) {
    const std::string_view last = std::string_view(path).substr(path.rfind('/') + 1);
    const auto* const names = files_.names_in(folder_of(path));
    return names != nullptr && std::ranges::any_of(*names, [&](std::string_view name) {
             return name.starts_with(last) &&
                    (name.size() == last.size() || name[last.size()] == '.');
           });
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

  // Only a folder with an __init__ comes before a library that is there; of one, libraries may take
  // any part.
  void judge_package(const std::string& package, Findings& extra) {
    std::deque<std::string> folders{package + "/"};
    for (int count = 0; !folders.empty() && count < kMostClassFolders; ++count) {
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

  // A Go package: every file of its folder is compiled. False: not one of this module.
  bool follow_package(const std::string& folder, const LocalReference& reference, Findings& extra) {
    const std::string inside = folder_in_module(folder, reference.package);
    if (inside.empty()) return false;
    if (!seen_.insert(inside).second) return true;
    const auto* const names = files_.names_in(inside);
    if (names == nullptr) return false;
    for (const std::string_view name : *names) {
      if (name.ends_with("_test.go") || name.starts_with('_') || name.starts_with('.')) continue;
      const bool compiled = std::ranges::any_of(
          kCompiledByGo, [&](std::string_view ext) { return name.ends_with(ext); });
      if (compiled)
        extra.add("closure-foreign-file"_rule, reference.offset, name.size(),
                  inside + std::string(name));
      const bool source = name.ends_with(".go");
      if (source && !open(inside, name, reference, extra)) {
        extra.add("closure-missing"_rule, reference.offset, name.size(),
                  inside + std::string(name));
      }
    }
    return true;
  }

  // Where a package's files are, by the nearest go.mod; empty when it is of another module.
  std::string folder_in_module(const std::string& folder, std::string_view package) {
    const auto found = nearest(folder, "go.mod");
    if (!found) return {};
    const std::string module = module_of(found->text);
    // A replacement, or a second mention: part of the tree is taken from elsewhere.
    const bool whole = found->text.find("replace") == std::string::npos &&
                       found->text.find(module + "/") == std::string::npos;
    if (module.empty() || !whole || !package.starts_with(module)) return {};
    package.remove_prefix(module.size());
    if (!package.empty() && package[0] != '/') return {};
    if (!package.empty()) package.remove_prefix(1);
    return found->folder + std::string(package) + (package.empty() ? "" : "/");
  }

  // A Rust program's own library, by the nearest Cargo.toml. False: another crate, or one whose
  // making runs code of its own.
  bool follow_crate(const std::string& folder, const LocalReference& reference, Findings& extra) {
    const auto found = nearest(folder, "Cargo.toml");
    if (!found || files_.read(found->folder + "build.rs")) return false;
    const CargoLibrary library = library_of(found->text);
    return library.name == reference.package && !library.runs_code &&
           open(found->folder, library.path, reference, extra);
  }

  // Classes need no import: javac and newer launchers look for `util.helper.run()` below the
  // package's root. Of the files there, those count whose folders and class the source mentions.
  void follow_classes(const std::string& root, const Source& source,
                      const LocalReference& reference, Findings& extra) {
    const std::unordered_set<std::string_view> words = words_of(source.bytes);
    std::deque<std::string> folders{root};
    for (int count = 0; !folders.empty() && count < kMostClassFolders; ++count) {
      const std::string folder = std::move(folders.front());
      folders.pop_front();
      const auto* const names = files_.names_in(folder);
      if (names == nullptr) continue;
      for (const std::string_view name : *names) {
        const std::size_t dot = name.find('.');
        if (!words.contains(name.substr(0, dot))) continue;
        if (dot == std::string::npos) folders.push_back(folder + std::string(name) + "/");
        if (name.ends_with(".java")) (void)open(folder, name, reference, extra);
      }
    }
    if (!folders.empty()) extra.add("closure-too-large"_rule, reference.offset, 0, folders.front());
  }

  struct Manifest {
    std::string folder;
    std::string text;
  };

  // The manifest of that name beside the source or in the nearest folder above.
  std::optional<Manifest> nearest(std::string folder, std::string_view name) {
    for (int level = 0; level < kMostFolders; ++level) {
      const std::string path = folder + std::string(name);
      if (auto text = files_.read(path)) {
        // It decides what is judged: whoever pins the files pins it too.
        if (seen_.insert(path).second) out_.files.push_back(path);
        return Manifest{folder, std::move(*text)};
      }
      if (folder == "/") return std::nullopt;
      folder = folder_above(folder);
    }
    return std::nullopt;
  }

  static std::string folder_above(const std::string& folder) {
    if (folder.empty() || folder.ends_with("../")) return folder + "../";
    return folder_of(std::string_view(folder).substr(0, folder.size() - 1));
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
