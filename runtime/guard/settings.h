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
#include "runtime/confine/landlock_mode.h"
#include "runtime/guard/guard_record.h"

namespace langsbx::guard {

inline constexpr const char* kConfigFile = "/etc/langsbx/config.yaml";

enum class Mode : std::uint8_t { kOff, kObserve, kEnforce };
// What `exec` does with a program that is no interpreter: lets it run in the container's layer, in
// the program's own, or not at all.
enum class ExecPolicy : std::uint8_t { kOff, kConfine, kEnforce };
enum class Origin : std::uint8_t { kEnvironment, kAnnotation, kFlag, kRecord, kAdministrator };

[[nodiscard]] std::string_view to_string(Mode mode);
[[nodiscard]] std::optional<Mode> mode_from(std::string_view text);
[[nodiscard]] std::string_view to_string(ExecPolicy policy);
[[nodiscard]] std::optional<ExecPolicy> exec_policy_from(std::string_view text);

// What one of them says.
struct Request {
  Origin origin = Origin::kEnvironment;
  std::optional<Mode> mode;
  std::optional<std::string> profile;
  std::optional<std::string> language;  // a name or "auto"
  std::optional<ExecPolicy> exec = {};  // asks for no guard by itself
  std::string judged_as = {};           // of a record: the language of the container's program
  [[nodiscard]] bool empty() const { return !mode && !profile && !language; }
};

enum class VerdictTarget : std::uint8_t { kFile, kJournal, kSyslog, kOff };

// verdicts: {to: file|journald|syslog|off, max_bytes, keep, required, socket} of config.yaml.
struct VerdictLogSettings {
  VerdictTarget to = VerdictTarget::kFile;
  std::uint64_t most_bytes = 16U << 20U;  // a larger file is put aside
  unsigned keep = 4;                      // of those
  bool required = false;                  // under an enforced profile: no program without its line
  std::string socket;                     // of the journal or syslog; empty: where it usually is
};

// guard: {mode, profile, language, exec, loosen: [flag, annotation, environment]} and
// landlock: {mode, loosen: [flag, annotation]} of config.yaml.
struct Administrator {
  Request request{Origin::kAdministrator, {}, {}, {}};
  std::vector<Origin> may_loosen;
  VerdictLogSettings verdicts;
  std::optional<confine::LandlockMode> landlock;
  std::vector<Origin> may_loosen_landlock;
};
// Unknown fields and values are refused with file, line and column.
[[nodiscard]] Result<Administrator> read_administrator(std::string_view yaml,
                                                       std::string_view file);
// No file is no wish; one that cannot be read is an error, never passed over.
[[nodiscard]] Result<Administrator> administrator_of(const std::string& file);

// Administrator > flag > annotation; empty texts say nothing. A weaker one may say the same again,
// or "required"; anything else loosens and is an error unless the administrator lists it.
[[nodiscard]] Result<confine::LandlockMode> settle_landlock(
    const Administrator& administrator, const std::string& flag,
    const std::map<std::string, std::string>& annotations);

[[nodiscard]] Result<Request> request_of(const std::map<std::string, std::string>& annotations);
// LANGSBX_PROFILE; the last one counts.
[[nodiscard]] Request request_of(const std::vector<std::string>& environment);

struct Settings {
  bool asked = false;        // by anyone: else what can be judged is observed
  std::optional<Mode> mode;  // absent: asked by a profile's name alone, so its stage says
  std::string profile = "default";
  std::string language = "auto";
  std::optional<Origin> profile_from;
  std::optional<Origin> enforced_from;  // the strongest who asked for more than looking on
  std::optional<ExecPolicy> exec;       // absent: the profile says, else kConfine
  std::string judged_as;                // the language of the container's program, once it is known
};

// `requests` strongest first. An annotation or flag in conflict is an error; the environment, which
// an image may set, is passed over with a warning.
[[nodiscard]] Result<Settings> settle(const Administrator& administrator,
                                      const std::vector<Request>& requests,
                                      std::vector<std::string>& warnings);

// In a container's record, so that `exec` cannot be looser than `create` was.
[[nodiscard]] GuardRecord record_of(const Settings& settings);
[[nodiscard]] Result<Request> request_of(const GuardRecord& record);

}  // namespace langsbx::guard
