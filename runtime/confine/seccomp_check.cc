// What the rules say, by asking them one after the other, and what the filter says.
#include "runtime/confine/seccomp_check.h"

#include <linux/seccomp.h>
#include <seccomp.h>

#include <algorithm>
#include <array>
#include <limits>

#include "runtime/confine/bpf.h"

namespace langsbx::confine {
namespace {

using Arguments = std::array<std::uint64_t, 6>;

bool holds(const ArgumentCheck& check, const Arguments& args) {
  const std::uint64_t value = args[check.index];
  switch (check.comparison) {
    case Comparison::kNotEqual:
      return value != check.value;
    case Comparison::kLess:
      return value < check.value;
    case Comparison::kLessOrEqual:
      return value <= check.value;
    case Comparison::kEqual:
      return value == check.value;
    case Comparison::kGreaterOrEqual:
      return value >= check.value;
    case Comparison::kGreater:
      return value > check.value;
    case Comparison::kMaskedEqual:
      return (value & check.value) == check.value_two;
  }
  return false;
}

// Of the rules that hold the strictest, of equally strict ones the first.
std::uint32_t meaning(const NamedCall& call, std::uint32_t otherwise, const Arguments& args) {
  const CallRule* best = nullptr;
  for (const CallRule& rule : call.rules) {
    const bool applies =
        std::all_of(rule.checks.begin(), rule.checks.end(),
                    [&args](const ArgumentCheck& check) { return holds(check, args); });
    if (applies && (best == nullptr || rule.strictness > best->strictness)) best = &rule;
  }
  return best == nullptr ? otherwise : best->answer;
}

// Values for which the check holds or fails only just, in either half. The first one makes it hold,
// if any does.
std::vector<std::uint64_t> values_around(const ArgumentCheck& check) {
  constexpr std::uint64_t kUpper = std::uint64_t{1} << 32U;
  const bool masked = check.comparison == Comparison::kMaskedEqual;
  const std::uint64_t at = masked ? check.value_two : check.value;
  std::vector<std::uint64_t> values = {at, at - 1, at + 1, at ^ kUpper, at - kUpper, at + kUpper};
  if (masked) {
    const std::uint64_t lowest = check.value & (~check.value + 1);
    values.insert(values.end(), {at | ~check.value, at ^ lowest, at ^ check.value});
  }
  const auto first = std::find_if(values.begin(), values.end(), [&check](std::uint64_t value) {
    Arguments args{};
    args[check.index] = value;
    return holds(check, args);
  });
  if (first != values.end()) std::iter_swap(values.begin(), first);
  return values;
}

// One call where the whole rule holds, and those beside it in one argument.
std::vector<Arguments> calls_around(const CallRule& rule) {
  std::vector<Arguments> calls(1);
  for (const ArgumentCheck& check : rule.checks) {
    calls[0][check.index] = values_around(check).front();
  }
  const Arguments base = calls[0];
  for (const ArgumentCheck& check : rule.checks) {
    for (const std::uint64_t value : values_around(check)) {
      calls.push_back(base);
      calls.back()[check.index] = value;
    }
  }
  return calls;
}

class Checker {
 public:
  Checker(std::span<const sock_filter> program, const ProfileRules& rules,
          const Verdict& by_default)
      : program_(program), rules_(rules), by_default_(by_default) {}

  Result<void> check(const NamedCall& call, std::uint32_t architecture) const {
    if (const auto number = find_call_number(architecture, call.name)) {
      for (const CallRule& rule : call.rules) {
        for (const Arguments& args : calls_around(rule)) {
          TRY(check_one(call, architecture, *number, args));
        }
      }
    }
    return check_door(call, architecture);
  }

 private:
  [[nodiscard]] std::uint32_t ask(std::uint32_t architecture, std::uint32_t number,
                                  const Arguments& args) const {
    seccomp_data data{};
    data.nr = static_cast<int>(number);
    data.arch = kernel_architecture(architecture);
    std::copy(args.begin(), args.end(), data.args);
    return evaluate_filter(program_, data);
  }

  [[nodiscard]] static Error differs(const NamedCall& call, std::uint32_t architecture,
                                     std::uint32_t found, std::uint32_t wanted) {
    return make_error(ErrorKind::kInternal, call.field + ": the compiled filter answers " +
                                                std::to_string(found) + " to " + call.name +
                                                " (architecture " + std::to_string(architecture) +
                                                ") where the rules say " + std::to_string(wanted));
  }

  [[nodiscard]] Result<void> check_one(const NamedCall& call, std::uint32_t architecture,
                                       std::uint32_t number, Arguments args) const {
    if (!is_64_bit(architecture)) {
      for (std::uint64_t& arg : args) arg &= std::numeric_limits<std::uint32_t>::max();
    }
    const std::uint32_t wanted = meaning(call, by_default_.value, args);
    const std::uint32_t found = ask(architecture, number, args);
    if (found == wanted) return {};
    return differs(call, architecture, found, wanted);
  }

  // Behind a door the arguments are in memory: what may have to be refused is refused, unless the
  // profile has rules for the door itself.
  [[nodiscard]] Result<void> check_door(const NamedCall& call, std::uint32_t architecture) const {
    const auto door = find_door(architecture, call.name);
    if (!door || has_rules(*door, architecture)) return {};
    const CallRule& strictest = call.strictest();
    if (strictest.strictness <= by_default_.action->strictness) return {};
    const std::uint32_t found = ask(architecture, door->number, {door->entry});
    if (found == strictest.answer) return {};
    return differs(call, architecture, found, strictest.answer);
  }

  [[nodiscard]] bool has_rules(const Door& door, std::uint32_t architecture) const {
    return std::any_of(rules_.calls.begin(), rules_.calls.end(), [&](const NamedCall& call) {
      return find_call_number(architecture, call.name) == door.number;
    });
  }

  std::span<const sock_filter> program_;
  const ProfileRules& rules_;
  const Verdict& by_default_;
};

}  // namespace

Result<void> check_filter(std::span<const sock_filter> program, const ProfileRules& rules,
                          const Verdict& by_default,
                          const std::vector<std::uint32_t>& architectures) {
  const Checker checker(program, rules, by_default);
  for (const NamedCall& call : rules.calls) {
    for (const std::uint32_t architecture : architectures) {
      TRY(checker.check(call, architecture));
    }
  }
  return {};
}

}  // namespace langsbx::confine
