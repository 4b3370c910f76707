// The listener's way out of the namespace, the proxy's processes.
#include "runtime/egress/proxy.h"

#include <grp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "runtime/confine/landlock.h"
#include "runtime/confine/no_new_privs.h"
#include "runtime/kernel/close_range.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/landlock.h"
#include "runtime/kernel/socket.h"

namespace langsbx::egress {
namespace {

constexpr int kBacklog = 64;
constexpr std::size_t kMostConnections = 32;

// Nothing of the host but what names lead to; the sandbox's program can reach this process only
// through the socket, and what it sends is read here.
Result<void> confine_proxy(uid_t uid) {
  if (::geteuid() == 0 && (::setgroups(0, nullptr) != 0 || ::setresgid(uid, uid, uid) != 0 ||
                           ::setresuid(uid, uid, uid) != 0)) {
    return system_error("become user " + std::to_string(uid));
  }
  TRY(confine::set_no_new_privs());
  const rlimit none{0, 0};
  if (::setrlimit(RLIMIT_CORE, &none) != 0 || ::setrlimit(RLIMIT_FSIZE, &none) != 0) {
    return system_error("setrlimit");
  }
  confine::LandlockProgram wanted;
  wanted.origin = "proxy";
  wanted.read = {"/etc", "/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager"};
  wanted.bind_tcp.emplace();
  wanted.best_effort = true;
  confine::LandlockPlan plan;
  plan.abi = TRY(ask_landlock_abi());
  if (plan.abi == 0) return {};
  plan.layers.push_back(TRY(confine::landlock_program_layer(wanted, plan.abi, plan.unenforced)));
  const auto root = TRY(open_file("/", O_PATH | O_DIRECTORY));
  return confine::apply_landlock(plan, root.get());
}

// Keeps the two, as descriptors 3 and 4: the streams of the program must end with the program.
Result<void> close_others(UniqueFd& listener, UniqueFd& told) {
  constexpr int kListener = 3;
  constexpr int kTold = 4;
  const int null = TRY(open_file("/dev/null", O_RDWR)).release();
  // Released, as all behind them are closed at once below.
  const int first = ::fcntl(listener.get(), F_DUPFD_CLOEXEC, 10);
  const int second = ::fcntl(told.get(), F_DUPFD_CLOEXEC, 10);
  for (const int stream : {0, 1, 2}) {
    if (::dup2(null, stream) < 0) return system_error("dup2");
  }
  if (::dup2(first, kListener) < 0 || ::dup2(second, kTold) < 0) {
    return system_error("dup2");
  }
  static_cast<void>(listener.release());
  static_cast<void>(told.release());
  listener.reset(kListener);
  told.reset(kTold);
  return close_all_but({}, 5);
}

// Whoever made us is gone, or goes some day.
bool end_with_maker(pid_t maker) {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == maker;
}

void tell(int told, const Asked& asked) {
  const std::string_view bytes(reinterpret_cast<const char*>(&asked), sizeof asked);
  static_cast<void>(write_fd(told, bytes, "requests"));
}

Result<ChildProcess> serve_in_child(int listener, UniqueFd client, int told,
                                    const AllowList& allowed) {
  const pid_t maker = ::getpid();
  return fork_child({}, [&] {
    if (!end_with_maker(maker)) return 1;
    ::close(listener);
    serve_connection(std::move(client), allowed, [&](const Asked& asked) { tell(told, asked); });
    return 0;
  });
}

// A process for each connection: what goes wrong in one is its own.
int serve(int listener, int told, const AllowList& allowed) {
  std::vector<ChildProcess> connections;
  for (;;) {
    std::vector<pollfd> fds;
    fds.reserve(connections.size() + 1);
    for (const auto& connection : connections) fds.push_back({connection.pidfd(), POLLIN, 0});
    const bool full = connections.size() >= kMostConnections;
    fds.push_back({full ? -1 : listener, POLLIN, 0});
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) return 1;
    for (std::size_t i = connections.size(); i-- > 0;) {
      if (fds[i].revents == 0) continue;
      const auto waited = connections[i].wait();
      if (!waited.ok()) return 1;
      connections.erase(connections.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (fds.back().revents == 0) continue;
    UniqueFd client(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!client.valid()) continue;
    auto child = serve_in_child(listener, std::move(client), told, allowed);
    if (child.ok()) connections.push_back(child.release_value());
  }
}

}  // namespace

Result<UniqueFd> open_listener() {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd.valid()) return system_error("socket");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(kPort);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    return system_error("bind");
  }
  if (::listen(fd.get(), kBacklog) != 0) return system_error("listen");
  return fd;
}

Result<Proxy> Proxy::start(UniqueFd listener, uid_t uid, const AllowList& allowed) {
  auto told = TRY(make_message_pair());
  const pid_t maker = ::getpid();
  Proxy proxy;
  proxy.process_ = TRY(fork_child({}, [&] {
    if (!end_with_maker(maker)) return 1;
    auto kept = close_others(listener, told.second);
    const auto confined = kept.ok() ? confine_proxy(uid) : std::move(kept);
    if (!confined.ok()) return std::max(confined.error().errno_value, 1);
    // A change of user forgets it.
    if (!end_with_maker(maker) || ::prctl(PR_SET_DUMPABLE, 0) != 0) return 1;
    tell(told.second.get(), {});
    return serve(listener.get(), told.second.get(), allowed);
  }));
  told.second.reset();
  Asked ready;
  if (::read(told.first.get(), &ready, sizeof ready) != static_cast<ssize_t>(sizeof ready)) {
    return system_error("the proxy", TRY(proxy.process_.wait()));
  }
  if (::fcntl(told.first.get(), F_SETFL, O_NONBLOCK) != 0) return system_error("fcntl");
  proxy.requests_ = std::move(told.first);
  return proxy;
}

std::vector<Asked> Proxy::take_requests() {
  std::vector<Asked> requests;
  while (requests_.valid()) {
    Asked asked;
    const ssize_t count = ::read(requests_.get(), &asked, sizeof asked);
    if (count == static_cast<ssize_t>(sizeof asked)) {
      requests.push_back(asked);
    } else if (count < 0 && (errno == EAGAIN || errno == EINTR)) {
      return requests;
    } else {
      requests_.reset();  // it has died: nothing answers the program any more
    }
  }
  return requests;
}

}  // namespace langsbx::egress
