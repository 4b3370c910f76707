// The child's side (load, hand over the listener) and the parent's side (receive, pass on).
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

#include "runtime/confine/seccomp.h"
#include "runtime/kernel/bare_calls.h"
#include "runtime/kernel/seccomp.h"

namespace langsbx::confine {
namespace {

constexpr std::size_t kStackBytes = 32U << 10U;
constexpr int kNotYet = -1;
constexpr int kFailed = -2;

// Shared by init and its helper thread; lives at the bottom of the helper's stack mapping.
struct Handover {
  std::atomic<int> listener{kNotYet};
  std::atomic<int> sent{kNotYet};  // then 0 or an errno
  int socket = -1;
};

void pause_processor() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

int send_descriptor(int socket, int descriptor, std::string_view text) {
  iovec part{const_cast<char*>(text.data()), text.size()};  // NOLINT: sendmsg reads only
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  std::memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
  while (::sendmsg(socket, &message, MSG_NOSIGNAL) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// The helper thread. It shares thread-local storage with init (no CLONE_SETTLS), which here means
// errno only; init does not look at errno before this has finished.
int hand_over(void* argument) {
  auto* handover = static_cast<Handover*>(argument);
  const timespec moment{0, 20'000};
  int listener = kNotYet;
  while ((listener = handover->listener.load(std::memory_order_acquire)) == kNotYet) {
    sleep_barely(moment);
  }
  if (listener >= 0) {
    const int code = send_descriptor(handover->socket, listener, "L");
    handover->sent.store(code, std::memory_order_release);
  }
  end_thread();
}

Result<Handover*> start_helper(int socket) {
  void* memory = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return system_error("mmap");
  auto* handover = new (memory) Handover;  // never unmapped: execve does it
  handover->socket = socket;
  constexpr int kThread =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  if (::clone(&hand_over, static_cast<char*>(memory) + kStackBytes, kThread, handover) < 0) {
    return system_error("clone of the listener's helper");
  }
  return handover;
}

Result<void> load_one(const SeccompFilter& filter, Handover* handover) {
  const bool notifies = filter.has_notify && handover != nullptr;
  std::uint32_t flags = filter.flags;
  if (notifies) flags |= SECCOMP_FILTER_FLAG_NEW_LISTENER;
  const int answer = seccomp_set_filter(filter.program, flags);
  if (answer < 0) return system_error("seccomp " + filter.name);
  if (!notifies) return {};
  // From here to the return: no system call, each might be one that waits for the agent.
  handover->listener.store(answer, std::memory_order_release);
  int code = kNotYet;
  while ((code = handover->sent.load(std::memory_order_acquire)) == kNotYet) pause_processor();
  if (code != 0) return system_error("sending the seccomp listener", code);
  return {};
}

}  // namespace

Result<void> load_seccomp(const SeccompPlan& plan, int listener_socket) {
  Handover* handover = nullptr;
  // Before the first filter: the helper must be under none of them.
  if (plan.has_listener()) handover = TRY(start_helper(listener_socket));
  for (const SeccompFilter& filter : plan.filters) {
    auto loaded = load_one(filter, handover);
    if (loaded.ok()) continue;
    if (handover != nullptr) {
      int expected = kNotYet;
      handover->listener.compare_exchange_strong(expected, kFailed);
    }
    return loaded;
  }
  return {};
}

Result<UniqueFd> receive_listener(int socket, int timeout_ms) {
  pollfd wait{socket, POLLIN, 0};
  int ready = 0;
  while ((ready = ::poll(&wait, 1, timeout_ms)) < 0) {
    if (errno != EINTR) return system_error("poll for the seccomp listener");
  }
  if (ready == 0) return make_error(ErrorKind::kTimeout, "no seccomp listener came from init");
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  ssize_t count = 0;
  while ((count = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC)) < 0) {
    if (errno != EINTR) return system_error("recvmsg of the seccomp listener");
  }
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (count == 0 || header == nullptr || header->cmsg_level != SOL_SOCKET ||
      header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(sizeof(int))) {
    return make_error(ErrorKind::kInternal, "init ended without sending its seccomp listener");
  }
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(header), sizeof(descriptor));
  return UniqueFd(descriptor);
}

Result<void> send_listener(const std::string& listener_path, int listener,
                           std::string_view container_process_state) {
  const std::string what =
      "failed to connect with seccomp agent specified in the seccomp profile: "
      "linux.seccomp.listenerPath " +
      listener_path;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (listener_path.size() >= sizeof(address.sun_path)) {
    return make_error(ErrorKind::kInvalidInput, what + ": longer than a socket's path can be");
  }
  std::memcpy(address.sun_path, listener_path.data(), listener_path.size());
  const UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket) return system_error("socket");
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return system_error(what + ": connect");
  }
  const int code = send_descriptor(socket.get(), listener, container_process_state);
  if (code != 0) return system_error(what + ": sendmsg", code);
  return {};
}

}  // namespace langsbx::confine
