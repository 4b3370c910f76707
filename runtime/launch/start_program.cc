// Records, Start, the seccomp listener; then init's answer, or its end by execve.
#include "runtime/launch/start_program.h"

#include <sys/socket.h>

namespace langsbx::runtime {

using handshake::Channel;

Result<bool> await_exec(Channel& channel) {
  const auto message = TRY(channel.receive_or_end());
  if (!message) return false;
  if (std::holds_alternative<handshake::Outside>(*message)) return true;
  return make_error(ErrorKind::kInternal, "handshake: unexpected message after Start");
}

Result<void> forward_listener(const confine::SeccompPlan& plan, const UniqueFd& socket,
                              const oci::State& state) {
  auto listener = confine::receive_listener(socket.get(), -1);
  // The socket closes without a descriptor when init failed first: its own message says why.
  if (!listener.ok()) return {};
  return confine::send_listener(
      plan.listener_path, listener->get(),
      oci::seccomp_listener_json(state, state.pid, plan.listener_metadata));
}

namespace {

Result<void> start_with_listener(Channel& channel, const StartInputs& inputs) {
  int sockets[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    return system_error("socketpair");
  }
  const UniqueFd ours(sockets[0]);
  UniqueFd theirs(sockets[1]);
  TRY(channel.send(handshake::Start{}, {theirs.get()}));
  theirs.reset();
  TRY_CONTEXT(forward_listener(*inputs.seccomp, ours, inputs.state), "seccomp listener");
  return {};
}

}  // namespace

Result<void> start_init(Channel& channel, const StartInputs& inputs) {
  if (!inputs.records.empty()) {
    std::vector<int> records;
    for (const auto& record : inputs.records) records.push_back(record.get());
    TRY(channel.send(handshake::Records{}, records));
  }
  // Who was started at once has no filter that notifies, whatever path config.json names.
  const bool listens = inputs.seccomp != nullptr && inputs.seccomp->has_listener();
  if (!inputs.started) {
    TRY(listens ? start_with_listener(channel, inputs) : channel.send(handshake::Start{}));
  }
  TRY(await_exec(channel));
  return {};
}

}  // namespace langsbx::runtime
