// The two sides of asking for a mapped copy.
#include "runtime/isolate/late_sources.h"

#include <sched.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <string>

#include "runtime/isolate/mounts.h"
#include "runtime/kernel/mount_api.h"
#include "runtime/kernel/new_program.h"
#include "runtime/kernel/socket.h"

namespace langsbx::isolate {
namespace {

// A mount is copied in the mount namespace that it belongs to, or not at all.
Result<UniqueFd> copy_mapped(const plan::RootfsPlan& plan, const std::vector<int>& idmaps,
                             const Packet& asked) {
  std::size_t index = 0;
  const std::string& text = asked.data;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), index);
  const bool whole = read.ec == std::errc{} && read.ptr == text.data() + text.size();
  if (!whole || index >= idmaps.size() || asked.descriptors.size() != 2) {
    return make_error(ErrorKind::kInternal, "a request for a source that is none");
  }
  const auto& step = plan.mounts[index];
  TRY_CONTEXT(enter_namespace(asked.descriptors[0].get(), CLONE_NEWNS),
              "enter the container's mount namespace");
  auto copy = TRY(clone_mount(asked.descriptors[1].get(), "", step.options.recursive_bind));
  TRY(apply_idmap(step, idmaps[index], copy.get()));
  return copy;
}

int serve(const plan::RootfsPlan& plan, const std::vector<int>& idmaps, int socket, pid_t runtime) {
  if (!die_with_parent(SIGKILL, runtime).ok()) return 1;
  for (;;) {
    const auto asked = receive_packet(socket);
    if (!asked.ok() || asked->closed) return 0;
    const auto copy = copy_mapped(plan, idmaps, *asked);
    const auto sent = copy.ok() ? send_packet(socket, "copy", {copy->get()})
                                : send_packet(socket, copy.error().to_string());
    if (!sent.ok()) return 1;
  }
}

}  // namespace

Result<LateSources> offer_late_sources(const plan::RootfsPlan& plan,
                                       const std::vector<int>& idmaps) {
  auto pair = TRY(make_message_pair());
  LateSources offered;
  const pid_t runtime = ::getpid();
  offered.helper = TRY(fork_child({}, [&] {
    pair.second.reset();
    return serve(plan, idmaps, pair.first.get(), runtime);
  }));
  offered.asks = std::move(pair.second);
  return offered;
}

Result<UniqueFd> ask_for_late_source(int asks, std::size_t index, int source) {
  const auto self = TRY(open_pidfd(::getpid()));
  TRY(send_packet(asks, std::to_string(index), {self.get(), source}));
  auto answer = TRY(receive_packet(asks));
  if (answer.descriptors.size() == 1) return std::move(answer.descriptors[0]);
  if (answer.closed) answer.data = "the runtime's process that maps is gone";
  return make_error(ErrorKind::kSystem, answer.data);
}

}  // namespace langsbx::isolate
