// BPF of argument rules: 64-bit comparisons in two halves.
#include "runtime/confine/seccomp_judge.h"

#include <linux/seccomp.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>
#include <optional>

namespace langsbx::confine {
namespace {

using Code = std::vector<sock_filter>;

constexpr std::uint32_t kAllBits = std::numeric_limits<std::uint32_t>::max();

sock_filter statement(unsigned code, std::uint32_t k) {
  return {static_cast<std::uint16_t>(code), 0, 0, k};
}

std::uint32_t half_offset(std::uint32_t index, bool high) {
  const bool second = high == (std::endian::native == std::endian::little);
  return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t) +
                                    (second ? sizeof(std::uint32_t) : 0));
}

// One check's instructions. What follows where it holds, and where it does not, lies so many
// instructions behind its end.
class Check {
 public:
  Check(const ArgumentCheck& check, std::size_t holds, std::size_t fails)
      : check_(check), holds_(holds), fails_(fails) {}

  Code make() {
    switch (check_.comparison) {
      case Comparison::kMaskedEqual:
        masked_half(true);
        masked_half(false);
        break;
      case Comparison::kEqual:
        equal(kNext, kFails);
        break;
      case Comparison::kNotEqual:
        equal(kFails, kHolds);
        break;
      case Comparison::kGreater:
        order(BPF_JGT, kHolds, kFails);
        break;
      case Comparison::kGreaterOrEqual:
        order(BPF_JGE, kHolds, kFails);
        break;
      case Comparison::kLess:
        order(BPF_JGE, kFails, kHolds);
        break;
      case Comparison::kLessOrEqual:
        order(BPF_JGT, kFails, kHolds);
        break;
    }
    resolve();
    return std::move(code_);
  }

 private:
  enum Place : std::uint8_t { kNext, kHolds, kFails };

  static std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32U);
  }
  static std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }

  void load(bool upper) {
    code_.push_back(statement(BPF_LD | BPF_W | BPF_ABS, half_offset(check_.index, upper)));
  }

  // Places for now, distances after resolve().
  void jump(unsigned operation, std::uint32_t k, Place when_true, Place when_false) {
    code_.push_back(
        {static_cast<std::uint16_t>(BPF_JMP | operation | BPF_K), when_true, when_false, k});
  }

  // The upper half of a 32-bit call's argument is zero.
  [[nodiscard]] bool skips_upper() const { return check_.is_32_bit && high(check_.value) == 0; }

  void equal(Place same, Place other) {
    if (!skips_upper()) {
      load(true);
      jump(BPF_JEQ, high(check_.value), kNext, other);
    }
    load(false);
    jump(BPF_JEQ, low(check_.value), same, other);
  }

  // The upper halves decide, and only where they are equal the lower ones do.
  void order(unsigned lower_operation, Place greater, Place not_greater) {
    if (!skips_upper()) {
      load(true);
      jump(BPF_JGT, high(check_.value), greater, kNext);
      jump(BPF_JEQ, high(check_.value), kNext, not_greater);
    }
    load(false);
    jump(lower_operation, low(check_.value), greater, not_greater);
  }

  void masked_half(bool upper) {
    const std::uint32_t mask = upper ? high(check_.value) : low(check_.value);
    const std::uint32_t wanted = upper ? high(check_.value_two) : low(check_.value_two);
    if (wanted == 0 && (mask == 0 || (upper && check_.is_32_bit))) return;
    load(upper);
    if (wanted == 0) return jump(BPF_JSET, mask, kFails, kNext);
    if (wanted == mask && std::has_single_bit(mask)) return jump(BPF_JSET, mask, kNext, kFails);
    if (mask != kAllBits) code_.push_back(statement(BPF_ALU | BPF_AND | BPF_K, mask));
    jump(BPF_JEQ, wanted, kNext, kFails);
  }

  void resolve() {
    for (std::size_t at = 0; at < code_.size(); ++at) {
      if (BPF_CLASS(code_[at].code) != BPF_JMP) continue;
      const std::size_t end = code_.size() - at - 1;
      const auto distance = [&](std::uint8_t place) {
        if (place == kNext && end > 0) return std::uint8_t{0};
        return static_cast<std::uint8_t>(end + (place == kFails ? fails_ : holds_));
      };
      code_[at].jt = distance(code_[at].jt);
      code_[at].jf = distance(code_[at].jf);
    }
  }

  const ArgumentCheck& check_;
  std::size_t holds_;
  std::size_t fails_;
  Code code_;
};

void prepend(const Code& front, Code& code) {
  code.insert(code.begin(), front.begin(), front.end());
}

// All checks of a rule: to `holds` and `fails` instructions behind their end.
Code make_checks(const CallRule& rule, std::size_t holds, std::size_t fails) {
  Code code;
  for (auto check = rule.checks.rbegin(); check != rule.checks.rend(); ++check) {
    prepend(Check(*check, code.empty() ? holds : 0, code.size() + fails).make(), code);
  }
  return code;
}

sock_filter answer_with(std::uint32_t answer) { return statement(BPF_RET | BPF_K, answer); }

// Asks for no bit; nothing is left to jump from.
bool always_holds(const ArgumentCheck& check) {
  if (check.comparison != Comparison::kMaskedEqual || check.value_two != 0) return false;
  return check.value == 0 || (check.is_32_bit && static_cast<std::uint32_t>(check.value) == 0);
}

// The first RET with this answer that a conditional jump over six checks of at most six
// instructions still reaches.
std::optional<std::size_t> find_answer(const Code& code, std::uint32_t answer) {
  constexpr std::size_t kReach = 200;
  for (std::size_t at = 0; at < std::min(code.size(), kReach); ++at) {
    if (code[at].code == (BPF_RET | BPF_K) && code[at].k == answer) return at;
  }
  return std::nullopt;
}

}  // namespace

std::vector<sock_filter> make_rule(const CallRule& rule) {
  Code code = make_checks(rule, 0, 1);
  code.push_back(answer_with(rule.answer));
  return code;
}

std::vector<sock_filter> make_judge(std::vector<CallRule> rules, std::uint32_t otherwise,
                                    bool is_32_bit) {
  for (CallRule& rule : rules) {
    for (ArgumentCheck& check : rule.checks) check.is_32_bit = is_32_bit;
    std::erase_if(rule.checks, always_holds);
  }
  std::stable_sort(rules.begin(), rules.end(), [](const CallRule& left, const CallRule& right) {
    return left.strictness > right.strictness;
  });
  Code code = {answer_with(otherwise)};
  for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule) {
    if (rule->checks.empty()) {
      code = {answer_with(rule->answer)};  // milder ones are never asked
      continue;
    }
    const auto known = find_answer(code, rule->answer);
    if (!known) prepend({answer_with(rule->answer)}, code);
    prepend(make_checks(*rule, known.value_or(0), known ? 0 : 1), code);
  }
  return code;
}

}  // namespace langsbx::confine
