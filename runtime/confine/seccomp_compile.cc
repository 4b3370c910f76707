// libseccomp's side of a profile. Runs in the parent only.
#include "runtime/confine/seccomp_compile.h"

#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_names.h"
#include "runtime/confine/seccomp_stub.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/seccomp.h"

namespace langsbx::confine {
namespace {

constexpr std::uint32_t kDefaultErrno = EPERM;
constexpr std::size_t kMostInstructions = BPF_MAXINSNS;
constexpr int kBinaryTree = 2;

struct ContextDeleter {
  void operator()(void* context) const { ::seccomp_release(context); }
};
using Context = std::unique_ptr<void, ContextDeleter>;

struct Verdict {
  const SeccompAction* action = nullptr;
  std::uint32_t value = 0;
};

// Calls of another processor family never reach this kernel: code for them would only cost size.
bool can_occur(std::uint32_t architecture) {
#if defined(__x86_64__)
  return architecture == SCMP_ARCH_X86_64 || architecture == SCMP_ARCH_X86 ||
         architecture == SCMP_ARCH_X32;
#elif defined(__aarch64__)
  return architecture == SCMP_ARCH_AARCH64 || architecture == SCMP_ARCH_ARM;
#else
  (void)architecture;
  return true;
#endif
}

// The 32-bit doors to many calls. libseccomp adds "allowed" to them for each call they carry, and
// would let that win over a rule that names the door itself.
bool is_multiplexer(std::string_view call) { return call == "socketcall" || call == "ipc"; }

class Compiler {
 public:
  Compiler(const oci::Seccomp& profile, std::string_view name, UnknownCalls unknown)
      : profile_(profile), name_(name), unknown_(unknown) {}

  Result<CompiledProfile> compile() {
    result_.filter.name = name_;
    result_.summary.name = name_;
    default_ = TRY(verdict(profile_.default_action, profile_.default_errno_ret, "defaultAction",
                           "defaultErrnoRet"));
    if (default_.action->kernel == SECCOMP_RET_USER_NOTIF) {
      return bad("defaultAction", "SCMP_ACT_NOTIFY can't be the default action");
    }
    result_.summary.default_action = profile_.default_action;
    context_.reset(::seccomp_init(default_.value));
    if (!context_) return bad("defaultAction", "libseccomp can't use " + profile_.default_action);
    // The tree costs log(n) comparisons for a call instead of n.
    (void)::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, kBinaryTree);
    TRY(add_architectures());
    TRY(read_flags());
    note_unconditional();
    for (std::size_t i = 0; i < profile_.syscalls.size(); ++i) TRY(add_rule(i));
    TRY(check_notify());
    TRY(export_program());
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

  Result<void> add_architectures() {
    if (profile_.architectures.empty()) {
      tokens_.push_back(::seccomp_arch_native());
      return {};
    }
    bool has_native = false;
    for (std::size_t i = 0; i < profile_.architectures.size(); ++i) {
      const std::string& arch = profile_.architectures[i];
      const auto token = find_architecture(arch);
      const std::string field = "architectures[" + std::to_string(i) + "]";
      if (!token) return bad(field, "unknown architecture \"" + arch + "\"");
      result_.summary.architectures.push_back(arch);
      if (*token == 0) {
        result_.summary.skipped.push_back(arch);
        continue;
      }
      if (!can_occur(*token)) continue;
      has_native = has_native || *token == ::seccomp_arch_native();
      const int code = ::seccomp_arch_add(context_.get(), *token);
      if (code != 0 && code != -EEXIST) {
        // Other byte order than the native one: no call of this machine can come from there.
        result_.summary.skipped.push_back(arch);
        continue;
      }
      tokens_.push_back(*token);
    }
    // libseccomp starts with the native one; a list without it means it, too, is foreign.
    if (!has_native && !tokens_.empty()) {
      (void)::seccomp_arch_remove(context_.get(), SCMP_ARCH_NATIVE);
    }
    return {};
  }

