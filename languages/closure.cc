// The walk over local references: breadth first, each file once, within limits.
#include "languages/closure.h"

#include <algorithm>
#include <deque>
#include <unordered_set>
#include <utility>

#include "languages/closure_manifests.h"
#include "runtime/base/text_list.h"

namespace langsbx::languages {
namespace {

constexpr Rule kMissing = {
    "closure-missing",
    FindingType::kBlockedModule,
    Capability::kNone,
    Severity::kError,
    "'{}' is not there to be judged",
    "The program pulls in a file that cannot be read now. If it appears later it would run without "
    "having been judged.",
    "Put the file next to the program, or name the module in the profile."};

constexpr Rule kTooMuch = {
    "closure-too-large",
    FindingType::kLimit,
    Capability::kNone,
    Severity::kError,
    "'{}' is beyond what is judged for one program",
    "The files a program pulls in are judged with it, up to a number and a size, so that judging "
    "stays fast whatever the program names.",
    "Pull in fewer files."};

constexpr Rule kForeignModule = {"closure-foreign-module",
                                 FindingType::kBlockedModule,
                                 Capability::kNativeCode,
                                 Severity::kError,
                                 "'{}' decides what is loaded, or is native code",
                                 "Node takes a .node file or what a package.json says before the "
                                 "files that can be judged.",
                                 "Name the file itself."};

constexpr Rule kForeignFile = {"closure-foreign-file",
                               FindingType::kSystemCall,
                               Capability::kNativeCode,
                               Severity::kError,
                               "'{}' would be compiled into the program",
                               "Go takes assembly, C and object files of a package's folder into "
                               "the program without a word in "
                               "any Go file. Nobody judges them.",
                               "Remove the file from the package."};

constexpr auto kCompiledByGo = text_list(".s", ".S", ".c", ".cc", ".cpp", ".cxx", ".m", ".mm", ".f",
                                         ".F", ".f90", ".syso", ".swig", ".swigcxx");
constexpr int kMostFolders = 16;
constexpr int kMostClassFolders = 256;

// Every run of letters, digits and _ of a source.
std::unordered_set<std::string_view> words_of(std::string_view bytes) {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
  };
  std::unordered_set<std::string_view> words;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    if (!is_part(bytes[at])) continue;
    const std::size_t start = at;
    while (at < bytes.size() && is_part(bytes[at])) ++at;
    words.insert(bytes.substr(start, at - start));
  }
  return words;
}

struct Work {
  std::string path;
  std::string bytes;
};

class Walk {
 public:
  Walk(const Language& language, const Policy& policy, const FileReader& reader,
       const ClosureLimits& limits)
      : language_(language), policy_(policy), reader_(reader), limits_(limits) {}

  ClosureJudgement run(const Source& entry) {
    judge_one(entry);
    while (!queue_.empty()) {
      const Work work = std::move(queue_.front());
      queue_.pop_front();
      judge_one({work.path, work.bytes, true});
    }
    out_.report.language = language_.name;
    out_.report.profile = policy_.profile;
    return std::move(out_);
  }

 private:
  void judge_one(const Source& source) {
    Judgement judgement = judge(language_, source, policy_);
    Findings extra(source, policy_);
    for (const LocalReference& reference : judgement.references) {
      follow(source, reference, extra);
    }
    take(out_.report.violations, std::move(judgement.report.violations));
    take(out_.report.violations, extra.take_violations());
    take(out_.report.warnings, std::move(judgement.report.warnings));
  }

