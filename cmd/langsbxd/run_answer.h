// What every interface does with a run: submit it, wait, answer; cancel it when the caller hangs
// up.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "cmd/langsbxd/service.h"

namespace langsbx::serve {

// How an interface words its answers.
struct Wording {
  std::function<Reply(const RunResult& result)> result;  // there is a record
  std::function<Reply(unsigned status, std::string_view code, const std::string& message)> no;
};

// Answers when the run has ended, or says why it will not run.
void run_and_reply(Service& service, const Call& call, const std::shared_ptr<Exchange>& exchange,
                   RunRequest request, Wording wording);

// With Retry-After.
Reply full_reply(const Wording& wording, const QueueFull& full);
Reply not_run_reply(const Wording& wording, NotRun why);
// What is wrong with a request: 400, or 403 where the key does not allow it.
Reply wrong_reply(const Wording& wording, const Error& error);

// Why the run ended as it did, for a person: never empty.
std::string reason_of(const Json& record);
// The guard's findings as lines "file:line:column: reason [rule]".
std::string findings_of(const Json& record);
std::string status_of(const Json& record);
// All bytes of "stdout" or "stderr", also where they are no UTF-8.
std::string stream_of(const Json& record, const char* name);
// Whether the bytes are UTF-8.
bool is_text(std::string_view bytes);
// The standard signal's name, "SIGKILL"; empty for 0.
std::string signal_name(int number);

}  // namespace langsbx::serve
