// Planning: profiles to finished filters, in an order in which they can all be loaded.
#include "runtime/confine/seccomp.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>

#include <algorithm>
#include <string>

#include "runtime/base/trace.h"
#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_cache.h"
#include "runtime/confine/seccomp_compile.h"
#include "runtime/confine/seccomp_names.h"

namespace langsbx::confine {
namespace {

constexpr const char* kOfConfig = "linux.seccomp";

Result<CompiledProfile> compile_source(const SeccompSource& source, const SeccompOptions& options) {
  const trace::Span span("seccomp: find or compile", source.name);
  std::string key;
  if (!options.cache_directory.empty()) {
    key = seccomp_cache_key(source.profile, source.json, source.name, options.unknown_calls);
    if (auto cached = read_seccomp_cache(options.cache_directory, key)) {
      return std::move(*cached);
    }
  }
  oci::Seccomp parsed;
  if (!source.json.empty()) parsed = TRY(parse_seccomp_profile(source.json, source.name));
  CompiledProfile compiled = TRY(compile_seccomp(source.json.empty() ? source.profile : parsed,
                                                 source.name, options.unknown_calls));
  if (!key.empty()) write_seccomp_cache(options.cache_directory, key, compiled);
  return compiled;
}

bool admits_another(const SeccompFilter& filter) {
  seccomp_data call{};
  call.nr = SYS_seccomp;
  call.arch = native_audit_arch();
  call.args[0] = SECCOMP_SET_MODE_FILTER;
  return filter_allows(evaluate_filter(filter.program, call));
}

// A filter that refuses seccomp(2) can only be the last one.
Result<void> order_filters(SeccompPlan& plan) {
  const auto last = std::stable_partition(plan.filters.begin(), plan.filters.end(), admits_another);
  if (plan.filters.end() - last > 1) {
    return make_error(ErrorKind::kInvalidInput, last->name + " and " + (last + 1)->name +
                                                    ": both refuse the system call seccomp, so "
                                                    "they can't be loaded together");
  }
  return {};
}

// With the one that the kernel is given for a listener, as runc counts them.
void trace_flags(const SeccompFilter& filter) {
  if (!trace::is_on()) return;
  const std::uint32_t listener = filter.has_notify ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0;
  const trace::Span span("seccomp filter flags", std::to_string(filter.flags | listener));
}

Result<void> add_source(const SeccompSource& source, const SeccompOptions& options,
                        SeccompPlan& plan) {
  CompiledProfile compiled = TRY(compile_source(source, options));
  if (options.always_listens && !source.profile.listener_path.empty()) {
    compiled.filter.has_notify = true;
  }
  if (compiled.filter.has_notify) {
    if (plan.has_listener()) {
      return make_error(ErrorKind::kInvalidInput,
                        source.name +
                            ": a second profile with SCMP_ACT_NOTIFY; the kernel "
                            "takes one listener");
    }
    plan.listener_path = source.profile.listener_path;
    plan.listener_metadata = source.profile.listener_metadata;
    if (plan.listener_path.empty()) {
      return make_error(ErrorKind::kInvalidInput,
                        source.name + ": SCMP_ACT_NOTIFY is only possible in config.json");
    }
  }
  trace_flags(compiled.filter);
  plan.filters.push_back(std::move(compiled.filter));
  plan.summaries.push_back(std::move(compiled.summary));
  return {};
}

}  // namespace

Result<SeccompPlan> plan_seccomp(const std::vector<SeccompSource>& sources,
                                 const SeccompOptions& options) {
  SeccompPlan plan;
  for (const SeccompSource& source : sources) TRY(add_source(source, options, plan));
  TRY(order_filters(plan));
  return plan;
}

Result<void> stack_seccomp(const SeccompSource& source, const SeccompOptions& options,
                           SeccompPlan& plan) {
  TRY(add_source(source, options, plan));
  return order_filters(plan);
}

Result<SeccompPlan> plan_seccomp(const oci::Seccomp& profile, const SeccompOptions& options) {
  return plan_seccomp({SeccompSource{kOfConfig, profile, {}}}, options);
}

SeccompPlan filters_of_config(const SeccompPlan& plan) {
  SeccompPlan own;
  for (const SeccompFilter& filter : plan.filters) {
    if (filter.name != kOfConfig) continue;
    own.filters.push_back(filter);
    own.filters.back().has_notify = false;
    own.filters.back().flags &= ~find_flag("SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV").value();
  }
  return own;
}

}  // namespace langsbx::confine
