// validate: judges source files without starting anything.
#include <unistd.h>

#include <fcntl.h>
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/validate_files.h"
#include "cmd/langsbx/version.h"
#include "langsbx_version.h"
#include "languages/closure.h"
#include "languages/elf/judge.h"
#include "languages/profile.h"
#include "languages/registry.h"
#include "languages/report.h"
#include "runtime/guard/container_files.h"
#include "runtime/guard/profile_directories.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

using languages::Language;
using languages::Policy;
using languages::Report;

constexpr int kClean = 0;
constexpr int kFindings = 1;
constexpr int kUsage = 2;
constexpr std::size_t kLimit = 16U << 20U;
constexpr std::size_t kMostKept = 64U << 20U;  // of other files' bytes

struct Options {
  std::string language;
  std::string profile = "default";
  std::string profiles;
  std::string format = "text";
};

using Policies = std::map<const Language*, Policy>;

Result<Policies> load_policies(const std::vector<FileToJudge>& files, const Options& options) {
  std::vector<std::string> directories;
  if (!options.profiles.empty()) directories.push_back(options.profiles);
  directories.emplace_back(guard::kProfileDirectory);
  const auto finder = guard::find_in(std::move(directories));
  Policies policies;
  for (const FileToJudge& file : files) {
    if (policies.contains(file.language)) continue;
    const auto profile = TRY(languages::load_profile(*file.language, options.profile, finder));
    policies.emplace(file.language, languages::make_policy(profile));
  }
  return policies;
}

std::optional<std::string> names_in(const std::string& folder) {
  std::error_code fault;
  std::filesystem::directory_iterator entries(folder, fault);
  if (fault) return std::nullopt;
  std::string names;
  for (; entries != std::filesystem::directory_iterator(); entries.increment(fault)) {
    if (fault || names.size() > kLimit) return std::nullopt;
    names += entries->path().filename().string() + "\n";
  }
  return names;
}

