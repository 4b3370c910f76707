// Running hooks with their timeouts.
#include "runtime/isolate/hooks.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <chrono>
#include <cstring>

#include "runtime/base/trace.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"

namespace langsbx::isolate {
namespace {

std::string trimmed(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// In Go's words, as runc's: "exit status 3", "signal: bad system call".
std::string how_it_ended(int status) {
  constexpr int kSignalled = 128;
  const char* const name = status > kSignalled ? ::sigdescr_np(status - kSignalled) : nullptr;
  if (name == nullptr) return "exit status " + std::to_string(status);
  std::string text(name);
  text[0] = static_cast<char>(text[0] | 0x20);
  return "signal: " + text;
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
  command.before_exec = surroundings.confine;
  if (hook.timeout) command.timeout = std::chrono::seconds(*hook.timeout);
  const auto result = TRY(run_command(command));
  if (result.timed_out) {
    return make_error(ErrorKind::kTimeout,
                      "hook ran past specified timeout of " + std::to_string(*hook.timeout) + "s");
  }
  if (result.status == 0) return {};
  return make_error(ErrorKind::kSystem, "error running hook: " + how_it_ended(result.status) +
                                            ", stdout: " + trimmed(result.output) +
                                            ", stderr: " + trimmed(result.errors));
}

Result<UniqueFd> open_log(const std::map<std::string, std::string>& annotations, const char* name) {
  const auto found = annotations.find(name);
  if (found == annotations.end()) return UniqueFd();
  // Whoever may write annotations must not lead us elsewhere, nor hold us up with a pipe.
  constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY | O_NOFOLLOW | O_NONBLOCK;
  const std::string where = "annotations: " + std::string(name);
  auto file = TRY_CONTEXT(open_file(found->second, kFlags, 0600), where);
  struct stat info {};
  if (::fstat(file.get(), &info) != 0) return system_error(where + ": fstat");
  if (!S_ISREG(info.st_mode)) {
    return make_error(ErrorKind::kInvalidInput,
                      where + ": " + found->second + " is not a regular file");
  }
  return file;
}

}  // namespace

bool has_hooks_before_start(const oci::Hooks& hooks) {
  return !hooks.prestart.empty() || !hooks.create_runtime.empty() ||
         !hooks.create_container.empty() || !hooks.start_container.empty();
}

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
