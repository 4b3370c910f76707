// Profiles made of any bytes, compiled, beside a model that knows nothing of the compiler: its own
// numbers, its own reading of rules. Architectures come in every order; among the calls are x32's,
// those behind the doors of i386, and those newer than libseccomp.
#include <linux/audit.h>
#include <linux/seccomp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_compile.h"

namespace {

using langsbx::oci::Seccomp;
using Arguments = std::array<std::uint64_t, 6>;

constexpr std::uint32_t kX32Bit = 0x40000000;

enum Abi : std::uint8_t { kAmd64, kI386, kX32, kForeign };

struct Call {
  const char* name;
  int amd64;  // -1: not there
  int i386;
  int x32;  // without its bit
  int door = 0;
  std::uint32_t entry = 0;
};
constexpr Call kCalls[] = {
    {"read", 0, 3, 0},
    {"ioctl", 16, 54, 514},
    {"execve", 59, 11, 520},
    {"personality", 135, 136, 135},
    {"socket", 41, 359, 41, 102, 1},
    {"accept", 43, -1, 43, 102, 5},
    {"shmat", 30, 397, 30, 117, 21},
    {"socketcall", -1, 102, -1},
    {"ipc", -1, 117, -1},
    {"_llseek", -1, 140, -1},
    {"rseq", 334, 386, 334},
    {"clone3", 435, 435, 435},
    {"faccessat2", 439, 439, 439},
    {"mount_setattr", 442, 442, 442},
    {"mseal", 462, 462, 462},
    {"listns", 470, 470, 470},
};

struct Word {
  const char* name;
  std::uint32_t answer;
};
constexpr Word kActions[] = {
    {"SCMP_ACT_ALLOW", SECCOMP_RET_ALLOW},
    {"SCMP_ACT_LOG", SECCOMP_RET_LOG},
    {"SCMP_ACT_TRACE", SECCOMP_RET_TRACE | EPERM},
    {"SCMP_ACT_ERRNO", SECCOMP_RET_ERRNO | EPERM},
    {"SCMP_ACT_TRAP", SECCOMP_RET_TRAP},
    {"SCMP_ACT_KILL_THREAD", SECCOMP_RET_KILL_THREAD},
    {"SCMP_ACT_KILL_PROCESS", SECCOMP_RET_KILL_PROCESS},
};

// How the kernel chooses between the answers of several filters.
bool is_stricter(std::uint32_t left, std::uint32_t right) {
  const auto rank = [](std::uint32_t answer) {
    return static_cast<std::int32_t>(answer & SECCOMP_RET_ACTION_FULL);
  };
  return rank(left) < rank(right);
}

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  [[nodiscard]] bool empty() const { return at_ >= size_; }
  std::size_t below(std::size_t bound) { return (empty() ? 0U : data_[at_++]) % bound; }
  std::uint64_t value() {
    constexpr std::uint64_t kValues[] = {
        0, 1, 8, 21, 40, 0x5412, 0xffffffff, 0x100000000, 0x100000005, ~0ULL >> 1U, ~0ULL};
    return kValues[below(std::size(kValues))] + below(3) - 1;
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
  std::size_t at_ = 0;
};

struct Check {
  std::uint32_t index = 0;
  int comparison = 0;
  std::uint64_t value = 0;
  std::uint64_t value_two = 0;
};
constexpr const char* kComparisons[] = {"SCMP_CMP_NE",       "SCMP_CMP_LT", "SCMP_CMP_LE",
                                        "SCMP_CMP_EQ",       "SCMP_CMP_GE", "SCMP_CMP_GT",
                                        "SCMP_CMP_MASKED_EQ"};

bool holds(const Check& check, const Arguments& args) {
  const std::uint64_t value = args[check.index];
  const bool answers[] = {
      value != check.value,
      value<check.value, value <= check.value, value == check.value, value >= check.value, value>
          check.value,
      ((value ^ check.value_two) & check.value) == 0};
  return answers[check.comparison];
}

struct Rule {
  const Call* call = nullptr;
  std::uint32_t answer = 0;
  std::vector<Check> checks;

