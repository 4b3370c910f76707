// Changes the limits of a container: its cgroup, and its Intel RDT group where it has one.
#include "runtime/kernel/file.h"
#include "runtime/opened.h"

namespace langsbx::runtime {
namespace {

Result<void> write_schema(const state::Record& record, const char* option,
                          const std::string& schema) {
  if (schema.empty()) return {};
  if (record.resctrl_directory.empty()) {
    return make_error(ErrorKind::kWrongState,
                      std::string(option) + ": the container has no Intel RDT group of its own");
  }
  return write_file(record.resctrl_directory + "/schemata", schema + "\n");
}

}  // namespace

Result<void> update(const Context& context, const std::string& id, const oci::Resources& resources,
                    const std::string& l3_cache_schema, const std::string& mem_bw_schema) {
  auto opened = TRY(open_locked(context, id));
  if (status_of(opened) == oci::Status::kStopped) {
    return make_error(ErrorKind::kWrongState, "container not running");
  }
  TRY_CONTEXT(opened.group.update(resources), "update");
  if (context.warnings != nullptr) {
    const auto& warnings = opened.group.warnings();
    context.warnings->insert(context.warnings->end(), warnings.begin(), warnings.end());
  }
  TRY(write_schema(opened.record, "--l3-cache-schema", l3_cache_schema));
  return write_schema(opened.record, "--mem-bw-schema", mem_bw_schema);
}

}  // namespace langsbx::runtime
