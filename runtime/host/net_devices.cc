// The interfaces go with their addresses.
#include "runtime/host/net_devices.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>

#include "runtime/handshake/message.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/process.h"
#include "runtime/kernel/rtnetlink.h"
#include "runtime/kernel/socket.h"

namespace langsbx::runtime {
namespace {

// Init itself joins a namespace only later, so its own entry in /proc would still be ours.
Result<UniqueFd> open_network(const plan::NamespacePlan& namespaces, pid_t pid) {
  if (namespaces.makes(oci::NamespaceType::kNetwork)) {
    return open_file("/proc/" + std::to_string(pid) + "/ns/net", O_RDONLY);
  }
  for (const auto& join : namespaces.joins) {
    if (join.type != oci::NamespaceType::kNetwork) continue;
    UniqueFd copy(::fcntl(join.fd.get(), F_DUPFD_CLOEXEC, 3));
    if (!copy.valid()) return system_error("duplicate the network namespace's descriptor");
    return copy;
  }
  return make_error(ErrorKind::kInvalidInput, "there is no network namespace to move them to");
}

// The name of a pattern is the kernel's choice: its link is the one that was not there before.
Result<int> find_moved(RtNetlink& inside, const std::string& name,
                       const std::vector<int>& present) {
  if (name.find('%') == std::string::npos) return inside.find_link(name);
  const auto links = TRY(inside.list_links());
  for (const int index : links) {
    if (std::find(present.begin(), present.end(), index) == present.end()) return index;
  }
  return make_error(ErrorKind::kSystem, "no new link in the network namespace");
}

Result<void> move_one(RtNetlink& host, RtNetlink& inside, int network, const std::string& name,
                      const std::string& new_name) {
  const int index = TRY_CONTEXT(host.find_link(name), "find");
  const auto addresses = TRY_CONTEXT(host.list_addresses(index), "read its addresses");
  const auto present = TRY_CONTEXT(inside.list_links(), "list the container's links");
  TRY_CONTEXT(host.move_link(index, network, new_name), "move to the container as " + new_name);
  const int moved = TRY_CONTEXT(find_moved(inside, new_name, present), "find after the move");
  for (const auto& address : addresses) {
    TRY_CONTEXT(inside.add_address(moved, address), "add an address again");
  }
  TRY_CONTEXT(inside.raise_link(moved), "set up");
  return {};
}

// In a process of its own, because it goes to the container's network namespace.
Result<void> move_all(const std::map<std::string, oci::NetDevice>& devices, int network) {
  auto host = TRY_CONTEXT(RtNetlink::open(), "linux.netDevices");
  if (::setns(network, CLONE_NEWNET) != 0) {
    return system_error("linux.netDevices: setns to the network namespace");
  }
  auto inside = TRY_CONTEXT(RtNetlink::open(), "linux.netDevices");
  for (const auto& [name, device] : devices) {
    const std::string& new_name = device.name.empty() ? name : device.name;
    TRY_CONTEXT(move_one(host, inside, network, name, new_name), "linux.netDevices." + name);
  }
  return {};
}

Result<void> refuse_own_network(int network) {
  struct stat ours {};
  struct stat theirs {};
  if (::stat("/proc/self/ns/net", &ours) != 0) return system_error("stat /proc/self/ns/net");
  if (::fstat(network, &theirs) != 0) return system_error("fstat of the network namespace");
  if (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino) return {};
  return make_error(ErrorKind::kInvalidInput, "the network namespace is the runtime's own");
}

}  // namespace

Result<void> move_net_devices(const plan::LaunchPlan& launch, pid_t pid) {
  if (launch.net_devices.empty()) return {};
  const auto network = TRY_CONTEXT(open_network(launch.namespaces, pid), "linux.netDevices");
  TRY_CONTEXT(refuse_own_network(network.get()), "linux.netDevices");
  auto pair = TRY(make_message_pair());
  auto mover = TRY(fork_child({}, [&] {
    auto moved = move_all(launch.net_devices, network.get());
    const auto report = moved.ok() ? handshake::encode(handshake::Ready{})
                                   : handshake::encode(handshake::Failed{moved.release_error()});
    return send_packet(pair.second.get(), report).ok() ? 0 : 1;
  }));
  pair.second.reset();
  const auto report = TRY(receive_packet(pair.first.get()));
  TRY(mover.wait());
  if (report.closed) {
    return make_error(ErrorKind::kSystem, "linux.netDevices: the process that moves them died");
  }
  auto message = TRY(handshake::decode(report.data));
  if (auto* failed = std::get_if<handshake::Failed>(&message)) return std::move(failed->error);
  return {};
}

}  // namespace langsbx::runtime