  // Several comparisons of one argument are alternatives.
  [[nodiscard]] bool applies(const Arguments& args) const {
    std::array<int, 6> times{};
    for (const Check& check : checks) ++times[check.index];
    const auto one = [&args](const Check& check) { return holds(check, args); };
    const bool repeats = std::any_of(times.begin(), times.end(), [](int n) { return n > 1; });
    return repeats ? std::any_of(checks.begin(), checks.end(), one)
                   : std::all_of(checks.begin(), checks.end(), one);
  }
};

struct Profile {
  Seccomp text;
  std::uint32_t otherwise = 0;
  std::vector<Rule> rules;
  bool lists_i386 = false;
  bool lists_x32 = false;

  explicit Profile(Bytes& bytes) {
    const Word& word = kActions[bytes.below(std::size(kActions))];
    text.default_action = word.name;
    otherwise = word.answer;
    if ((otherwise & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO && bytes.below(4) == 0) {
      text.default_errno_ret = ENOSYS;
      otherwise = SECCOMP_RET_ERRNO | ENOSYS;
    }
    constexpr const char* kNames[] = {"SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32",
                                      "SCMP_ARCH_AARCH64", "SCMP_ARCH_S390X"};
    for (std::size_t count = bytes.below(5); count > 0; --count) {
      const std::size_t which = bytes.below(std::size(kNames));
      text.architectures.emplace_back(kNames[which]);
      lists_i386 = lists_i386 || which == 1;
      lists_x32 = lists_x32 || which == 2;
    }
    for (std::size_t count = 1 + bytes.below(8); count > 0; --count) add_rule(bytes);
  }

  void add_rule(Bytes& bytes) {
    const Word& word = kActions[bytes.below(std::size(kActions))];
    Rule rule{&kCalls[bytes.below(std::size(kCalls))], word.answer, {}};
    langsbx::oci::SeccompRule written{{rule.call->name}, word.name, {}, {}};
    if ((word.answer & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO) {
      written.errno_ret = static_cast<std::uint32_t>(1 + bytes.below(40));
      rule.answer = SECCOMP_RET_ERRNO | *written.errno_ret;
    }
    for (std::size_t count = bytes.below(4); count > 0; --count) {
      const Check check{static_cast<std::uint32_t>(bytes.below(6)),
                        static_cast<int>(bytes.below(std::size(kComparisons))), bytes.value(),
                        bytes.value()};
      rule.checks.push_back(check);
      written.args.push_back(
          {check.index, check.value, check.value_two, kComparisons[check.comparison]});
    }
    rules.push_back(std::move(rule));
    text.syscalls.push_back(std::move(written));
  }
};

int number_on(const Call& call, Abi abi) {
  if (abi == kX32) return call.x32 < 0 ? -1 : static_cast<int>(kX32Bit | unsigned(call.x32));
  return abi == kI386 ? call.i386 : call.amd64;
}

class Model {
 public:
  explicit Model(const Profile& profile) : profile_(profile) {}

  // Absent: the profile says nothing certain (what libseccomp does with a door of i386).
  [[nodiscard]] std::optional<std::uint32_t> answer(Abi abi, int number,
                                                    const Arguments& args) const {
    const bool listed = abi == kAmd64 || (abi == kI386 && profile_.lists_i386) ||
                        (abi == kX32 && profile_.lists_x32);
    if (!listed) return SECCOMP_RET_KILL_THREAD;
    if (abi == kI386 && (number == 102 || number == 117)) return behind_door(number, args);
    for (const Rule& rule : profile_.rules) {
      if (number_on(*rule.call, abi) == number) return of_rules(*rule.call, args);
    }
    const bool refuses = (profile_.otherwise & SECCOMP_RET_ACTION_FULL) == SECCOMP_RET_ERRNO;
    const int newest = newest_on(abi);
    if (refuses && abi != kX32 && newest > 0 && number > newest) return SECCOMP_RET_ERRNO | ENOSYS;
    return profile_.otherwise;
  }

 private:
  [[nodiscard]] int newest_on(Abi abi) const {
    int newest = 0;
    for (const Rule& rule : profile_.rules) newest = std::max(newest, number_on(*rule.call, abi));
    return newest;
  }

  [[nodiscard]] std::uint32_t of_rules(const Call& call, const Arguments& args) const {
    std::optional<std::uint32_t> best;
    for (const Rule& rule : profile_.rules) {
      if (rule.call != &call || !rule.applies(args)) continue;
      if (!best || is_stricter(rule.answer, *best)) best = rule.answer;
    }
    return best.value_or(profile_.otherwise);
  }

  // Who names the door decides about it, but by allowing it alone. Else what is carried is refused
  // where one rule for it refuses more than the default does.
  [[nodiscard]] std::optional<std::uint32_t> behind_door(int number, const Arguments& args) const {
    std::optional<std::uint32_t> strictest;
    const std::uint64_t mask = number == 117 ? 0xffff : 0xffffffff;
    for (const Rule& rule : profile_.rules) {
      if (rule.call->i386 == number) {
        const bool plain =
            std::all_of(profile_.rules.begin(), profile_.rules.end(), [number](const Rule& other) {
              return other.call->i386 != number ||
                     (other.checks.empty() && other.answer == SECCOMP_RET_ALLOW);
            });
        if (plain) return std::nullopt;
        return of_rules(*rule.call, args);
      }
      if (rule.call->door != number || (args[0] & mask) != rule.call->entry) continue;
      if (!strictest || is_stricter(rule.answer, *strictest)) strictest = rule.answer;
    }
    if (strictest && is_stricter(*strictest, profile_.otherwise)) return strictest;
    return std::nullopt;
  }

  const Profile& profile_;
};

void compare(const Profile& profile, const std::vector<sock_filter>& program, Bytes& bytes) {
  const Model model(profile);
  std::vector<std::uint64_t> values = {0, 1, 21, 0x10015};
  for (const Rule& rule : profile.rules) {
    for (const Check& check : rule.checks) {
      for (const std::uint64_t value : {check.value, check.value_two}) {
        values.insert(values.end(), {value, value - 1, value + 1, value ^ 0x100000000});
      }
    }
  }
  constexpr std::uint32_t kKernelNames[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_I386, AUDIT_ARCH_X86_64,
                                            AUDIT_ARCH_AARCH64};
  for (int trial = 0; trial < 96; ++trial) {
    // After the bytes are used up, still each call on each ABI.
    const auto mixed = static_cast<std::size_t>(trial) + bytes.below(256);
    const auto abi = static_cast<Abi>(mixed % 4);
    const Call& call = kCalls[mixed / 4 % std::size(kCalls)];
    int number = number_on(call, abi);
    if (number < 0 || bytes.below(16) == 15) {
      number = static_cast<int>(300 + bytes.below(256));
      if (abi == kX32) number |= static_cast<int>(kX32Bit);
    }
    Arguments args{};
    for (std::uint64_t& arg : args) {
      arg = values[(mixed + bytes.below(256)) % values.size()];
      if (abi == kI386) arg &= 0xffffffff;
    }
    seccomp_data data{};
    data.nr = number;
    data.arch = kKernelNames[abi];
    std::copy(args.begin(), args.end(), data.args);
    const auto wanted = model.answer(abi, number, args);
    if (!wanted) continue;
    const std::uint32_t found = langsbx::confine::evaluate_filter(program, data);
    if (found == *wanted) continue;
    std::fprintf(stderr, "call %#x, ABI %d: %#x instead of %#x\n", unsigned(number), int(abi),
                 found, *wanted);
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const Profile profile(bytes);
  const auto compiled = langsbx::confine::compile_seccomp(profile.text, "fuzz",
                                                          langsbx::confine::UnknownCalls::kFail);
  if (!compiled.ok()) {  // its own check may have found a difference
    std::fprintf(stderr, "%s\n", compiled.error().to_string().c_str());
    std::abort();
  }
  compare(profile, compiled->filter.program, bytes);
  return 0;
}
