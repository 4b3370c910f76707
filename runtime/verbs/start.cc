// start: opens the gate of a created container and waits until its program runs.
#include <unistd.h>

#include <csignal>

#include "oci/reader.h"
#include "runtime/kernel/socket.h"
#include "runtime/launch/notify_socket.h"
#include "runtime/launch/opened.h"
#include "runtime/verbs/poststart.h"

namespace langsbx::runtime {
namespace {

Result<void> check_status(const Opened& opened) {
  switch (status_of(opened)) {
    case oci::Status::kCreated:
      return {};
    case oci::Status::kStopped:
      return make_error(ErrorKind::kWrongState, "cannot start a container that has stopped");
    default:
      return make_error(ErrorKind::kWrongState, "cannot start an already running container");
  }
}

}  // namespace

Result<void> start(const Context& context, const std::string& id) {
  auto opened = TRY(open_locked(context, id));
  TRY(check_status(opened));
  // Without a listener or poststart hooks: an empty one says the same.
  oci::Spec spec;
  if (opened.record.asks_config) {
    spec = TRY(oci::read_spec(TRY(opened.container.read_config()), state::kConfigFile));
  }
  auto connected = connect_message(opened.container.fd(), state::kStartSocket);
  if (!connected.ok()) {
    return make_error(ErrorKind::kWrongState, "cannot start a container that has stopped");
  }
  handshake::Channel channel(connected.release_value(), handshake::Speaker::kRuntime,
                             handshake::Conversation::kStart);
  const auto notify = TRY(start_and_poststart(context, opened, spec, channel));
  // Readiness may take long; others may work on the container meanwhile.
  opened.container.unlock();
  return relay_notify(notify, opened.record);
}

}  // namespace langsbx::runtime
