// sethostname, setdomainname, /proc/sys.
#include "runtime/isolate/kernel_settings.h"

#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstring>

#include "runtime/kernel/file.h"
#include "runtime/kernel/path.h"

namespace langsbx::isolate {
namespace {

constexpr long kProcMagic = 0x9fa0;

}  // namespace

Result<UniqueFd> open_procfs() {
  auto fd = TRY(open_file("/proc", O_PATH | O_DIRECTORY));
  struct statfs status {};
  if (::fstatfs(fd.get(), &status) != 0) return system_error("statfs /proc");
  if (status.f_type != kProcMagic) {
    return make_error(ErrorKind::kUnsupported, "/proc is not a procfs");
  }
  return fd;
}

Result<UniqueFd> bring_up_loopback() {
  UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket) return system_error("socket for the loopback interface");
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", 3);
  request.ifr_flags = IFF_UP;
  if (::ioctl(socket.get(), SIOCSIFFLAGS, &request) != 0) {
    return system_error("set the loopback interface up");
  }
  return socket;
}

Result<void> apply_kernel_settings(const plan::RootfsPlan& plan, int procfs) {
  if (!plan.hostname.empty() && ::sethostname(plan.hostname.data(), plan.hostname.size()) != 0) {
    return system_error("hostname: sethostname");
  }
  if (!plan.domainname.empty() &&
      ::setdomainname(plan.domainname.data(), plan.domainname.size()) != 0) {
    return system_error("domainname: setdomainname");
  }
  for (const auto& [path, value] : plan.sysctl) {
    const std::string file = "sys/" + path;
    const auto fd = TRY_CONTEXT(open_beneath(procfs, file, O_WRONLY), "linux.sysctl");
    TRY_CONTEXT(write_fd(fd.get(), value, file), "linux.sysctl");
  }
  return {};
}

}  // namespace langsbx::isolate
