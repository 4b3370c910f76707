// Changes the limits of a container: its cgroup, and its Intel RDT group where it has one.
#include "oci/reader.h"
#include "runtime/host/resctrl.h"
#include "runtime/launch/opened.h"
#include "runtime/launch/prepare.h"

namespace langsbx::runtime {
namespace {

// A container without intelRdt gets its class now, as with runc.
Result<void> update_resctrl(Opened& opened, const std::string& l3_cache_schema,
                            const std::string& mem_bw_schema) {
  if (l3_cache_schema.empty() && mem_bw_schema.empty()) return {};
  const auto spec = TRY(oci::read_spec(TRY(opened.container.read_config()), state::kConfigFile));
  const bool known = spec.linux_ && spec.linux_->intel_rdt;
  oci::IntelRdt settings;
  if (known) settings.clos_id = spec.linux_->intel_rdt->clos_id;
  settings.l3_cache_schema = l3_cache_schema;
  settings.mem_bw_schema = mem_bw_schema;
  auto& record = opened.record;
  if (known || !record.resctrl_directory.empty()) return update_intel_rdt(settings, record.id);
  auto directory = TRY(join_intel_rdt(settings, record.id, record.init_pid));
  TRY(open_init(record));  // else another process of that number may have been put into it
  record.resctrl_directory = directory.path();
  TRY(opened.container.write_record(record));
  directory.keep();
  return {};
}

}  // namespace

Result<void> update(const Context& context, const std::string& id, const oci::Resources& resources,
                    const std::string& l3_cache_schema, const std::string& mem_bw_schema) {
  auto opened = TRY(open_locked(context, id));
  if (status_of(opened) == oci::Status::kStopped) {
    return make_error(ErrorKind::kWrongState, "container not running");
  }
  auto updated = opened.group.update(resources);
  warn(context, opened.group.warnings());
  if (!updated.ok()) return updated.release_error().with_context("update");
  TRY_CONTEXT(update_resctrl(opened, l3_cache_schema, mem_bw_schema), "update");
  return {};
}

}  // namespace langsbx::runtime
