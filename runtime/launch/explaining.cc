// From the wish to the observer, from its list to warnings.
#include "runtime/launch/explaining.h"

#include <fcntl.h>

#include "runtime/kernel/file.h"
#include "runtime/launch/prepare.h"

namespace langsbx::runtime {
namespace {

constexpr const char* kAnnotation = "io.langsbx.explain";

Result<UniqueFd> open_events(const ExplainWish& wish, int state_directory) {
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW;
  if (!wish.file.empty()) return open_file(wish.file, kFlags, 0600);
  if (wish.record) return open_at(state_directory, kExplainFile, kFlags, 0600);
  return UniqueFd();
}

}  // namespace

Result<ExplainWish> explain_wish(bool flag, const std::string& file,
                                 const std::map<std::string, std::string>& annotations) {
  ExplainWish wish;
  wish.list = flag || !file.empty();
  wish.file = file;
  const auto found = annotations.find(kAnnotation);
  if (found == annotations.end()) return wish;
  if (found->second != "true" && found->second != "false") {
    return make_error(ErrorKind::kInvalidInput, std::string("annotation ") + kAnnotation + ": \"" +
                                                    found->second + "\" is not true or false");
  }
  wish.record = found->second == "true";
  return wish;
}

Result<Explaining> Explaining::start(const ExplainWish& wish, const plan::ProgramPlan& program,
                                     pid_t pid, int state_directory, bool maker) {
  Explaining explaining;
  if (!wish.any()) return explaining;
  const auto events = TRY_CONTEXT(open_events(wish, state_directory), "explain");
  explaining.list_ = wish.list;
  explaining.observer_ = TRY(
      explain::Observer::start({pid, &program.seccomp, &program.landlock, maker}, events.get()));
  return explaining;
}

Result<void> Explaining::finish(const Context& context) {
  if (!list_) {
    release();
    return {};
  }
  const auto denials = TRY(observer_.finish());
  std::vector<std::string> lines;
  lines.reserve(denials.size() + 1);
  for (const auto& denial : denials) lines.push_back("refused: " + explain::denial_text(denial));
  if (lines.empty()) lines.emplace_back("refused: nothing");
  warn(context, lines);
  return {};
}

void Explaining::release() {
  if (observer_.is_watching()) observer_.release();
}

}  // namespace langsbx::runtime