  Result<void> read_flags() {
    std::uint32_t flags = 0;
    for (std::size_t i = 0; i < profile_.flags.size(); ++i) {
      const auto flag = find_flag(profile_.flags[i]);
      const std::string field = "flags[" + std::to_string(i) + "]";
      if (!flag) return bad(field, "unknown flag \"" + profile_.flags[i] + "\"");
      if (!seccomp_flag_available(*flag)) {
        return make_error(ErrorKind::kUnsupported,
                          name_ + "." + field + ": this kernel does not know " + profile_.flags[i]);
      }
      flags |= *flag;
      result_.summary.flags.push_back(profile_.flags[i]);
    }
    if (!profile_.flags_present && profile_.flags.empty() &&
        seccomp_flag_available(SECCOMP_FILTER_FLAG_SPEC_ALLOW)) {
      flags |= SECCOMP_FILTER_FLAG_SPEC_ALLOW;  // what runc does; without it every call costs more
    }
    result_.filter.flags = flags & ~static_cast<std::uint32_t>(SECCOMP_FILTER_FLAG_TSYNC);
    return {};
  }

  Result<void> add_rule(std::size_t index) {
    const oci::SeccompRule& rule = profile_.syscalls[index];
    const std::string field = "syscalls[" + std::to_string(index) + "]";
    const Verdict wanted =
        TRY(verdict(rule.action, rule.errno_ret, field + ".action", field + ".errnoRet"));
    if (rule.names.empty()) return bad(field + ".names", "no system call is named");
    const std::vector<scmp_arg_cmp> comparisons = TRY(read_arguments(rule, field));
    for (const std::string& call : rule.names) {
      TRY(add_call(call, wanted, comparisons, repeats_index(rule), field));
    }
    return {};
  }

  Result<std::vector<scmp_arg_cmp>> read_arguments(const oci::SeccompRule& rule,
                                                   const std::string& field) {
    std::vector<scmp_arg_cmp> comparisons;
    for (std::size_t i = 0; i < rule.args.size(); ++i) {
      const oci::SeccompArg& arg = rule.args[i];
      const std::string at = field + ".args[" + std::to_string(i) + "]";
      const auto compare = find_operator(arg.op);
      if (!compare) return bad(at + ".op", "unknown operator \"" + arg.op + "\"");
      if (arg.index > 5) return bad(at + ".index", "a system call has arguments 0 to 5");
      comparisons.push_back(
          {arg.index, static_cast<scmp_compare>(*compare), arg.value, arg.value_two});
    }
    return comparisons;
  }

  // Comparisons of one argument with several values can't hold at once: each is a rule of its own.
  static bool repeats_index(const oci::SeccompRule& rule) {
    std::array<int, 6> count{};
    for (const oci::SeccompArg& arg : rule.args) ++count[arg.index];
    return std::any_of(count.begin(), count.end(), [](int times) { return times > 1; });
  }

  Result<void> add_call(const std::string& call, const Verdict& wanted,
                        const std::vector<scmp_arg_cmp>& comparisons, bool separately,
                        const std::string& field) {
    const int number = ::seccomp_syscall_resolve_name(call.c_str());
    if (number == __NR_SCMP_ERROR) {
      return add_unknown(call, wanted, !comparisons.empty(), field);
    }
    note_newest(call);
    void* context = context_.get();
    if (is_exception(call, wanted, comparisons)) {
      if (is_multiplexer(call) && wanted.value != default_.value) {
        // In the main program, too: rules on the calls behind it would clash there with each other.
        // What that may answer to it does not matter, the exceptions are asked first.
        (void)::seccomp_rule_add_array(context, wanted.value, number, 0, nullptr);
      }
      context = TRY(exceptions());
    } else if (wanted.value == default_.value) {
      return {};  // libseccomp refuses a rule that says what happens anyway
    }
    if (wanted.action->kernel == SECCOMP_RET_USER_NOTIF) result_.filter.has_notify = true;
    if (!separately) {
      return add_to_library(context, call, number, wanted, comparisons, field);
    }
    for (const scmp_arg_cmp& comparison : comparisons) {
      TRY(add_to_library(context, call, number, wanted, {comparison}, field));
    }
    return {};
  }

