// run: create and start in one process.
#include <memory>

#include "runtime/base/trace.h"
#include "runtime/kernel/session.h"
#include "runtime/launch/descriptors.h"
#include "runtime/launch/notify_socket.h"
#include "runtime/launch/prepare.h"
#include "runtime/verbs/poststart.h"
#include "runtime/verbs/remove.h"
#include "runtime/verbs/supervise.h"

namespace langsbx::runtime {
namespace {

Result<int> finish(const Context& context, const CreateOptions& options, Opened& opened,
                   const oci::Spec& spec, Result<int> status) {
  if (options.keep && status.ok()) return status;
  auto destroyed = destroy_container(context, opened, &spec);
  if (!status.ok()) return status;
  TRY(std::move(destroyed));
  return status;
}

Result<int> run_to_end(const Context& context, const CreateOptions& options, Prepared& prepared,
                       Supervisor& supervisor) {
  commit(prepared);
  auto& channel = prepared.launched.channel;
  auto& init = prepared.launched.init;
  const auto& spec = prepared.plan->spec;
  auto& opened = prepared.opened;
  auto started = start_and_poststart(context, opened, spec, channel, prepared.order.starts_at_once);
  if (!started.ok()) {
    return finish(context, options, opened, spec, Result<int>(started.release_error()));
  }
  const auto notify = started.release_value();
  opened.container.unlock();
  if (options.detach) {
    static_cast<void>(init.release());
    TRY(relay_notify(notify, opened.record));
    return 0;
  }
  if (notify.valid()) {
    supervisor.watch(notify.get(), [&] {
      auto ready = pass_on_notification(notify, opened.record);
      if (!ready.ok()) warn(context, {ready.error().to_string()});
      return ready.ok() && !*ready;
    });
  }
  context.before_wait();
  trace::Span waiting("program");
  auto status = supervisor.wait(init);
  waiting.end();
  if (status.ok()) opened.record.init_pid = 0;  // reaped: whoever has this pid now is another
  TRY(opened.container.lock());
  return finish(context, options, opened, spec, std::move(status));
}

Result<int> run_prepared(const Context& context, const CreateOptions& options, Prepared& prepared,
                         Supervisor& supervisor) {
  auto explaining = std::move(prepared.explaining);
  auto status = run_to_end(context, options, prepared, supervisor);
  if (options.detach && status.ok()) {
    explaining.release();
    return status;
  }
  TRY(explaining.finish(context));
  return status;
}

Result<int> run_container(const Context& context, const CreateOptions& options) {
  auto descriptors = TRY(take_descriptors(options.preserve_fds, context.acts_as_crun()));
  // Orphans of the container's init come to us instead of the system's init.
  if (!options.no_subreaper && !options.detach) TRY(adopt_orphans());
  Supervisor supervisor;
  PrepareInputs inputs;
  inputs.plan = {&context, &options, std::move(descriptors)};
  if (!options.detach) {
    supervisor = TRY(Supervisor::start());
    if (options.console_socket.empty()) inputs.relay = [&] { return supervisor.console_socket(); };
  }
  auto prepared = TRY(prepare(inputs));
  auto status = run_prepared(context, options, *prepared, supervisor);
  // The process is about to end, and with it what is left: memory and descriptors. Kept where a
  // leak checker finds it.
  [[maybe_unused]] static const Prepared* left = nullptr;
  if (status.ok()) left = prepared.release();
  return status;
}

}  // namespace

Result<int> run(const Context& context, const CreateOptions& options) {
  if (options.detach && (options.explain || !options.explain_file.empty())) {
    return make_error(ErrorKind::kInvalidInput,
                      "--explain: nobody waits for a detached container's list; use the annotation "
                      "io.langsbx.explain");
  }
  return TRY_CONTEXT(run_container(context, options), context.runtime_name + " run failed");
}

}  // namespace langsbx::runtime
