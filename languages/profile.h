// A profile: what a program of one language may do, as its YAML says it. Read in the parent, never
// in the container's init.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "languages/language.h"
#include "languages/policy.h"
#include "runtime/base/result.h"

namespace langsbx::languages {

enum class StageMode : std::uint8_t { kEnforce, kObserve };

struct Limits {
  std::optional<std::uint64_t> memory;        // bytes
  std::optional<std::uint64_t> cpu;           // thousandths of a processor
  std::optional<std::uint64_t> cpu_time;      // milliseconds
  std::optional<std::uint64_t> wall_time;     // milliseconds
  std::optional<std::uint64_t> processes;     // processes and threads
  std::optional<std::uint64_t> files;         // open files
  std::optional<std::uint64_t> disk;          // bytes in the largest file
  std::optional<std::uint64_t> output;        // bytes of stdout and stderr kept
  std::optional<std::uint64_t> source_bytes;  // the guard refuses larger source
  std::optional<std::uint64_t> source_nesting;
  // Whether any of those that a cgroup holds is set.
  [[nodiscard]] bool in_cgroup() const { return memory || cpu || processes; }
};

// The tight layer, put on the program itself.
struct LandlockLayer {
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<std::string> execute;
  std::vector<std::uint16_t> connect_tcp;
  std::vector<std::uint16_t> bind_tcp;
  std::vector<std::string> scopes;  // "abstract-unix-socket", "signal"
  std::optional<bool> best_effort;
};

// allowed: replaces the parent's; additional: adds to it; blocked: adds.
struct NameLists {
  std::optional<std::vector<std::string>> allowed;
  std::vector<std::string> additional;
  std::vector<std::string> blocked;
  std::optional<bool> exclusive;  // only what is listed, whatever the capabilities give
};

struct Profile {
  std::string file;  // where it was read from, for messages
  std::string name;
  std::string language;
  std::string description;
  std::string extends;

  std::vector<std::string> allow;  // capability names, checked when read
  std::vector<std::string> deny;
  NameLists modules;
  NameLists commands;
  NameLists functions;
  std::vector<std::string> blocked_attributes;
  std::vector<Pattern> patterns;
  std::vector<std::string> paths_read;
  std::vector<std::string> paths_write;
  Limits limits;
  LandlockLayer landlock;
  std::optional<std::string> seccomp;  // a profile's name
  std::optional<std::string> exec;     // "enforce", "confine" or "off": programs of `exec`
  std::optional<std::string> network;  // "none", "container", "host" or "proxy"
  std::map<std::string, StageMode, std::less<>> stages;
  std::map<std::string, std::string, std::less<>> places;  // "modules": "file:3:1: "
};

// One profile from YAML; `file` is what messages call it. Unknown fields, wrong types, aliases and
// duplicate keys are refused with file, line, column and what was expected.
[[nodiscard]] Result<Profile> read_profile(std::string_view yaml, std::string file);

struct ProfileText {
  std::string file;
  std::string yaml;
};

// Looks a profile up outside the shipped ones (the administrator's and the user's directories):
// nothing when there is none of that name. Asked first, so a directory can replace a shipped one.
using ProfileFinder = std::function<Result<std::optional<ProfileText>>(std::string_view language,
                                                                       std::string_view name)>;

// The profile with everything it extends merged in: lists add up, the rest is replaced. Refuses
// unknown names, cycles, and parents of another language. A finder may be empty.
[[nodiscard]] Result<Profile> load_profile(const Language& language, std::string_view name,
                                           const ProfileFinder& finder = {});

// Merges `child` over `parent`.
[[nodiscard]] Profile merge(Profile parent, Profile child);

// What the judge asks.
[[nodiscard]] Policy make_policy(const Profile& profile);

// A field a profile may have, for documentation and for the test against the JSON schema.
struct ProfileField {
  std::string_view path;  // "limits.memory"
  std::string_view type;  // "text", "list", "size", "duration", "cpu", "count", "boolean", ...
};
[[nodiscard]] std::vector<ProfileField> profile_fields();

}  // namespace langsbx::languages