  void follow(const Source& source, const LocalReference& reference, Findings& extra) {
    if (!names_) name_entry(source.path);
    const std::string folder = source.included ? folder_of(source.path) : names_->entry_folder();
    if (!reference.package.empty()) {
      if (language_.name == "java") {
        const std::string root = reference.package == "." ? "" : reference.package;
        return follow_classes(folder + root, source, reference, extra);
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
    const Rule& rule = reference.missing != nullptr ? *reference.missing : kMissing;
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
  }

  // The first candidate that is there.
  bool open_one(const std::string& folder, const LocalReference& reference, Findings& extra) {
    const std::string& entry = names_->entry_folder();
    for (const std::string& candidate : reference.candidates) {
      bool found = open(folder, candidate, reference, extra);
      if (found && language_.references != References::kEverywhere) return true;
      if (folder != entry) found |= open(entry, candidate, reference, extra);
      if (found) return true;
    }
    for (const std::string& root : limits_.roots) {
      for (const std::string& candidate : reference.candidates) {
        if (open(root, candidate, reference, extra)) return true;
      }
    }
    return false;
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
    if (!reader_ || candidates.size() < 3) return found;
    const std::string& base = candidates.front();
    for (const char* native : {".node", "/index.node"}) {
      const std::string path = names_->path_of(folder, base + native);
      if (reader_(path)) extra.add(kForeignModule, reference.offset, path.size(), path);
    }
    const std::string path = names_->path_of(folder, base + "/package.json");
    const auto manifest = reader_(path);
    if (!manifest) return found;
    if (seen_.insert(path).second) out_.files.push_back(path);
    const auto main = main_of(*manifest);
    if (!main) extra.add(kForeignModule, reference.offset, path.size(), path);
    if (!main || main->empty()) return found;
    for (const char* ending : {"", ".js", "/index.js"}) {
      const std::string file = base + "/" + *main + ending;
      found |= !file.ends_with(".json") && open(folder, file, reference, extra);
    }
    if (main->ends_with(".node")) extra.add(kForeignModule, reference.offset, path.size(), *main);
    return found;
  }

  // A Go package: every file of its folder is compiled. False: not one of this module.
  bool follow_package(const std::string& folder, const LocalReference& reference, Findings& extra) {
    const std::string inside = folder_in_module(folder, reference.package);
    if (inside.empty()) return false;
    if (!seen_.insert(inside).second) return true;
    const auto names = reader_(inside);
    if (!names) return false;
    for (std::size_t at = 0; at < names->size();) {
      const std::size_t end = std::min(names->find('\n', at), names->size());
      const std::string name = names->substr(at, end - at);
      at = end + 1;
      if (name.ends_with("_test.go") || name.starts_with('_') || name.starts_with('.')) continue;
      const bool compiled = std::ranges::any_of(
          kCompiledByGo, [&](std::string_view ext) { return name.ends_with(ext); });
      if (compiled) extra.add(kForeignFile, reference.offset, name.size(), inside + name);
      const bool source = name.ends_with(".go");
      if (source && !open(inside, name, reference, extra)) {
        extra.add(kMissing, reference.offset, name.size(), inside + name);
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
    if (!found || reader_(found->folder + "build.rs")) return false;
    const CargoLibrary library = library_of(found->text);
    return library.name == reference.package && !library.runs_code &&
           open(found->folder, library.path, reference, extra);
  }

  // Classes need no import: javac and newer launchers look for `util.helper.run()` below the
  // package's root. Of the files there, those count whose folders and class the source mentions.
  void follow_classes(const std::string& root, const Source& source,
                      const LocalReference& reference, Findings& extra) {
    if (!reader_) return;
    const std::unordered_set<std::string_view> words = words_of(source.bytes);
    std::deque<std::string> folders{root};
    for (int count = 0; !folders.empty() && count < kMostClassFolders; ++count) {
      const std::string folder = std::move(folders.front());
      folders.pop_front();
      const auto names = reader_(folder.empty() ? "./" : folder);
      for (std::size_t at = 0; names && at < names->size();) {
        const std::size_t end = std::min(names->find('\n', at), names->size());
        const std::string name = names->substr(at, end - at);
        at = end + 1;
        const std::size_t dot = name.find('.');
        if (!words.contains(std::string_view(name).substr(0, dot))) continue;
        if (dot == std::string::npos) folders.push_back(folder + name + "/");
        if (name.ends_with(".java")) (void)open(folder, name, reference, extra);
      }
    }
    if (!folders.empty()) extra.add(kTooMuch, reference.offset, 0, folders.front());
  }

  struct Manifest {
    std::string folder;
    std::string text;
  };

  // The manifest of that name beside the source or in the nearest folder above.
  std::optional<Manifest> nearest(std::string folder, std::string_view name) {
    if (!reader_) return std::nullopt;
    for (int level = 0; level < kMostFolders; ++level) {
      const std::string path = folder + std::string(name);
      if (auto text = reader_(path)) {
        // It decides what is judged: whoever pins the files pins it too.
        if (seen_.insert(path).second) out_.files.push_back(path);
        return Manifest{folder, std::move(*text)};
      }
      if (folder == "/") return std::nullopt;
      const bool climbs = folder.empty() || folder.ends_with("../");
      if (climbs) {
        folder += "../";
      } else {
        folder = folder_of(std::string_view(folder).substr(0, folder.size() - 1));
      }
    }
    return std::nullopt;
  }

  // Whether the file is there; queues it when it is new.
  bool open(const std::string& folder, const std::string& named, const LocalReference& reference,
            Findings& extra) {
    const std::string found = names_->path_of(folder, named);
    if (seen_.contains(found)) return true;
    std::optional<std::string> bytes = reader_ ? reader_(found) : std::nullopt;
    if (!bytes) return false;
    const auto [path, identity] = names_->name_of(found);
    seen_.insert({found, path});
    if (!identities_.insert(identity).second) return true;
    total_ += bytes->size();
    if (out_.files.size() >= limits_.max_files || total_ > limits_.max_bytes) {
      extra.add(kTooMuch, reference.offset, path.size(), path);
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
  const FileReader& reader_;
  const ClosureLimits& limits_;
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
