// LSM exec labels and oom_score_adj by way of a detached procfs.
#include "runtime/confine/labels.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/kernel/file.h"
#include "runtime/kernel/openat2.h"
#include "runtime/kernel/unique_fd.h"

namespace langsbx::confine {
namespace {

// openat2 with everything forbidden that could lead out of this procfs; before Linux 5.6 the file
// system check alone has to do, which is why it is always made.
Result<UniqueFd> open_own_file(int procfs, const std::string& path) {
  UniqueFd file = open_resolved(procfs, path.c_str(), O_WRONLY,
                                RESOLVE_BENEATH | RESOLVE_NO_XDEV | RESOLVE_NO_MAGICLINKS);
  if (!file && errno == ENOSYS) file.reset(::openat(procfs, path.c_str(), O_WRONLY | O_CLOEXEC));
  if (!file) return system_error("open /proc/" + path);
  struct statfs info {};
  if (::fstatfs(file.get(), &info) != 0) return system_error("fstatfs /proc/" + path);
  if (info.f_type != PROC_SUPER_MAGIC) {
    return make_error(ErrorKind::kRefused, "/proc/" + path + " is not on a procfs");
  }
  return file;
}

Result<void> write_own_file(int procfs, const std::string& path, const std::string& text) {
  const UniqueFd file = TRY(open_own_file(procfs, path));
  return write_fd(file.get(), text, "/proc/" + path);
}

}  // namespace

LabelHost read_label_host() {
  LabelHost host;
  const auto enabled = read_file("/sys/module/apparmor/parameters/enabled", 64);
  host.apparmor = enabled.ok() && enabled->starts_with('Y');
  struct statfs info {};
  host.selinux = ::statfs("/sys/fs/selinux", &info) == 0 && info.f_type == SELINUX_MAGIC;
  return host;
}

Result<LabelPlan> plan_labels(const std::string& apparmor_profile, const std::string& selinux_label,
                              const LabelHost& host) {
  LabelPlan plan;
  // Without AppArmor every process is unconfined: that wish is fulfilled.
  if (!apparmor_profile.empty() && (host.apparmor || apparmor_profile != "unconfined")) {
    if (!host.apparmor) {
      return make_error(ErrorKind::kUnsupported,
                        "process.apparmorProfile: AppArmor is not enabled on this host");
    }
    plan.apparmor_profile = apparmor_profile;
  }
  if (!selinux_label.empty()) {
    if (!host.selinux) {
      return make_error(ErrorKind::kUnsupported,
                        "process.selinuxLabel: SELinux is not enabled on this host");
    }
    plan.selinux_label = selinux_label;
  }
  return plan;
}

Result<void> apply_exec_labels(const LabelPlan& plan, int procfs) {
  if (!plan.apparmor_profile.empty()) {
    const std::string text = "exec " + plan.apparmor_profile;
    const auto own = write_own_file(procfs, "thread-self/attr/apparmor/exec", text);
    // The directory of its own came with Linux 5.8; before that the file is the one all LSMs share.
    if (!own.ok()) {
      if (own.error().errno_value != ENOENT) {
        return Error(own.error()).with_context("process.apparmorProfile");
      }
      TRY_CONTEXT(write_own_file(procfs, "thread-self/attr/exec", text), "process.apparmorProfile");
    }
  }
  if (!plan.selinux_label.empty()) {
    TRY_CONTEXT(write_own_file(procfs, "thread-self/attr/exec", plan.selinux_label),
                "process.selinuxLabel");
  }
  return {};
}

Result<void> write_oom_score_adj(int procfs, std::int32_t value) {
  return write_own_file(procfs, "self/oom_score_adj", std::to_string(value));
}

}  // namespace langsbx::confine
