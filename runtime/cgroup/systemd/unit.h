// The systemd unit of a container: its name, slice and properties.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/cgroup/plan.h"

namespace langsbx::cgroup::systemd {

// "slice:prefix:name" → names. An empty slice is system.slice, or user.slice when rootless; "-" and
// "-.slice" are the root slice. Unset is ":langsbx:ID".
Result<Unit> parse_unit_path(const std::string& path, const std::string& id, bool rootless);

// "a-b.slice" → "/a.slice/a-b.slice"; refuses what systemd would not take as a slice name.
Result<std::string> expand_slice(const std::string& slice);

// Everything that StartTransientUnit gets: fixed properties, limits, annotations (which win).
Result<Unit> plan_unit(const Config& config, const oci::Resources& resources, const Host& host);

// Limits as unit properties, so that systemd's own writes agree with ours.
Result<std::vector<UnitProperty>> resource_properties(const oci::Resources& resources, Mode mode);

// org.systemd.property.NAME annotations: names from an allow-list, values in GVariant text.
Result<std::vector<UnitProperty>> annotation_properties(
    const std::map<std::string, std::string>& annotations);

// GVariant text → JSON text of the D-Bus type `signature`: b, s, t, u, i, x, d, as.
Result<std::string> parse_gvariant(std::string_view text, std::string_view signature);

}  // namespace langsbx::cgroup::systemd
