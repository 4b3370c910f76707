// The service's own interface, below /v1.
#pragma once

#include "cmd/langsbxd/call.h"
#include "cmd/langsbxd/runner.h"

namespace langsbx::serve::native {

void execute(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void validate(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void show_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void delete_run(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void run_events(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void languages(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void healthz(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void readyz(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void metrics(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void openapi(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void console_page(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void console_style(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);
void console_script(Service& service, Call& call, const std::shared_ptr<Exchange>& exchange);

// The record of `execute` and the files that came back.
Json answer_of(const RunResult& result);

}  // namespace langsbx::serve::native
