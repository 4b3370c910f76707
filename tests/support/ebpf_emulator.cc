// An interpreter for cgroup device programs.
#include "tests/support/ebpf_emulator.h"

#include <linux/bpf.h>

#include <array>
#include <bit>

namespace langsbx::test {
namespace {

struct Machine {
  std::array<std::uint64_t, 11> value{};
  std::array<bool, 11> set{};
};

bool load(Machine& machine, const bpf_insn& insn, const std::array<std::uint32_t, 3>& context) {
  if (insn.src_reg != BPF_REG_1 || !machine.set[BPF_REG_1] || machine.value[BPF_REG_1] != 0) {
    return false;
  }
  if (insn.off < 0 || insn.off % 4 != 0 || insn.off > 8) return false;
  machine.value[insn.dst_reg] = context[static_cast<std::size_t>(insn.off / 4)];
  machine.set[insn.dst_reg] = true;
  return true;
}

bool alu(Machine& machine, const bpf_insn& insn) {
  const bool from_register = (insn.code & BPF_X) != 0;
  if (from_register && !machine.set[insn.src_reg]) return false;
  std::uint64_t operand = from_register ? machine.value[insn.src_reg]
                                        : static_cast<std::uint64_t>(std::int64_t{insn.imm});
  const bool narrow = BPF_CLASS(insn.code) == BPF_ALU;
  if (narrow) operand &= 0xffffffffU;
  auto& target = machine.value[insn.dst_reg];
  const auto operation = BPF_OP(insn.code);
  if (operation != BPF_MOV && !machine.set[insn.dst_reg]) return false;
  if (operation == BPF_MOV) {
    target = operand;
  } else if (operation == BPF_AND) {
    target &= operand;
  } else if (operation == BPF_RSH) {
    target >>= operand;
  } else {
    return false;
  }
  if (narrow) target &= 0xffffffffU;
  machine.set[insn.dst_reg] = true;
  return true;
}

}  // namespace

std::optional<std::uint64_t> run_device_program(const std::vector<std::uint64_t>& program,
                                                const DeviceRequest& request) {
  const std::array<std::uint32_t, 3> context = {request.access << 16U | request.type, request.major,
                                                request.minor};
  Machine machine;
  machine.set[BPF_REG_1] = true;  // value 0 stands for the context's address
  std::size_t at = 0;
  while (at < program.size()) {
    const auto insn = std::bit_cast<bpf_insn>(program[at]);
    ++at;
    const auto kind = BPF_CLASS(insn.code);
    if (insn.code == (BPF_LDX | BPF_W | BPF_MEM)) {
      if (!load(machine, insn, context)) return std::nullopt;
    } else if (kind == BPF_ALU || kind == BPF_ALU64) {
      if (!alu(machine, insn)) return std::nullopt;
    } else if (insn.code == (BPF_JMP | BPF_EXIT)) {
      if (!machine.set[BPF_REG_0]) return std::nullopt;
      return machine.value[BPF_REG_0];
    } else if (insn.code == (BPF_JMP | BPF_K | BPF_JEQ) ||
               insn.code == (BPF_JMP | BPF_K | BPF_JNE)) {
      if (!machine.set[insn.dst_reg] || insn.off < 0) return std::nullopt;
      const bool equal =
          machine.value[insn.dst_reg] == static_cast<std::uint64_t>(std::int64_t{insn.imm});
      if (equal == (BPF_OP(insn.code) == BPF_JEQ)) at += static_cast<std::size_t>(insn.off);
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace langsbx::test
