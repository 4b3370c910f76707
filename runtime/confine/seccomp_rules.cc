// From words to rules.
#include "runtime/confine/seccomp_rules.h"

#include <linux/seccomp.h>
#include <seccomp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>

#include "runtime/kernel/seccomp.h"

namespace langsbx::confine {
namespace {

constexpr std::uint32_t kDefaultErrno = EPERM;

class Reader {
 public:
  Reader(const oci::Seccomp& profile, std::string_view name, UnknownCalls unknown)
      : profile_(profile), name_(name), unknown_(unknown) {}

  Result<Verdict> by_default() {
    return verdict(profile_.default_action, profile_.default_errno_ret, "defaultAction",
                   "defaultErrnoRet");
  }

  Result<ProfileRules> rules(const Verdict& by_default) {
    default_ = by_default;
    for (std::size_t i = 0; i < profile_.syscalls.size(); ++i) TRY(read_rule(i));
    return std::move(result_);
  }

 private:
  [[nodiscard]] Error bad(const std::string& field, const std::string& what) const {
    return make_error(ErrorKind::kInvalidInput, name_ + "." + field + ": " + what);
  }

  Result<Verdict> verdict(const std::string& action_name,
                          const std::optional<std::uint32_t>& errno_value,
                          const std::string& action_field, const std::string& errno_field) {
    const SeccompAction* action = find_action(action_name);
    if (action == nullptr) {
      return bad(action_field, "unknown action \"" + action_name + "\"");
    }
    if (errno_value && !action->carries_errno) {
      return bad(errno_field,
                 "an errno belongs to SCMP_ACT_ERRNO and SCMP_ACT_TRACE, not to " + action_name);
    }
    if (errno_value && *errno_value > SECCOMP_RET_DATA) return bad(errno_field, "above 65535");
    if (!seccomp_action_available(action->kernel)) {
      return make_error(ErrorKind::kUnsupported,
                        name_ + "." + action_field + ": this kernel does not know " + action_name);
    }
    return Verdict{action, action_value(*action, errno_value.value_or(kDefaultErrno))};
  }

  Result<void> read_rule(std::size_t index) {
    const oci::SeccompRule& rule = profile_.syscalls[index];
    const std::string field = "syscalls[" + std::to_string(index) + "]";
    const Verdict wanted =
        TRY(verdict(rule.action, rule.errno_ret, field + ".action", field + ".errnoRet"));
    const auto checks = TRY(read_arguments(rule, field));
    for (const std::string& call : rule.names) {
      if (!TRY(is_known(call, wanted, field))) continue;
      NamedCall& named = call_named(call, field);
      const CallRule whole{wanted.value, wanted.action->strictness, checks};
      if (!repeats_index(rule)) {
        named.rules.push_back(whole);
        continue;
      }
      for (const ArgumentCheck& check : checks) {
        named.rules.push_back({whole.answer, whole.strictness, {check}});
      }
    }
    return {};
  }

  Result<std::vector<ArgumentCheck>> read_arguments(const oci::SeccompRule& rule,
                                                    const std::string& field) {
    std::vector<ArgumentCheck> checks;
    for (std::size_t i = 0; i < rule.args.size(); ++i) {
      const oci::SeccompArg& arg = rule.args[i];
      const std::string at = field + ".args[" + std::to_string(i) + "]";
      const auto compare = find_operator(arg.op);
      if (!compare) return bad(at + ".op", "unknown operator \"" + arg.op + "\"");
      if (arg.index > 5) return bad(at + ".index", "a system call has arguments 0 to 5");
      ArgumentCheck check{arg.index, *compare, arg.value, arg.value_two};
      // As with libseccomp: bits that the mask takes away are not asked for.
      if (*compare == Comparison::kMaskedEqual) check.value_two &= check.value;
      checks.push_back(check);
    }
    return checks;
  }

  // Comparisons of one argument with several values can't hold at once: each is a rule of its own.
  static bool repeats_index(const oci::SeccompRule& rule) {
    std::array<int, 6> count{};
    for (const oci::SeccompArg& arg : rule.args) ++count[arg.index];
    return std::any_of(count.begin(), count.end(), [](int times) { return times > 1; });
  }

  NamedCall& call_named(const std::string& name, const std::string& field) {
    const auto [at, is_new] = places_.try_emplace(name, result_.calls.size());
    if (is_new) result_.calls.push_back({name, field, {}});
    return result_.calls[at->second];
  }

  // False: nobody knows this name, and the rule may be left out.
  Result<bool> is_known(const std::string& call, const Verdict& wanted, const std::string& field) {
    if (::seccomp_syscall_resolve_name(call.c_str()) != __NR_SCMP_ERROR) return true;
    if (find_recent_syscall(call)) return true;
    const bool fails = unknown_ == UnknownCalls::kFail;
    if (fails) return bad(field + ".names", "unknown system call \"" + call + "\"");
    if (unknown_ == UnknownCalls::kSkipWhereStricter &&
        wanted.action->strictness > default_.action->strictness) {
      return bad(field + ".names", "unknown system call \"" + call +
                                       "\": the rule can't be left out, because the default "
                                       "action refuses less than " +
                                       std::string(wanted.action->name));
    }
    result_.skipped.push_back(call);
    if (wanted.action->strictness > default_.action->strictness) result_.unrefused.push_back(call);
    return false;
  }

  const oci::Seccomp& profile_;
  std::string name_;
  UnknownCalls unknown_;
  Verdict default_;
  std::map<std::string, std::size_t, std::less<>> places_;  // in result_.calls
  ProfileRules result_;
};

}  // namespace

const CallRule& NamedCall::strictest() const {
  return *std::max_element(rules.begin(), rules.end(), [](const auto& left, const auto& right) {
    return left.strictness < right.strictness;
  });
}

bool NamedCall::is_plain() const {
  return std::all_of(rules.begin(), rules.end(), [this](const CallRule& rule) {
    return rule.checks.empty() && rule.answer == rules.front().answer;
  });
}

Result<Verdict> read_default(const oci::Seccomp& profile, std::string_view name) {
  return Reader(profile, name, UnknownCalls::kFail).by_default();
}

Result<ProfileRules> read_rules(const oci::Seccomp& profile, std::string_view name,
                                UnknownCalls unknown, const Verdict& by_default) {
  return Reader(profile, name, unknown).rules(by_default);
}

}  // namespace langsbx::confine
