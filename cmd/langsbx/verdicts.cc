// verdicts: what the guard said about all containers, those that are gone included.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <ctime>
#include <functional>

#include "cmd/langsbx/command.h"
#include "cmd/langsbx/duration.h"
#include "cmd/langsbx/verdict_text.h"
#include "languages/report.h"
#include "oci/state.h"
#include "runtime/guard/verdict_log.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned kMostFiles = 1000;
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

struct Wanted {
  std::string since;  // RFC 3339, or its beginning
  std::string container;
  bool refused = false;
};

// A duration back from now, or a date as the log writes it: those sort as texts do.
Result<std::string> beginning_of(const std::string& since) {
  if (since.empty()) return since;
  const bool date = since.size() >= 10 && since[4] == '-' && since[7] == '-';
  if (date) return since;
  const auto back = TRY(parse_duration(since, "since"));
  timespec then{};
  ::clock_gettime(CLOCK_REALTIME, &then);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(back);
  then.tv_sec -= seconds.count();
  then.tv_nsec = 0;
  return oci::rfc3339_nano(then);
}

bool was_refused(const Json& verdict) {
  const auto refused = verdict.find("refused");
  return refused != verdict.end() && *refused == true;
}

bool is_wanted(const Json& verdict, const Wanted& wanted) {
  if (text_member(verdict, "time") < wanted.since) return false;
  if (wanted.refused && !was_refused(verdict)) return false;
  if (wanted.container.empty()) return true;
  return text_member(verdict, "container").starts_with(wanted.container) ||
         text_member(verdict, "name") == wanted.container ||
         text_member(verdict, "pod") == wanted.container;
}

std::string as_text(const Json& verdict) {
  std::string whose;
  for (const char* const name : {"name", "pod", "namespace", "image"}) {
    const std::string text = text_member(verdict, name);
    if (!text.empty()) whose += (whose.empty() ? "" : ", ") + std::string(name) + " " + text;
  }
  if (!whose.empty()) whose = " (" + whose + ")";
  return languages::printable(text_member(verdict, "time") + " " +
                              text_member(verdict, "container") + whose) +
         (was_refused(verdict) ? " refused, " : " ") + verdict_sentence(verdict) + "\n" +
         findings_text(verdict);
}

using Take = std::function<Result<void>(std::string_view line, const Json& verdict)>;

// A line that is none (the disk was full) is passed over.
Result<void> each_line(const std::string& text, const Wanted& wanted, const Take& take) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const auto line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto verdict = Json::parse(line, nullptr, false);
    if (verdict.is_object() && is_wanted(verdict, wanted)) TRY(take(line, verdict));
  }
  return {};
}

// The oldest first.
Result<std::vector<std::string>> files_in(const std::string& folder) {
  const std::string newest = folder + "/" + guard::kVerdictLog;
  std::vector<std::string> files;
  for (unsigned number = 1; number < kMostFiles; ++number) {
    const std::string older = newest + "." + std::to_string(number);
    if (::access(older.c_str(), F_OK) != 0) break;
    files.insert(files.begin(), older);
  }
  files.push_back(newest);
  return files;
}

Result<int> run(const Invocation& invocation) {
  Wanted wanted;
  std::string since;
  std::string folder;
  bool json = false;
  OptionTable table;
  table.text("since", &since, "WHEN", "a duration back from now (2h), or a date (2026-11-19)");
  table.text("container", &wanted.container, "NAME",
             "only of this container: the beginning of its id, its name, or its pod's name");
  table.flag("refused", &wanted.refused, "only programs that were refused");
  table.flag("json", &json, "the lines of the log as they are");
  table.text("folder", &folder, "DIR", "where the log is; default: the host's, or the user's own");
  if (!TRY(parse(invocation, table))) return 0;
  wanted.since = TRY(beginning_of(since));
  const bool user = invocation.global.rootless.value_or(::geteuid() != 0);
  if (folder.empty()) folder = guard::verdict_folder(user);
  if (folder.empty()) {
    return make_error(ErrorKind::kNotFound,
                      "neither XDG_STATE_HOME nor HOME says where the log of verdicts is");
  }
  for (const std::string& file : TRY(files_in(folder))) {
    const auto text = read_plain_file_at(AT_FDCWD, file.c_str(), kMostBytes);
    if (!text.ok() && text.error().errno_value == ENOENT) continue;
    if (!text.ok()) return text.error();
    TRY(each_line(*text, wanted, [&](std::string_view line, const Json& verdict) {
      return print(json ? std::string(line) + "\n" : as_text(verdict));
    }));
  }
  return 0;
}

}  // namespace

extern const Command kVerdicts{.name = "verdicts",
                               .arguments = "",
                               .summary = "list what the guard said, of ended containers too",
                               .run = run};

}  // namespace langsbx::cmd