  // "ioctl is allowed" and "ioctl with TIOCSTI is refused": libseccomp would silently keep the
  // first and forget the second, so the second goes into a program of its own that is asked first.
  [[nodiscard]] bool is_exception(const std::string& call, const Verdict& wanted,
                                  const std::vector<scmp_arg_cmp>& comparisons) const {
    if (is_multiplexer(call)) return wanted.action->strictness > 0;
    if (comparisons.empty()) return false;
    const auto found = unconditional_.find(call);
    return found != unconditional_.end() && found->second < wanted.action->strictness;
  }

  void note_unconditional() {
    for (const oci::SeccompRule& rule : profile_.syscalls) {
      const SeccompAction* action = find_action(rule.action);
      if (!rule.args.empty() || action == nullptr) continue;
      for (const std::string& call : rule.names) {
        const auto at = unconditional_.try_emplace(call, action->strictness).first;
        at->second = std::min(at->second, action->strictness);
      }
    }
  }

  Result<void*> exceptions() {
    if (exceptions_) return exceptions_.get();
    exceptions_.reset(::seccomp_init(SCMP_ACT_ALLOW));
    if (!exceptions_) return system_error("seccomp_init", ENOMEM);
    // Foreign architectures are judged by the main program.
    (void)::seccomp_attr_set(exceptions_.get(), SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ALLOW);
    for (const std::uint32_t token : tokens_) (void)::seccomp_arch_add(exceptions_.get(), token);
    return exceptions_.get();
  }

  Result<void> add_to_library(void* context, const std::string& call, int number,
                              const Verdict& wanted, const std::vector<scmp_arg_cmp>& comparisons,
                              const std::string& field) {
    const int code = ::seccomp_rule_add_array(context, wanted.value, number,
                                              static_cast<unsigned>(comparisons.size()),
                                              comparisons.empty() ? nullptr : comparisons.data());
    if (code == 0) return {};
    if (code == -EEXIST) {
      return bad(field + ".names", call + " has an earlier rule with another action");
    }
    return system_error(name_ + "." + field + ": seccomp_rule_add " + call, -code);
  }

  // Not known to libseccomp. The stub can answer by number when the rule has no comparisons;
  // otherwise leaving the rule out must be stricter than keeping it.
  Result<void> add_unknown(const std::string& call, const Verdict& wanted, bool has_comparisons,
                           const std::string& field) {
    const auto number = find_recent_syscall(call);
    if (number && !has_comparisons) {
      newest_recent_ = std::max(newest_recent_, *number);
      if (wanted.value == default_.value) return {};
      if (wanted.action->kernel == SECCOMP_RET_USER_NOTIF) result_.filter.has_notify = true;
      const bool known = std::any_of(answers_.begin(), answers_.end(), [&](const StubAnswer& a) {
        return a.number == *number && a.answer != wanted.value;
      });
      if (known) return bad(field + ".names", call + " has an earlier rule with another action");
      answers_.push_back({*number, wanted.value});
      return {};
    }
    const bool fails = unknown_ == UnknownCalls::kFail;
    if (fails) return bad(field + ".names", "unknown system call \"" + call + "\"");
    if (unknown_ == UnknownCalls::kSkipWhereStricter &&
        wanted.action->strictness > default_.action->strictness) {
      return bad(field + ".names", "unknown system call \"" + call +
                                       "\": the rule can't be left out, because the default "
                                       "action refuses less than " +
                                       std::string(wanted.action->name));
    }
    result_.summary.skipped.push_back(call);
    return {};
  }

  void note_newest(const std::string& call) {
    if (std::find(named_.begin(), named_.end(), call) == named_.end()) named_.push_back(call);
  }

  Result<void> check_notify() {
    if (result_.filter.has_notify && profile_.listener_path.empty()) {
      return bad("listenerPath", "needed by SCMP_ACT_NOTIFY");
    }
    const std::uint32_t wait_killable = find_flag("SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV").value();
    // The kernel takes the flag only together with a listener.
    if (!result_.filter.has_notify) result_.filter.flags &= ~wait_killable;
    return {};
  }

