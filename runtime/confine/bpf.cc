// An interpreter for the part of classic BPF that seccomp admits.
#include "runtime/confine/bpf.h"

#include <linux/audit.h>

#include <array>
#include <cstring>
#include <optional>

namespace langsbx::confine {
namespace {

struct Machine {
  std::uint32_t a = 0;
  std::uint32_t x = 0;
  std::array<std::uint32_t, BPF_MEMWORDS> memory{};
};

bool load(const sock_filter& op, const seccomp_data& call, Machine& m) {
  switch (BPF_MODE(op.code)) {
    case BPF_ABS:
      if (op.k > sizeof(call) - sizeof(m.a) || op.k % sizeof(m.a) != 0) return false;
      std::memcpy(&m.a, reinterpret_cast<const char*>(&call) + op.k, sizeof(m.a));
      return true;
    case BPF_IMM:
      m.a = op.k;
      return true;
    case BPF_LEN:
      m.a = sizeof(call);
      return true;
    case BPF_MEM:
      if (op.k >= BPF_MEMWORDS) return false;
      m.a = m.memory[op.k];
      return true;
    default:
      return false;
  }
}

bool load_index(const sock_filter& op, Machine& m) {
  switch (BPF_MODE(op.code)) {
    case BPF_IMM:
      m.x = op.k;
      return true;
    case BPF_LEN:
      m.x = sizeof(seccomp_data);
      return true;
    case BPF_MEM:
      if (op.k >= BPF_MEMWORDS) return false;
      m.x = m.memory[op.k];
      return true;
    default:
      return false;
  }
}

bool compute(const sock_filter& op, Machine& m) {
  const std::uint32_t operand = BPF_SRC(op.code) == BPF_X ? m.x : op.k;
  switch (BPF_OP(op.code)) {
    case BPF_ADD:
      m.a += operand;
      return true;
    case BPF_SUB:
      m.a -= operand;
      return true;
    case BPF_MUL:
      m.a *= operand;
      return true;
    case BPF_DIV:
      if (operand == 0) return false;
      m.a /= operand;
      return true;
    case BPF_AND:
      m.a &= operand;
      return true;
    case BPF_OR:
      m.a |= operand;
      return true;
    case BPF_XOR:
      m.a ^= operand;
      return true;
    case BPF_LSH:
      m.a = operand < 32 ? m.a << operand : 0;
      return true;
    case BPF_RSH:
      m.a = operand < 32 ? m.a >> operand : 0;
      return true;
    case BPF_NEG:
      m.a = 0U - m.a;
      return true;
    default:
      return false;
  }
}

// How far to jump, or nothing for an operation that isn't one of BPF's.
std::optional<std::uint32_t> jump(const sock_filter& op, const Machine& m) {
  const std::uint32_t operand = BPF_SRC(op.code) == BPF_X ? m.x : op.k;
  bool holds = false;
  switch (BPF_OP(op.code)) {
    case BPF_JA:
      return op.k;
    case BPF_JEQ:
      holds = m.a == operand;
      break;
    case BPF_JGT:
      holds = m.a > operand;
      break;
    case BPF_JGE:
      holds = m.a >= operand;
      break;
    case BPF_JSET:
      holds = (m.a & operand) != 0;
      break;
    default:
      return std::nullopt;
  }
  return holds ? op.jt : op.jf;
}

bool store(const sock_filter& op, std::uint32_t value, Machine& m) {
  if (op.k >= BPF_MEMWORDS) return false;
  m.memory[op.k] = value;
  return true;
}

bool step(const sock_filter& op, const seccomp_data& call, Machine& m) {
  switch (BPF_CLASS(op.code)) {
    case BPF_LD:
      return load(op, call, m);
    case BPF_LDX:
      return load_index(op, m);
    case BPF_ST:
      return store(op, m.a, m);
    case BPF_STX:
      return store(op, m.x, m);
    case BPF_ALU:
      return compute(op, m);
    case BPF_MISC:
      (BPF_MISCOP(op.code) == BPF_TAX ? m.x : m.a) = BPF_MISCOP(op.code) == BPF_TAX ? m.a : m.x;
      return true;
    default:
      return false;
  }
}

}  // namespace

std::uint32_t evaluate_filter(std::span<const sock_filter> program, const seccomp_data& call) {
  Machine m;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& op = program[at];
    if (BPF_CLASS(op.code) == BPF_RET) return BPF_RVAL(op.code) == BPF_A ? m.a : op.k;
    if (BPF_CLASS(op.code) == BPF_JMP) {
      const auto distance = jump(op, m);
      if (!distance || *distance >= program.size() - at) return SECCOMP_RET_KILL_PROCESS;
      at += *distance;
    } else if (!step(op, call, m)) {
      return SECCOMP_RET_KILL_PROCESS;
    }
  }
  return SECCOMP_RET_KILL_PROCESS;
}

std::uint32_t native_audit_arch() {
#if defined(__x86_64__)
  return AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  return AUDIT_ARCH_AARCH64;
#elif defined(__riscv) && __riscv_xlen == 64
  return AUDIT_ARCH_RISCV64;
#else
#error "name this architecture's AUDIT_ARCH constant"
#endif
}

bool filter_allows(std::uint32_t answer) {
  const std::uint32_t action = answer & SECCOMP_RET_ACTION_FULL;
  return action == SECCOMP_RET_ALLOW || action == SECCOMP_RET_LOG;
}

}  // namespace langsbx::confine
