// From the record to the plan of a program that joins.
#include "runtime/recorded.h"

#include "runtime/confine/report.h"

namespace langsbx::runtime {

Result<void> apply_recorded(const state::Record& record, const oci::Process& process,
                            plan::ProgramPlan& program) {
  const auto report = TRY_CONTEXT(confine::report_from_json(record.confinement),
                                  "the container's recorded confinement");
  const bool log_denials = program.landlock.log_denials;
  program.landlock = report.landlock;
  program.landlock.log_denials = program.landlock.log_denials || log_denials;
  if (process.landlock) {
    auto layer =
        TRY(confine::landlock_layer_from(*process.landlock, "process.landlock of exec",
                                         program.landlock.abi, program.landlock.unenforced));
    layer.name = "exec";
    program.landlock.layers.push_back(std::move(layer));
  }
  program.no_new_privileges = program.no_new_privileges || report.no_new_privileges;
  program.keeps_admin =
      !program.no_new_privileges && (!program.landlock.empty() || !program.seccomp.empty());
  return {};
}

}  // namespace langsbx::runtime
