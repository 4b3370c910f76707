// AppArmor and SELinux labels and the other writes to /proc/self, through a procfs that the
// container cannot have faked (CVE-2019-16884, CVE-2025-52881).
#pragma once

#include <cstdint>
#include <string>

#include "runtime/base/result.h"

namespace langsbx::confine {

// Which label interfaces this kernel has.
struct LabelHost {
  bool apparmor = false;
  bool selinux = false;
};
LabelHost read_label_host();

struct LabelPlan {
  std::string apparmor_profile;  // empty: none asked for
  std::string selinux_label;
};
// A label that this kernel cannot apply is an error that names the field.
Result<LabelPlan> plan_labels(const std::string& apparmor_profile, const std::string& selinux_label,
                              const LabelHost& host);

// `procfs` is a directory descriptor of a detached procfs mount (fsopen) whose pid namespace holds
// the caller. The file system type is checked before anything is written. Call from the main thread
// of init, before Landlock and before seccomp.
Result<void> apply_exec_labels(const LabelPlan& plan, int procfs);
Result<void> write_oom_score_adj(int procfs, std::int32_t value);

}  // namespace langsbx::confine
