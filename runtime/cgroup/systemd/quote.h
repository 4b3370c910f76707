// JSON text for the few values that unit properties and requests to the helper are made of.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cgroup/plan.h"

namespace langsbx::cgroup::systemd {

inline constexpr std::uint64_t kInfinity = std::numeric_limits<std::uint64_t>::max();

std::string quote(std::string_view text);

UnitProperty text_property(std::string name, std::string_view value);                // s
UnitProperty flag_property(std::string name, bool value);                            // b
UnitProperty number_property(std::string name, std::uint64_t value);                 // t
UnitProperty list_property(std::string name, const std::vector<std::string>& list);  // as
// "0-2,7" as the bit mask that AllowedCPUs takes: ay.
UnitProperty mask_property(std::string name, const std::vector<std::uint16_t>& numbers);

}  // namespace langsbx::cgroup::systemd
