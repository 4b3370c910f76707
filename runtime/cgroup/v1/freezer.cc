// v1 freezer: freezer.state goes THAWED → FREEZING → FROZEN, and FREEZING may not end by itself.
#include <fcntl.h>
#include <poll.h>

#include <cerrno>

#include "runtime/cgroup/freezer.h"
#include "runtime/cgroup/text.h"
#include "runtime/kernel/file.h"

namespace langsbx::cgroup::v1 {
namespace {

Result<std::string> state(const std::string& directory) {
  const std::string path = directory + "/freezer.state";
  return std::string(trim(TRY(read_kernel_file(AT_FDCWD, path.c_str()))));
}

Result<void> set_state(const std::string& directory, const char* value) {
  return write_file(directory + "/freezer.state", value);
}

}  // namespace

Result<void> freeze(const std::string& directory) {
  constexpr int kRounds = 1000;
  constexpr int kThawEvery = 50;
  for (int round = 1; round <= kRounds; ++round) {
    // Writing again makes the kernel look for processes that were forked since.
    TRY(set_state(directory, "FROZEN"));
    const std::string now = TRY(state(directory));
    if (now == "FROZEN") return {};
    if (round % kThawEvery == 0) TRY(set_state(directory, "THAWED"));
    ::poll(nullptr, 0, round < 10 ? 0 : 1);
  }
  TRY(set_state(directory, "THAWED"));
  return make_error(ErrorKind::kTimeout, "unable to freeze " + directory);
}

Result<void> thaw(const std::string& directory) { return set_state(directory, "THAWED"); }

Result<bool> is_frozen(const std::string& directory) {
  auto now = state(directory);
  if (!now.ok()) {
    const int error = now.error().errno_value;
    if (error == ENOENT || error == ENODEV) return false;
    return now.release_error();
  }
  // FREEZING counts: someone asked for it, and nothing new may start meanwhile.
  return *now != "THAWED";
}

}  // namespace langsbx::cgroup::v1
