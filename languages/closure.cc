// The walk over local references: breadth first, each file once, within limits.
#include "languages/closure.h"

#include <deque>
#include <unordered_set>
#include <utility>

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

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash + 1));
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
    entry_folder_ = folder_of(entry.path);
    seen_.insert(std::string(entry.path));
    judge_one(entry);
    while (!queue_.empty()) {
      const Work work = std::move(queue_.front());
      queue_.pop_front();
      judge_one({work.path, work.bytes});
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
    const std::string folder = folder_of(source.path);
    for (const std::string& candidate : reference.candidates) {
      if (open(folder + candidate, reference, extra)) return;
      if (folder != entry_folder_ && open(entry_folder_ + candidate, reference, extra)) {
        return;
      }
    }
    if (!reference.required) return;
    const Rule& rule = reference.missing != nullptr ? *reference.missing : kMissing;
    const std::string_view detail = !reference.detail.empty() || reference.candidates.empty()
                                        ? std::string_view(reference.detail)
                                        : reference.candidates.front();
    extra.add(rule, reference.offset, detail.size(), detail);
  }

  // Whether the file is there; queues it when it is new.
  bool open(const std::string& path, const LocalReference& reference, Findings& extra) {
    if (seen_.contains(path)) return true;
    std::optional<std::string> bytes = reader_ ? reader_(path) : std::nullopt;
    if (!bytes) return false;
    seen_.insert(path);
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
  std::string entry_folder_;
  std::unordered_set<std::string> seen_;
  std::deque<Work> queue_;
  std::size_t total_ = 0;
  ClosureJudgement out_;
};

}  // namespace

ClosureJudgement judge_closure(const Language& language, const Source& entry, const Policy& policy,
                               const FileReader& reader, const ClosureLimits& limits) {
  return Walk(language, policy, reader, limits).run(entry);
}

}  // namespace langsbx::languages
