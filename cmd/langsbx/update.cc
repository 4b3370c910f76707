// update: changes the limits of a running container.
#include "cmd/langsbx/update_options.h"

#include <unistd.h>

#include "cmd/langsbx/verbs.h"
#include "oci/reader.h"
#include "oci/validate.h"
#include "runtime/kernel/file.h"

namespace langsbx::cmd {
namespace {

Result<oci::Resources> resources_of_file(const std::string& file) {
  constexpr std::size_t kLimit = std::size_t{16} << 20U;
  const bool from_stdin = file == "-";
  const std::string json =
      from_stdin ? TRY(read_fd(STDIN_FILENO, kLimit, "stdin")) : TRY(read_file(file, kLimit));
  auto resources = TRY(oci::read_resources(json, from_stdin ? "stdin" : file));
  TRY_CONTEXT(oci::validate(resources, ""), from_stdin ? "stdin" : file);
  return resources;
}

Result<int> run(const Invocation& invocation) {
  UpdateOptions options;
  OptionTable table;
  declare_update_options(table, options);
  const auto positionals = TRY(parse(invocation, table));
  if (!positionals) return 0;
  const auto resources = options.resources_file.empty()
                             ? TRY(resources_from(options))
                             : TRY(resources_of_file(options.resources_file));
  TRY(call_verb(invocation, [&](const auto& context) {
    return runtime::update(context, positionals->at(0), resources, options.l3_cache_schema,
                           options.mem_bw_schema);
  }));
  return 0;
}

}  // namespace

extern const Command kUpdate{.name = "update",
                             .arguments = "<container-id>",
                             .summary = "update container resource constraints",
                             .fewest = 1,
                             .most = 1,
                             .run = run};

}  // namespace langsbx::cmd
