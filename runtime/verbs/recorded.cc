// From the record to the plan of a program that joins.
#include "runtime/verbs/recorded.h"

#include <algorithm>

#include "runtime/confine/report.h"

namespace langsbx::runtime {
namespace {

// Not a layer more where it can be helped: the kernel has 16 of them, and the others are the
// workload's. What is executed under a guard profile's is not known yet.
void add_tight(confine::LandlockLayer layer, std::vector<confine::LandlockLayer>& layers) {
  const auto tight = std::find_if(layers.begin(), layers.end(), [](const auto& known) {
    return known.name == "program" && !known.starts_program;
  });
  if (tight == layers.end()) {
    layers.push_back(std::move(layer));
  } else {
    *tight = confine::intersect_layers(*tight, layer);
  }
}

}  // namespace

Result<void> apply_recorded(const state::Record& record, const oci::Process& process,
                            plan::ProgramPlan& program, bool keeps_no_new_privs) {
  const auto report = TRY_CONTEXT(confine::report_from_json(record.confinement),
                                  "the container's recorded confinement");
  const bool log_denials = program.landlock.log_denials;
  program.landlock = report.landlock;
  program.landlock.log_denials = program.landlock.log_denials || log_denials;
  if (process.landlock) {
    auto layer = TRY(confine::landlock_layer_from(
        *process.landlock, confine::LandlockForm::kProposal, "process.landlock of exec",
        program.landlock.abi, program.landlock.unenforced));
    add_tight(std::move(layer), program.landlock.layers);
  }
  if (keeps_no_new_privs && report.no_new_privileges) program.no_new_privileges = true;
  program.keeps_admin =
      !program.no_new_privileges && (!program.landlock.empty() || !program.seccomp.empty());
  return {};
}

}  // namespace langsbx::runtime
