// A small assembler for BPF_PROG_TYPE_CGROUP_DEVICE: one block of comparisons for each rule.
#include <linux/bpf.h>

#include <bit>
#include <cstring>

#include "runtime/cgroup/devices.h"

namespace langsbx::cgroup {
namespace {

static_assert(sizeof(bpf_insn) == sizeof(std::uint64_t));
static_assert(kMayMknod == BPF_DEVCG_ACC_MKNOD && kMayRead == BPF_DEVCG_ACC_READ &&
              kMayWrite == BPF_DEVCG_ACC_WRITE);

enum Register : std::uint8_t {
  kResult = BPF_REG_0,
  kScratch = BPF_REG_1,  // the context until the prologue has read it
  kType = BPF_REG_2,
  kAsked = BPF_REG_3,  // accesses that no rule has decided yet
  kMajor = BPF_REG_4,
  kMinor = BPF_REG_5
};

class Assembler {
 public:
  void load(Register to, std::int16_t offset) {
    emit(BPF_LDX | BPF_W | BPF_MEM, to, kScratch, offset, 0);
  }
  void alu(std::uint8_t operation, Register to, std::int32_t value) {
    emit(static_cast<std::uint8_t>(BPF_ALU | BPF_K | operation), to, kResult, 0, value);
  }
  void copy(Register to, Register from) { emit(BPF_ALU | BPF_X | BPF_MOV, to, from, 0, 0); }
  // Jumps to the end of the current block when the comparison holds.
  void leave_block_if(std::uint8_t comparison, Register left, std::int32_t value) {
    pending_.push_back(code_.size());
    emit(static_cast<std::uint8_t>(BPF_JMP | BPF_K | comparison), left, kResult, 0, value);
  }
  void end_block() {
    for (const auto at : pending_) {
      auto insn = std::bit_cast<bpf_insn>(code_[at]);
      insn.off = static_cast<std::int16_t>(code_.size() - at - 1);
      code_[at] = std::bit_cast<std::uint64_t>(insn);
    }
    pending_.clear();
  }
  void answer(bool allow) {
    emit(BPF_ALU64 | BPF_K | BPF_MOV, kResult, kResult, 0, allow ? 1 : 0);
    emit(BPF_JMP | BPF_EXIT, kResult, kResult, 0, 0);
  }
  std::vector<std::uint64_t> take() { return std::move(code_); }

 private:
  void emit(std::uint8_t code, Register to, Register from, std::int16_t offset,
            std::int32_t value) {
    bpf_insn insn{};
    insn.code = code;
    insn.dst_reg = static_cast<std::uint8_t>(to & 0xfU);
    insn.src_reg = static_cast<std::uint8_t>(from & 0xfU);
    insn.off = offset;
    insn.imm = value;
    code_.push_back(std::bit_cast<std::uint64_t>(insn));
  }

  std::vector<std::uint64_t> code_;
  std::vector<std::size_t> pending_;
};

void prologue(Assembler& assembler) {
  assembler.load(kType, offsetof(bpf_cgroup_dev_ctx, access_type));
  assembler.load(kMajor, offsetof(bpf_cgroup_dev_ctx, major));
  assembler.load(kMinor, offsetof(bpf_cgroup_dev_ctx, minor));
  assembler.copy(kAsked, kType);
  assembler.alu(BPF_AND, kType, 0xffff);  // type in the low half, access in the high one
  assembler.alu(BPF_RSH, kAsked, 16);
}

void block(Assembler& assembler, const DeviceAccess& rule) {
  if (rule.type != DeviceType::kAll) {
    const bool block_device = rule.type == DeviceType::kBlock;
    assembler.leave_block_if(BPF_JNE, kType,
                             block_device ? BPF_DEVCG_DEV_BLOCK : BPF_DEVCG_DEV_CHAR);
  }
  if (rule.major != kEveryNumber) {
    assembler.leave_block_if(BPF_JNE, kMajor, static_cast<std::int32_t>(rule.major));
  }
  if (rule.minor != kEveryNumber) {
    assembler.leave_block_if(BPF_JNE, kMinor, static_cast<std::int32_t>(rule.minor));
  }
  if (rule.access != kMayAll) {
    if (rule.allow) {
      // Granted accesses are settled; the others are left to earlier rules.
      assembler.alu(BPF_AND, kAsked, kMayAll & ~rule.access);
      assembler.leave_block_if(BPF_JNE, kAsked, 0);
    } else {
      assembler.copy(kScratch, kAsked);
      assembler.alu(BPF_AND, kScratch, rule.access);
      assembler.leave_block_if(BPF_JEQ, kScratch, 0);
    }
  }
  assembler.answer(rule.allow);
  assembler.end_block();
}

}  // namespace

std::vector<std::uint64_t> device_program(const std::vector<DeviceAccess>& rules) {
  // Last rule first: what it says about an access is final. Nothing may follow an unconditional
  // rule, since the verifier refuses code that can't be reached.
  Assembler assembler;
  prologue(assembler);
  bool only_allows = true;
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if (rule->is_everything()) {
      if (rule->allow && only_allows) return {};
      assembler.answer(rule->allow);
      return assembler.take();
    }
    only_allows = only_allows && rule->allow;
    block(assembler, *rule);
  }
  assembler.answer(false);
  return assembler.take();
}

}  // namespace langsbx::cgroup
