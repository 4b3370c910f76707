// process.rlimits.
#include "runtime/confine/rlimits.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace langsbx::confine {
namespace {

struct RlimitName {
  std::string_view name;
  int resource;
};

constexpr auto kRlimits = std::array{
    RlimitName{"RLIMIT_AS", RLIMIT_AS},
    RlimitName{"RLIMIT_CORE", RLIMIT_CORE},
    RlimitName{"RLIMIT_CPU", RLIMIT_CPU},
    RlimitName{"RLIMIT_DATA", RLIMIT_DATA},
    RlimitName{"RLIMIT_FSIZE", RLIMIT_FSIZE},
    RlimitName{"RLIMIT_LOCKS", RLIMIT_LOCKS},
    RlimitName{"RLIMIT_MEMLOCK", RLIMIT_MEMLOCK},
    RlimitName{"RLIMIT_MSGQUEUE", RLIMIT_MSGQUEUE},
    RlimitName{"RLIMIT_NICE", RLIMIT_NICE},
    RlimitName{"RLIMIT_NOFILE", RLIMIT_NOFILE},
    RlimitName{"RLIMIT_NPROC", RLIMIT_NPROC},
    RlimitName{"RLIMIT_RSS", RLIMIT_RSS},
    RlimitName{"RLIMIT_RTPRIO", RLIMIT_RTPRIO},
    RlimitName{"RLIMIT_RTTIME", RLIMIT_RTTIME},
    RlimitName{"RLIMIT_SIGPENDING", RLIMIT_SIGPENDING},
    RlimitName{"RLIMIT_STACK", RLIMIT_STACK},
};

int resource_of(std::string_view name) {
  for (const RlimitName& entry : kRlimits) {
    if (entry.name == name) return entry.resource;
  }
  return -1;
}

Result<void> set_rlimit(const RlimitEntry& entry, const rlimit& value, pid_t pid) {
  if (::prlimit(pid, static_cast<__rlimit_resource>(entry.resource), &value, nullptr) == 0) {
    return {};
  }
  return system_error("setrlimit " + entry.name + " (soft " + std::to_string(value.rlim_cur) +
                      ", hard " + std::to_string(value.rlim_max) + ")");
}

}  // namespace

Result<RlimitPlan> plan_rlimits(const std::vector<oci::Rlimit>& rlimits) {
  RlimitPlan plan;
  for (std::size_t i = 0; i < rlimits.size(); ++i) {
    const oci::Rlimit& limit = rlimits[i];
    const std::string field = "process.rlimits[" + std::to_string(i) + "]";
    const int resource = resource_of(limit.type);
    if (resource < 0) {
      return make_error(ErrorKind::kInvalidInput,
                        field + ".type: unknown resource \"" + limit.type + "\"");
    }
    for (const RlimitEntry& earlier : plan) {
      if (earlier.resource == resource) {
        return make_error(ErrorKind::kInvalidInput, field + ".type: duplicate " + limit.type);
      }
    }
    if (limit.soft > limit.hard) {
      return make_error(ErrorKind::kInvalidInput,
                        field + ": soft limit of " + limit.type + " is above the hard limit");
    }
    plan.push_back({resource, limit.type, {limit.soft, limit.hard}});
  }
  return plan;
}

Result<void> apply_rlimits(const RlimitPlan& plan, pid_t pid, const rlimit* open_files) {
  for (const RlimitEntry& entry : plan) {
    rlimit value = entry.value;
    if (open_files != nullptr && entry.resource == RLIMIT_NOFILE) {
      if (value.rlim_max <= open_files->rlim_max) continue;
      value.rlim_cur = std::max(value.rlim_cur, open_files->rlim_cur);
    }
    TRY(set_rlimit(entry, value, pid));
  }
  return {};
}

const rlimit* open_files_of(const RlimitPlan& plan) {
  for (const RlimitEntry& entry : plan) {
    if (entry.resource == RLIMIT_NOFILE) return &entry.value;
  }
  return nullptr;
}

Result<void> lower_rlimits(const RlimitPlan& plan) {
  for (const RlimitEntry& entry : plan) {
    rlimit value{};
    if (::getrlimit(static_cast<__rlimit_resource>(entry.resource), &value) != 0) {
      return system_error("getrlimit " + entry.name);
    }
    value.rlim_max = std::min(value.rlim_max, entry.value.rlim_max);
    value.rlim_cur = std::min({value.rlim_cur, entry.value.rlim_cur, value.rlim_max});
    TRY(set_rlimit(entry, value, 0));
  }
  return {};
}

}  // namespace langsbx::confine
