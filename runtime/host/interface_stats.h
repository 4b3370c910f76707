// What went through the interfaces that a container was given.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "oci/spec.h"

namespace langsbx::runtime {

// `network_interfaces` of `events`, in the members that clients of runc decode: linux.netDevices
// by their names inside. `net_dev` is /proc/<init>/net/dev. Null without such devices.
nlohmann::ordered_json interface_stats(const oci::Linux& linux_, std::string_view net_dev);

}  // namespace langsbx::runtime
