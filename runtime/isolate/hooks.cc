// Running hooks with their timeouts.
#include "runtime/isolate/hooks.h"

#include <fcntl.h>

#include <chrono>

#include "runtime/base/trace.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::isolate {
namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

Result<void> run_hook(const oci::Hook& hook, const std::string& state,
                      const HookSurroundings& surroundings) {
  Command command;
  command.path = hook.path;
  command.args = hook.args;
  if (hook.env) {
    command.env = hook.env;
  } else if (surroundings.env != nullptr) {
    command.env = *surroundings.env;
  }
  if (surroundings.output != nullptr) {
    command.output_fd = surroundings.output->output.get();
    command.error_fd = surroundings.output->errors.get();
  }
  command.input = state;
  if (hook.timeout) command.timeout = std::chrono::seconds(*hook.timeout);
  const auto result = TRY(run_command(command));
  if (result.timed_out) {
    return make_error(ErrorKind::kTimeout,
                      "hook ran past specified timeout of " + std::to_string(*hook.timeout) + "s");
  }
  if (result.status == 0) return {};
  const std::string how = result.status > 128 ? "signal: " + std::to_string(result.status - 128)
                                              : "exit status " + std::to_string(result.status);
  return make_error(ErrorKind::kSystem, how + ", stdout: " + trimmed(result.output) +
                                            ", stderr: " + trimmed(result.errors));
}

Result<UniqueFd> open_log(const std::map<std::string, std::string>& annotations, const char* name) {
  const auto found = annotations.find(name);
  if (found == annotations.end()) return UniqueFd();
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY;
  return TRY_CONTEXT(open_file(found->second, kFlags, 0600), "annotations: " + std::string(name));
}

}  // namespace

Result<HookOutput> open_hook_output(const std::map<std::string, std::string>& annotations) {
  HookOutput output;
  output.output = TRY(open_log(annotations, "run.oci.hooks.stdout"));
  output.errors = TRY(open_log(annotations, "run.oci.hooks.stderr"));
  return output;
}

Result<void> run_hooks(std::string_view name, const std::vector<oci::Hook>& hooks,
                       const std::string& state, const HookSurroundings& surroundings) {
  for (std::size_t i = 0; i < hooks.size(); ++i) {
    const trace::Span span("hook", std::string(name) + " " + hooks[i].path);
    TRY_CONTEXT(run_hook(hooks[i], state, surroundings),
                "error running " + std::string(name) + " hook #" + std::to_string(i));
  }
  return {};
}

}  // namespace langsbx::isolate
