// What the packages of Go's standard library, and single names in them, reach for.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "languages/finding.h"

namespace langsbx::languages::go {

// The capability that importing the package needs; kNone when it is harmless or when its names are
// judged one by one. Nothing: not in the standard library.
[[nodiscard]] std::optional<Capability> find_package(std::string_view path);

struct Member {
  Capability capability = Capability::kNone;
  int paths = 0;  // how many of its first arguments are paths
};

// `name` of the package at `path`; null when it is harmless.
[[nodiscard]] const Member* find_member(std::string_view path, std::string_view name);

// Whether single names of the package are judged, so that a dot import would hide them.
// The path and the name that it is used by, of the packages that a piece of a file may name.
void each_package(const std::function<void(std::string_view path, std::string_view name)>& visit);
// "math/rand/v2" is used as rand.
[[nodiscard]] std::string_view default_name(std::string_view path);
[[nodiscard]] bool has_members(std::string_view path);

}  // namespace langsbx::languages::go
