// Whether and how a launch is judged: who asked, and who may loosen what a stronger one set.
//
// Authority goes administrator > flag > annotation > environment. A weaker one may tighten (observe
// to enforce) and fill in what nobody said; anything else it says is a conflict unless the
// administrator lists it under `loosen`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace langsbx::guard {

inline constexpr const char* kConfigFile = "/etc/langsbx/config.yaml";

enum class Mode : std::uint8_t { kOff, kObserve, kEnforce };
enum class Origin : std::uint8_t { kEnvironment, kAnnotation, kFlag, kRecord, kAdministrator };

[[nodiscard]] std::string_view to_string(Mode mode);
[[nodiscard]] std::optional<Mode> mode_from(std::string_view text);

// What one of them says.
struct Request {
  Origin origin = Origin::kEnvironment;
  std::optional<Mode> mode;
  std::optional<std::string> profile;
  std::optional<std::string> language;  // a name or "auto"
  [[nodiscard]] bool empty() const { return !mode && !profile && !language; }
};

// guard: {mode, profile, language, loosen: [flag, annotation, environment]} of config.yaml.
struct Administrator {
  Request request{Origin::kAdministrator, {}, {}, {}};
  std::vector<Origin> may_loosen;
};
// Unknown fields and values are refused with file, line and column.
[[nodiscard]] Result<Administrator> read_administrator(std::string_view yaml,
                                                       std::string_view file);

[[nodiscard]] Result<Request> request_of(const std::map<std::string, std::string>& annotations);
// LANGSBX_PROFILE; the last one counts.
[[nodiscard]] Request request_of(const std::vector<std::string>& environment);

struct Settings {
  bool asked = false;        // by anyone: else what can be judged is observed
  std::optional<Mode> mode;  // absent: asked by a profile's name alone, so its stage says
  std::string profile = "default";
  std::string language = "auto";
  std::optional<Origin> profile_from;
};

// `requests` strongest first. An annotation or flag in conflict is an error; the environment, which
// an image may set, is passed over with a warning.
[[nodiscard]] Result<Settings> settle(const Administrator& administrator,
                                      const std::vector<Request>& requests,
                                      std::vector<std::string>& warnings);

// The record of a container's settings, so that `exec` cannot be looser than `create` was.
[[nodiscard]] std::string to_json(const Settings& settings);
[[nodiscard]] Result<Request> request_from_json(std::string_view json);

}  // namespace langsbx::guard
