// Capability names, planning, and the five sets by capset(2) and prctl(2).
#include "runtime/confine/capabilities.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace langsbx::confine {
namespace {

constexpr std::array<ShortText<23>, 41> kNames = {"CAP_CHOWN",
                                                  "CAP_DAC_OVERRIDE",
                                                  "CAP_DAC_READ_SEARCH",
                                                  "CAP_FOWNER",
                                                  "CAP_FSETID",
                                                  "CAP_KILL",
                                                  "CAP_SETGID",
                                                  "CAP_SETUID",
                                                  "CAP_SETPCAP",
                                                  "CAP_LINUX_IMMUTABLE",
                                                  "CAP_NET_BIND_SERVICE",
                                                  "CAP_NET_BROADCAST",
                                                  "CAP_NET_ADMIN",
                                                  "CAP_NET_RAW",
                                                  "CAP_IPC_LOCK",
                                                  "CAP_IPC_OWNER",
                                                  "CAP_SYS_MODULE",
                                                  "CAP_SYS_RAWIO",
                                                  "CAP_SYS_CHROOT",
                                                  "CAP_SYS_PTRACE",
                                                  "CAP_SYS_PACCT",
                                                  "CAP_SYS_ADMIN",
                                                  "CAP_SYS_BOOT",
                                                  "CAP_SYS_NICE",
                                                  "CAP_SYS_RESOURCE",
                                                  "CAP_SYS_TIME",
                                                  "CAP_SYS_TTY_CONFIG",
                                                  "CAP_MKNOD",
                                                  "CAP_LEASE",
                                                  "CAP_AUDIT_WRITE",
                                                  "CAP_AUDIT_CONTROL",
                                                  "CAP_SETFCAP",
                                                  "CAP_MAC_OVERRIDE",
                                                  "CAP_MAC_ADMIN",
                                                  "CAP_SYSLOG",
                                                  "CAP_WAKE_ALARM",
                                                  "CAP_BLOCK_SUSPEND",
                                                  "CAP_AUDIT_READ",
                                                  "CAP_PERFMON",
                                                  "CAP_BPF",
                                                  "CAP_CHECKPOINT_RESTORE"};

constexpr int kHighestNumber = 63;

bool has(CapabilitySet set, int number) {
  return ((set >> static_cast<unsigned>(number)) & 1U) != 0;
}

CapabilitySet bit_of(int number) { return CapabilitySet{1} << static_cast<unsigned>(number); }

Error differs(std::string_view set, CapabilitySet wanted, CapabilitySet found) {
  std::string text = "capability set " + std::string(set) + " was not applied:";
  for (const std::string& name : capability_names(wanted & ~found)) text += " missing " + name;
  for (const std::string& name : capability_names(found & ~wanted)) text += " left over " + name;
  return make_error(ErrorKind::kInternal, std::move(text));
}

class SetReader {
 public:
  SetReader(const CapabilityHost& host, CapabilityPlan& plan) : host_(host), plan_(plan) {}

  CapabilitySet read(const std::vector<std::string>& names, std::string_view set) {
    CapabilitySet result = 0;
    for (const std::string& name : names) {
      const int number = capability_number(name);
      if (number < 0 || number > host_.last_capability) {
        warn("unknown capability \"" + name + "\"", set);
      } else if (!host_.new_user_namespace && !has(host_.bounding, number)) {
        warn(name + " can't be given: the runtime does not have it", set);
      } else {
        result |= bit_of(number);
      }
    }
    return result;
  }
  // What the kernel would refuse: a set that reaches beyond the one it depends on. One warning for
  // all: `podman build` shows the user what it says for every step.
  CapabilitySet limit(CapabilitySet set, CapabilitySet allowed, std::string_view name,
                      std::string_view why) {
    std::string first;
    std::string others;
    for (const std::string& capability : capability_names(set & ~allowed)) {
      if (first.empty()) {
        first = capability;
      } else {
        others.append(others.empty() ? " (also " : ", ").append(capability);
      }
    }
    if (!others.empty()) others += ")";
    // runc's words for the ambient set.
    const std::string what =
        name == "ambient" ? "can't raise ambient capability " + first : first + " left out";
    if (!first.empty()) warn(what + ": " + std::string(why) + others, name);
    return set & allowed;
  }

 private:
  void warn(std::string what, std::string_view set) {
    plan_.warnings.push_back("process.capabilities." + std::string(set) + ": " + std::move(what));
  }
  const CapabilityHost& host_;
  CapabilityPlan& plan_;
};

}  // namespace

int capability_number(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<int>(i);
  }
  return -1;
}

