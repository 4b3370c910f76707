// BPF of the stub: one block for each architecture, then falling through to libseccomp's program.
#include "runtime/confine/seccomp_stub.h"

#include <linux/seccomp.h>

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

std::vector<sock_filter> make_block(const StubArchitecture& architecture,
                                    const std::vector<StubAnswer>& answers) {
  std::vector<sock_filter> block;
  block.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)));
  for (const StubAnswer& answer : answers) {
    block.push_back(jump(BPF_JEQ, answer.number, 0, 1));
    block.push_back(statement(BPF_RET | BPF_K, answer.answer));
  }
  if (architecture.newest == 0) return block;
  // An x32 number is libseccomp's to judge: it knows whether the profile names that architecture.
  if (architecture.is_x86_64) block.push_back(jump(BPF_JGE, kX32Bit, 2, 0));
  block.push_back(jump(BPF_JGT, architecture.newest, 0, 1));
  block.push_back(statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  return block;
}

}  // namespace

std::vector<sock_filter> make_stub(const std::vector<StubArchitecture>& architectures,
                                   const std::vector<StubAnswer>& answers) {
  std::vector<sock_filter> stub;
  for (const StubArchitecture& architecture : architectures) {
    if (architecture.newest == 0 && answers.empty()) continue;
    const std::vector<sock_filter> block = make_block(architecture, answers);
    // "Not this architecture" jumps over the block by JA: a conditional jump reaches 255 only.
    stub.push_back(statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)));
    stub.push_back(jump(BPF_JEQ, architecture.audit_arch, 1, 0));
    stub.push_back(statement(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(block.size())));
    stub.insert(stub.end(), block.begin(), block.end());
  }
  return stub;
}

}  // namespace langsbx::confine
