// The intermediate process: join, make the child, report it.
#include "runtime/launch/stage.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "runtime/handshake/message.h"
#include "runtime/isolate/join.h"
#include "runtime/isolate/namespaces.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/session.h"
#include "runtime/kernel/socket.h"

namespace langsbx::runtime {
namespace {

using Watch = std::function<Result<void>(pid_t)>;

// Until the parent has shown us to who watches, who need not be our ancestor (Yama).
Result<void> wait_to_be_watched(int socket) {
  TRY(allow_any_tracer(true));
  TRY(receive_packet(socket));
  TRY(allow_any_tracer(false));
  return become_undumpable();
}

// Reports the pid it made, or why it could not.
int stage_main(int socket, bool watched, const std::function<Result<void>()>& join,
               CloneOptions options, const std::function<int()>& body) {
  const auto run = [&]() -> Result<pid_t> {
    if (watched) TRY(wait_to_be_watched(socket));
    TRY(join());
    options.sibling = true;
    auto child = TRY(fork_child(options, body));
    return child.release();
  };
  auto made = run();
  std::string report(1, made.ok() ? 'p' : 'e');
  if (made.ok()) {
    const pid_t pid = *made;
    report.append(reinterpret_cast<const char*>(&pid), sizeof pid);
  } else {
    report += handshake::encode(handshake::Failed{made.release_error()});
  }
  return send_packet(socket, report).ok() ? 0 : 1;
}

Result<ChildProcess> fork_through(const std::function<Result<void>()>& join,
                                  const CloneOptions& options, const std::function<int()>& body,
                                  const Watch& watch = {}) {
  auto pair = TRY(make_message_pair());
  const bool watched = static_cast<bool>(watch);
  auto stage = TRY(fork_child({}, [&] {
    pair.first.reset();  // end of file when the parent dies
    return stage_main(pair.second.get(), watched, join, options, body);
  }));
  pair.second.reset();
  if (watched) {
    TRY(watch(stage.pid()));
    TRY(send_packet(pair.first.get(), "w"));
  }
  auto packet = TRY(receive_packet(pair.first.get()));
  TRY(stage.wait());
  if (packet.data.size() == 1 + sizeof(pid_t) && packet.data[0] == 'p') {
    pid_t pid = 0;
    std::memcpy(&pid, packet.data.data() + 1, sizeof pid);
    return ChildProcess(pid, TRY(open_pidfd(pid)));
  }
  if (packet.data.empty()) return make_error(ErrorKind::kSystem, "the joining process died");
  auto message = TRY(handshake::decode(std::string_view(packet.data).substr(1)));
  if (auto* failed = std::get_if<handshake::Failed>(&message)) return std::move(failed->error);
  return make_error(ErrorKind::kInternal, "joining: unexpected report");
}

}  // namespace

Result<void> bear_children_in(int pid_namespace) {
  if (::setns(pid_namespace, CLONE_NEWPID) != 0) return system_error("setns to the pid namespace");
  return {};
}

Result<ChildProcess> fork_in_stage(const plan::NamespacePlan& plan, const CloneOptions& options,
                                   const std::function<int()>& body) {
  const auto join = [&]() -> Result<void> {
    const auto offsets = TRY(isolate::open_time_offsets(plan));
    TRY(isolate::join_namespaces(plan));
    if (plan.new_time) TRY(isolate::unshare_time_namespace(plan, offsets.get()));
    const int pid_namespace = plan.joined(oci::NamespaceType::kPid);
    if (pid_namespace >= 0) TRY(bear_children_in(pid_namespace));
    return {};
  };
  return fork_through(join, options, body);
}

Result<ChildProcess> fork_in_pid_namespace(int pid_namespace, const CloneOptions& options,
                                           const std::function<int()>& body) {
  if (pid_namespace < 0) return fork_child(options, body);
  return fork_through([=] { return bear_children_in(pid_namespace); }, options, body);
}

Result<ChildProcess> fork_in_joined_stage(const JoinStage& stage,
                                          const std::function<int()>& body) {
  const auto join = [&] {
    return isolate::join_namespaces_of(stage.target, stage.namespaces, stage.keep_groups);
  };
  return fork_through(join, {}, body, stage.watch);
}

}  // namespace langsbx::runtime