std::optional<std::string> read_local(const std::string& path) {
  if (path.ends_with('/')) return names_in(path);
  const auto fd = open_file(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (!fd.ok()) return std::nullopt;
  auto bytes = read_fd(fd->get(), kLimit, path);
  if (!bytes.ok()) return std::nullopt;
  return bytes.release_value();
}

// What the disk said, for all files of one call: files of one folder pull in the same others.
class LocalFiles {
 public:
  std::optional<std::string> read(const std::string& path) {
    const std::lock_guard lock(lock_);
    const auto known = contents_.find(path);
    if (known != contents_.end()) return known->second;
    auto content = read_local(path);
    kept_ += content ? content->size() : 0;
    if (!content || kept_ <= kMostKept) contents_.emplace(path, content);
    return content;
  }
  std::string real_path(const std::string& path) {
    const std::lock_guard lock(lock_);
    const auto [place, fresh] = real_paths_.try_emplace(path);
    if (fresh) place->second = guard::real_path(path);
    return place->second;
  }

 private:
  std::mutex lock_;
  std::size_t kept_ = 0;
  std::unordered_map<std::string, std::optional<std::string>> contents_;
  std::unordered_map<std::string, std::string> real_paths_;
};

// What was said of files that others pull in.
class Judgements {
 public:
  std::shared_ptr<const languages::Judgement> of(const Language& language,
                                                 const languages::Source& source,
                                                 const Policy& policy) {
    // No path holds a NUL.
    const auto key = std::make_pair(
        &language, std::string(source.by_sh ? 1 : 0, '\0') + std::string(source.path));
    {
      const std::lock_guard lock(lock_);
      const auto known = said_.find(key);
      if (known != said_.end() && known->second.bytes == source.bytes) return known->second.judged;
    }
    auto judged =
        std::make_shared<const languages::Judgement>(languages::judge(language, source, policy));
    const std::lock_guard lock(lock_);
    kept_ += source.bytes.size();
    if (kept_ <= kMostKept) said_[key] = {std::string(source.bytes), judged};
    return judged;
  }

 private:
  struct Said {
    std::string bytes;
    std::shared_ptr<const languages::Judgement> judged;
  };

  std::mutex lock_;
  std::size_t kept_ = 0;
  std::map<std::pair<const Language*, std::string>, Said> said_;
};

Report judge_object(const FileToJudge& file, const Policy& policy) {
  const languages::Source source{file.path, file.bytes};
  languages::Findings findings(source, policy);
  languages::elf::judge_object(file.bytes, policy, findings);
  return {std::string(file.language->name), policy.profile, findings.take_violations(),
          findings.take_warnings()};
}

class Judging {
 public:
  Judging(const std::vector<FileToJudge>& files, const Policies& policies, LocalFiles& local)
      : files_(files), policies_(policies), local_(local), reports_(files.size()) {
    for (const FileToJudge& file : files) named_.insert(file.path);
  }

  std::vector<Report> run() {
    const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t workers = std::min(processors, files_.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < workers; ++i) threads.emplace_back([this] { work(); });
    work();
    for (std::thread& thread : threads) thread.join();
    return std::move(reports_);
  }

 private:
  void work() {
    for (std::size_t i = next_++; i < files_.size(); i = next_++) reports_[i] = judge(files_[i]);
  }

  Report judge(const FileToJudge& file) {
    const Policy& policy = policies_.at(file.language);
    if (file.object) return judge_object(file, policy);
    const auto reader = [this](const std::string& path) -> std::optional<std::string> {
      // Judged by itself; here it only has to be there.
      if (named_.contains(path)) return std::string();
      return local_.read(path);
    };
    languages::ClosureLimits limits;
    limits.roots = file.roots;
    limits.real_path = [this](const std::string& path) { return local_.real_path(path); };
    limits.judge_included = [&](const languages::Source& source) {
      return judgements_.of(*file.language, source, policy);
    };
    return languages::judge_closure(*file.language, {file.path, file.bytes}, policy, reader, limits)
        .report;
  }

  const std::vector<FileToJudge>& files_;
  const Policies& policies_;
  LocalFiles& local_;
  Judgements judgements_;
  std::vector<Report> reports_;
  std::unordered_set<std::string> named_;
  std::atomic<std::size_t> next_{0};
};

// The bytes of judged files, those that were named and those they pull in.
class Sources {
 public:
  Sources(const std::vector<FileToJudge>& files, LocalFiles& local) : local_(local) {
    for (const FileToJudge& file : files) named_.emplace(file.path, file.bytes);
  }
  std::string_view operator()(std::string_view path) {
    const auto named = named_.find(path);
    if (named != named_.end()) return named->second;
    auto place = others_.find(path);
    if (place == others_.end()) {
      place = others_.emplace(path, local_.read(std::string(path)).value_or("")).first;
    }
    return place->second;
  }

 private:
  LocalFiles& local_;
  std::unordered_map<std::string_view, std::string_view> named_;
  std::map<std::string, std::string, std::less<>> others_;
};

std::string text_of(const std::vector<Report>& reports, Sources& sources) {
  std::string text;
  for (const Report& report : reports) text += languages::to_text(report, std::ref(sources));
  return text;
}

std::string json_of(const std::vector<Report>& reports) {
  if (reports.size() == 1) return languages::to_json(reports[0]) + "\n";
  std::string text = "[";
  for (const Report& report : reports) {
    if (text.size() > 1) text += ",\n ";
    text += languages::to_json(report);
  }
  return text + "]\n";
}

std::string summary_of(const std::vector<Report>& reports) {
  std::size_t findings = 0;
  std::size_t warnings = 0;
  std::size_t refused = 0;
  for (const Report& report : reports) {
    findings += report.violations.size();
    warnings += report.warnings.size();
    refused += report.safe() ? 0 : 1;
  }
  return std::to_string(reports.size()) + " files judged, " + std::to_string(refused) +
         " refused: " + std::to_string(findings) + " findings, " + std::to_string(warnings) +
         " warnings\n";
}

Result<void> print_reports(const Options& options, const std::vector<FileToJudge>& files,
                           const std::vector<Report>& reports, LocalFiles& local) {
  if (options.format == "json") return print(json_of(reports));
  Sources sources(files, local);
  if (options.format == "sarif") {
    return print(languages::to_sarif(reports, LANGSBX_VERSION, std::ref(sources)) + "\n");
  }
  TRY(print(text_of(reports, sources)));
  // Beside the findings: tools read those line by line.
  if (reports.size() != 1) return write_fd(STDERR_FILENO, summary_of(reports), "stderr");
  return {};
}

Result<int> run(const Invocation& invocation) {
  Options options;
  OptionTable table;
  table.text("language,l", &options.language, "NAME", "judge as this language; default: by file");
  table.text("profile,p", &options.profile, "NAME", "the profile (default \"default\")");
  table.text("profiles", &options.profiles, "DIR", "look profiles up here first");
  table.text("format,f", &options.format, "FORMAT", "text (default), json or sarif");
  const auto paths = TRY(parse(invocation, table));
  if (!paths) return kClean;
  if (options.format != "text" && options.format != "json" && options.format != "sarif") {
    return make_error(ErrorKind::kInvalidInput, "invalid format option: " + options.format);
  }
  const Language* language = nullptr;
  if (!options.language.empty() && options.language != "auto") {
    language = languages::find_language(options.language);
    if (language == nullptr) {
      return make_error(ErrorKind::kInvalidInput,
                        "--language: \"" + options.language + "\" is not known");
    }
  }
  const auto files = TRY(collect_files(*paths, language));
  const auto policies = TRY(load_policies(files, options));
  LocalFiles local;
  const auto reports = Judging(files, policies, local).run();
  TRY(print_reports(options, files, reports, local));
  const bool safe = std::all_of(reports.begin(), reports.end(),
                                [](const Report& report) { return report.safe(); });
  return safe ? kClean : kFindings;
}

}  // namespace

extern const Command kValidate{.name = "validate",
                               .arguments = "<file>|<directory>|- ...",
                               .summary = "judge source files as the guard would",
                               .fewest = 1,
                               .most = kAnyNumber,
                               .run = run,
                               .failure_status = kUsage};

}  // namespace langsbx::cmd
