// kill: a signal for the container's init, or SIGKILL for everything in it.
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>

#include "oci/reader.h"
#include "runtime/kernel/process.h"
#include "runtime/launch/opened.h"

namespace langsbx::runtime {
namespace {

bool has_own_pid_namespace(const oci::Spec& spec) {
  if (!spec.linux_) return false;
  for (const auto& entry : spec.linux_->namespaces) {
    if (entry.type == oci::NamespaceType::kPid && entry.path.empty()) return true;
  }
  return false;
}

Result<void> signal_init(const state::Record& record, int signal) {
  const auto pidfd = TRY(open_init(record));
  auto sent = signal_pidfd(pidfd.get(), signal);
  if (!sent.ok() && sent.error().errno_value == ESRCH) {
    return make_error(ErrorKind::kWrongState, "container not running: no such process");
  }
  return sent;
}

}  // namespace

Result<int> parse_signal(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) {
    if (number >= 0 && number <= SIGRTMAX) return number;
    return make_error(ErrorKind::kInvalidInput, "unknown signal \"" + std::string(text) + "\"");
  }
  std::string name;
  for (const char c : text) name.push_back(static_cast<char>(std::toupper(c)));
  if (name.starts_with("SIG")) name.erase(0, 3);
  for (int candidate = 1; candidate < 32; ++candidate) {
    const char* known = ::sigabbrev_np(candidate);
    if (known != nullptr && name == known) return candidate;
  }
  if (name == "IOT") return SIGABRT;
  if (name == "CLD") return SIGCHLD;
  if (name.starts_with("RTMIN") || name.starts_with("RTMAX")) {
    const int base = name.starts_with("RTMIN") ? SIGRTMIN : SIGRTMAX;
    int offset = 0;
    if (name.size() > 5) {
      const char* begin = name.data() + (name[5] == '+' ? 6 : 5);
      const auto parsed = std::from_chars(begin, name.data() + name.size(), offset);
      if (parsed.ec != std::errc() || parsed.ptr != name.data() + name.size()) offset = 1000;
    }
    if (base + offset >= SIGRTMIN && base + offset <= SIGRTMAX) return base + offset;
  }
  return make_error(ErrorKind::kInvalidInput, "unknown signal \"" + std::string(text) + "\"");
}

Result<void> kill(const Context& context, const std::string& id, int signal, bool all) {
  auto opened = TRY(open_locked(context, id));
  const auto status = status_of(opened);
  // Without a pid namespace of its own, others may live on after init.
  const bool everything = all || signal == SIGKILL;
  const auto spec =
      everything ? TRY(oci::read_spec(TRY(opened.container.read_config()), state::kConfigFile))
                 : oci::Spec();
  const bool shared_pids = everything && !has_own_pid_namespace(spec);
  if (status == oci::Status::kStopped) {
    if (shared_pids && signal == SIGKILL && opened.group.exists()) {
      const auto left = opened.group.pids();
      if (left.ok() && !left->empty()) return opened.group.kill_all(signal);
    }
    // Callers of --all want nobody to be left, and nobody is.
    if (all) return {};
    return make_error(ErrorKind::kWrongState, "container not running");
  }
  if (shared_pids && opened.group.exists() && signal == SIGKILL) {
    return opened.group.kill_all(signal);
  }
  TRY(signal_init(opened.record, signal));
  // A frozen process dies only when it runs again.
  if (signal == SIGKILL && status == oci::Status::kPaused) TRY(opened.group.thaw());
  return {};
}

}  // namespace langsbx::runtime
