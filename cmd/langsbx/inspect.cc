// inspect: the confinement that is really in force for a container.
#include "cmd/langsbx/verbs.h"
#include "runtime/confine/report.h"

namespace langsbx::cmd {
namespace {

Result<int> run(const Invocation& invocation) {
  std::string format = "text";
  OptionTable table;
  table.text("format,f", &format, "FORMAT", "text (default) or json");
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  if (format != "text" && format != "json") {
    return make_error(ErrorKind::kInvalidInput, "invalid format option: " + format);
  }
  const auto container = TRY(state::Store(invocation.global.root).open(positionals->at(0)));
  const auto record = TRY(container.read_record());
  const auto report = TRY(confine::report_from_json(record.confinement.dump()));
  TRY(print(format == "json" ? confine::report_json(report) + "\n" : confine::report_text(report)));
  return 0;
}

}  // namespace

extern const Command kInspect{.name = "inspect",
                              .arguments = "<container-id>",
                              .summary = "show the policy that is in force for a container",
                              .fewest = 1,
                              .most = 1,
                              .run = run};

}  // namespace langsbx::cmd
