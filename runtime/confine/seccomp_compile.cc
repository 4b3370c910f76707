// libseccomp's side of a profile. Runs in the parent only.
#include "runtime/confine/seccomp_compile.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_check.h"
#include "runtime/confine/seccomp_names.h"
#include "runtime/confine/seccomp_rules.h"
#include "runtime/confine/seccomp_stub.h"
#include "runtime/kernel/file.h"
#include "runtime/kernel/seccomp.h"

namespace langsbx::confine {
namespace {

constexpr std::size_t kMostInstructions = BPF_MAXINSNS;
constexpr int kBinaryTree = 2;

struct ContextDeleter {
  void operator()(void* context) const { ::seccomp_release(context); }
};
using Context = std::unique_ptr<void, ContextDeleter>;

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

// libseccomp adds "allowed" to these for each call they carry, and would let that win over a rule
// that names the door itself.
bool is_multiplexer(std::string_view call) { return call == "socketcall" || call == "ipc"; }

class Compiler {
 public:
  Compiler(const oci::Seccomp& profile, std::string_view name, UnknownCalls unknown)
      : profile_(profile), name_(name), unknown_(unknown) {}

  Result<CompiledProfile> compile() {
    result_.filter.name = name_;
    result_.summary.name = name_;
    default_ = TRY(read_default(profile_, name_));
    if (default_.action->kernel == SECCOMP_RET_USER_NOTIF) {
      return bad("defaultAction", "SCMP_ACT_NOTIFY can't be the default action");
    }
    result_.summary.default_action = profile_.default_action;
    context_.reset(::seccomp_init(default_.value));
    if (!context_) return bad("defaultAction", "libseccomp can't use " + profile_.default_action);
    // The tree costs log(n) comparisons for a call instead of n.
    (void)::seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_OPTIMIZE, kBinaryTree);
    TRY(add_architectures());
    make_blocks();
    TRY(read_flags());
    const auto rules = TRY(read_rules(profile_, name_, unknown_, default_));
    result_.summary.skipped.insert(result_.summary.skipped.end(), rules.skipped.begin(),
                                   rules.skipped.end());
    result_.summary.unrefused = rules.unrefused;
    for (const NamedCall& call : rules.calls) TRY(add_call(call));
    TRY(check_notify());
    TRY(export_program());
    TRY_CONTEXT(check_filter(result_.filter.program, rules, default_, tokens_), name_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] Error bad(const std::string& field, const std::string& what) const {
    return make_error(ErrorKind::kInvalidInput, name_ + "." + field + ": " + what);
  }

  // The native one is always among them, as with libseccomp, runc and crun: the list is about the
  // kernel's other ABIs, and a filter that knows none of its own calls would kill every program.
  Result<void> add_architectures() {
    tokens_.push_back(::seccomp_arch_native());
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
      const bool known = std::find(tokens_.begin(), tokens_.end(), *token) != tokens_.end();
      if (known || !can_occur(*token)) continue;
      const int code = ::seccomp_arch_add(context_.get(), *token);
      if (code != 0) {
        // Other byte order than the native one: no call of this machine can come from there.
        result_.summary.skipped.push_back(arch);
        continue;
      }
      tokens_.push_back(*token);
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

  Result<void> add_call(const NamedCall& call) {
    const bool notifies =
        std::any_of(call.rules.begin(), call.rules.end(), [](const CallRule& rule) {
          return (rule.answer & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_USER_NOTIF;
        });
    result_.filter.has_notify = result_.filter.has_notify || notifies;
    const bool says_the_default = call.is_plain() && call.rules.front().answer == default_.value;
    note_newest(call.name);
    if (says_the_default && find_recent_syscall(call.name)) return {};
    if (needs_judge(call)) {
      for (const std::uint32_t token : tokens_) judge_on(token, call);
      return {};
    }
    if (says_the_default) return {};  // libseccomp refuses such a rule
    const int number = ::seccomp_syscall_resolve_name(call.name.c_str());
    const int code =
        ::seccomp_rule_add_array(context_.get(), call.rules.front().answer, number, 0, nullptr);
    if (code == 0) return {};
    return system_error(name_ + "." + call.field + ": seccomp_rule_add " + call.name, -code);
  }

  [[nodiscard]] bool needs_judge(const NamedCall& call) const {
    if (!call.is_plain() || find_recent_syscall(call.name)) return true;
    if (is_multiplexer(call.name)) return call.strictest().strictness > 0;
    const bool refused = call.strictest().strictness > default_.action->strictness;
    return refused && std::any_of(tokens_.begin(), tokens_.end(), [&call](std::uint32_t token) {
             return find_door(token, call.name).has_value();
           });
  }

  void judge_on(std::uint32_t token, const NamedCall& call) {
    StubArchitecture& block = block_of(token);
    const auto door = find_door(token, call.name);
    if (const auto number = find_call_number(token, call.name)) add_judge(block, *number, call);
    if (!door) return;
    // Behind a door the arguments are in memory: what may have to be refused is.
    const CallRule& strictest = call.strictest();
    if (strictest.strictness <= default_.action->strictness) return;
    const ArgumentCheck is_it{0, Comparison::kMaskedEqual, door->mask, door->entry};
    block.doors.push_back({door->number, {strictest.answer, strictest.strictness, {is_it}}});
  }

  void add_judge(StubArchitecture& block, std::uint32_t number, const NamedCall& call) const {
    if (!block.calls.empty() && block.calls.back().name == call.name) {
      block.calls.back().numbers.push_back(number);
    } else {
      const bool is_32_bit = (block.audit_arch & __AUDIT_ARCH_64BIT) == 0;
      block.calls.push_back(
          {call.name, {number}, make_judge(call.rules, default_.value, is_32_bit)});
    }
  }

  StubArchitecture& block_of(std::uint32_t token) {
    const std::uint32_t audit = kernel_architecture(token);
    return *std::find_if(blocks_.begin(), blocks_.end(), [audit](const StubArchitecture& block) {
      return block.audit_arch == audit;
    });
  }

  // One block for each value that the kernel tells: x32 has that of x86-64.
  void make_blocks() {
    for (const std::uint32_t token : tokens_) {
      const std::uint32_t audit = kernel_architecture(token);
      const bool known =
          std::any_of(blocks_.begin(), blocks_.end(),
                      [audit](const StubArchitecture& block) { return block.audit_arch == audit; });
      if (known) continue;
      StubArchitecture block;
      block.audit_arch = audit;
      block.is_x86_64 = audit == SCMP_ARCH_X86_64;
      blocks_.push_back(std::move(block));
    }
  }

  void note_newest(const std::string& call) {
    if (!wants_enosys()) return;
    for (const std::uint32_t token : tokens_) {
      if (token == SCMP_ARCH_X32) continue;
      StubArchitecture& block = block_of(token);
      block.newest = std::max(block.newest, find_call_number(token, call).value_or(0));
    }
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

  Result<void> export_program() {
    std::vector<sock_filter>& program = result_.filter.program;
    program = make_stub(blocks_);
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
  Verdict default_;
  std::vector<std::uint32_t> tokens_;
  std::vector<StubArchitecture> blocks_;
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