std::string capability_name(int number) {
  if (number >= 0 && static_cast<std::size_t>(number) < kNames.size()) {
    return std::string(kNames[static_cast<std::size_t>(number)]);
  }
  return "CAP_" + std::to_string(number);
}

std::vector<std::string> capability_names(CapabilitySet set) {
  std::vector<std::string> names;
  each_capability_name(set, [&names](std::string_view name) { names.emplace_back(name); });
  return names;
}

std::span<const ShortText<23>> known_capabilities() { return kNames; }

Result<CapabilityHost> read_capability_host() {
  CapabilityHost host;
  // The newest number that has a name here, or the newest of an older kernel.
  int& number = host.last_capability;
  number = static_cast<int>(kNames.size()) - 1;
  while (number > 0 &&
         ::prctl(PR_CAPBSET_READ, static_cast<unsigned long>(number), 0, 0, 0) < 0) {
    --number;
  }
  host.bounding = TRY(read_own_status()).bounding;
  return host;
}

CapabilityPlan plan_capabilities(const oci::Capabilities& capabilities,
                                 const CapabilityHost& host) {
  CapabilityPlan plan;
  SetReader reader(host, plan);
  plan.bounding = reader.read(capabilities.bounding, "bounding");
  plan.permitted = reader.read(capabilities.permitted, "permitted");
  plan.effective = reader.limit(reader.read(capabilities.effective, "effective"), plan.permitted,
                                "effective", "it is not in permitted");
  plan.inheritable = reader.read(capabilities.inheritable, "inheritable");
  plan.inheritable = reader.limit(plan.inheritable, plan.permitted | plan.bounding, "inheritable",
                                  "it is neither in permitted nor in bounding");
  plan.ambient =
      reader.limit(reader.read(capabilities.ambient, "ambient"), plan.permitted & plan.inheritable,
                   "ambient", "it is not in both permitted and inheritable");
  return plan;
}

Result<void> apply_bounding_set(const CapabilityPlan& plan) {
  for (int number = 0; number <= kHighestNumber; ++number) {
    if (has(plan.bounding, number)) continue;
    const auto argument = static_cast<unsigned long>(number);
    // Dropping what is dropped already succeeds, so nothing has to be read first.
    if (::prctl(PR_CAPBSET_DROP, argument, 0, 0, 0) == 0) continue;
    if (errno == EINVAL) break;  // behind the last one that this kernel has
    const int reason = errno;
    // Without CAP_SETPCAP it is refused even where there is nothing to drop, or no such number.
    const int held = ::prctl(PR_CAPBSET_READ, argument, 0, 0, 0);
    if (held == 0) continue;
    if (held < 0 && errno == EINVAL) break;
    return system_error("prctl PR_CAPBSET_DROP " + capability_name(number), reason);
  }
  return {};
}

Result<void> set_capabilities(const CapabilityPlan& plan) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> data{};
  for (unsigned half = 0; half < 2; ++half) {
    data[half].effective = static_cast<std::uint32_t>(plan.effective >> (32U * half));
    data[half].permitted = static_cast<std::uint32_t>(plan.permitted >> (32U * half));
    data[half].inheritable = static_cast<std::uint32_t>(plan.inheritable >> (32U * half));
  }
  if (::syscall(SYS_capset, &header, data.data()) != 0) return system_error("capset");
  return {};
}

Result<void> apply_capabilities(const CapabilityPlan& plan) {
  TRY(set_capabilities(plan));
  if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0) {
    return system_error("prctl PR_CAP_AMBIENT_CLEAR_ALL");
  }
  for (int number = 0; number <= kHighestNumber; ++number) {
    if (!has(plan.ambient, number)) continue;
    if (::prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, static_cast<unsigned long>(number), 0, 0) !=
        0) {
      return system_error("prctl PR_CAP_AMBIENT_RAISE " + capability_name(number));
    }
  }
  return {};
}

Result<void> verify_capabilities(const CapabilityPlan& plan, const OwnStatus& status) {
  if (status.effective != plan.effective) {
    return differs("effective", plan.effective, status.effective);
  }
  if (status.permitted != plan.permitted) {
    return differs("permitted", plan.permitted, status.permitted);
  }
  if (status.inheritable != plan.inheritable) {
    return differs("inheritable", plan.inheritable, status.inheritable);
  }
  // A bounding set may hold less than was asked for (a parent's limit), never more.
  if ((status.bounding & ~plan.bounding) != 0) {
    return differs("bounding", plan.bounding, status.bounding);
  }
  if (status.ambient != plan.ambient) return differs("ambient", plan.ambient, status.ambient);
  return {};
}

Result<void> verify_capabilities(const CapabilityPlan& plan) {
  return verify_capabilities(plan, TRY(read_own_status()));
}

}  // namespace langsbx::confine