  // A default that lets unknown calls through needs no ENOSYS, and killing is the profile's wish.
  [[nodiscard]] bool wants_enosys() const {
    return default_.action->kernel == SECCOMP_RET_ERRNO &&
           (default_.value & SECCOMP_RET_DATA) != ENOSYS;
  }

  [[nodiscard]] std::vector<sock_filter> stub() const {
    std::vector<StubArchitecture> architectures;
    for (const std::uint32_t token : tokens_) {
      if (token == SCMP_ARCH_X32) continue;
      StubArchitecture architecture;
      architecture.audit_arch = token;
      architecture.is_x86_64 = token == SCMP_ARCH_X86_64;
      if (wants_enosys()) {
        int newest = static_cast<int>(newest_recent_);
        for (const std::string& call : named_) {
          newest = std::max(newest, ::seccomp_syscall_resolve_name_arch(token, call.c_str()));
        }
        architecture.newest = static_cast<std::uint32_t>(newest);
      }
      architectures.push_back(architecture);
    }
    return make_stub(architectures, answers_);
  }

  Result<std::vector<sock_filter>> export_context(void* context) {
    const UniqueFd file(::memfd_create("seccomp", MFD_CLOEXEC));
    if (!file) return system_error("memfd_create");
    const int code = ::seccomp_export_bpf(context, file.get());
    if (code != 0) return system_error(name_ + ": seccomp_export_bpf", -code);
    if (::lseek(file.get(), 0, SEEK_SET) != 0) return system_error("lseek");
    const std::string bytes = TRY(read_fd(file.get(), 1U << 20U, "the compiled filter"));
    std::vector<sock_filter> program(bytes.size() / sizeof(sock_filter));
    std::memcpy(program.data(), bytes.data(), program.size() * sizeof(sock_filter));
    return program;
  }

  // Stub, then the exceptions with "allowed" turned into "go on", then the main program.
  Result<void> export_program() {
    std::vector<sock_filter>& program = result_.filter.program;
    program = stub();
    if (exceptions_) {
      std::vector<sock_filter> first = TRY(export_context(exceptions_.get()));
      for (std::size_t i = 0; i < first.size(); ++i) {
        if (first[i].code != (BPF_RET | BPF_K) || first[i].k != SECCOMP_RET_ALLOW) continue;
        first[i] = {BPF_JMP | BPF_JA, 0, 0, static_cast<std::uint32_t>(first.size() - i - 1)};
      }
      program.insert(program.end(), first.begin(), first.end());
    }
    const std::vector<sock_filter> main = TRY(export_context(context_.get()));
    program.insert(program.end(), main.begin(), main.end());
    if (program.size() > kMostInstructions) {
      return make_error(ErrorKind::kUnsupported,
                        name_ + ": compiles to " + std::to_string(program.size()) +
                            " instructions, the kernel takes " + std::to_string(kMostInstructions));
    }
    result_.summary.instructions = static_cast<std::uint32_t>(program.size());
    return {};
  }

  const oci::Seccomp& profile_;
  std::string name_;
  UnknownCalls unknown_;
  Context context_;
  Context exceptions_;
  std::map<std::string, int, std::less<>> unconditional_;  // call -> mildest action without args
  Verdict default_;
  std::vector<std::uint32_t> tokens_;
  std::vector<std::string> named_;
  std::vector<StubAnswer> answers_;
  std::uint32_t newest_recent_ = 0;
  CompiledProfile result_;
};

}  // namespace

Result<CompiledProfile> compile_seccomp(const oci::Seccomp& profile, std::string_view name,
                                        UnknownCalls unknown_calls) {
  return Compiler(profile, name, unknown_calls).compile();
}

std::string libseccomp_version() {
  const scmp_version* version = ::seccomp_version();
  if (version == nullptr) return "unknown";
  return std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->micro);
}

}  // namespace langsbx::confine
