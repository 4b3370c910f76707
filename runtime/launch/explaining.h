// --explain and the annotation io.langsbx.explain: a launch is watched for what it is refused.
#pragma once

#include <map>
#include <string>

#include "runtime/explain/observer.h"
#include "runtime/lifecycle.h"
#include "runtime/plan/launch_plan.h"

namespace langsbx::runtime {

inline constexpr const char* kExplainFile = "explain.jsonl";  // in the container's state directory

struct ExplainWish {
  bool list = false;    // --explain: the list is wanted at the end
  bool record = false;  // the annotation: events go to kExplainFile
  std::string file;     // --explain-file: events go there
  [[nodiscard]] bool any() const { return list || record; }
};
Result<ExplainWish> explain_wish(bool flag, const std::string& file,
                                 const std::map<std::string, std::string>& annotations);

class Explaining {
 public:
  // To be called while the process, or `maker`, which will make it, waits for its start; does
  // nothing without a wish.
  static Result<Explaining> start(const ExplainWish& wish, const plan::ProgramPlan& program,
                                  pid_t pid, int state_directory, bool maker = false);
  // After the program's end: the list becomes warnings of the verb.
  Result<void> finish(const Context& context);
  void release();

 private:
  explain::Observer observer_;
  bool list_ = false;
};

}  // namespace langsbx::runtime
