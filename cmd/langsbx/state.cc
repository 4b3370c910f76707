// state: prints the state of one container as JSON.
#include "cmd/langsbx/find.h"
#include "cmd/langsbx/verbs.h"
#include "runtime/confine/report.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  OptionTable table;
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const auto found = TRY(find_container(invocation.global, positionals->at(0)));
  const auto container = TRY(state::Store(found.root).open(found.id));
  const auto record = TRY(container.read_record());
  auto state = container.state(record, is_paused);
  // A damaged or early record has none; what it says of the container stays useful.
  if (const auto report = confine::report_from_json(record.confinement); report.ok()) {
    state.annotations.merge(confine::report_annotations(*report));
  }
  // crun's containers are not to be seen before they are created.
  if (state.status == oci::Status::kCreating && invocation.global.program == "crun")
    return make_error(ErrorKind::kNotFound, "container does not exist: it is being created");
  TRY(print(oci::state_json(state) + "\n"));
  return 0;
}

}  // namespace

extern const Command kState{.name = "state",
                            .arguments = "<container-id>",
                            .summary = "output the state of a container",
                            .fewest = 1,
                            .most = 1,
                            .run = run};

}  // namespace langsbx::cmd
