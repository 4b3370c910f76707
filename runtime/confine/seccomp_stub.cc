// BPF of the stub: one block for each architecture, then falling through to libseccomp's program.
#include "runtime/confine/seccomp_stub.h"

#include <linux/seccomp.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace langsbx::confine {
namespace {

constexpr std::uint32_t kX32Bit = 0x40000000U;

sock_filter statement(unsigned code, std::uint32_t k) {
  return {static_cast<std::uint16_t>(code), 0, 0, k};
}

sock_filter jump(unsigned operation, std::uint32_t k, std::size_t when_true,
                 std::size_t when_false) {
  return {static_cast<std::uint16_t>(BPF_JMP | operation | BPF_K),
          static_cast<std::uint8_t>(when_true), static_cast<std::uint8_t>(when_false), k};
}

std::vector<sock_filter> load_number() {
  return {statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
}

// Each call of a program that is none of these comes through here, and the kernel runs through it
// for each number there is when the filter is loaded: one comparison each, where the jump reaches.
void add_for(const std::vector<std::uint32_t>& numbers, const std::vector<sock_filter>& code,
             std::vector<sock_filter>& block) {
  constexpr std::size_t kFarthest = 255;
  const std::size_t last = numbers.size() - 1;
  const bool reaches = code.size() <= kFarthest;
  for (std::size_t i = 0; i < last; ++i) {
    block.push_back(jump(BPF_JEQ, numbers[i], last - i + (reaches ? 0 : 1), 0));
  }
  block.push_back(jump(BPF_JEQ, numbers[last], reaches ? 0 : 1, reaches ? code.size() : 0));
  if (!reaches) {
    block.push_back(statement(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(code.size())));
  }
  block.insert(block.end(), code.begin(), code.end());
}

// From here on a call has the same number everywhere; most of those that libseccomp does not know
// are here, and few calls of a program. x32 numbers are all above it.
constexpr std::uint32_t kFirstCommon = 424;

void add_calls(const std::vector<JudgedCall>& calls, std::vector<sock_filter>& block) {
  std::vector<sock_filter> common;
  for (const JudgedCall& call : calls) {
    // One number below is enough: what stands behind the jump is never asked about it.
    const bool is_old = *std::min_element(call.numbers.begin(), call.numbers.end()) < kFirstCommon;
    add_for(call.numbers, call.judge, is_old ? block : common);
  }
  if (common.empty()) return;
  block.push_back(jump(BPF_JGE, kFirstCommon, 1, 0));
  block.push_back(statement(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(common.size())));
  block.insert(block.end(), common.begin(), common.end());
}

std::vector<sock_filter> make_block(const StubArchitecture& architecture) {
  std::vector<sock_filter> block = load_number();
  add_calls(architecture.calls, block);
  for (const JudgedDoor& door : architecture.doors) {
    std::vector<sock_filter> code = make_rule(door.rule);
    code.push_back(load_number().front());
    add_for({door.number}, code, block);
  }
  if (architecture.newest == 0) return block;
  // An x32 number is libseccomp's to judge: it knows whether the profile names that architecture.
  if (architecture.is_x86_64) block.push_back(jump(BPF_JGE, kX32Bit, 2, 0));
  block.push_back(jump(BPF_JGT, architecture.newest, 0, 1));
  block.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  return block;
}

}  // namespace

std::vector<sock_filter> make_stub(const std::vector<StubArchitecture>& architectures) {
  std::vector<sock_filter> stub;
  for (const StubArchitecture& architecture : architectures) {
    const bool is_empty = architecture.calls.empty() && architecture.doors.empty();
    if (architecture.newest == 0 && is_empty) continue;
    const std::vector<sock_filter> block = make_block(architecture);
    stub.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    stub.push_back(jump(BPF_JEQ, architecture.audit_arch, 1, 0));
    stub.push_back(statement(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(block.size())));
    stub.insert(stub.end(), block.begin(), block.end());
  }
  return stub;
}

}  // namespace langsbx::confine
