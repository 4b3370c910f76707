// How much of Landlock a container must have: the word of --landlock, of the annotation
// io.langsbx.landlock and of the administrator's file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace langsbx::confine {

enum class LandlockMode : std::uint8_t {
  // The container's layer steps aside where it would forbid what config.json asks for, and what the
  // kernel lacks is listed. What somebody named right by right is required all the same.
  kAuto,
  kRequired,    // all of it, or the container does not start
  kBestEffort,  // as much of it as the kernel has; nothing steps aside
  kOff,         // no container layer
};

// "auto", "required" (or "broad", its older name), "best-effort", "off".
std::optional<LandlockMode> landlock_mode_from(std::string_view text);
std::string_view to_string(LandlockMode mode);
inline constexpr std::string_view kLandlockModes = "required, auto, best-effort, off";

}  // namespace langsbx::confine
