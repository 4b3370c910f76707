// Interfaces that others have built: each file here maps one of them to a run and its record back.
// What callers of the original match on (members, statuses, error texts) is the same.
#pragma once

#include "cmd/langsbxd/call.h"

namespace langsbx::serve::doors {

void blue_execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void blue_status(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void blue_kill(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void blue_config(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void blue_info(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void code_sandbox_execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void code_sandbox_profile(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void piston_execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void piston_runtimes(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void sandbox_fusion_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void sandbox_fusion_ping(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void snekbox_eval(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_submit(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_submit_batch(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_show(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_show_batch(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_delete(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_languages(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_language(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_statuses(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_about(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void judge0_workers(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void dify_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void dify_health(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);

}  // namespace langsbx::serve::doors
