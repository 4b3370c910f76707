// A run whose outputs are sent as they come: server-sent events, or a JSON document a line.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "cmd/langsbxd/service.h"

namespace langsbx::serve {

enum class Form { kSse, kLines };

// By the Accept header; empty: one answer at the end.
std::optional<Form> stream_form(const Call& call);

// Cancelled when the caller hangs up.
void run_and_stream(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                    RunRequest request, Form form);

// From behind Last-Event-ID on, to the end of the run; hanging up cancels nothing.
void stream_feed(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                 const std::shared_ptr<Feed>& feed, Form form);

// Puts what a run writes into the feed. `more` says whether the reader keeps up. flush() is to be
// called when the run has ended.
struct OutputEvents {
  Runner::Output output;
  std::function<void()> flush;
};
OutputEvents outputs_to(const std::shared_ptr<Feed>& feed, std::function<bool()> more);

}  // namespace langsbx::serve
