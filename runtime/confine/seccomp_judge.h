// The rules of one system call that look at its arguments, or that differ, as BPF of our own.
//
// libseccomp merges such rules into one tree. It reports success and forgets a refusal that stands
// beside an allowance, and its tree of 64-bit comparisons gives wrong answers where several rules
// name the same argument. Here each rule is asked by itself, the strictest first.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <vector>

namespace langsbx::confine {

enum class Comparison : std::uint8_t {
  kNotEqual,
  kLess,
  kLessOrEqual,
  kEqual,
  kGreaterOrEqual,
  kGreater,
  kMaskedEqual,
};

struct ArgumentCheck {
  std::uint32_t index = 0;
  Comparison comparison = Comparison::kEqual;
  std::uint64_t value = 0;  // kMaskedEqual: the mask
  std::uint64_t value_two = 0;
  bool is_32_bit = false;  // the call's arguments are
};

struct CallRule {
  std::uint32_t answer = 0;  // SECCOMP_RET_*
  int strictness = 0;
  std::vector<ArgumentCheck> checks;  // all of them hold; none: always
};

// RET with the rule's answer where it holds, else on to the next instruction.
std::vector<sock_filter> make_rule(const CallRule& rule);

// One block that never falls through: the answer of the strictest rule that holds (of equally
// strict ones the first), else `otherwise`.
std::vector<sock_filter> make_judge(std::vector<CallRule> rules, std::uint32_t otherwise,
                                    bool is_32_bit);

}  // namespace langsbx::confine
