// Capability names, planning, and the five sets by libcap.
#include "runtime/confine/capabilities.h"

#include <sys/capability.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <memory>
#include <type_traits>

#include "runtime/kernel/new_program.h"

namespace langsbx::confine {
namespace {

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

using State = std::unique_ptr<std::remove_pointer_t<cap_t>, int (*)(void*)>;

Result<void> fill(cap_t state, cap_flag_t flag, CapabilitySet set) {
  for (cap_value_t number = 0; number <= kHighestNumber; ++number) {
    if (!has(set, number) || ::cap_set_flag(state, flag, 1, &number, CAP_SET) == 0) continue;
    return system_error("cap_set_flag " + capability_name(number));
  }
  return {};
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
  cap_value_t number = -1;
  const std::string text(name);
  if (::cap_from_name(text.c_str(), &number) != 0) return -1;
  // libcap also takes "cap_chown" and "0", which config.json does not know.
  return capability_name(number) == text ? number : -1;
}

std::string capability_name(int number) {
  const std::unique_ptr<char, int (*)(void*)> text(::cap_to_name(number), ::cap_free);
  // libcap writes a number that it has no name for as a number.
  if (!text || std::isdigit(static_cast<unsigned char>(*text)) != 0) {
    return "CAP_" + std::to_string(number);
  }
  std::string name(text.get());
  std::transform(name.begin(), name.end(), name.begin(), [](char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
  });
  return name;
}

std::vector<std::string> capability_names(CapabilitySet set) {
  std::vector<std::string> names;
  for (int number = 0; number <= kHighestNumber; ++number) {
    if (has(set, number)) names.push_back(capability_name(number));
  }
  return names;
}

Result<CapabilityHost> read_capability_host() {
  CapabilityHost host;
  // The newest of the kernel, as far as it has a name here.
  host.last_capability = std::min<int>(::cap_max_bits() - 1, CAP_LAST_CAP);
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
  for (int number = 0; number < ::cap_max_bits(); ++number) {
    // Dropping what is dropped already succeeds, so nothing has to be read first.
    if (has(plan.bounding, number) || ::cap_drop_bound(number) == 0) continue;
    const int reason = errno;
    // Without CAP_SETPCAP it is refused even where there is nothing to drop.
    if (::cap_get_bound(number) == 0) continue;
    return system_error("cap_drop_bound " + capability_name(number), reason);
  }
  return {};
}

Result<void> set_capabilities(const CapabilityPlan& plan) {
  const State state(::cap_init(), ::cap_free);
  if (!state) return system_error("cap_init");
  TRY(fill(state.get(), CAP_EFFECTIVE, plan.effective));
  TRY(fill(state.get(), CAP_PERMITTED, plan.permitted));
  TRY(fill(state.get(), CAP_INHERITABLE, plan.inheritable));
  if (::cap_set_proc(state.get()) != 0) return system_error("cap_set_proc");
  return {};
}

Result<void> apply_capabilities(const CapabilityPlan& plan) {
  TRY(set_capabilities(plan));
  TRY(clear_ambient_capabilities());
  for (int number = 0; number <= kHighestNumber; ++number) {
    if (!has(plan.ambient, number) || ::cap_set_ambient(number, CAP_SET) == 0) continue;
    return system_error("cap_set_ambient " + capability_name(number));
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
