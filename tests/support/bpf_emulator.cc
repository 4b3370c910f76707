// Expectation tables against the evaluator of runtime/confine/bpf.h.
#include "tests/support/bpf_emulator.h"

#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "runtime/confine/bpf.h"
#include "runtime/confine/seccomp_names.h"
#include "runtime/kernel/file.h"

namespace langsbx::test {
namespace {

struct Architecture {
  std::string_view name;
  std::uint32_t library;  // SCMP_ARCH_*
  std::uint32_t kernel;   // AUDIT_ARCH_*
};
constexpr std::array kArchitectures = {
    Architecture{"x86_64", SCMP_ARCH_X86_64, AUDIT_ARCH_X86_64},
    Architecture{"x32", SCMP_ARCH_X32, AUDIT_ARCH_X86_64},
    Architecture{"x86", SCMP_ARCH_X86, AUDIT_ARCH_I386},
    Architecture{"aarch64", SCMP_ARCH_AARCH64, AUDIT_ARCH_AARCH64},
    Architecture{"arm", SCMP_ARCH_ARM, AUDIT_ARCH_ARM},
};
constexpr std::uint32_t kX32Bit = 0x40000000;

Result<int> number_of(const Expectation& call, const Architecture& architecture) {
  if (call.syscall.find_first_not_of("0123456789") == std::string::npos) {
    return std::atoi(call.syscall.c_str());
  }
  const int number =
      ::seccomp_syscall_resolve_name_arch(architecture.library, call.syscall.c_str());
  if (number >= 0) return number;
  if (const auto recent = confine::find_recent_syscall(call.syscall)) {
    const std::uint32_t extra = architecture.name == "x32" ? kX32Bit : 0;
    return static_cast<int>(*recent + extra);
  }
  return make_error(ErrorKind::kInvalidInput, "no number for " + call.syscall);
}

// Lower is stricter, as the kernel orders them (KILL_PROCESS is negative there).
std::int64_t rank(std::uint32_t answer) {
  return static_cast<std::int32_t>(answer & SECCOMP_RET_ACTION_FULL);
}

std::string in_words(std::uint32_t answer) {
  const auto data = static_cast<int>(answer & SECCOMP_RET_DATA);
  switch (answer & SECCOMP_RET_ACTION_FULL) {
    case SECCOMP_RET_ALLOW:
      return "ALLOW";
    case SECCOMP_RET_LOG:
      return "LOG";
    case SECCOMP_RET_TRACE:
      return "TRACE";
    case SECCOMP_RET_USER_NOTIF:
      return "NOTIFY";
    case SECCOMP_RET_TRAP:
      return "TRAP";
    case SECCOMP_RET_KILL_THREAD:
      return "KILL_THREAD";
    case SECCOMP_RET_KILL_PROCESS:
      return "KILL_PROCESS";
    case SECCOMP_RET_ERRNO: {
      const char* name = ::strerrorname_np(data);
      return name == nullptr ? std::to_string(data) : name;
    }
    default:
      return "unknown";
  }
}

}  // namespace

Result<std::vector<Expectation>> read_expectations(const std::string& path) {
  std::istringstream text(TRY(read_file(path)));
  std::vector<Expectation> expectations;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    line = line.substr(0, line.find('#'));
    std::istringstream words(line);
    Expectation expectation;
    expectation.line = number;
    std::string word;
    if (!(words >> word)) continue;
    if (word.front() == '[') {
      expectation.architecture = word.substr(1, word.size() - 2);
      words >> word;
    }
    expectation.syscall = word;
    while (words >> word && word != "->") {
      expectation.args.push_back(std::strtoull(word.c_str(), nullptr, 0));
    }
    if (word != "->" || !(words >> expectation.answer)) {
      return make_error(ErrorKind::kInvalidInput,
                        path + ":" + std::to_string(number) + ": no '-> answer'");
    }
    expectations.push_back(std::move(expectation));
  }
  return expectations;
}

Result<std::string> answer_of(const confine::SeccompPlan& plan, const Expectation& call) {
  const auto* architecture =
      std::find_if(kArchitectures.begin(), kArchitectures.end(),
                   [&call](const Architecture& item) { return item.name == call.architecture; });
  if (architecture == kArchitectures.end()) {
    return make_error(ErrorKind::kInvalidInput, "unknown architecture " + call.architecture);
  }
  seccomp_data data{};
  data.nr = TRY(number_of(call, *architecture));
  data.arch = architecture->kernel;
  for (std::size_t i = 0; i < call.args.size() && i < 6; ++i) data.args[i] = call.args[i];
  std::uint32_t strictest = SECCOMP_RET_ALLOW;
  for (const confine::SeccompFilter& filter : plan.filters) {
    const std::uint32_t answer = confine::evaluate_filter(filter.program, data);
    if (rank(answer) < rank(strictest)) strictest = answer;
  }
  return in_words(strictest);
}

}  // namespace langsbx::test
